/*
 * label.c: names for people.
 *
 *     Storm.down [acme.exc.Storm.down(int, java.lang.String):int Storm.java:31]
 *     short part  long form: Java types, source file and first line
 *
 * Where a rule did not record all calls, the short part says so: "Storm.down (1 of 100)".
 *
 * Paraver's short labels delete everything from the first '[' to the last ']', so the short part
 * has neither. A rule may give the short part as a template: "{simpleClass}.{method}{params}".
 */
#include <ctype.h>
#include <string.h>

#include "trace/format/fields.h"
#include "trace/format/methodmap.h"
#include "trace/names/label.h"
#include "trace/output.h"

#include "base/banned.h"

#define MAX_SHORT 120
#define MAX_CLASS 4096
#define MAX_TAIL  80

/* ---- clean text ---- */

static bool is_control(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029;
}

/* The length of S cut to MAX bytes between characters. */
static size_t cut_length(struct jw_span s, size_t max)
{
	if (s.n <= max)
		return s.n;
	while (max > 0 && (s.p[max] & 0xc0) == 0x80)
		max--;
	return max;
}

static struct jw_span trim_start(struct jw_span s)
{
	while (s.n && s.p[0] == ' ')
		s = jw_span_sub(s, 1, s.n);
	return s;
}

static struct jw_span trim(struct jw_span s)
{
	s = trim_start(s);
	while (s.n && s.p[s.n - 1] == ' ')
		s.n--;
	return s;
}

static void put_cut(struct jw_buf *out, struct jw_span s, size_t max)
{
	if (s.n <= max) {
		jw_put_bytes(out, s);
		return;
	}
	jw_put_bytes(out, jw_span_sub(s, 0, cut_length(s, max - 3)));
	jw_put_str(out, "...");
}

static void put_clean(struct jw_buf *out, struct jw_span text)
{
	for (size_t pos = 0; pos < text.n;) {
		uint32_t c = trace_utf8_next(text, &pos);

		jw_put_utf8(out, is_control(c) ? ' ' : c);
	}
}

void trace_put_name(struct jw_buf *out, struct jw_span text, size_t max)
{
	struct jw_buf clean = { 0 };

	put_clean(&clean, text);
	if (clean.failed != JW_OK)
		out->failed = clean.failed;
	put_cut(out, trim(jw_buf_span(&clean)), max);
	jw_buf_free(&clean);
}

/* A character of FROM in what is from AT on becomes that of TO. */
static void change(struct jw_buf *out, size_t at, const char *from, const char *to)
{
	for (; at < out->n; at++) {
		const char *found = out->p[at] ? strchr(from, out->p[at]) : NULL;

		if (found)
			out->p[at] = (uint8_t)to[found - from];
	}
}

void trace_put_plain(struct jw_buf *out, struct jw_span text, size_t max)
{
	size_t at = out->n;

	trace_put_name(out, text, max);
	change(out, at, "[]\"*", "()'.");
}

/* How many bytes at the end of the N at P are there for square brackets: "()" or "(0)"; 0: nothing. */
static size_t brackets_of(const char *p, size_t n)
{
	if (n < 3 || p[n - 1] != ')')
		return 0;
	if (p[n - 2] == '(')
		return 2;
	return n > 3 && p[n - 2] == '0' && p[n - 3] == '(' ? 3 : 0;
}

static void mend_class(char *p, size_t n)
{
	for (size_t k; (k = brackets_of(p, n)) > 0; n -= k) {
		p[n - 1] = ']';
		p[n - k] = '[';
	}
}

void trace_put_text(struct jw_buf *out, struct jw_span text, bool class)
{
	size_t at = out->n;
	struct jw_buf java = { 0 };

	if (class)
		trace_put_class(&java, text);
	if (java.failed != JW_OK)
		out->failed = java.failed;
	/* a .pcf has a number before it */
	trace_put_name(out, class ? jw_buf_span(&java) : text, TRACE_MAX_LABEL - 24);
	jw_buf_free(&java);
	change(out, at, "[]", "()");
	if (out->n == at)
		jw_put_str(out, text.n ? "?" : TRACE_EMPTY_TEXT);
}

