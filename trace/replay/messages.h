/*
 * messages.h: the clocks of several machines, as the messages between them say: bytes are not read
 * before they are written. One pass over the records of all processes, if there are connections
 * between clocks; then clocks are shifted and stretched (bounds.h), never single events.
 *
 *     world (aligned by wall clocks) -> trace_messages_find -> fixes -> trace_align of the next one
 *
 * Processes of one boot and time namespace have one clock, whatever messages say. Of several time
 * namespaces of one boot the wall clock counts, but where a message runs backwards by that.
 *
 * Cost: one pass; then some steps for each pair of clocks that have messages.
 */
#ifndef JW_TRACE_REPLAY_MESSAGES_H
#define JW_TRACE_REPLAY_MESSAGES_H

#include "base/status.h"
#include "trace/replay/between.h"
#include "trace/replay/bounds.h"
#include "trace/replay/connections.h"

struct trace_world;

/* By task: time T of the world is T + the line at T. */
struct trace_clock_fixes {
	struct trace_line *lines; /* owned; NULL: no pass was needed, the world is as it was */
	struct trace_messages_told told;
	struct trace_line *clocks; /* owned; the different ones, whose bends these have, too */
	size_t clock_count;
	struct trace_strangers
		strangers; /* pairs are owned; W has it, and so has the world to come */
};

/* Of W, which is opened, and is to be closed afterwards if there are lines. */
enum jw_status JW_MUST_USE trace_messages_find(struct trace_world *w, struct trace_clock_fixes *out,
					       struct jw_err *e);
void trace_clock_fixes_free(struct trace_clock_fixes *fixes);

#endif
