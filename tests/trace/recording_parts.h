/*
 * recording_parts.h: a recording that a fuzz target makes of any bytes: its input is cut in three, by
 * two bytes at its front each: meta, windows, data. A magic number is put where chunks and windows
 * begin, so that the fuzzer need not find it.
 */
#ifndef JW_TESTS_TRACE_RECORDING_PARTS_H
#define JW_TESTS_TRACE_RECORDING_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "tests/trace/make_recording.h"

/* Writes fuzz.jwr, whose path is in M; false: SIZE bytes at DATA are too few. */
bool recording_parts_write(const uint8_t *data, size_t size, struct make *m);

/* A fuzz_change (tests/fuzz.h) of such an input. */
void recording_parts_change(struct jw_span in, struct jw_buf *out, uint32_t *state);

#endif