void trace_put_listed(struct jw_buf *out, struct jw_span text)
{
	size_t before = out->n;

	trace_put_plain(out, text, TRACE_MAX_LABEL - 8);
	if (out->n == before)
		jw_put_str(out, "(no name)");
}

/* How long is the address of IPv6 in parentheses, with the colon before its port, that TEXT begins with? 0: there is none. */
static size_t address_at(const char *text, size_t n)
{
	size_t at = 1, colons = 0;

	if (n == 0 || text[0] != '(')
		return 0;
	for (; at < n &&
	       (isalnum((unsigned char)text[at]) || (text[at] && strchr(":.%_-", text[at])));
	     at++)
		colons += text[at] == ':';
	return colons > 1 && at + 1 < n && text[at] == ')' && text[at + 1] == ':' ? at + 2 : 0;
}

static void mend_addresses(char *text, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		size_t length = text[i - 1] == ' ' ? address_at(text + i, n - i) : 0;

		if (length) {
			text[i] = '[';
			text[i + length - 2] = ']';
		}
	}
}

void trace_mend_name(enum trace_name_kind what, char *text, size_t n)
{
	if (what == TRACE_NAME_CHANNEL)
		mend_addresses(text, n);
	else if (what == TRACE_NAME_CLASS)
		mend_class(text, n);
}

/* ---- Java types ---- */

static const struct {
	uint8_t code;
	const char *name;
} primitives[] = {
	{ 'B', "byte" }, { 'C', "char" },  { 'D', "double" },  { 'F', "float" }, { 'I', "int" },
	{ 'J', "long" }, { 'S', "short" }, { 'Z', "boolean" }, { 'V', "void" },
};

uint8_t trace_primitive(struct jw_span name)
{
	for (size_t i = 0; i < sizeof(primitives) / sizeof(*primitives); i++)
		if (jw_span_eq_str(name, primitives[i].name))
			return primitives[i].code;
	return 0;
}

/* One type cut off the front of *DESC; false: there is none, *DESC stays. */
static bool put_type(struct jw_buf *out, struct jw_span *desc)
{
	size_t dims = 0, n;

	while (dims < desc->n && desc->p[dims] == '[')
		dims++;
	if (dims == desc->n)
		return false;
	n = dims + 1;
	if (desc->p[dims] == 'L') {
		const uint8_t *end = memchr(desc->p + dims, ';', desc->n - dims);

		if (!end)
			return false;
		n = (size_t)(end - desc->p) + 1;
		jw_put_dotted(out, jw_span_sub(*desc, dims + 1, n - dims - 2));
	} else {
		size_t i = 0, count = sizeof(primitives) / sizeof(*primitives);

		while (i < count && primitives[i].code != desc->p[dims])
			i++;
		if (i == count)
			return false;
		jw_put_str(out, primitives[i].name);
	}
	for (size_t i = 0; i < dims; i++)
		jw_put_str(out, "[]");
	*desc = jw_span_sub(*desc, n, desc->n);
	return true;
}

void trace_put_class(struct jw_buf *out, struct jw_span name)
{
	struct jw_buf type = { 0 };
	struct jw_span rest = name;
	bool array = name.n && name.p[0] == '[' && put_type(&type, &rest) && rest.n == 0;

	trace_put_name(out, array ? jw_buf_span(&type) : name, MAX_CLASS);
	if (type.failed != JW_OK)
		out->failed = type.failed;
	jw_buf_free(&type);
}

