/*
 * json.c: see json.h. One pass checks UTF-8, one builds the tree; json_scan.c reads the characters.
 */
#include "rules/json.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/json_scan.h"

#include "base/banned.h"

static enum jw_status scan_value(struct rules_scan *s, const char *key, struct rules_json **out);

/* ---- messages ---- */

static void put_pointer(struct jw_buf *b, const struct rules_json *node)
{
	const struct rules_json *chain[RULES_JSON_MAX_DEPTH + 2];
	size_t n = 0;

	for (; node && node->parent && n < RULES_JSON_MAX_DEPTH + 2; node = node->parent)
		chain[n++] = node;
	while (n-- > 0) {
		jw_put_str(b, "/");
		if (!chain[n]->key) {
			jw_put_dec(b, chain[n]->index);
			continue;
		}
		for (const char *c = chain[n]->key; *c; c++) {
			if (*c == '~' || *c == '/')
				jw_put_str(b, *c == '~' ? "~0" : "~1");
			else
				jw_put_u1(b, (unsigned char)*c);
		}
	}
}

/* "/pointer: " into TEXT, nothing for the root, nor when it is too long to be useful. */
static void pointer_text(const struct rules_json *node, char *text, size_t size)
{
	struct jw_buf b = { .max = size - 4 };

	put_pointer(&b, node);
	text[0] = 0;
	if (!b.failed && b.n > 0)
		(void)snprintf(text, size, "%.*s: ", (int)b.n, (const char *)b.p);
	jw_buf_free(&b);
}

static void hide_controls(struct jw_err *e)
{
	if (!e)
		return;
	for (char *c = e->text; *c; c++) {
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			*c = '?';
	}
}

static enum jw_status fail_at(struct jw_err *e, const struct rules_json *node, uint32_t line,
			      uint32_t column, const char *near, const char *fmt, va_list args)
	JW_PRINTF(6, 0);
static enum jw_status fail_at(struct jw_err *e, const struct rules_json *node, uint32_t line,
			      uint32_t column, const char *near, const char *fmt, va_list args)
{
	char message[512], pointer[256];

	(void)vsnprintf(message, sizeof message, fmt, args);
	pointer_text(node, pointer, sizeof pointer);
	(void)jw_fail(e, JW_RULES, "%s:%u:%u: %s%s%s%s%s", node->file, line, column, pointer,
		      message, near ? " (did you mean \"" : "", near ? near : "",
		      near ? "\"?)" : "");
	hide_controls(e);
	return JW_RULES;
}

enum jw_status rules_json_fail(struct jw_err *e, const struct rules_json *node, bool at_key,
			       const char *near, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	(void)fail_at(e, node, at_key ? node->key_line : node->line,
		      at_key ? node->key_column : node->column, near, fmt, args);
	va_end(args);
	return JW_RULES;
}

/* The column of the byte of NODE's text at which PART begins. */
static uint32_t column_of(const struct rules_json *node, struct jw_span part)
{
	struct jw_span raw = node->raw.n ? node->raw : node->text;
	uintptr_t from = (uintptr_t)node->text.p, at = (uintptr_t)part.p;

	if (node->type != RULES_JSON_STRING || at < from || at - from > node->text.n ||
	    (at == from && part.n == node->text.n))
		return node->column;
	return node->column + 1 + rules_scan_columns(raw, at - from); /* a quote is before it */
}

enum jw_status rules_json_fail_in(struct jw_err *e, const struct rules_json *node,
				  struct jw_span part, const char *near, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	(void)fail_at(e, node, node->line, column_of(node, part), near, fmt, args);
	va_end(args);
	return JW_RULES;
}

enum jw_status rules_scan_fail(struct rules_scan *s, uint32_t line, uint32_t column,
			       const char *what)
{
	char pointer[256];

	pointer_text(s->in, pointer, sizeof pointer);
	(void)jw_fail(s->e, JW_RULES, "%s:%u:%u: %s%s", s->file, line, column, pointer, what);
	hide_controls(s->e);
	return JW_RULES;
}

enum jw_status rules_scan_fail_here(struct rules_scan *s, const char *what)
{
	return rules_scan_fail(s, s->line, s->column, what);
}

const char *rules_json_type_text(enum rules_json_type type)
{
	static const char *const text[] = { "null",     "true or false", "a number",
					    "a string", "an array",      "an object" };
	return text[type];
}

const char *rules_json_str(const struct rules_json *string)
{
	return (const char *)string->text.p;
}

const struct rules_json *rules_json_get(const struct rules_json *object, const char *key)
{
	for (const struct rules_json *m = object->first; m; m = m->next) {
		if (m->key && strcmp(m->key, key) == 0)
			return m;
	}
	return NULL;
}

/* ---- values ---- */

static size_t skip_digits(struct rules_scan *s)
{
	size_t n = 0;

	for (; rules_scan_peek(s) >= '0' && rules_scan_peek(s) <= '9'; n++)
		rules_scan_advance(s);
	return n;
}

