/*
 * pass.h: one pass over all records, and what it does with what it comes upon: the contract of
 * whatever takes records.
 *
 *     find.c    the first pass: states, pauses, lanes of virtual threads, arrows
 *     tell.c    the second: what happened, to an output
 *
 * Both come upon the same things in the same order (merge.c), so that they agree.
 */
#ifndef JW_TRACE_REPLAY_PASS_H
#define JW_TRACE_REPLAY_PASS_H

#include "trace/format/recording.h"
#include "trace/replay/job.h"
#include "trace/replay/told.h"

struct jw_capture;
struct trace_arrows;
struct trace_closings;
struct trace_links;
struct trace_map;
struct trace_method;
struct trace_item;
struct trace_order;
struct trace_pass;
struct trace_row;
struct trace_streams;
struct trace_taken;
struct trace_task;
struct trace_virtual;
struct trace_wait;
struct trace_who;
struct trace_world;

struct trace_counts {
	uint64_t events, calls, inferred, dropped, strange, too_deep;
	uint64_t cut, headless; /* calls that a pause cut short; exits of calls that began where
				 * nothing was recorded */
	uint64_t shut;          /* calls that were open when their method was closed */
	uint64_t inside_ns;     /* in calls, of all threads; of each no more than its CPU time */
	bool inside_is_cpu;     /* of some thread it is that */
};

/* P is the pass, WHO whose it is. NULL: it does nothing with it (but with what it always does). */
struct trace_pass_does {
	bool states_only; /* records that change no state are passed over */
	/* So many sources of its own come before the records of their instant: adds them to ORDER
	 * (false: no memory); what they have next (trace_fill_fn); takes one. */
	size_t (*sources)(const struct trace_pass *p);
	bool (*open)(struct trace_pass *p, struct trace_order *order);
	size_t (*fill)(struct trace_pass *p, uint32_t of, uint64_t end, size_t most,
		       struct trace_item *out, uint64_t *next);
	void (*take)(struct trace_pass *p, const struct trace_item *item);
	/* The item with KEY, from `due` on, comes next, a RECORD or of a source of its own; all were
	 * taken. */
	void (*reaches)(struct trace_pass *p, uint64_t key, bool record);
	void (*ends)(struct trace_pass *p);
	/* Up to which key nothing but its records is told of ROW; 0: something is to be told first.
	 * May enter or exit WORD be told before what others did earlier? (TRACE_APART_BY_THREAD) */
	uint64_t (*row_until)(const struct trace_pass *p, const struct trace_row *row);
	bool (*is_known)(const struct trace_pass *p, uint64_t word);
	/* False: it cannot go on. */
	bool (*is_well)(struct trace_pass *p);
	/* Where WHO, of ROW or of ONE of T, is shown. */
	void (*place_row)(struct trace_pass *p, const struct trace_row *row, struct trace_who *who);
	void (*place_virtual)(struct trace_pass *p, const struct trace_task *t,
			      const struct trace_virtual *one, struct trace_who *who);

