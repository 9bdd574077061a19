/*
 * json_out.c: see json_out.h.
 */
#include "cli/json_out.h"

#include <string.h>

#include "base/json.h"
#include "cli/out.h"

#include "base/banned.h"

enum { PRINT_BYTES = 1024 }; /* what the text of most parts fits into */

/* ---- documents ---- */

static void put(struct cli_json *json, struct jw_span text)
{
	if (json->to)
		jw_put_bytes(json->to, text);
	else
		cli_put_span(json->cli, text);
}

static void put_str(struct cli_json *json, const char *text)
{
	put(json, jw_span_str(text));
}

static void begin(struct cli_json *json, char bracket)
{
	json->end = bracket == '{' ? '}' : ']';
	json->first[false] = json->first[true] = true;
	put(json, jw_span(&bracket, 1));
}

void cli_json_open(struct cli_json *json, struct cli *cli, char bracket)
{
	*json = (struct cli_json){ .cli = cli };
	begin(json, bracket);
}

void cli_json_open_in(struct cli_json *json, struct jw_buf *to, char bracket)
{
	*json = (struct cli_json){ .to = to };
	begin(json, bracket);
}

/* The next thing of the document, or of the list that is open, begins. */
static void begin_line(struct cli_json *json)
{
	put_str(json, json->first[json->inner] ? "\n" : ",\n");
	json->first[json->inner] = false;
}

/* Prints ITEM without the first and last CUT characters, and deletes it. */
static void print(struct cli_json *json, cJSON *item, size_t cut)
{
	char *text = item ? cJSON_PrintBuffered(item, PRINT_BYTES, false) : NULL;
	size_t n = text ? strlen(text) : 0;

	if (n >= 2 * cut)
		put(json, jw_span_sub(jw_span_str(text ? text : ""), cut, n - 2 * cut));
	json->failed |= !text;
	cJSON_free(text);
	cJSON_Delete(item);
}

void cli_json_line(struct cli_json *json, cJSON *object)
{
	begin_line(json);
	print(json, object, 1);
}

void cli_json_line_number(struct cli_json *json, const char *key, uint64_t value)
{
	cJSON *line = cli_json_object(json, NULL, NULL);

	cli_json_number(json, line, key, value);
	cli_json_line(json, line);
}

void cli_json_line_text(struct cli_json *json, const char *key, const char *value)
{
	cJSON *line = cli_json_object(json, NULL, NULL);

	cli_json_text(json, line, key, value);
	cli_json_line(json, line);
}

void cli_json_line_bool(struct cli_json *json, const char *key, bool value)
{
	cJSON *line = cli_json_object(json, NULL, NULL);

	cli_json_bool(json, line, key, value);
	cli_json_line(json, line);
}

void cli_json_list(struct cli_json *json, const char *key)
{
	begin_line(json);
	put_str(json, "\"");
	put_str(json, key);
	put_str(json, "\":[");
	json->inner = json->first[true] = true;
}

void cli_json_list_end(struct cli_json *json)
{
	put_str(json, "\n]");
	json->inner = false;
}

void cli_json_element(struct cli_json *json, cJSON *item)
{
	begin_line(json);
	print(json, item, 0);
}

enum jw_status cli_json_close(struct cli_json *json, struct jw_err *e)
{
	enum jw_status failed = json->text.failed;

	put_str(json, "\n");
	put(json, jw_span(&json->end, 1));
	put_str(json, "\n");
	jw_buf_free(&json->text);
	return json->failed || failed != JW_OK ? jw_nomem(e) : JW_OK;
}

/* ---- values ---- */

static cJSON *add(struct cli_json *json, cJSON *parent, const char *key, cJSON *item)
{
	bool added = item && parent &&
		     (key ? cJSON_AddItemToObjectCS(parent, key, item)
			  : cJSON_AddItemToArray(parent, item));

	if (added)
		return item;
	json->failed = true;
	cJSON_Delete(item);
	return NULL;
}

/* What was put into json->text; NULL: no memory. */
static cJSON *take_raw(struct cli_json *json)
{
	cJSON *item = NULL;

	jw_put_u1(&json->text, '\0');
	if (json->text.failed == JW_OK)
		item = cJSON_CreateRaw((const char *)json->text.p);
	jw_buf_clear(&json->text);
	return item;
}

static cJSON *add_inner(struct cli_json *json, cJSON *parent, const char *key, cJSON *item)
{
	json->failed |= !item;
	return parent ? add(json, parent, key, item) : item;
}

cJSON *cli_json_object(struct cli_json *json, cJSON *parent, const char *key)
{
	return add_inner(json, parent, key, cJSON_CreateObject());
}

cJSON *cli_json_array(struct cli_json *json, cJSON *parent, const char *key)
{
	return add_inner(json, parent, key, cJSON_CreateArray());
}

void cli_json_take(struct cli_json *json, cJSON *parent, const char *key, cJSON *item)
{
	add(json, parent, key, item);
}

void cli_json_number(struct cli_json *json, cJSON *parent, const char *key, uint64_t value)
{
	jw_put_dec(&json->text, value);
	add(json, parent, key, take_raw(json));
}

void cli_json_general(struct cli_json *json, cJSON *parent, const char *key, double value)
{
	jw_put_fmt(&json->text, "%g", value);
	add(json, parent, key, take_raw(json));
}

void cli_json_decimal(struct cli_json *json, cJSON *parent, const char *key, double value,
		      int digits)
{
	jw_put_fmt(&json->text, "%.*f", digits, value);
	add(json, parent, key, take_raw(json));
}

void cli_json_text(struct cli_json *json, cJSON *parent, const char *key, const char *value)
{
	cli_json_span(json, parent, key, jw_span_str(value));
}

void cli_json_span(struct cli_json *json, cJSON *parent, const char *key, struct jw_span value)
{
	jw_put_json(&json->text, value);
	add(json, parent, key, take_raw(json));
}

void cli_json_bool(struct cli_json *json, cJSON *parent, const char *key, bool value)
{
	add(json, parent, key, cJSON_CreateBool(value));
}

void cli_json_null(struct cli_json *json, cJSON *parent, const char *key)
{
	add(json, parent, key, cJSON_CreateNull());
}

void cli_json_sampling(struct cli_json *json, cJSON *parent, const struct rules_sampling *sampling)
{
	if (sampling->every)
		cli_json_number(json, parent, "sampleEvery", sampling->every);
	if (sampling->max_depth)
		cli_json_number(json, parent, "maxDepth", sampling->max_depth);
	if (sampling->min_ns)
		cli_json_number(json, parent, "minDurationNs", sampling->min_ns);
}

cJSON *cli_json_string(struct cli_json *json, const char *value)
{
	jw_put_json(&json->text, jw_span_str(value));
	return add_inner(json, NULL, NULL, take_raw(json));
}