static enum jw_status scan_number(struct rules_scan *s, struct rules_json *v)
{
	size_t start = s->cur.pos, digits;
	bool zero, whole = true;
	char *copy;

	if (rules_scan_peek(s) == '-')
		rules_scan_advance(s);
	zero = rules_scan_peek(s) == '0';
	digits = skip_digits(s);
	if (digits == 0 || (zero && digits > 1))
		return rules_scan_fail(s, v->line, v->column, "not a number as JSON writes them");
	if (rules_scan_peek(s) == '.') {
		whole = false;
		rules_scan_advance(s);
		if (skip_digits(s) == 0)
			return rules_scan_fail_here(s,
						    "a digit is missing after the decimal point");
	}
	if (rules_scan_peek(s) == 'e' || rules_scan_peek(s) == 'E') {
		whole = false;
		rules_scan_advance(s);
		if (rules_scan_peek(s) == '+' || rules_scan_peek(s) == '-')
			rules_scan_advance(s);
		if (skip_digits(s) == 0)
			return rules_scan_fail_here(s, "a digit is missing in the exponent");
	}
	v->type = RULES_JSON_NUMBER;
	v->text.n = s->cur.pos - start;
	copy = jw_arena_str(s->arena, jw_span_sub(s->cur.s, start, v->text.n));
	if (!copy)
		return jw_nomem(s->e);
	v->text.p = (const uint8_t *)copy;
	v->is_integer = whole && v->text.n < 19;
	v->integer = v->is_integer ? strtoll(copy, NULL, 10) : 0;
	return JW_OK;
}

/* No value begins with C: what it may have been meant for. */
static const char *no_value(int c)
{
	switch (c) {
	case '#':
		return "comments begin with // or are between /* and */";
	case '\'':
		return "strings are in double quotes";
	case 'T':
	case 'F':
	case 'N':
		return "only true, false and null have no quotes, and they are in small letters";
	default:
		return "expected a value: an object, an array, a string in double quotes, a "
		       "number, true, false or null";
	}
}

static enum jw_status scan_word(struct rules_scan *s, struct rules_json *v)
{
	int first = rules_scan_peek(s);
	size_t start = s->cur.pos;
	struct jw_span word;

	for (int c = rules_scan_peek(s); c >= 'a' && c <= 'z'; c = rules_scan_peek(s))
		rules_scan_advance(s);
	word = jw_span_sub(s->cur.s, start, s->cur.pos - start);
	if (jw_span_eq_str(word, "null"))
		v->type = RULES_JSON_NULL;
	else if (jw_span_eq_str(word, "true") || jw_span_eq_str(word, "false"))
		v->type = RULES_JSON_BOOL;
	else
		return rules_scan_fail(s, v->line, v->column, no_value(first));
	v->boolean = jw_span_eq_str(word, "true");
	return JW_OK;
}

static void adopt(struct rules_json *parent, struct rules_json *child)
{
	parent->count++;
	if (parent->last)
		parent->last->next = child;
	else
		parent->first = child;
	parent->last = child;
}

/* Members in the order of their keys; of equal keys, in the order of the file. */
static int by_key(const void *a, const void *b)
{
	const struct rules_json *x = *(struct rules_json *const *)a;
	const struct rules_json *y = *(struct rules_json *const *)b;
	int c = strcmp(x->key, y->key);

	return c ? c : (x->index > y->index) - (x->index < y->index);
}

static enum jw_status check_repeated(struct rules_scan *s, struct rules_json *object)
{
	const struct rules_json **sorted = jw_mem_zalloc(object->count + 1, sizeof(void *));
	const struct rules_json *found = NULL;
	uint32_t first_line = 0;

	if (!sorted)
		return jw_nomem(s->e);
	for (const struct rules_json *m = object->first; m; m = m->next)
		sorted[m->index] = m;
	qsort(sorted, object->count, sizeof(void *), by_key);
	for (size_t i = 1; i < object->count; i++) {
		if (strcmp(sorted[i - 1]->key, sorted[i]->key) == 0 &&
		    (!found || sorted[i]->index < found->index)) {
			found = sorted[i];
			first_line = sorted[i - 1]->key_line;
		}
	}
	jw_mem_free(sorted);
	if (found)
		return rules_json_fail(s->e, found, true, NULL, "repeated key (first at line %u)",
				       first_line);
	return JW_OK;
}

/* Key and colon; the value follows. */
static enum jw_status scan_key(struct rules_scan *s, struct jw_span *key)
{
	struct jw_span raw = { NULL, 0 };

	if (rules_scan_peek(s) != '"')
		return rules_scan_fail_here(s, rules_scan_peek(s) == '}'
						       ? "a comma with nothing after it"
						       : "expected a key in double quotes");
	JW_TRY(rules_scan_string(s, key, &raw));
	JW_TRY(rules_scan_space(s));
	if (rules_scan_peek(s) != ':')
		return rules_scan_fail_here(s, "expected ':' after the key");
	rules_scan_advance(s);
	return JW_OK;
}