	void (*event)(struct trace_pass *p, const struct trace_row *row, uint64_t time,
		      enum trace_type type, uint64_t value);
	/* An enter or exit of a method. */
	void (*frame)(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		      uint64_t word);
	/* The innermost that tells something, of METHOD, has begun; CAPTURE of it was TAKEN; it ends, RECORDED or since what is around it did. */
	void (*call_begins)(struct trace_pass *p, const struct trace_who *who,
			    const struct trace_method *method, uint64_t time);
	void (*call_captures)(struct trace_pass *p, const struct trace_who *who, uint64_t time,
			      const struct jw_capture *capture, const struct trace_taken *taken);
	void (*call_ends)(struct trace_pass *p, const struct trace_who *who, uint64_t time,
			  bool recorded, bool failed);
	/* Calls were ended: another one is the innermost. */
	void (*calls_ended)(struct trace_pass *p, const struct trace_who *who, uint64_t time);
	/* The methods of CLOSINGS were closed by TICK. */
	void (*shut)(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		     const struct trace_closings *closings, uint64_t tick);
	/* WHO is in the innermost of its waits, or in none. */
	void (*waits)(struct trace_pass *p, const struct trace_who *who, uint64_t time);
	/* All of them were left; what was around them is not told yet. */
	void (*waits_closed)(struct trace_pass *p, const struct trace_who *who, uint64_t time);
	/* A wait of KIND, the innermost, has begun; one is over. */
	void (*wait_begins)(struct trace_pass *p, const struct trace_who *who, uint64_t time,
			    enum jwr_kind kind);
	void (*wait_ends)(struct trace_pass *p, const struct trace_who *who, uint64_t time,
			  enum jwr_kind kind);
	/* WAIT, for I/O, is over: PAYLOAD is that of its AWAITED. */
	void (*io_ends)(struct trace_pass *p, const struct trace_who *who, uint64_t time,
			const struct trace_wait *wait, uint64_t payload);
	/* WAIT, the innermost, goes on to the end. */
	void (*left_open)(struct trace_pass *p, const struct trace_who *who, uint64_t time,
			  const struct trace_wait *wait);
	/* Its end will not be seen. */
	void (*wait_left)(struct trace_pass *p, struct trace_wait *wait);
	/* WHO has waited for NS up to TIME in waits that are not told, for I/O or for others. */
	void (*short_waits)(struct trace_pass *p, const struct trace_who *who, uint64_t time,
			    uint64_t ns, bool io);
	/* WHO wakes who selects with the waker NUMBER. */
	void (*wakes)(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		      uint64_t number);
	/* WHO lets the thread OBJECT go on. */
	void (*unparks)(struct trace_pass *p, const struct trace_who *who, uint64_t time,
			uint64_t object);
	/* WHO interrupts the thread OBJECT. */
	void (*interrupts)(struct trace_pass *p, const struct trace_who *who, uint64_t time,
			   uint64_t object);
	/* The thread OBJECT is seen to have the monitor that WHO waits for. */
	void (*held)(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		     uint64_t object);
	/* WHO starts the thread OBJECT. */
	void (*starts)(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		       uint64_t object);
	/* An exception is in flight, or no more; SEEN: when a record told of it last. */
	void (*flies)(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		      uint64_t seen, bool flying);
	/* A record of KIND was taken that means something for WHO. */
	void (*after)(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		      enum jwr_kind kind);
	/* ONE of T, WHO, is seen first; it ends. */
	void (*virtual_begins)(struct trace_pass *p, struct trace_task *t,
			       struct trace_virtual *one, const struct trace_who *who,
			       uint64_t time);
	void (*virtual_ends)(struct trace_pass *p, struct trace_task *t, struct trace_virtual *one,
			     const struct trace_who *who, uint64_t time);
	/* Its lane, from 1, is free. */
	void (*lane_freed)(struct trace_pass *p, struct trace_task *t, uint32_t lane,
			   uint64_t time);
	/* Others have no lane: so many do now. */
	void (*without)(struct trace_pass *p, struct trace_task *t, uint64_t time);
	void (*pause)(struct trace_pass *p, const struct trace_row *row, uint64_t time,
		      bool begins);
	/* What WHO had open was cut where recording was paused. */
	void (*cut)(struct trace_pass *p, const struct trace_who *who, uint64_t time);
	void (*closed)(struct trace_pass *p, const struct trace_row *row, uint64_t time,
		       uint64_t id);
	/* The thread of ROW ends; T does, with all that its virtual threads have open. */
	void (*row_ends)(struct trace_pass *p, const struct trace_row *row, uint64_t time);
	void (*task_ends)(struct trace_pass *p, struct trace_task *t, uint64_t time);
};

struct trace_pass {
	const struct trace_pass_does *does;
	struct trace_world *world;
	const struct trace_map *map; /* NULL: calls of one method stay apart */
	uint64_t due; /* with keys below, `reaches` has nothing to do; 0: it may at any time */
	struct trace_counts counts;
	struct trace_methods parks;    /* what threads park for: parks.c */
	struct trace_arrows *arrows;   /* the first: where they are looked for */
	struct trace_streams *streams; /* likewise, those of connections */
	struct trace_links *links;     /* those by keys */
	struct trace_told told;        /* the second */
	enum trace_apart apart;
	bool failed; /* no memory */
};

/* An event of TYPE on ROW, where there is one. */
void trace_put_event(struct trace_pass *p, const struct trace_row *row, uint64_t time,
		     enum trace_type type, uint64_t value);

/* The value that shows an object, not rounded by readers that calculate in doubles: of a thread its
 * id, of any other object its hash and most of its class's. */
static inline uint64_t trace_object_number(uint64_t object)
{
	return object & ((UINT64_C(1) << 53) - 1);
}

#endif
