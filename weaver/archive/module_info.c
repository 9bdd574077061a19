/*
 * module_info.c: the package of an embedded runtime in the ModulePackages of its module (JVMS
 * 4.7.26).
 *
 *     attribute_name_index u2, attribute_length u4, package_count u2, package_index u2[]
 *
 * A module without the attribute needs nothing: the JDK then looks at the archive itself. The module
 * needs no `requires` either, since the runtime class is in the module.
 */
#include "weaver/archive/module_info.h"

#include "cfr/class.h"
#include "cfr/pool_add.h"

#include "base/banned.h"

static enum jw_status add_package(struct cfr_pool *pool, struct jw_span package, size_t *index,
				  struct jw_err *e)
{
	uint16_t name;

	JW_TRY(cfr_pool_add_utf8(pool, package, &name, e));
	if (pool->next >= CFR_POOL_MAX)
		return jw_fail(e, JW_LIMIT, "too many constants (limit is 65535)");
	jw_put_u1(&pool->added, CFR_CONSTANT_Package);
	jw_put_u2(&pool->added, name);
	*index = pool->next++;
	return JW_OK;
}

static enum jw_status extend(struct cfr_class *cls, const struct cfr_attr *attr,
			     struct jw_span package, struct jw_buf *out, struct jw_err *e)
{
	struct jw_cur c = jw_cur(attr->info);
	size_t count = jw_cur_u2(&c), index = 0;

	if (!jw_cur_ok(&c) || attr->info.n != 2 + 2 * count)
		return jw_fail(e, JW_INPUT, "module-info: damaged ModulePackages attribute");
	JW_TRY(add_package(&cls->pool, package, &index, e));
	struct jw_span before = jw_span_sub(cls->bytes, 0, cls->pool.start);
	jw_put_bytes(out, before);
	cfr_pool_put(&cls->pool, out);
	size_t length_at = attr->at + 2, info_at = length_at + 4;
	jw_put_bytes(out, jw_span_sub(cls->bytes, cls->pool.end, length_at - cls->pool.end));
	jw_put_u4(out, attr->info.n + 2);
	jw_put_u2(out, count + 1);
	jw_put_bytes(out, jw_span_sub(attr->info, 2, attr->info.n));
	jw_put_u2(out, index);
	jw_put_bytes(out, jw_span_sub(cls->bytes, info_at + attr->info.n, cls->bytes.n));
	return jw_buf_finish(out, "module-info", e);
}

enum jw_status weave_module_add_package(struct jw_span bytes, struct jw_span package,
					struct jw_arena *arena, struct jw_buf *out, bool *changed,
					struct jw_err *e)
{
	struct cfr_class cls;
	struct cfr_attr attr;
	enum jw_status status = cfr_class_open(bytes, arena, &cls, e);

	*changed = false;
	/* one that cannot be read names no packages: the JVM will say more */
	if (status == JW_INPUT || status == JW_UNSUPPORTED)
		return JW_OK;
	JW_TRY(status);
	if (cfr_attrs_find(&cls, &cls.attrs, "ModulePackages", &attr)) {
		status = extend(&cls, &attr, package, out, e);
		*changed = status == JW_OK;
	}
	cfr_class_close(&cls);
	return status;
}
