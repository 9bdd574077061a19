/*
 * pattern.c: a match line of the rules as a word of the command line: see cli.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "cli/inputs.h"
#include "cli/safe_text.h"

#include "base/banned.h"

/* All kinds: a question about a bridge is a fair question. */
static const char pattern_head[] =
	"{\"jweave\":1,\"rules\":[{\"select\":{\"kind\":[\"method\",\"constructor\",\"clinit\","
	"\"lambda\",\"accessor\",\"bridge\",\"synthetic\"],\"anyOf\":[";
static const char pattern_line[] = "PATTERN:1:", pattern_place[] = "/anyOf/0: ";

/* The place in a file that the user never saw says nothing: that in the pattern replaces it. */
static enum jw_status wrong_pattern(const char *pattern, struct jw_err *e)
{
	const char *place = strstr(e->text, pattern_place);
	size_t column = strlen(pattern_head) + 1, at = 0; /* and a quote */
	char what[JW_ERR_TEXT], where[32] = "";

	if (strncmp(e->text, pattern_line, strlen(pattern_line)) == 0)
		at = strtoul(e->text + strlen(pattern_line), NULL, 10);
	if (at > column && !strpbrk(pattern, "\"\\")) /* (as wide as JSON writes it) */
		snprintf(where, sizeof where, ", column %zu", at - column);
	snprintf(what, sizeof(what), "%s", place ? place + strlen(pattern_place) : e->text);
	return jw_fail(e, JW_USAGE, "PATTERN '%s'%s: %s", pattern, where, what);
}

/* Of "Class.method", as reports print it, or with the package, where Class ends; NULL: it is none. */
static const char *end_of_class(const char *pattern)
{
	const char *dot = strrchr(pattern, '.');

	return dot && dot > pattern && dot[1] && !strpbrk(pattern, "#(*@ ") ? dot : NULL;
}

/* The line HEAD Class#method of what is printed as Class.method. */
static void put_as_printed(struct jw_buf *text, const char *head, const char *pattern,
			   const char *dot)
{
	struct jw_buf line = { 0 };

	jw_put_fmt(&line, "%s%.*s#%s", head, (int)(dot - pattern), pattern, dot + 1);
	jw_put_json(text, jw_buf_span(&line));
	text->failed |= line.failed;
	jw_buf_free(&line);
}

enum jw_status cli_load_pattern(const char *pattern, struct rules **out, struct jw_err *e)
{
	struct rules_options options = { .jdk = true, .any = true, .no_guard = true };
	struct jw_buf text = { 0 };
	const char *dot = end_of_class(pattern);

	jw_put_str(&text, pattern_head);
	if (!dot || dot[1] != '<') {
		jw_put_json(&text, jw_span_str(pattern));
		jw_put_str(&text, dot ? "," : "");
	}
	if (dot) {
		put_as_printed(&text, "**.", pattern, dot);
		jw_put_str(&text, ",");
		put_as_printed(&text, "", pattern, dot);
	}
	jw_put_str(&text, "]}}]}");
	enum jw_status status = jw_buf_finish(&text, "the pattern", e);
	if (status == JW_OK)
		status = rules_parse(jw_buf_span(&text), "PATTERN", &options, out, e);
	jw_buf_free(&text);
	return status == JW_RULES ? wrong_pattern(pattern, e) : status;
}

/* ---- of a trace ---- */

#define SYNTHETIC 0x1000 /* as lambda bodies are */

bool cli_pattern_has_modifiers(const char *pattern)
{
	size_t head = strcspn(pattern, "#(");

	return memchr(pattern, '@', head) || memchr(pattern, ' ', head);
}

bool cli_pattern_chooses(const struct rules *rules, const char *class_name, const char *name,
			 const char *descriptor)
{
	struct jw_buf internal = { 0 };
	bool lambda = strncmp(name, "lambda$", strlen("lambda$")) == 0;
	struct rules_method method = { .name = jw_span_str(name),
				       .descriptor = jw_span_str(descriptor),
				       .access = lambda ? SYNTHETIC : 0,
				       .has_code = true };

	if (!class_name[0])
		return false;
	for (const char *p = class_name; *p; p++)
		jw_put_u1(&internal, *p == '.' ? '/' : (uint8_t)*p);
	struct rules_class cls = { .name = jw_buf_span(&internal) };

	method.kind = rules_method_kind(method.name, method.access);
	bool chosen = internal.failed == JW_OK &&
		      rules_decide(rules, &cls, &method).why == RULES_WHY_TRACED;

	jw_buf_free(&internal);
	return chosen;
}
