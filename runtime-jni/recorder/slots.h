/*
 * slots.h: one window (recording.h) per thread, in slabs of one file.
 *
 * Every slab is allocated on disk before it is mapped: a store into a sparse mapping on a full disk
 * is SIGBUS and kills the program. Where allocation is refused, or would leave less than the floor of
 * free space, the slab is anonymous memory, and meta says that kill -9 is not covered.
 *
 * A slot belongs to one thread from rt_slot_take() to rt_slot_give(). Records and cursor are
 * written by the owner alone; `busy` is held by the thread that writes the window out (the owner, or the one
 * that finishes the recording) or copies it. Meanwhile the cursor does not go back.
 */
#ifndef RT_SLOTS_H
#define RT_SLOTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

#include "runtime-jni/recorder/data.h"
#include "runtime-jni/recorder/meta_lines.h"
#include "runtime-jni/recorder/sums_memory.h"
#include "runtime-jni/recorder/sums_table.h"
#include "trace/format/recording.h"

/* How much CPU time a thread had then (off_cpu.h). */
struct rt_cpu_mark {
	uint64_t ns;
	uint64_t at;     /* ns, CLOCK_MONOTONIC */
	uint64_t pauses; /* of the recording, so far */
};

struct rt_slot {
	struct jwr_window *window; /* in a slab, or &none */
	struct rt_slot *next;      /* in the free list */
	_Atomic bool busy;
	_Atomic bool owned;
	bool done;       /* written out for good; guarded by busy */
	bool anonymous;  /* not in the file */
	uint32_t uid;    /* of the thread, as in the window */
	int64_t java_id; /* Thread.getId(), 0: unknown */
	struct rt_cpu cpu;
	const char *last_name; /* when the VM died; NULL: it did not, or it is unknown */
	uint64_t name_hash;    /* of its name when that was looked at last, */
	uint64_t looked_ns;    /* with the window that began then (CLOCK_MONOTONIC) */
	struct rt_cpu_mark mark;
	struct rt_open_wait open; /* guarded by busy */
	int awaited_fd; /* of what its thread expects to tell late, while that waits; -1: none */
	uint64_t shown; /* the virtual thread that the latest record is about; 0: the thread */
	struct rt_table table; /* of a summary: in the window, or in these: */
	struct rt_tables_piece rows, frames;
	/* of a summary: of the virtual threads that run here; NULL: none */
	struct rt_slot *virtuals;
	uint64_t *places; /* owned: where its chunks lie in `data`, by seq: rt_slot_note_place() */
	uint32_t place_count;
	size_t place_cap;
	/* in place of a window where there is none: every event is slow, and counted */
	struct jwr_window none;
};

struct rt_slots_place {
	int fd;             /* of the window file; -1: anonymous memory from the start */
	uint64_t max_bytes; /* the file may not grow beyond (ulimit -f) */
};

/* Not thread-safe, as all below but rt_slot_lock(): the recorder's mutex is held. */
void rt_slots_open(struct rt_slots_place place);

/* Why there is no window, or none in the file. */
struct rt_slot_refusal {
	bool full;     /* the recording has no room for one more within JWEAVE_MAX_SIZE */
	int anonymous; /* the errno that made a new slab anonymous; 0: none did */
};

/* A free slot, its window empty and not owned; NULL: OUT says full, or no memory (errno). The first
 * slab there is always room for. New slabs are accounted for (rt_data_account()). */
struct rt_slot *rt_slot_take(struct rt_slot_refusal *out);

/* A slot without a window, for a thread whose events can only be counted; NULL: no memory. */
struct rt_slot *rt_slot_take_bare(void);

/* Back into its free list. */
void rt_slot_give(struct rt_slot *slot);

/* Calls VISIT for every slot, owned or not. May run without the mutex once nothing is taken any
 * more. */
void rt_slots_each(void (*visit)(void *ctx, struct rt_slot *slot), void *ctx);

/* The chunk SEQ of SLOT's thread is at AT of `data` (0: in no one file). Where there is no memory
 * for it, it counts as being in no file. `busy` is held. */
void rt_slot_note_place(struct rt_slot *slot, uint32_t seq, uint64_t at);

/* Takes `busy`, waiting at most MS milliseconds; false: still taken. */
bool rt_slot_lock(struct rt_slot *slot, int ms);
void rt_slot_unlock(struct rt_slot *slot);

/* The owner sets the cursor of SLOT back to AT; false: its window is being copied or written out, and stays as it is. */
bool rt_slot_back(struct rt_slot *slot, uint64_t at);

#endif
