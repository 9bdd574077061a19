#include "cfr/class.h"

#include "cfr/pool_add.h"

#include "base/banned.h"

enum {
	MEMBER_MIN = 8, /* access, name, descriptor, attributes_count */
	HEAD = 8,       /* magic, minor, major; also access_flags up to interfaces_count */
};

/* The offset in the class file of what CUR reads next: CUR may read a part of the class. */
static size_t class_offset(const struct cfr_class *cls, const struct jw_cur *cur)
{
	return cur->s.p ? (size_t)(cur->s.p - cls->bytes.p) + cur->pos : 0;
}

/* ---- attributes ---- */

static bool next_attr(const struct cfr_pool *pool, struct jw_cur *cur, struct cfr_attr *out)
{
	out->name = cfr_pool_utf8(pool, jw_cur_u2(cur));
	uint32_t length = jw_cur_u4(cur);

	out->info = jw_cur_take(cur, length);
	return jw_cur_ok(cur) && out->name.p;
}

/* Walks a table; CODE (may be NULL) takes the info of its Code attribute. */
static enum jw_status read_attrs(const struct cfr_class *cls, struct jw_cur *cur,
				 struct cfr_attrs *out, struct jw_span *code, struct jw_err *e)
{
	uint16_t count = jw_cur_u2(cur);
	size_t start = cur->pos;
	struct cfr_attr attr;

	if (!jw_cur_ok(cur))
		return jw_fail(e, JW_INPUT, "the file ends before an attribute count");
	*out = (struct cfr_attrs){ .count = count, .at = class_offset(cls, cur) };
	for (uint16_t i = 0; i < count; i++) {
		size_t at = class_offset(cls, cur);

		if (!next_attr(&cls->pool, cur, &attr))
			return jw_fail(
				e, JW_INPUT,
				"attribute at offset %zu: no name, or longer than what holds it",
				at);
		if (!code || !jw_span_eq(attr.name, JW_SPAN_LIT("Code")))
			continue;
		if (code->p)
			return jw_fail(e, JW_INPUT, "attribute at offset %zu: a second Code", at);
		*code = attr.info;
	}
	out->bytes = jw_span_sub(cur->s, start, cur->pos - start);
	return JW_OK;
}

enum jw_status cfr_attrs_read(const struct cfr_class *cls, struct jw_cur *cur,
			      struct cfr_attrs *out, struct jw_err *e)
{
	return read_attrs(cls, cur, out, NULL, e);
}

struct cfr_attr_iter cfr_attrs_iter(const struct cfr_class *cls, const struct cfr_attrs *attrs)
{
	return (struct cfr_attr_iter){ .pool = &cls->pool,
				       .cur = jw_cur(attrs->bytes),
				       .base = attrs->at,
				       .left = attrs->count };
}

bool cfr_attr_next(struct cfr_attr_iter *it, struct cfr_attr *out)
{
	if (it->left == 0)
		return false;
	it->left--;
	out->at = it->base + it->cur.pos;
	return next_attr(it->pool, &it->cur, out);
}

bool cfr_is_bodiless(const struct cfr_member *method)
{
	return method->access & (CFR_ACC_ABSTRACT | CFR_ACC_NATIVE) &&
	       !jw_span_eq_str(method->name, "<clinit>");
}

bool cfr_attrs_find(const struct cfr_class *cls, const struct cfr_attrs *attrs, const char *name,
		    struct cfr_attr *out)
{
	struct cfr_attr_iter it = cfr_attrs_iter(cls, attrs);
	struct jw_span wanted = jw_span_str(name);
	struct cfr_attr attr;

	while (cfr_attr_next(&it, &attr)) {
		if (jw_span_eq(attr.name, wanted)) {
			*out = attr;
			return true;
		}
	}
	return false;
}

/* ---- members ---- */

static enum jw_status read_member(const struct cfr_class *cls, struct jw_cur *cur, bool method,
				  struct cfr_member *m, struct jw_err *e)
{
	size_t start = cur->pos;

	m->access = jw_cur_u2(cur);
	m->name = cfr_pool_utf8(&cls->pool, jw_cur_u2(cur));
	m->descriptor = cfr_pool_utf8(&cls->pool, jw_cur_u2(cur));
	if (!jw_cur_ok(cur) || !m->name.p || !m->descriptor.p)
		return jw_fail(e, JW_INPUT, "no name or descriptor at offset %zu", start);
	JW_TRY(read_attrs(cls, cur, &m->attrs, method ? &m->code : NULL, e));
	m->bytes = jw_span_sub(cur->s, start, cur->pos - start);
	return JW_OK;
}

/* Reads fields (or methods) from CUR into an array of the arena. */
static enum jw_status read_members(const struct cfr_class *cls, struct jw_cur *cur, bool method,
				   struct jw_arena *arena, const struct cfr_member **out,
				   uint16_t *out_count, struct jw_err *e)
{
	const char *what = method ? "method" : "field";
	uint16_t count = jw_cur_u2(cur);

	if (!jw_cur_ok(cur) || count > jw_cur_left(cur) / MEMBER_MIN)
		return jw_fail(e, JW_INPUT, "%u %s%s not fit into the %zu byte%s left", count, what,
			       count == 1 ? " does" : "s do", jw_cur_left(cur),
			       jw_s(jw_cur_left(cur)));
	struct cfr_member *members = JW_NEW_ARRAY(arena, struct cfr_member, count);
	if (!members)
		return jw_nomem(e);
	for (uint16_t i = 0; i < count; i++) {
		if (read_member(cls, cur, method, &members[i], e) != JW_OK)
			return jw_err_where(e, "%s %u", what, i);
	}
	*out = members;
	*out_count = count;
	return JW_OK;
}

