/*
 * label_read.c: from a label back to the method: label.c writes
 *
 *     Storm.down [acme.exc.Storm.down(int, java.lang.String[]):int Storm.java:31]
 *
 * What is no method, or was not written by us, has no names, and types that were cut are unknown:
 *
 *     Storm.down [acme.exc.Storm.down(int, java.lang.St...) Storm.java:31]
 */
#include <string.h>

#include "trace/names/label.h"
#include "trace/names/label_read.h"

#include "base/banned.h"

/* Cuts *TEXT at the first MARK, which is skipped; false: there is none. */
static bool take_until(struct jw_span *text, char mark, struct jw_span *out)
{
	const uint8_t *at = text->n ? memchr(text->p, mark, text->n) : NULL;

	if (!at)
		return false;
	*out = jw_span(text->p, (size_t)(at - text->p));
	*text = jw_span_sub(*text, out->n + 1, text->n);
	return true;
}

/* "java.lang.String[]" as a descriptor has it; false: it is no type. */
static bool put_type(struct jw_buf *out, struct jw_span type)
{
	while (jw_span_ends(type, JW_SPAN_LIT("[]"))) {
		jw_put_u1(out, '[');
		type.n -= 2;
	}
	uint8_t code = trace_primitive(type);

	if (code || type.n == 0) {
		jw_put_u1(out, code);
		return code;
	}
	jw_put_u1(out, 'L');
	for (size_t i = 0; i < type.n; i++)
		jw_put_u1(out, type.p[i] == '.' ? '/' : type.p[i]);
	jw_put_u1(out, ';');
	return true;
}

/* "int, long" */
static bool put_types(struct jw_buf *out, struct jw_span list)
{
	struct jw_span type;

	while (take_until(&list, ',', &type)) {
		if (!put_type(out, type) || !jw_span_starts(list, JW_SPAN_LIT(" ")))
			return false;
		list = jw_span_sub(list, 1, list.n);
	}
	return list.n == 0 ? out->n == 1 : put_type(out, list);
}

/* TEXT is cut in its types: "int, java.lang.St...) Storm.java:31". Older labels lack the ')'. */
static bool is_cut(struct jw_span text)
{
	struct jw_span part;

	while (take_until(&text, ' ', &part))
		if (jw_span_ends(part, JW_SPAN_LIT("...")) ||
		    jw_span_ends(part, JW_SPAN_LIT("...)")))
			return true;
	return jw_span_ends(text, JW_SPAN_LIT("...")) || jw_span_ends(text, JW_SPAN_LIT("...)"));
}

/* "int):int Storm.java:31"; false: it is no such text. */
static bool read_types(struct jw_span text, struct jw_buf *descriptor)
{
	struct jw_span params;

	if (!take_until(&text, ')', &params) || !jw_span_starts(text, JW_SPAN_LIT(":")))
		return false;
	text = jw_span_sub(text, 1, text.n);
	struct jw_span type = text;

	(void)take_until(&text, ' ', &type); /* the source file */
	jw_put_u1(descriptor, '(');
	if (!put_types(descriptor, params))
		return false;
	jw_put_u1(descriptor, ')');
	return put_type(descriptor, type);
}

/* "acme.Storm.down(int):int Storm.java:31"; false: it is no such text. */
static bool read_long(struct jw_span text, struct jw_span *class, struct jw_span *name,
		      struct jw_buf *descriptor)
{
	struct jw_span head;
	size_t dot;

	if (!take_until(&text, '(', &head))
		return false;
	for (dot = head.n; dot > 0 && head.p[dot - 1] != '.';)
		dot--;
	if (dot < 2 || dot == head.n)
		return false;
	*class = jw_span_sub(head, 0, dot - 1);
	*name = jw_span_sub(head, dot, head.n);
	return is_cut(text) || read_types(text, descriptor);
}

bool trace_label_read(struct jw_arena *arena, const char *label, struct trace_method_words *out)
{
	const char *open = strstr(label, " [");
	struct jw_span text = jw_span_str(open ? open + 2 : ""), class, name;
	struct jw_buf descriptor = { 0 };
	bool good = true;

	*out = (struct trace_method_words){ "", "", "" };
	if (text.n && text.p[text.n - 1] == ']') {
		text.n--;
		if (read_long(text, &class, &name, &descriptor)) {
			out->class_name = jw_arena_str(arena, class);
			out->name = jw_arena_str(arena, name);
			out->descriptor = jw_arena_str(arena, jw_buf_span(&descriptor));
			good = out->class_name && out->name && out->descriptor;
		}
	}
	good = good && descriptor.failed == JW_OK;
	jw_buf_free(&descriptor);
	return good;
}
