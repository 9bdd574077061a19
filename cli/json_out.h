/*
 * json_out.h: JSON on standard output, or in a buffer, printed by cJSON.
 *
 * A document is an object or an array whose parts have lines of their own, so that its text can be
 * searched and compared line by line, and only one part is in memory:
 *
 *     cli_json_open      {            a line may have several members;
 *     cli_json_line      "a":1,"b":2,     a list, each element on a line
 *     cli_json_list      "list":[
 *     cli_json_element   {"c":3},
 *     cli_json_element   {"c":4}
 *     cli_json_list_end  ],
 *     cli_json_close     }
 *
 * A part is a tree of cJSON, made by the functions at the end. They never fail: what there is no
 * memory for is missing, and cli_json_close() says so. Numbers up to 2^64 and text that is safe for
 * a terminal are raw items, since cJSON has doubles alone and passes control characters of Unicode.
 */
#ifndef JW_CLI_JSON_OUT_H
#define JW_CLI_JSON_OUT_H

#include <cjson/cJSON.h>

#include "cli/cli.h"
#include "rules/rules.h"

struct cli_json {
	struct cli *cli;    /* prints the document, */
	struct jw_buf *to;  /* or else it is put here */
	struct jw_buf text; /* of the value that is made */
	char end;           /* of the document */
	bool inner;         /* a list is open */
	bool first[2];      /* nothing has come yet: in the document, in the list */
	bool failed;
};

/* Begins a document: BRACKET is '{' or '['. */
void cli_json_open(struct cli_json *json, struct cli *cli, char bracket);
/* The same of one that is put into TO. */
void cli_json_open_in(struct cli_json *json, struct jw_buf *to, char bracket);
/* The members of OBJECT, which is deleted. */
void cli_json_line(struct cli_json *json, cJSON *object);
/* A line of one member. */
void cli_json_line_number(struct cli_json *json, const char *key, uint64_t value);
void cli_json_line_text(struct cli_json *json, const char *key, const char *value);
void cli_json_line_bool(struct cli_json *json, const char *key, bool value);
void cli_json_list(struct cli_json *json, const char *key);
void cli_json_list_end(struct cli_json *json);
/* One more of the list, or of the document if that is an array. ITEM is deleted. */
void cli_json_element(struct cli_json *json, cJSON *item);
/* Ends the document. JW_NOMEM: something is missing. */
enum jw_status JW_MUST_USE cli_json_close(struct cli_json *json, struct jw_err *e);

/*
 * Values: in PARENT, an object (or an array, and KEY is NULL). KEY outlives it. An object or array
 * whose PARENT is NULL is a part.
 */
cJSON *cli_json_object(struct cli_json *json, cJSON *parent, const char *key);
cJSON *cli_json_array(struct cli_json *json, cJSON *parent, const char *key);
/* ITEM, which was a part, becomes KEY of PARENT. */
void cli_json_take(struct cli_json *json, cJSON *parent, const char *key, cJSON *item);
void cli_json_number(struct cli_json *json, cJSON *parent, const char *key, uint64_t value);
void cli_json_general(struct cli_json *json, cJSON *parent, const char *key, double value); /* %g */
void cli_json_decimal(struct cli_json *json, cJSON *parent, const char *key, double value,
		      int digits);
void cli_json_text(struct cli_json *json, cJSON *parent, const char *key, const char *value);
void cli_json_span(struct cli_json *json, cJSON *parent, const char *key, struct jw_span value);
void cli_json_bool(struct cli_json *json, cJSON *parent, const char *key, bool value);
void cli_json_null(struct cli_json *json, cJSON *parent, const char *key);
/* What a rule does not record, a member for each limit. */
void cli_json_sampling(struct cli_json *json, cJSON *parent, const struct rules_sampling *sampling);
/* A text as a part. */
cJSON *cli_json_string(struct cli_json *json, const char *value);

#endif
