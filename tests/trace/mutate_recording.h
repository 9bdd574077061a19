/*
 * mutate_recording.h: recordings changed by lines, records and numbers: where a byte comes or goes,
 * everything after it is something else.
 *
 * For fuzz targets whose input is a recording in parts. Each function changes one thing of a part.
 */
#ifndef JW_TESTS_TRACE_MUTATE_RECORDING_H
#define JW_TESTS_TRACE_MUTATE_RECORDING_H

#include <string.h>

#include "tests/trace/mutate_lines.h"
#include "trace/format/recording.h"

/* A line of META, as a recorder writes it, comes or goes; or it is another one. */
void mutate_meta(struct jw_buf *meta, uint32_t *state);

/* A number of 4 or 8 bytes in PART is a low one, that of another place, or one more or less. */
void mutate_number(struct jw_buf *part, uint32_t *state);

/* A piece of PART, SIZE bytes or what is left, comes again at the end, or goes. */
void mutate_pieces(struct jw_buf *part, size_t size, uint32_t *state);

/* Of chunks, in `data`. */
void mutate_chunks(struct jw_buf *data, uint32_t *state);

/* Of the records of a window, the one in PART. */
void mutate_window(struct jw_buf *part, uint32_t *state);

/* ---- an input in parts ---- */

enum { MUTATE_PARTS_MAX = 4 };

/* How a target's input is made: a head that holds the lengths of all parts but the last, then
 * they. */
struct mutate_shape {
	size_t head, parts;
	const uint8_t (*lengths)[2]; /* where in the head their low and high bytes are */
	void (*cut)(const uint8_t *data, size_t size, struct jw_span *part);
	void (*mutate)(struct jw_buf *part, uint32_t *state); /* changes one thing */
};

/* A fuzz_change of an input of SHAPE. */
void mutate_parts(const struct mutate_shape *shape, struct jw_span in, struct jw_buf *out,
		  uint32_t *state);

#endif
