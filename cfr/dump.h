/*
 * dump.h: a class file as text, in the manner of javap -v -p: every part, stable, diffable. The
 * golden tests compare it, so its form only changes on purpose.
 */
#ifndef JW_CFR_DUMP_H
#define JW_CFR_DUMP_H

#include "base/bytes.h"
#include "base/memory.h"
#include "base/status.h"

extern size_t cfr_dump_limit; /* bytes of text of one class; tests make it small */

/* Appends the text of the class in BYTES to OUT. What is damaged inside is shown as far as it can
 * be read; only a class that cannot be opened at all is an error. */
enum jw_status JW_MUST_USE cfr_dump(struct jw_span bytes, struct jw_arena *arena,
				    struct jw_buf *out, struct jw_err *e);

#endif