const char *trace_class_word(struct jw_arena *arena, const char *name)
{
	struct jw_buf type = { 0 };
	const char *word = name;

	if (*name == '[') {
		trace_put_class(&type, jw_span_str(name));
		word = type.failed == JW_OK ? jw_arena_str(arena, jw_buf_span(&type)) : NULL;
	}
	jw_buf_free(&type);
	return word;
}

/* "(int, java.lang.String)", and what follows the ')' in *REST; a damaged descriptor as it is. */
static void put_params(struct jw_buf *out, struct jw_span desc, struct jw_span *rest)
{
	struct jw_span at = jw_span_sub(desc, 1, desc.n);
	const char *between = "";

	if (desc.n == 0 || desc.p[0] != '(') {
		jw_put_bytes(out, desc);
		*rest = jw_span_sub(desc, desc.n, 0);
		return;
	}
	jw_put_str(out, "(");
	while (at.n && at.p[0] != ')') {
		jw_put_str(out, between);
		between = ", ";
		if (!put_type(out, &at)) {
			jw_put_bytes(out, at);
			at = jw_span_sub(at, at.n, 0);
		}
	}
	jw_put_str(out, ")");
	*rest = jw_span_sub(at, at.n ? 1 : 0, at.n);
}

static void put_return(struct jw_buf *out, struct jw_span rest)
{
	if (!put_type(out, &rest))
		jw_put_bytes(out, rest);
}

/* ---- the parts of a label ---- */

static struct jw_span simple_class(const struct trace_method *m)
{
	const char *dot = strrchr(m->class_name, '.');

	return jw_span_str(dot ? dot + 1 : m->class_name);
}

static struct jw_span package(const struct trace_method *m)
{
	const char *dot = strrchr(m->class_name, '.');

	return jw_span(m->class_name, dot ? (size_t)(dot - m->class_name) : 0);
}

static void part_class(struct jw_buf *out, const struct trace_method *m)
{
	jw_put_str(out, m->class_name);
}

static void part_simple(struct jw_buf *out, const struct trace_method *m)
{
	jw_put_bytes(out, simple_class(m));
}

static void part_package(struct jw_buf *out, const struct trace_method *m)
{
	jw_put_bytes(out, package(m));
}

static void part_method(struct jw_buf *out, const struct trace_method *m)
{
	jw_put_str(out, m->name);
}

static void part_params(struct jw_buf *out, const struct trace_method *m)
{
	struct jw_span rest;

	put_params(out, jw_span_str(m->descriptor), &rest);
}

static void part_return(struct jw_buf *out, const struct trace_method *m)
{
	struct jw_buf none = { 0 };
	struct jw_span rest;

	put_params(&none, jw_span_str(m->descriptor), &rest);
	jw_buf_free(&none);
	put_return(out, rest);
}

static void part_source(struct jw_buf *out, const struct trace_method *m)
{
	jw_put_str(out, m->source);
}

static void part_line(struct jw_buf *out, const struct trace_method *m)
{
	jw_put_dec(out, m->line);
}

static void part_rule(struct jw_buf *out, const struct trace_method *m)
{
	jw_put_str(out, m->rule);
}

static const struct {
	const char *name;
	void (*put)(struct jw_buf *out, const struct trace_method *m);
} parts[] = {
	{ "{class}", part_class },     { "{simpleClass}", part_simple },
	{ "{package}", part_package }, { "{method}", part_method },
	{ "{params}", part_params },   { "{return}", part_return },
	{ "{source}", part_source },   { "{line}", part_line },
	{ "{rule}", part_rule },
};

static void put_template(struct jw_buf *out, const struct trace_method *m)
{
	struct jw_span t = jw_span_str(m->label);

	while (t.n) {
		size_t i = 0, count = sizeof(parts) / sizeof(*parts), n = 1;

		while (i < count && !jw_span_starts(t, jw_span_str(parts[i].name)))
			i++;
		if (i < count) {
			parts[i].put(out, m);
			n = strlen(parts[i].name);
		} else {
			jw_put_bytes(out, jw_span_sub(t, 0, 1));
		}
		t = jw_span_sub(t, n, t.n);
	}
}

