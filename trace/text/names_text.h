/*
 * names_text.h: for formats that are text: names of methods and threads, as they come, and output by the
 * piece.
 *
 *     open, at begin -> number .. -> late, at over -> take, of each name -> method, thread -> free
 */
#ifndef JW_TRACE_NAMES_TEXT_H
#define JW_TRACE_NAMES_TEXT_H

#include "base/bytes.h"
#include "base/memory.h"
#include "trace/destination.h"
#include "trace/names/label.h"
#include "trace/output.h"
#include "trace/replay/method_numbers.h"

struct trace_text_names {
	const struct trace_scene *scene;
	struct trace_methods methods, channels;
	/* in the arena */
	const char **labels, **threads, **states, **lanes, **channel_labels;
	struct jw_arena arena;
	bool failed; /* no memory */
};

enum { TRACE_TEXT_STATES = 64 }; /* have names, by number */

/* The number of method ID, from 0. */
uint32_t trace_text_numbered(struct trace_text_names *names, uint64_t id);
/* The number of a connection or a file, likewise. */
uint32_t trace_text_channel_numbered(struct trace_text_names *names, uint64_t channel);
/* All that needs a name is known. */
void trace_text_late(struct trace_text_names *names, const struct trace_scene *scene);
void trace_text_take(struct trace_text_names *names, enum trace_name_kind what, uint64_t number,
		     struct jw_span label);
/* "function 12" where it has no name. In the arena; NULL: no memory. */
const char *trace_text_method(struct trace_text_names *names, uint32_t number);
const char *trace_text_thread(struct trace_text_names *names, uint32_t place);
/* The thread, and of several processes its own: "main (Cli 7039)"; likewise. */
const char *trace_text_lane(struct trace_text_names *names, uint32_t place);
/* "channel 12" where it has no name; likewise. */
const char *trace_text_channel(struct trace_text_names *names, uint32_t number);
const char *trace_text_state(struct trace_text_names *names, uint64_t state);
void trace_text_free(struct trace_text_names *names);

/* NS in microseconds, "12.345". */
void trace_text_us(struct jw_buf *out, uint64_t ns);
/* Sends OUT if it is long, or ALL of it, whatever it is. */
enum jw_status JW_MUST_USE trace_text_send(const struct trace_destination *to, struct jw_buf *out,
					   bool all, struct jw_err *e);

#endif