/* ---- the class ---- */

static enum jw_status read_head(struct cfr_class *cls, struct jw_cur *cur, struct jw_arena *arena,
				struct jw_err *e)
{
	struct jw_span bytes = cls->bytes;

	if (bytes.n < sizeof(uint32_t) || jw_span_u4(bytes, 0) != (uint32_t)CFR_MAGIC)
		return jw_fail(e, JW_INPUT, "not a class file: it does not start with cafebabe");
	if (bytes.n < HEAD)
		return jw_fail(e, JW_INPUT, "not a class file: it ends after %zu bytes", bytes.n);
	cls->minor = jw_span_u2(bytes, 4);
	cls->major = jw_span_u2(bytes, 6);
	if (cls->major < CFR_MAJOR_MIN)
		return jw_fail(e, JW_INPUT, "class-file version %u is below %d", cls->major,
			       CFR_MAJOR_MIN);
	JW_TRY(cfr_pool_open(bytes, HEAD, arena, &cls->pool, e));
	jw_cur_seek(cur, cls->pool.end);
	cls->access = jw_cur_u2(cur);
	cls->this_index = jw_cur_u2(cur);
	cls->super_index = jw_cur_u2(cur);
	cls->interface_count = jw_cur_u2(cur);
	jw_cur_skip(cur, 2 * (size_t)cls->interface_count);
	cls->header_end = cur->pos;
	if (!jw_cur_ok(cur))
		return jw_fail(e, JW_INPUT, "the file ends after its constant pool");
	return JW_OK;
}

static enum jw_status check_names(struct cfr_class *cls, struct jw_err *e)
{
	const struct cfr_pool *pool = &cls->pool;

	if (cfr_pool_tag(pool, cls->this_index) != CFR_CONSTANT_Class)
		return jw_fail(e, JW_INPUT, "this_class: constant %u is not a Class",
			       cls->this_index);
	if (cls->super_index && cfr_pool_tag(pool, cls->super_index) != CFR_CONSTANT_Class)
		return jw_fail(e, JW_INPUT, "super_class: constant %u is not a Class",
			       cls->super_index);
	for (uint16_t i = 0; i < cls->interface_count; i++) {
		if (!cfr_class_interface(cls, i).p)
			return jw_fail(e, JW_INPUT, "interface %u is not a Class", i);
	}
	cls->name = cfr_pool_class(pool, cls->this_index);
	cls->super = cfr_pool_class(pool, cls->super_index);
	return JW_OK;
}

struct jw_span cfr_class_interface(const struct cfr_class *cls, uint16_t index)
{
	size_t at = (size_t)cls->pool.end + HEAD + 2 * (size_t)index;
	uint16_t interface = jw_span_u2(cls->bytes, at);

	if (cfr_pool_tag(&cls->pool, interface) != CFR_CONSTANT_Class)
		return (struct jw_span){ 0 };
	return cfr_pool_class(&cls->pool, interface);
}

enum jw_status cfr_class_peek(struct jw_span bytes, struct jw_arena *arena, struct cfr_class *out,
			      struct jw_err *e)
{
	struct cfr_class cls = { .bytes = bytes };
	struct jw_cur cur = jw_cur(bytes);

	JW_TRY(read_head(&cls, &cur, arena, e));
	JW_TRY(check_names(&cls, e));
	*out = cls;
	return JW_OK;
}

enum jw_status cfr_class_open_rest(struct cfr_class *out, struct jw_arena *arena, struct jw_err *e)
{
	struct cfr_class cls = *out;
	struct jw_cur cur = jw_cur(cls.bytes);

	jw_cur_seek(&cur, cls.header_end);
	JW_TRY(read_members(&cls, &cur, false, arena, &cls.fields, &cls.field_count, e));
	cls.methods_at = cur.pos;
	JW_TRY(read_members(&cls, &cur, true, arena, &cls.methods, &cls.method_count, e));
	if (cfr_attrs_read(&cls, &cur, &cls.attrs, e) != JW_OK)
		return jw_err_where(e, "class attributes");
	if (jw_cur_left(&cur) > 0)
		return jw_fail(e, JW_INPUT, "%zu byte%s after the end of the class, at offset %zu",
			       jw_cur_left(&cur), jw_s(jw_cur_left(&cur)), cur.pos);
	*out = cls;
	return JW_OK;
}

enum jw_status cfr_class_open(struct jw_span bytes, struct jw_arena *arena, struct cfr_class *out,
			      struct jw_err *e)
{
	struct cfr_class cls;

	JW_TRY(cfr_class_peek(bytes, arena, &cls, e));
	JW_TRY(cfr_class_open_rest(&cls, arena, e));
	*out = cls;
	return JW_OK;
}

void cfr_class_close(struct cfr_class *cls)
{
	cfr_pool_close(&cls->pool);
}
