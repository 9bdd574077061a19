/*
 * inside.h: what a thread is inside of.
 *
 * Not every open method: the calls that have a state, and whatever has an operation or captures
 * (trace_map_telling). They end by their own exit or fail; one that ends takes along what is
 * above it and never ended.
 */
#ifndef JW_TRACE_REPLAY_INSIDE_H
#define JW_TRACE_REPLAY_INSIDE_H

#include "trace/format/methodmap.h"
#include "trace/format/recording.h"
#include "trace/replay/point.h"

/* More than any program nests; what is beyond has no state, and no arrow. */
#define TRACE_MAX_INSIDES 65536

struct trace_waiter; /* arrows.c */

/* What the record of a capture says. */
struct trace_taken {
	bool is_object; /* an OBJECT: its number; else a VALUE */
	uint64_t number;
	int64_t value;
};

struct trace_inside {
	const struct trace_method *method;
	uint64_t begin;
	uint64_t object;  /* what its operation is about; 0: unknown */
	uint64_t other;   /* the object that it returned; 0: unknown */
	uint64_t inner;   /* what the FutureTask was made of that it is about; 0: unknown */
	int64_t returned; /* the value that it returned, where it was captured */
	int64_t thrown;   /* the text that is the class of its exception; 0: unknown */
	int64_t receiver; /* the text that is the class of its receiver; 0: unknown */
	int64_t amount;   /* the latest value of an argument, not shown by itself */
	uint64_t passed;  /* bytes of its parts */
	bool has_returned, has_other, has_amount;
	bool handed;      /* the future that it returned was not done */
	bool is_body;     /* its object is the task that the VM says it is the body of */
	bool known;       /* what it is about is known: arrows.c */
	bool begun;       /* and all else that is captured before it */
	bool part;        /* how an operation around it is done */
	bool local;       /* no remote call, though its rule says so: remote_calls.c */
	bool stale;       /* its method was closed since: it ends when it is the innermost */
	bool shown;       /* its operation is in the trace: calls.c */
	uint8_t captured; /* records of captures taken before the call */
	uint8_t state;    /* while it is the innermost: its own, or that of what is around it */
	struct trace_waiter *waiter; /* owned */
	struct trace_point unparked; /* who let it go on when it had parked last: arrow_parks.c */
	uint64_t went_on;            /* when; 0: it has not parked */
	uint64_t
		room; /* it has parked for room in a queue when there had been so many takes, less 1; 0: not so */
	/* the parts of its link's key, each as captured; so many are known */
	int64_t key[JW_LINK_PARTS];
	uint8_t key_n;
	bool linked; /* and it was looked for its other end */
};

struct trace_insides {
	struct trace_inside *at; /* owned; the innermost last */
	uint32_t n, cap;
	uint32_t over; /* beyond TRACE_MAX_INSIDES */
	/* records of captures that were taken after the call: what they are, its end says; owned, as
	 * many as a method has, once one was entered */
	struct trace_taken *late;
	uint8_t late_n;
};

/* The innermost one; NULL: none. */
static inline struct trace_inside *trace_innermost(struct trace_insides *in)
{
	return in->n ? &in->at[in->n - 1] : NULL;
}

/* METHOD begins; false: no memory. */
bool trace_insides_enter(struct trace_insides *in, const struct trace_method *method,
			 uint64_t time);
/* How many are open once METHOD has ended: below in->n, or in->n where METHOD is not open. */
uint32_t trace_insides_below(const struct trace_insides *in, const struct trace_method *method);
/* Takes a capture, as its record says. Returns which one of the method's it is, where that is known
 * now: NULL for those that wait for the end, and for what belongs to nothing. */
const struct jw_capture *trace_insides_capture(struct trace_insides *in,
					       const struct trace_taken *taken);
/* Is the key of its link known of ONE: now, or only when it is over? */
bool trace_inside_has_key(const struct trace_inside *one);
/* Is all known of ONE that is captured before the call? */
bool trace_inside_told(const struct trace_inside *one);
/* The call around the innermost, whose object is known if ever, that does its operation by it: by a
 * bridge, super.name(), or another one of the same at the same object; NULL: none. What is about no
 * object, and I/O, is so inside of itself anywhere. Monitors never are: they are entered again. It
 * has an operation. */
const struct trace_inside *trace_inside_around(const struct trace_insides *in);
/* The innermost ends, by an exception or not: calls FN with its late captures. */
void trace_insides_late(struct trace_insides *in, bool failed,
			void (*fn)(void *ctx, const struct jw_capture *capture,
				   const struct trace_taken *taken),
			void *ctx);
/* An FN that does nothing. */
void trace_no_capture(void *ctx, const struct jw_capture *capture, const struct trace_taken *taken);
void trace_insides_free(struct trace_insides *in);

#endif
