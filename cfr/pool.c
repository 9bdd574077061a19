#include "cfr/pool.h"

#include "base/banned.h"

enum { TAG_LIMIT = 21, ENTRY_MIN = 3 /* an empty Utf8: no entry has fewer bytes a slot */ };

struct shape {
	const char *name;
	uint8_t bytes, slots;
};

static const struct shape shapes[TAG_LIMIT] = {
#define SHAPE(name, tag, bytes, slots) [tag] = { #name, bytes, slots },
	CFR_CONSTANT_LIST(SHAPE)
#undef SHAPE
};

#define BIT(name) (UINT32_C(1) << CFR_CONSTANT_##name)

/* What the one or two indices after a tag must name (JVMS 4.4); 0: no index, or not of the pool.
 */
static const uint32_t wanted[TAG_LIMIT][2] = {
	[CFR_CONSTANT_Class] = { BIT(Utf8) },
	[CFR_CONSTANT_String] = { BIT(Utf8) },
	[CFR_CONSTANT_Fieldref] = { BIT(Class), BIT(NameAndType) },
	[CFR_CONSTANT_Methodref] = { BIT(Class), BIT(NameAndType) },
	[CFR_CONSTANT_InterfaceMethodref] = { BIT(Class), BIT(NameAndType) },
	[CFR_CONSTANT_NameAndType] = { BIT(Utf8), BIT(Utf8) },
	[CFR_CONSTANT_MethodType] = { BIT(Utf8) },
	[CFR_CONSTANT_Dynamic] = { 0, BIT(NameAndType) },
	[CFR_CONSTANT_InvokeDynamic] = { 0, BIT(NameAndType) },
	[CFR_CONSTANT_Module] = { BIT(Utf8) },
	[CFR_CONSTANT_Package] = { BIT(Utf8) },
};

/* What a MethodHandle of each kind refers to (JVMS 4.4.8). */
static const uint32_t handle_wanted[10] = {
	[1] = BIT(Fieldref),
	[2] = BIT(Fieldref),
	[3] = BIT(Fieldref),
	[4] = BIT(Fieldref),
	[5] = BIT(Methodref),
	[6] = BIT(Methodref) | BIT(InterfaceMethodref),
	[7] = BIT(Methodref) | BIT(InterfaceMethodref),
	[8] = BIT(Methodref),
	[9] = BIT(InterfaceMethodref),
};

const char *cfr_constant_name(uint8_t tag)
{
	return tag < TAG_LIMIT && shapes[tag].name ? shapes[tag].name : "?";
}

/* ---- opening ---- */

/* The first pass: where each entry starts. */
static enum jw_status index_entries(struct cfr_pool *pool, struct jw_cur *cur, uint32_t *at,
				    struct jw_err *e)
{
	uint32_t i = 1;

	while (i < pool->count) {
		size_t offset = cur->pos;
		uint8_t tag = jw_cur_u1(cur);

		if (!jw_cur_ok(cur))
			return jw_fail(e, JW_INPUT, "constant %u: the file ends before it", i);
		if (tag >= TAG_LIMIT || !shapes[tag].name)
			return jw_fail(e, JW_UNSUPPORTED,
				       "constant %u: unknown tag %u at offset %zu", i, tag, offset);
		jw_cur_skip(cur, tag == CFR_CONSTANT_Utf8 ? jw_cur_u2(cur) : shapes[tag].bytes);
		at[i] = (uint32_t)offset;
		i += shapes[tag].slots;
	}
	if (!jw_cur_ok(cur))
		return jw_fail(e, JW_INPUT, "constant pool: the file ends inside it");
	if (i > pool->count)
		return jw_fail(e, JW_INPUT, "constant %u: takes two places, one is left", i - 2);
	return JW_OK;
}

static bool refers(const struct cfr_pool *pool, uint32_t index, uint32_t tags)
{
	return tags == 0 || (tags >> cfr_pool_tag(pool, index) & 1);
}

static bool entry_sound(const struct cfr_pool *pool, uint8_t tag, size_t at)
{
	if (tag == CFR_CONSTANT_MethodHandle) {
		uint8_t kind = jw_span_u1(pool->bytes, at + 1);

		return kind >= 1 && kind <= 9 &&
		       refers(pool, jw_span_u2(pool->bytes, at + 2), handle_wanted[kind]);
	}
	return refers(pool, jw_span_u2(pool->bytes, at + 1), wanted[tag][0]) &&
	       (wanted[tag][1] == 0 ||
		refers(pool, jw_span_u2(pool->bytes, at + 3), wanted[tag][1]));
}

