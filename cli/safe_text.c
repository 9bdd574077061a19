/*
 * safe_text.c: bytes from class files, archives and command lines as text that is safe to show.
 */
#include "cli/safe_text.h"

#include <string.h>

#include "base/json.h"
#include "base/open_archives.h"
#include "base/text.h"
#include "cfr/desc.h"
#include "trace/format/methodmap.h"

#include "base/banned.h"

void cli_put_escaped(struct jw_buf *out, struct jw_span s)
{
	while (s.n) {
		uint32_t point = 0;
		size_t n = jw_utf8_at(s, &point);

		if (n && !jw_harmful(point)) {
			jw_put_bytes(out, jw_span(s.p, n));
		} else {
			n = n ? n : 1;
			for (size_t i = 0; i < n; i++)
				jw_put_fmt(out, "\\x%02x", s.p[i]);
		}
		s = jw_span_sub(s, n, s.n);
	}
}

void cli_put_class(struct jw_buf *out, struct jw_span internal_name)
{
	struct jw_buf dotted = { 0 };

	jw_put_dotted(&dotted, internal_name);
	if (dotted.failed == JW_OK)
		cli_put_escaped(out, jw_buf_span(&dotted));
	else
		out->failed = dotted.failed;
	jw_buf_free(&dotted);
}

/* A field descriptor (JVMS 4.3.2), or V, as Java writes the type. */
static void put_type(struct jw_buf *out, struct jw_span field)
{
	static const char codes[] = "BCDFIJSZV";
	static const char *const names[] = { "byte", "char",  "double",  "float", "int",
					     "long", "short", "boolean", "void" };
	size_t dimensions = 0;

	while (dimensions < field.n && field.p[dimensions] == '[')
		dimensions++;
	field = jw_span_sub(field, dimensions, field.n);
	const char *code = field.n == 1 ? memchr(codes, field.p[0], sizeof(codes) - 1) : NULL;
	if (code)
		jw_put_str(out, names[code - codes]);
	else if (field.n > 2 && field.p[0] == 'L')
		cli_put_class(out, jw_span_sub(field, 1, field.n - 2));
	else
		cli_put_escaped(out, field);
	while (dimensions--)
		jw_put_str(out, "[]");
}

void cli_put_method(struct jw_buf *out, struct jw_span name, struct jw_span descriptor)
{
	struct jw_cur params = cfr_desc_params(descriptor);
	struct jw_span field;
	const char *comma = "";

	cli_put_escaped(out, name);
	if (!cfr_desc_method_ok(descriptor)) {
		cli_put_escaped(out, descriptor);
		return;
	}
	jw_put_u1(out, '(');
	while (cfr_desc_next(&params, &field)) {
		jw_put_str(out, comma);
		put_type(out, field);
		comma = ", ";
	}
	jw_put_str(out, "):");
	put_type(out, cfr_desc_return(descriptor));
}

void cli_put_callee(struct jw_buf *out, const struct rules_callee *callee)
{
	if (callee->owner.n && callee->owner.p[0] == '[') /* of an array: its clone() */
		put_type(out, callee->owner);
	else
		cli_put_class(out, callee->owner);
	if (callee->made) {
		for (size_t i = 2; jw_span_u1(callee->descriptor, i) == '['; i++)
			jw_put_str(out, "[]");
		return;
	}
	jw_put_u1(out, '.');
	cli_put_method(out, callee->name, callee->descriptor);
}

size_t cli_width(struct jw_span s)
{
	return jw_characters(s);
}

const char *cli_plural(struct jw_arena *arena, uint64_t n, const char *one, const char *many)
{
	const char *text =
		jw_arena_fmt(arena, "%llu %s", (unsigned long long)n, n == 1 ? one : many);

	return text ? text : many;
}

bool cli_ends(const char *s, const char *suffix)
{
	return jw_span_ends(jw_span_str(s), jw_span_str(suffix));
}

bool cli_is_archive_name(const char *name)
{
	return jw_is_archive(name) || cli_ends(name, ".zip");
}

const char *cli_base_name(struct jw_arena *arena, const char *path)
{
	size_t end = strlen(path), start;

	while (end > 1 && path[end - 1] == '/')
		end--;
	for (start = end; start > 0 && path[start - 1] != '/'; start--)
		;
	if (start == end && end > 0) /* "/" */
		start = 0;
	return jw_arena_str(arena, jw_span(path + start, end - start));
}

void cli_put_operation(struct jw_buf *out, const struct jw_operation *op)
{
	if (op)
		jw_put_fmt(out, "%s/%s", jw_operation_kinds[op->type].word, op->word);
}

void cli_put_sampling(struct jw_buf *out, const struct rules_sampling *sampling)
{
	const struct trace_map_sampling s = { sampling->every, sampling->max_depth,
					      sampling->min_ns };

	trace_put_sampling(out, &s);
}

void cli_put_capture(struct jw_buf *out, const struct jw_capture *capture)
{
	char what[JW_CAPTURE_WHAT_ROOM];

	jw_put_str(out, jw_capture_what_text(capture, what));
	if (capture->as != JW_AS_COUNT)
		jw_put_fmt(out, ":%s", jw_capture_as_words[capture->as]);
	if (capture->hold)
		jw_put_str(out, capture->hold == JW_HOLD_CALL ? " (held)" : " (held around)");
}

void cli_put_link(struct jw_buf *out, const struct jw_link *link)
{
	char what[JW_CAPTURE_WHAT_ROOM];

	jw_put_fmt(out, "link %s (%s) by", link->name, jw_link_ends[link->end]);
	for (uint8_t i = 0; i < link->n; i++) {
		const struct jw_capture part = { .what = link->parts[i].what,
						 .arg = link->parts[i].arg };

		jw_put_fmt(out, " %s", jw_capture_what_text(&part, what));
	}
}
