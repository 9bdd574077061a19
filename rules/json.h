/*
 * json.h: JSON text with comments -> a tree that knows where each value is.
 *
 * Made for files that people write: every value and every key remembers its line and column (from
 * 1, in characters, not bytes; a tab is one character), and knows its parent, so that any message
 * about it can have FILE:LINE:COL and its JSON pointer.
 *
 * Beyond RFC 8259: line comments, block comments, and a leading byte order mark are allowed.
 * Refused: repeated keys, text after the value, anything that is not UTF-8, \u0000 and lone
 * surrogates (so a string is a C string), over 64 levels, over a million values, files over 16 MiB.
 *
 * Why a parser of our own, when cJSON is at hand: cJSON gives no positions, and accepts repeated
 * keys, invalid UTF-8 and trailing text. A scanner in front of it that refuses those, strips
 * comments and maps pointers to places has to follow the whole grammar; building the tree at the
 * same time takes fifty lines more, and saves a second tree, a walk of both in parallel, and the
 * cases where the two would disagree.
 */
#ifndef JW_RULES_JSON_H
#define JW_RULES_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "base/status.h"

enum { RULES_JSON_MAX_DEPTH = 64, RULES_JSON_MAX_VALUES = 1000000 };
#define RULES_JSON_MAX_SIZE ((size_t)16 << 20)

enum rules_json_type {
	RULES_JSON_NULL,
	RULES_JSON_BOOL,
	RULES_JSON_NUMBER,
	RULES_JSON_STRING,
	RULES_JSON_ARRAY,
	RULES_JSON_OBJECT,
};

struct rules_json {
	enum rules_json_type type;
	bool boolean;          /* BOOL */
	bool is_integer;       /* NUMBER without fraction or exponent that fits int64_t */
	uint32_t line, column; /* of the value */
	uint32_t key_line, key_column;
	int64_t integer;
	const char *file;    /* as in messages */
	const char *key;     /* of a member of an object, else NULL */
	struct jw_span text; /* STRING: decoded, a zero byte after it; NUMBER: as written */
	struct jw_span raw;  /* STRING with escapes: as written between its quotes; else empty */
	struct rules_json *parent, *next, *first, *last;
	size_t count, index; /* children; place in the parent, from 0 */
};

/* Parses TEXT; FILE (kept, not copied) is for messages. JW_RULES with the place. */
enum jw_status JW_MUST_USE rules_json_parse(struct jw_span text, const char *file,
					    struct jw_arena *arena, struct rules_json **out,
					    struct jw_err *e);

/* The member of OBJECT with this key, or NULL. */
const struct rules_json *rules_json_get(const struct rules_json *object, const char *key);

/* "object", "a string", ... for messages. */
const char *rules_json_type_text(enum rules_json_type type);

/* The C string of a STRING. */
const char *rules_json_str(const struct rules_json *string);

/*
 * Fails with JW_RULES and `FILE:LINE:COL: /pointer: MESSAGE (did you mean "NEAR"?)`: the place of
 * NODE's value or, with AT_KEY, of its key. NEAR may be NULL. Control characters that came from the
 * file are shown as '?', so that no message can control a terminal.
 */
enum jw_status rules_json_fail(struct jw_err *e, const struct rules_json *node, bool at_key,
			       const char *near, const char *fmt, ...) JW_PRINTF(5, 6);

/*
 * The same for PART of the text of the STRING node: the place is that of its first character in the
 * file, where an escape takes more columns than its character. An empty part is where something is
 * missing. For all of the text, or a PART from elsewhere, the place is that of the value.
 */
enum jw_status rules_json_fail_in(struct jw_err *e, const struct rules_json *node,
				  struct jw_span part, const char *near, const char *fmt, ...)
	JW_PRINTF(5, 6);

#endif
