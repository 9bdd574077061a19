/*
 * check_text.c: see check_text.h.
 */
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "base/text.h"
#include "tests/trace/check_text.h"

#include "base/banned.h"

void check_text(struct jw_span text)
{
	for (size_t i = 0, n = 1; i < text.n; i += n) {
		uint32_t point;

		must(text.p[i] >= ' ' && text.p[i] != 127);
		n = jw_utf8_at(jw_span_sub(text, i, 4), &point);
		must(n != 0);
	}
}

/* The next line of TEXT, which ends with a line feed, without it. */
static struct jw_span next_line(struct jw_span *text)
{
	const uint8_t *end = memchr(text->p, '\n', text->n);

	must(end != NULL);
	struct jw_span line = jw_span(text->p, (size_t)(end - text->p));

	*text = jw_span_sub(*text, line.n + 1, text->n);
	return line;
}

/* ---- JSON ---- */

static cJSON *parse(struct jw_span bytes)
{
	struct jw_span rest = bytes;
	char *text = malloc(bytes.n + 1);

	must(text != NULL);
	memcpy(text, bytes.p, bytes.n);
	text[bytes.n] = '\0';
	while (rest.n)
		check_text(next_line(&rest));
	cJSON *json = cJSON_ParseWithLengthOpts(text, bytes.n + 1, NULL, 1);

	must(json != NULL);
	free(text);
	return json;
}

static const cJSON *item(const cJSON *json, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(json, key);
}

static double number(const cJSON *json, const char *key)
{
	const cJSON *n = item(json, key);

	must(cJSON_IsNumber(n) && n->valuedouble >= 0);
	return n->valuedouble;
}

static const char *text_of(const cJSON *json, const char *key)
{
	const char *text = cJSON_GetStringValue(item(json, key));

	must(text != NULL);
	return text;
}

static void check_profile(const cJSON *profile, double frames)
{
	double now = number(profile, "startValue"), end = number(profile, "endValue");
	struct {
		double *at;
		size_t n, room;
	} open = { NULL, 0, 0 };
	const cJSON *event;

	must(strcmp(text_of(profile, "type"), "evented") == 0 && *text_of(profile, "name"));
	must(now <= end && cJSON_IsArray(item(profile, "events")));
	cJSON_ArrayForEach(event, item(profile, "events"))
	{
		double frame = number(event, "frame"), at = number(event, "at");

		must(at >= now && at <= end && frame < frames);
		now = at;
		if (strcmp(text_of(event, "type"), "O") == 0) {
			if (open.n == open.room)
				open.at = realloc(open.at,
						  (open.room = 2 * open.room + 8) * sizeof(double));
			must(open.at != NULL);
			open.at[open.n++] = frame;
		} else {
			must(strcmp(text_of(event, "type"), "C") == 0);
			must(open.n > 0 && open.at[--open.n] == frame);
		}
	}
	must(open.n == 0);
	free(open.at);
}

void check_speedscope(struct jw_span bytes)
{
	cJSON *json = parse(bytes);
	const cJSON *frames = item(item(json, "shared"), "frames"), *one;

	must(cJSON_IsArray(frames) && cJSON_IsArray(item(json, "profiles")));
	must(strcmp(text_of(json, "$schema"),
		    "https://www.speedscope.app/file-format-schema.json") == 0);
	cJSON_ArrayForEach(one, frames) must(*text_of(one, "name") != '\0');
	cJSON_ArrayForEach(one, item(json, "profiles"))
		check_profile(one, (double)cJSON_GetArraySize(frames));
	cJSON_Delete(json);
}

/* In an object a key is there once. */
static void check_keys(const cJSON *object)
{
	for (const cJSON *a = object ? object->child : NULL; a; a = a->next)
		for (const cJSON *b = a->next; b; b = b->next)
			must(strcmp(a->string, b->string) != 0);
}

/* Ids of flows are 1, 2, 3, ..: SUM tells whether each came as often as it should. */
static void check_trace_event(const cJSON *event, double *begun, double *ended)
{
	const char *phase = text_of(event, "ph");

	check_keys(event);
	check_keys(item(event, "args"));
	check_keys(item(item(event, "args"), "captured"));
	must(number(event, "pid") >= 1 && number(event, "tid") >= 1 && text_of(event, "name"));
	if (strcmp(phase, "M") == 0) {
		(void)text_of(item(event, "args"), "name");
		return;
	}
	(void)number(event, "ts");
	must(*text_of(event, "cat") != '\0');
	if (strcmp(phase, "X") == 0)
		(void)number(event, "dur");
	else if (strcmp(phase, "s") == 0)
		*begun += number(event, "id");
	else if (strcmp(phase, "f") == 0)
		*ended += number(event, "id");
	else
		must(strcmp(phase, "i") == 0 && *text_of(event, "s"));
}

void check_chrome(struct jw_span bytes)
{
	cJSON *json = parse(bytes);
	const cJSON *event;
	double begun = 0, ended = 0;

	must(cJSON_IsArray(item(json, "traceEvents")));
	cJSON_ArrayForEach(event, item(json, "traceEvents"))
		check_trace_event(event, &begun, &ended);
	must(begun == ended);
	cJSON_Delete(json);
}

/* ---- lines ---- */

void check_collapsed(struct jw_span bytes)
{
	while (bytes.n) {
		struct jw_span line = next_line(&bytes);
		size_t digits = 0;

		check_text(line);
		while (digits < line.n && line.p[line.n - 1 - digits] >= '0' &&
		       line.p[line.n - 1 - digits] <= '9')
			digits++;
		must(digits > 0 && digits + 1 < line.n && line.p[line.n - 1 - digits] == ' ');
		must(line.p[line.n - digits] != '0' || digits == 1);
		line.n -= digits + 1;
		must(line.p[0] != ';' && line.p[line.n - 1] != ';');
		for (size_t i = 1; i < line.n; i++)
			must(line.p[i] != ';' || line.p[i - 1] != ';');
	}
}

static void check_value(struct jw_span value, enum trace_column_type type)
{
	bool is_text = type >= TRACE_COLUMN_TEXT;

	if (value.n == 2 && memcmp(value.p, "\\N", 2) == 0) {
		must(type == TRACE_COLUMN_MAYBE || type == TRACE_COLUMN_MAYBE_TEXT);
		return;
	}
	must(is_text || (value.n > 0 && value.n < 20));
	check_text(value);
	for (size_t i = 0; i < value.n; i++) {
		must(is_text || (value.p[i] >= '0' && value.p[i] <= '9'));
		if (value.p[i] == '\\')
			must(++i < value.n && strchr("tnr\\", value.p[i]) != NULL);
	}
}

void check_tsv(struct jw_span bytes, enum trace_table_id table)
{
	size_t first = trace_tables_first(table), width = trace_tables_width(table);
	bool is_head = true;

	must(bytes.n > 0);
	for (; bytes.n; is_head = false) {
		struct jw_span line = next_line(&bytes);

		for (size_t i = 0; i < width; i++) {
			const struct trace_column *c = &trace_columns[first + i];
			const uint8_t *tab = line.n ? memchr(line.p, '\t', line.n) : NULL;

			must((tab != NULL) == (i + 1 < width));
			struct jw_span value =
				jw_span_sub(line, 0, tab ? (size_t)(tab - line.p) : line.n);

			line = jw_span_sub(line, value.n + 1, line.n);
			if (is_head)
				must(jw_span_eq(value, jw_span_str(c->name)));
			else
				check_value(value, c->type);
		}
	}
}
