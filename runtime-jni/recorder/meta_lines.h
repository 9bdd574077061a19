/*
 * meta_lines.h: the lines of meta about the process and its threads (trace/format/recording.h has
 * the format).
 */
#ifndef RT_META_LINES_H
#define RT_META_LINES_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "trace/format/tick.h"

/* What the recorder asks about the thread it runs on, at its first event. */
struct rt_thread_info {
	int64_t java_id; /* 0: unknown */
	bool daemon;
	bool is_virtual;     /* a virtual thread runs on it; the rest is about its carrier */
	uint64_t virtual_id; /* which */
	char name[1024];     /* UTF-8 or modified UTF-8, cut when longer */
};

/* What counts the CPU time of a thread of Java. */
struct rt_cpu {
	clockid_t clock; /* of the thread of the system; 0: nothing does */
	/* ns that it had when it became this thread of Java: it was another one; or where it is older
	 * than the recording, when its life in that began */
	uint64_t before;
};

void rt_line_thread(uint32_t uid, uint64_t start, uint64_t first, const char *flags,
		    const struct rt_thread_info *info);
/* ITEM: thread-end, or thread-name: its name then. CPU NULL: that is not told. */
void rt_line_thread_named(const char *item, uint32_t uid, uint64_t tick, const char *name,
			  const struct rt_cpu *cpu);

/* Nothing for a COUNT of 0. */
void rt_line_lost(uint32_t uid, uint64_t count);

/* Where a thread waits: what the number in PLACE records means; LINE 0: unknown. DOES: what the
 * thread does there (recording.h); NULL: it waits. */
void rt_line_place(uint32_t number, const char *class, const char *method, const char *source,
		   uint32_t line, const char *does);
/* The thread with the id WAITER waits for a monitor that HOLDER (jwr_thread_object()) had at TICK. */
void rt_line_held(uint64_t waiter, uint64_t tick, uint64_t holder);
/* CPU times: of the thread UID, which lives; of the process, from its start
 * to TICK. */
void rt_line_thread_cpu(uint32_t uid, const struct rt_cpu *cpu);
void rt_line_cpu(uint64_t tick);
uint64_t rt_process_cpu(void);
/* The class with this number (jwr_class). */
void rt_line_class(uint32_t number, const char *name);

/* ITEM: virtual, or virtual-end. */
void rt_line_virtual(const char *item, uint64_t id, const char *name);

/* The text that captures record as NUMBER (texts.h). */
void rt_line_text(uint64_t number, const char *text);

/* What events of TYPE are called (VALUE -1), or one value of them. */
void rt_line_event_label(uint32_t type, int64_t value, const char *label);

/* How long the file of chunks is, at the end. */
void rt_line_data(uint64_t bytes);

/* A line that begins with a tick and ends with a text. */
void rt_line_tick(const char *item, uint64_t tick, const char *text);

/* What is known of the process without asking a VM, and the limits in force. */
void rt_lines_process(enum trace_ticks clock, uint64_t max_bytes, uint64_t floor);

#endif