/* The second pass: entries refer to entries of the right tag. */
static enum jw_status check_references(const struct cfr_pool *pool, struct jw_err *e)
{
	for (uint32_t i = 1; i < pool->count; i++) {
		uint8_t tag = cfr_pool_tag(pool, i);

		if (tag <= CFR_CONSTANT_Double) /* no entry, or one without references */
			continue;
		if (!entry_sound(pool, tag, pool->at[i]))
			return jw_fail(e, JW_INPUT, "constant %u: its %s refers to a wrong entry",
				       i, shapes[tag].name);
	}
	return JW_OK;
}

enum jw_status cfr_pool_open(struct jw_span bytes, size_t offset, struct jw_arena *arena,
			     struct cfr_pool *out, struct jw_err *e)
{
	struct cfr_pool pool = { .bytes = bytes, .start = (uint32_t)offset };
	struct jw_cur cur = jw_cur(bytes);

	if (bytes.n > UINT32_MAX)
		return jw_fail(e, JW_LIMIT, "class file too large (limit is 4294967295 bytes)");
	jw_cur_seek(&cur, offset);
	pool.count = pool.next = jw_cur_u2(&cur);
	if (!jw_cur_ok(&cur) || pool.count == 0)
		return jw_fail(e, JW_INPUT, "constant pool: no count at offset %zu", offset);
	if ((pool.count - 1) > jw_cur_left(&cur) / ENTRY_MIN)
		return jw_fail(e, JW_INPUT,
			       "constant pool: %u entr%s not fit into the %zu byte%s left",
			       pool.count - 1, pool.count == 2 ? "y does" : "ies do",
			       jw_cur_left(&cur), jw_s(jw_cur_left(&cur)));
	uint32_t *at = JW_NEW_ARRAY(arena, uint32_t, pool.count);
	if (!at)
		return jw_nomem(e);
	pool.at = at;
	JW_TRY(index_entries(&pool, &cur, at, e));
	pool.end = (uint32_t)cur.pos;
	JW_TRY(check_references(&pool, e));
	*out = pool;
	return JW_OK;
}

/* ---- reading ---- */

uint8_t cfr_pool_tag(const struct cfr_pool *pool, uint32_t index)
{
	return index < pool->count && pool->at[index] ? pool->bytes.p[pool->at[index]] : 0;
}

struct jw_span cfr_pool_entry(const struct cfr_pool *pool, uint32_t index)
{
	uint8_t tag = cfr_pool_tag(pool, index);
	struct jw_span none = { 0 };

	if (tag == 0)
		return none;
	size_t at = pool->at[index] + 1, n = shapes[tag].bytes;
	if (tag == CFR_CONSTANT_Utf8)
		n = 2 + (size_t)jw_span_u2(pool->bytes, at);
	return jw_span_sub(pool->bytes, at, n);
}

struct jw_span cfr_pool_utf8(const struct cfr_pool *pool, uint32_t index)
{
	struct jw_span none = { 0 };

	if (cfr_pool_tag(pool, index) != CFR_CONSTANT_Utf8)
		return none;
	size_t at = pool->at[index];
	return jw_span_sub(pool->bytes, at + 3, jw_span_u2(pool->bytes, at + 1));
}

struct jw_span cfr_pool_class(const struct cfr_pool *pool, uint32_t index)
{
	uint8_t tag = cfr_pool_tag(pool, index);
	struct jw_span none = { 0 };

	if (tag != CFR_CONSTANT_Class && tag != CFR_CONSTANT_Module && tag != CFR_CONSTANT_Package)
		return none;
	return cfr_pool_utf8(pool, jw_span_u2(pool->bytes, pool->at[index] + 1));
}

bool cfr_pool_ref(const struct cfr_pool *pool, uint32_t index, struct cfr_ref *out)
{
	const uint32_t with_owner = BIT(Fieldref) | BIT(Methodref) | BIT(InterfaceMethodref);
	const uint32_t dynamic = BIT(Dynamic) | BIT(InvokeDynamic);
	uint8_t tag = cfr_pool_tag(pool, index);

	if (!((with_owner | dynamic) >> tag & 1))
		return false;
	uint16_t first = jw_span_u2(pool->bytes, pool->at[index] + 1);
	size_t name_and_type = pool->at[jw_span_u2(pool->bytes, pool->at[index] + 3)];
	*out = (struct cfr_ref){ .tag = tag, .first = first };
	if (with_owner >> tag & 1)
		out->owner = cfr_pool_class(pool, first);
	out->name = cfr_pool_utf8(pool, jw_span_u2(pool->bytes, name_and_type + 1));
	out->descriptor_index = jw_span_u2(pool->bytes, name_and_type + 3);
	out->descriptor = cfr_pool_utf8(pool, out->descriptor_index);
	return true;
}
