/*
 * json_scan.h: the characters of a rules file one by one, from which json.c builds values.
 *
 * A scan is at one byte and knows its line and column. It never passes the end of the text, where
 * rules_scan_peek() is -1, which equals no character.
 */
#ifndef JW_RULES_JSON_SCAN_H
#define JW_RULES_JSON_SCAN_H

#include "base/bytes.h"
#include "base/memory.h"

struct rules_json;

struct rules_scan {
	struct jw_cur cur;
	uint32_t line, column; /* of the byte at cur.pos */
	uint32_t depth, values;
	const char *file;
	struct jw_arena *arena;
	struct rules_json *in; /* innermost open container, for the pointer of a message */
	struct jw_buf string;  /* the string being decoded */
	struct jw_err *e;
};

/* The byte at which S is, or -1 at the end. */
static inline int rules_scan_peek(const struct rules_scan *s)
{
	return s->cur.pos < s->cur.s.n ? jw_span_u1(s->cur.s, s->cur.pos) : -1;
}

/* The byte after that one, or -1. */
static inline int rules_scan_second(const struct rules_scan *s)
{
	return jw_cur_left(&s->cur) > 1 ? jw_span_u1(s->cur.s, s->cur.pos + 1) : -1;
}

/* Past one byte. */
static inline void rules_scan_advance(struct rules_scan *s)
{
	uint8_t byte = jw_cur_u1(&s->cur);

	if (byte == '\n') {
		s->line++;
		s->column = 1;
	} else if ((byte & 0xc0) != 0x80) {
		s->column++; /* continuation bytes belong to the character before */
	}
}

/* Fails with JW_RULES and `FILE:LINE:COLUMN: /pointer: WHAT`; the pointer is that of s->in. */
enum jw_status rules_scan_fail(struct rules_scan *s, uint32_t line, uint32_t column,
			       const char *what);

/* The same, at the position of S. */
enum jw_status rules_scan_fail_here(struct rules_scan *s, const char *what);

/* JW_OK when all from S on is UTF-8; S stays where it is. Else JW_RULES, at the first byte that is
 * not. */
enum jw_status rules_scan_utf8(struct rules_scan *s);

/* Past blanks, line ends and comments. JW_RULES: a comment that never ends. */
enum jw_status rules_scan_space(struct rules_scan *s);

/* At the opening quote; past the closing one. OUT: the decoded text in the arena, a zero byte after
 * it; RAW: the same as written, empty when no escape is in it. JW_RULES: what JSON does not allow
 * in a string, or U+0000. */
enum jw_status rules_scan_string(struct rules_scan *s, struct jw_span *out, struct jw_span *raw);

/* How many columns the first OFFSET bytes of a string take that is written as RAW. */
uint32_t rules_scan_columns(struct jw_span raw, size_t offset);

#endif