/* One member or element of V. */
static enum jw_status scan_child(struct rules_scan *s, struct rules_json *v)
{
	uint32_t line = s->line, column = s->column;
	struct jw_span key = { NULL, 0 };
	struct rules_json *child = NULL;

	if (v->type == RULES_JSON_OBJECT)
		JW_TRY(scan_key(s, &key));
	else if (rules_scan_peek(s) == ']')
		return rules_scan_fail_here(s, "a comma with nothing after it");
	JW_TRY(scan_value(s, (const char *)key.p, &child));
	if (!child)
		return jw_bug(s->e, "a value that is none");
	child->key_line = line;
	child->key_column = column;
	adopt(v, child);
	return JW_OK;
}

static enum jw_status scan_container(struct rules_scan *s, struct rules_json *v)
{
	bool object = v->type == RULES_JSON_OBJECT;
	int end = object ? '}' : ']';

	rules_scan_advance(s);
	JW_TRY(rules_scan_space(s));
	while (v->first || rules_scan_peek(s) != end) {
		JW_TRY(scan_child(s, v));
		JW_TRY(rules_scan_space(s));
		if (rules_scan_peek(s) == end)
			break;
		if (rules_scan_peek(s) < 0)
			return rules_scan_fail(s, v->line, v->column,
					       object ? "this object never ends"
						      : "this array never ends");
		if (rules_scan_peek(s) != ',')
			return rules_scan_fail_here(s, object ? "expected ',' or '}'"
							      : "expected ',' or ']'");
		rules_scan_advance(s);
		JW_TRY(rules_scan_space(s));
	}
	rules_scan_advance(s);
	return object ? check_repeated(s, v) : JW_OK;
}

static enum jw_status scan_nested(struct rules_scan *s, struct rules_json *v)
{
	struct rules_json *outer = s->in;

	v->type = rules_scan_peek(s) == '{' ? RULES_JSON_OBJECT : RULES_JSON_ARRAY;
	if (s->depth == RULES_JSON_MAX_DEPTH)
		return rules_scan_fail_here(s, "nested too deep (limit is 64 levels)");
	s->depth++;
	s->in = v;
	JW_TRY(scan_container(s, v));
	s->in = outer;
	s->depth--;
	return JW_OK;
}

/* KEY is that of the member, NULL elsewhere. The value knows its parent from the start: messages
 * about what is inside it need its pointer. */
static enum jw_status scan_value(struct rules_scan *s, const char *key, struct rules_json **out)
{
	struct rules_json *v;
	int c;

	JW_TRY(rules_scan_space(s));
	if (++s->values > RULES_JSON_MAX_VALUES)
		return rules_scan_fail_here(s, "too many values (limit is 1000000)");
	v = JW_NEW(s->arena, struct rules_json);
	if (!v)
		return jw_nomem(s->e);
	v->file = s->file;
	v->key = key;
	v->parent = s->in;
	v->index = s->in ? s->in->count : 0;
	v->line = s->line;
	v->column = s->column;
	c = rules_scan_peek(s);
	if (c < 0)
		return rules_scan_fail_here(s, "the text ends where a value is expected");
	if (c == '{' || c == '[') {
		JW_TRY(scan_nested(s, v));
	} else if (c == '"') {
		v->type = RULES_JSON_STRING;
		JW_TRY(rules_scan_string(s, &v->text, &v->raw));
	} else if (c == '-' || (c >= '0' && c <= '9')) {
		JW_TRY(scan_number(s, v));
	} else {
		JW_TRY(scan_word(s, v));
	}
	*out = v;
	return JW_OK;
}

static enum jw_status scan_document(struct rules_scan *s, struct rules_json **out)
{
	JW_TRY(rules_scan_utf8(s));
	JW_TRY(scan_value(s, NULL, out));
	JW_TRY(rules_scan_space(s));
	if (rules_scan_peek(s) >= 0)
		return rules_scan_fail_here(s, "text after the end of the value");
	return JW_OK;
}

enum jw_status rules_json_parse(struct jw_span text, const char *file, struct jw_arena *arena,
				struct rules_json **out, struct jw_err *e)
{
	struct rules_scan s = { .cur = jw_cur(text), .line = 1, .column = 1, .file = file };
	struct rules_json *root = NULL;
	enum jw_status status;

	s.arena = arena;
	s.e = e;
	if (text.n > RULES_JSON_MAX_SIZE)
		return rules_scan_fail_here(&s, "too large for a rules file (limit is 16 MiB)");
	if (jw_span_starts(text, JW_SPAN_LIT("\xef\xbb\xbf")))
		jw_cur_skip(&s.cur, 3);
	status = scan_document(&s, &root);
	jw_buf_free(&s.string);
	if (status == JW_OK)
		*out = root;
	return status;
}
