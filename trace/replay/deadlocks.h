/*
 * deadlocks.h: threads each of which waits, to the end of its process, for a monitor or a lock that the next one was seen to
 * have (runtime-jni/jvm/holders.h), or for the end of the next one, and the last one for one of the first.
 */
#ifndef JW_TRACE_REPLAY_DEADLOCKS_H
#define JW_TRACE_REPLAY_DEADLOCKS_H

#include <stdbool.h>
#include <stdint.h>

struct jw_buf;
struct trace_notes;

/* The last wait of a thread for a monitor or a lock of which it is known who had it, or for the end of a thread. */
struct trace_locked {
	uint64_t begin, object;
	uint64_t end; /* 0: it has not lasted to the end, or what reads it is not there yet */
	uint32_t by;  /* 1 + the thread; 0: there was none */
	bool joins;   /* OBJECT is that thread: it is waited for its end */
};

/* COUNT threads, and how they are called. CTX is given to each. */
struct trace_lockers {
	uint32_t count;
	const void *ctx;
	const struct trace_locked *(*locked)(const void *ctx, uint32_t at);
	void (*put_thread)(const void *ctx, uint32_t at, struct jw_buf *out);
	/* The name of the class of OBJECT, as AT knows it; NULL: unknown. */
	const char *(*class_of)(const void *ctx, uint32_t at, uint64_t object);
};

#define TRACE_DEADLOCK "deadlock: " /* begins each sentence */

/* Notes a sentence on each deadlock among them; false: no memory. */
bool trace_note_deadlocks(const struct trace_lockers *threads, struct trace_notes *notes);

#endif
