/*
 * map_class.c: the names and lines that a method map would have, read from a class file (JVMS 4.1):
 * the name of the class, SourceFile, and of each method name, descriptor, flags and first line.
 * Woven code keeps all of them: what begins at pc 0 stays there.
 */
#include "trace/format/methodmap.h"
#include "trace/format/recording.h"
#include "trace/names/map_class.h"
#include "trace/names/map_place.h"

#include "base/banned.h"

enum {
	TAG_UTF8 = 1,
	TAG_LONG = 5,
	TAG_DOUBLE = 6,
	TAG_METHODREF = 10,
	TAGS = 21,
};

enum { OP_SIPUSH = 0x11, OP_INVOKESTATIC = 0xb8 };

/* Bytes after the tag, by tag; 0: there is no such constant. */
static const uint8_t constant_bytes[TAGS] = {
	[3] = 4,  [4] = 4,  [TAG_LONG] = 8, [TAG_DOUBLE] = 8, [7] = 2,  [8] = 2,
	[9] = 4,  [10] = 4, [11] = 4,       [12] = 4,         [15] = 3, [16] = 2,
	[17] = 4, [18] = 4, [19] = 2,       [20] = 2,
};

struct reading {
	struct jw_cur c;
	uint32_t *at; /* owned; offset of each constant's tag, 0: none */
	uint32_t count;
};

static bool read_pool(struct reading *r)
{
	r->count = jw_cur_u2(&r->c);
	r->at = jw_mem_zalloc(r->count + 1, sizeof(*r->at));
	if (!r->at)
		return false;
	for (uint32_t i = 1; i < r->count; i++) {
		uint32_t at = (uint32_t)r->c.pos;
		uint8_t tag = jw_cur_u1(&r->c);

		if (tag == TAG_UTF8)
			jw_cur_skip(&r->c, jw_cur_u2(&r->c));
		else if (tag < TAGS && constant_bytes[tag])
			jw_cur_skip(&r->c, constant_bytes[tag]);
		else
			return false;
		if (!jw_cur_ok(&r->c))
			return false;
		r->at[i] = at;
		i += tag == TAG_LONG || tag == TAG_DOUBLE;
	}
	return true;
}

static struct jw_span utf8(const struct reading *r, uint32_t index)
{
	struct jw_cur c = jw_cur(r->c.s);

	if (index >= r->count || r->at[index] == 0)
		return (struct jw_span){ 0 };
	jw_cur_skip(&c, r->at[index]);
	if (jw_cur_u1(&c) != TAG_UTF8)
		return (struct jw_span){ 0 };
	return jw_cur_take(&c, jw_cur_u2(&c));
}

/* The Utf8 that the Class at INDEX names. */
static struct jw_span class_name(const struct reading *r, uint32_t index)
{
	struct jw_cur c = jw_cur(r->c.s);

	if (index >= r->count || r->at[index] == 0)
		return (struct jw_span){ 0 };
	jw_cur_skip(&c, r->at[index] + (size_t)1);
	return utf8(r, jw_cur_u2(&c));
}

/* Skips the attributes at *C; *FOUND is the first one called NAME (p == NULL: none). */
static void find_attr(const struct reading *r, struct jw_cur *c, const char *name,
		      struct jw_span *found)
{
	*found = (struct jw_span){ 0 };
	for (uint16_t left = jw_cur_u2(c); left > 0 && jw_cur_ok(c); left--) {
		struct jw_span is = utf8(r, jw_cur_u2(c));
		struct jw_span info = jw_cur_take(c, jw_cur_u4(c));

		if (!found->p && jw_span_eq_str(is, name))
			*found = info;
	}
}

/* The line of the lowest pc in the first LineNumberTable of a Code attribute; 0: none. */
static uint32_t first_line(const struct reading *r, struct jw_span code)
{
	struct jw_cur c = jw_cur(code);
	struct jw_span table;
	uint32_t line = 0, lowest = UINT32_MAX;

	jw_cur_skip(&c, 2 + 2);
	jw_cur_skip(&c, jw_cur_u4(&c));
	jw_cur_skip(&c, (size_t)jw_cur_u2(&c) * 8);
	find_attr(r, &c, "LineNumberTable", &table);
	c = jw_cur(table);
	jw_cur_skip(&c, 2);
	while (jw_cur_left(&c) >= 4) {
		uint32_t pc = jw_cur_u2(&c), here = jw_cur_u2(&c);

		if (pc < lowest) {
			lowest = pc;
			line = here;
		}
	}
	return line;
}