static void put_tail(struct jw_buf *out, const struct trace_method *m)
{
	if (!m->source[0] || m->call) /* calls share one label, wherever they are made */
		return;
	jw_put_str(out, " ");
	trace_put_name(out, jw_span_str(m->source), MAX_TAIL - 12);
	if (m->line) {
		jw_put_str(out, ":");
		jw_put_dec(out, m->line);
	}
}

void trace_put_short_label(struct jw_buf *out, const struct trace_method *m, uint64_t id)
{
	struct jw_buf text = { 0 }, sampling = { 0 };

	if (!m) {
		jw_put_fmt(out, "unknown 0x%llx", (unsigned long long)id);
		return;
	}
	if (m->label[0]) {
		put_template(&text, m);
	} else {
		part_simple(&text, m);
		jw_put_str(&text, ".");
		part_method(&text, m);
	}
	for (size_t i = 0; i < text.n; i++)
		text.p[i] = text.p[i] == '[' ? '{' : text.p[i] == ']' ? '}' : text.p[i];
	if (m->sampling) {
		jw_put_str(&sampling, " (");
		trace_put_sampling(&sampling, m->sampling);
		jw_put_str(&sampling, ")");
	}
	size_t before = out->n;

	trace_put_name(out, jw_buf_span(&text), MAX_SHORT - sampling.n);
	if (out->n == before) /* a line without a label would be dropped */
		jw_put_str(out, "?");
	jw_put_bytes(out, jw_buf_span(&sampling));
	if (text.failed != JW_OK || sampling.failed != JW_OK)
		out->failed = JW_NOMEM;
	jw_buf_free(&text);
	jw_buf_free(&sampling);
}

/* "Simple.method" of a class by its full name. */
static void put_simple(struct jw_buf *out, const char *class_name, const char *method)
{
	const char *dot = strrchr(class_name, '.');

	jw_put_fmt(out, "%s.%s", dot ? dot + 1 : class_name, method);
}

void trace_put_site(struct jw_buf *out, const struct trace_method *m, uint64_t id)
{
	struct jw_buf text = { 0 }, tail = { 0 };

	if (!m) {
		jw_put_fmt(out, "unknown 0x%llx", (unsigned long long)id);
		return;
	}
	const struct jw_operation *op = m->about.operation;

	put_simple(&text, m->class_name, m->name);
	jw_put_str(&text, " in ");
	put_simple(&text, m->in_class, m->in_method);
	if (m->source[0]) {
		jw_put_str(&tail, " (");
		trace_put_plain(&tail, jw_span_str(m->source), MAX_TAIL - 16);
		jw_put_fmt(&tail, ":%u)", m->line);
	}
	if (op)
		jw_put_fmt(&tail, " [%s/%s]", jw_operation_kinds[op->type].word, op->word);
	trace_put_plain(out, jw_buf_span(&text), TRACE_MAX_LABEL - tail.n);
	jw_put_bytes(out, jw_buf_span(&tail));
	if (text.failed != JW_OK || tail.failed != JW_OK)
		out->failed = JW_NOMEM;
	jw_buf_free(&text);
	jw_buf_free(&tail);
}

/* Room for "(...)". */
#define MIN_TYPES 5

/* "(int, long):void" in at most MAX bytes: else "(int, lo...)". */
static void put_types(struct jw_buf *out, const struct trace_method *m, size_t max)
{
	struct jw_buf types = { 0 }, clean = { 0 };
	struct jw_span rest;

	put_params(&types, jw_span_str(m->descriptor), &rest);
	jw_put_str(&types, ":");
	put_return(&types, rest);
	put_clean(&clean, jw_buf_span(&types));
	if (clean.n <= max) {
		jw_put_bytes(out, jw_buf_span(&clean));
	} else {
		put_cut(out, jw_buf_span(&clean), max - 1);
		jw_put_str(out, ")");
	}
	if (types.failed != JW_OK || clean.failed != JW_OK)
		out->failed = JW_NOMEM;
	jw_buf_free(&types);
	jw_buf_free(&clean);
}

