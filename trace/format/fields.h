/*
 * fields.h: the text of names, as they come from class files, threads and the recorder's meta.
 *
 * Decoding takes UTF-8 and the JVM's modified UTF-8 alike (JVMS 4.4.7: NUL as C0 80, supplementary
 * characters as two surrogates of three bytes); what is neither becomes U+FFFD.
 */
#ifndef JW_TRACE_FIELDS_H
#define JW_TRACE_FIELDS_H

#include "base/memory.h"
#include "base/text.h"

enum { TRACE_REPLACEMENT = 0xfffd };

/* The code point at *POS of TEXT, TRACE_REPLACEMENT where there is none; *POS moves after it.
 * *POS < TEXT.n. */
uint32_t trace_utf8_next(struct jw_span text, size_t *pos);

/* Cuts the next field off LINE: up to a TAB, which is skipped, or to its end. */
struct jw_span trace_field(struct jw_span *line);

/* Cuts the next line off TEXT, without its LF. */
struct jw_span trace_line(struct jw_span *text);

/* FIELD with its \xHH undone, as a C string in the arena; NULL: no memory. A NUL becomes a space.
 */
char *trace_unescape(struct jw_arena *arena, struct jw_span field);

/* A number as a field holds it: all of FIELD is digits, and the value is at most MAX. */
bool trace_dec(struct jw_span field, uint64_t max, uint64_t *out);
bool trace_hex(struct jw_span field, uint64_t max, uint64_t *out);

#endif
