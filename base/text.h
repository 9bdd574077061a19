/*
 * text.h: characters in bytes: UTF-8 (RFC 3629), hexadecimal digits, words of the shell.
 */
#ifndef JW_BASE_TEXT_H
#define JW_BASE_TEXT_H

#include "base/bytes.h"

/* The bytes (1 to 4) of the character that S starts with; 0: it does not start with one (S is
 * empty, or begins with an overlong form, a surrogate, a stray or missing tail). *POINT: its code
 * point, written only when there is one. */
size_t jw_utf8_at(struct jw_span s, uint32_t *point);

/* How many characters S has: bytes but those that go on with one. */
size_t jw_characters(struct jw_span s);

/* Appends the character POINT (up to 0x10ffff). */
void jw_put_utf8(struct jw_buf *b, uint32_t point);

/* Appends NAME, a class name as in class files ("a/B"), with dots. */
void jw_put_dotted(struct jw_buf *b, struct jw_span name);

/* The same in place: NAME is a string, or NULL. Returns it. */
char *jw_dotted(char *name);

/* Appends TEXT as one word of a command of the shell. */
void jw_put_word(struct jw_buf *b, struct jw_span text);

/* The value of the hexadecimal digit C, of either case; -1: C is none (EOF may be asked). */
int jw_hex_digit(int c);

#endif