/* What has no descriptor is no method: "region load". */
static void put_long(struct jw_buf *out, const struct trace_method *m, size_t max)
{
	struct jw_buf head = { 0 }, clean = { 0 };

	jw_put_fmt(&head, "%s%s%s", m->class_name, m->descriptor[0] ? "." : " ", m->name);
	put_clean(&clean, jw_buf_span(&head));
	struct jw_span name = trim_start(jw_buf_span(&clean));

	if (!m->descriptor[0] || name.n + MIN_TYPES > max) {
		put_cut(out, trim(name), max);
	} else {
		jw_put_bytes(out, name);
		put_types(out, m, max - name.n);
	}
	if (head.failed != JW_OK || clean.failed != JW_OK)
		out->failed = JW_NOMEM;
	jw_buf_free(&head);
	jw_buf_free(&clean);
}

void trace_put_label(struct jw_buf *out, const struct trace_method *m, uint64_t id, size_t max)
{
	struct jw_buf tail = { 0 };
	size_t start = out->n;

	trace_put_short_label(out, m, id);
	if (!m)
		return;
	put_tail(&tail, m);
	jw_put_str(out, " [");
	size_t used = out->n - start + tail.n + 1;

	put_long(out, m, max - used);
	jw_put_bytes(out, jw_buf_span(&tail));
	jw_put_str(out, "]");
	if (tail.failed != JW_OK)
		out->failed = JW_NOMEM;
	jw_buf_free(&tail);
}

/* ---- back ---- */

static uint64_t take_line(struct jw_span *file)
{
	uint64_t line = 0, ten = 1;
	size_t n = file->n;

	for (; n && ten < 1000000000 && file->p[n - 1] >= '0' && file->p[n - 1] <= '9'; ten *= 10)
		line += ten * (uint64_t)(file->p[--n] - '0');
	if (n == file->n || n == 0 || file->p[n - 1] != ':')
		return 0;
	file->n = n - 1;
	return line;
}

/* Is TEXT all of a long form, whole or cut? */
static bool ends_before(struct jw_span text)
{
	return text.n && (memchr(text.p, ')', text.n) || jw_span_ends(text, JW_SPAN_LIT("...")));
}

struct trace_label_parts trace_label_split(const char *text)
{
	struct trace_label_parts l = { .name = jw_span_str(text) };
	const char *open = strstr(text, " [");

	if (!open || open == text || !jw_span_ends(l.name, JW_SPAN_LIT("]")))
		return l;
	l.full = jw_span(open + 2, l.name.n - (size_t)(open - text) - 3);
	l.name.n = (size_t)(open - text);
	size_t at = l.full.n;

	while (at && l.full.p[at - 1] != ' ')
		at--;
	/* a blank is between parameters, too */
	if (at && ends_before(jw_span_sub(l.full, 0, at - 1))) {
		l.file = jw_span_sub(l.full, at, l.full.n);
		l.full.n = at - 1;
		l.line = take_line(&l.file);
	}
	return l;
}

void trace_put_process(struct jw_buf *out, const struct trace_scene *scene, uint32_t at,
		       const char *comma, bool pid)
{
	const struct trace_scene_process *p = &scene->processes[at];
	size_t before = out->n;

	if (p->role)
		trace_put_name(out, jw_span_str(p->role), TRACE_MAX_LABEL);
	if (out->n == before) {
		jw_put_fmt(out, "java %u", at + 1);
		if (p->has_rank)
			jw_put_fmt(out, "%s rank %llu", comma, (unsigned long long)p->rank);
	}
	if (p->pid && pid)
		jw_put_fmt(out, "%s pid %llu", comma, (unsigned long long)p->pid);
}
