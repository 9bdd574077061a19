/*
 * t_json_out.c: JSON documents, line by line.
 */
#include <string.h>

#include "cli/cli.h"
#include "cli/json_out.h"
#include "tests/tap.h"

#include "base/banned.h"

/* What was put, as text; CLI is emptied. */
static const char *taken(struct cli *cli)
{
	static char text[4096];

	size_t n = cli->out.n < sizeof(text) - 1 ? cli->out.n : sizeof(text) - 1;
	if (n)
		memcpy(text, cli->out.p, n);
	text[n] = '\0';
	jw_buf_free(&cli->out);
	return text;
}

TEST(values)
{
	struct cli cli = { 0 };
	struct cli_json json;
	struct jw_err e = { 0 };

	cli_json_open(&json, &cli, '{');
	cJSON *line = cli_json_object(&json, NULL, NULL);
	cli_json_number(&json, line, "largest", UINT64_MAX);
	cli_json_number(&json, line, "odd", (UINT64_C(1) << 53) + 1);
	cli_json_decimal(&json, line, "mean", 2.0 / 3, 1);
	cli_json_general(&json, line, "cost", 26.5);
	cli_json_line(&json, line);
	cli_json_line_text(&json, "name", "a\"\\\n\xff\xe2\x80\xae");
	cli_json_line_bool(&json, "known", true);
	line = cli_json_object(&json, NULL, NULL);
	cli_json_null(&json, line, "state");
	cJSON *inner = cli_json_array(&json, line, "list");
	cli_json_text(&json, inner, NULL, "x");
	cli_json_number(&json, cli_json_object(&json, inner, NULL), "n", 1);
	cli_json_line(&json, line);
	is_int(cli_json_close(&json, &e), JW_OK);
	is_str(taken(&cli), "{\n"
			    "\"largest\":18446744073709551615,\"odd\":9007199254740993,"
			    "\"mean\":0.7,\"cost\":26.5,\n"
			    "\"name\":\"a\\\"\\\\\\u000a\xef\xbf\xbd\\u202e\",\n"
			    "\"known\":true,\n"
			    "\"state\":null,\"list\":[\"x\",{\"n\":1}]\n}\n");
}

TEST(lists)
{
	struct cli cli = { 0 };
	struct cli_json json;
	struct jw_err e = { 0 };

	cli_json_open(&json, &cli, '{');
	cli_json_list(&json, "none");
	cli_json_list_end(&json);
	cli_json_list(&json, "two");
	cli_json_element(&json, cli_json_string(&json, "a"));
	cli_json_element(&json, cli_json_object(&json, NULL, NULL));
	cli_json_list_end(&json);
	cli_json_line_number(&json, "after", 1);
	is_int(cli_json_close(&json, &e), JW_OK);
	is_str(taken(&cli), "{\n\"none\":[\n],\n\"two\":[\n\"a\",\n{}\n],\n\"after\":1\n}\n");

	cli_json_open(&json, &cli, '[');
	is_int(cli_json_close(&json, &e), JW_OK);
	is_str(taken(&cli), "[\n]\n");
}

/* What there is no memory for is missing, and the document says so. */
static void *no_memory(size_t n)
{
	(void)n;
	return NULL;
}

TEST(no_memory_for_a_value)
{
	struct cli cli = { 0 };
	struct cli_json json;
	struct jw_err e = { 0 };
	cJSON_Hooks none = { .malloc_fn = no_memory };

	cli_json_open(&json, &cli, '{');
	cJSON_InitHooks(&none);
	cli_json_line_text(&json, "name", "a");
	cJSON_InitHooks(NULL);
	cli_json_line_number(&json, "after", 1);
	is_int(cli_json_close(&json, &e), JW_NOMEM);
	is_str(taken(&cli), "{\n,\n\"after\":1\n}\n");
}

TEST(a_document_in_a_buffer)
{
	struct cli_json json;
	struct jw_buf out = { 0 };
	struct jw_err e = { 0 };

	cli_json_open_in(&json, &out, '[');
	cli_json_element(&json, cli_json_string(&json, "a"));
	is_int(cli_json_close(&json, &e), JW_OK);
	is_span(jw_buf_span(&out), JW_SPAN_LIT("[\n\"a\"\n]\n"));
	jw_buf_free(&out);
}