static void skip_fields(const struct reading *r, struct jw_cur *c)
{
	struct jw_span unused;

	for (uint16_t left = jw_cur_u2(c); left > 0 && jw_cur_ok(c); left--) {
		jw_cur_skip(c, 2 + 2 + 2);
		find_attr(r, c, "", &unused);
	}
}

/* The constant at INDEX if its tag is TAG; *C is after that. */
static bool constant(const struct reading *r, uint32_t index, uint8_t tag, struct jw_cur *c)
{
	if (index >= r->count || r->at[index] == 0)
		return false;
	*c = jw_cur(r->c.s);
	jw_cur_skip(c, r->at[index]);
	return jw_cur_u1(c) == tag;
}

/* *NUMBER: what CODE begins with and hands to CLASS; false: it does not. */
static bool find_number(const struct reading *r, struct jw_span code, const char *class,
			uint16_t *number)
{
	struct jw_cur c = jw_cur(code), ref;

	jw_cur_skip(&c, 2 + 2 + 4);
	if (jw_cur_u1(&c) != OP_SIPUSH)
		return false;
	*number = jwr_pushed_number(jw_cur_u2(&c));
	return jw_cur_u1(&c) == OP_INVOKESTATIC &&
	       constant(r, jw_cur_u2(&c), TAG_METHODREF, &ref) &&
	       jw_span_eq_str(class_name(r, jw_cur_u2(&ref)), class);
}

static void put_methods(const struct reading *r, struct jw_cur *c,
			const struct trace_map_lines *lines, struct jw_buf *out)
{
	uint16_t count = jw_cur_u2(c);

	for (uint16_t i = 0; i < count && jw_cur_ok(c); i++) {
		struct trace_map_method m = { .index = i, .access = jw_cur_u2(c) };
		const char *numbered = lines->numbered;
		struct jw_span code;

		m.name = utf8(r, jw_cur_u2(c));
		m.descriptor = utf8(r, jw_cur_u2(c));
		find_attr(r, c, "Code", &code);
		if (!jw_cur_ok(c) || !code.p ||
		    (numbered && !find_number(r, code, numbered, &m.index)))
			continue;
		if (!lines->wanted(lines->ctx, m.index))
			continue;
		const struct trace_map_rule *rule = lines->rule_of(lines->ctx, i);

		m.line = first_line(r, code);
		m.rule = jw_span_str(rule->rule);
		m.label = jw_span_str(rule->label);
		trace_map_put_method(out, &m);
	}
}

static bool put_class(struct reading *r, uint64_t hash, const struct trace_map_lines *lines,
		      struct jw_buf *out)
{
	struct jw_buf methods = { 0 };
	struct jw_span source;

	if (jw_cur_u4(&r->c) != UINT32_C(0xcafebabe))
		return false;
	jw_cur_skip(&r->c, 2 + 2);
	if (!read_pool(r))
		return false;
	jw_cur_skip(&r->c, 2);
	struct jw_span name = class_name(r, jw_cur_u2(&r->c));
	jw_cur_skip(&r->c, 2);
	jw_cur_skip(&r->c, (size_t)jw_cur_u2(&r->c) * 2);
	skip_fields(r, &r->c);
	put_methods(r, &r->c, lines, &methods);
	find_attr(r, &r->c, "SourceFile", &source);
	bool whole = jw_cur_ok(&r->c) && name.n > 0 && methods.failed == JW_OK;
	if (whole && methods.n > 0) {
		struct jw_cur c = jw_cur(source);

		trace_map_put_class(out, hash, name,
				    source.n == 2 ? utf8(r, jw_cur_u2(&c)) : (struct jw_span){ 0 });
		jw_put_bytes(out, jw_buf_span(&methods));
	}
	jw_buf_free(&methods);
	return whole;
}

bool trace_map_put_class_file(struct jw_buf *out, uint64_t hash, struct jw_span bytes,
			      const struct trace_map_lines *lines)
{
	struct reading r = { .c = jw_cur(bytes) };
	bool put = put_class(&r, hash, lines, out);

	jw_mem_free(r.at);
	return put;
}
