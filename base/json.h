/*
 * json.h: text from anywhere as JSON (RFC 8259), which is UTF-8 and safe to show: a terminal obeys no
 * character of it.
 */
#ifndef JW_BASE_JSON_H
#define JW_BASE_JSON_H

#include "base/bytes.h"

/* Is the character POINT one that a terminal obeys: a control character of C0 or C1, or one that
 * ends a line or turns the direction of the text around? */
bool jw_harmful(uint32_t point);

/* Appends TEXT, any bytes, as a JSON string, quotes included; a byte that begins no character becomes
 * U+FFFD, and a harmful character \uXXXX. */
void jw_put_json(struct jw_buf *out, struct jw_span text);

/* Appends the document JSON of somebody else, with what is harmful in its strings as jw_put_json()
 * writes it. */
void jw_put_json_document(struct jw_buf *out, struct jw_span json);

#endif
