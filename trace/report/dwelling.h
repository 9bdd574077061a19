/*
 * dwelling.h: threads that pass nearly all their lives waiting for one thing, or at one place, and do
 * little else: the loop of a timer, the reader of a queue or of a connection. What they are for is to
 * wait, so that it explains nothing. (Who asks others waits for another answer each time, or parks and does not
 * tell for what, or lets go on, before it waits, who then ends that. Who waits in one call after another, as for a
 * connection of a pool in each request, has work to do there. In all these cases others let it go on: who parks and
 * mostly does so in vain looks whether there is something to do.)
 *
 *     add, ended, moved, ... -> is_most(dwelling.ns, life) and may_be(), unless is_lock()      {0}: has not waited
 *
 * Threads may be told of in any order, each by itself in that of time: none changes what is known of another.
 */
#ifndef JW_TRACE_REPORT_DWELLING_H
#define JW_TRACE_REPORT_DWELLING_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/report/report.h"

#define TRACE_DWELLING_MET 6 /* of more than so many it is not known who asks and who answers */

/* A thread that has ended waits of another one. */
struct trace_dwelling_met {
	uint64_t first;  /* when it did so first */
	uint32_t thread; /* 1 + that; 0: free */
	uint32_t all;    /* how often, and how often where that one dwells */
	uint32_t here;
};

struct trace_dwelling {
	/* What a thread has waited for longer than for all else together, if there is such a thing,
	 * and at least for how long. */
	uint64_t key, ns;
	uint64_t
		call; /* 1 + when the call began in which it did so last, trace_dwelling_call(); 0: in none */
	uint64_t last;         /* when the last of these waits ended */
	uint32_t waits, calls; /* so often, in so many of these calls */
	uint32_t ended;        /* of these waits, by another thread */
	struct trace_dwelling_met met[TRACE_DWELLING_MET];
	uint64_t read, written; /* the latest connections, or files; 0: none, or not known */
	bool converses;         /* they were the same: it asks there, or answers */
	uint8_t how;            /* of KEY: enum trace_report_how */
};

#define TRACE_DWELLING_OBJECT  1          /* in a key: it is of an object, else of a place */
#define TRACE_DWELLING_NOWHERE UINT64_MAX /* in place of one: of a wait that was not added */

/* By what two waits of a thread are the same: the OBJECT of a park or of Object.wait(), wherever that is,
 * if it is known (not 0), else the PLACE. */
static inline uint64_t trace_dwelling_key(uint64_t how, uint64_t object, uint64_t place)
{
	bool told = object && (how == TRACE_REPORT_PARK || how == TRACE_REPORT_WAIT);

	return told ? object << 1 | TRACE_DWELLING_OBJECT : (place + 1) << 1;
}

/* Of two calls around a wait, as `call` of the struct has them, the one that tells whether such waits come and go. A
 * method that takes from a queue comes and goes, and its thread may do nothing else; nobody makes a method for
 * each item that is nothing but a sleep: there the INNERMOST method tells, also in a loop that is traced. */
static inline uint64_t trace_dwelling_call(uint64_t how, uint64_t outermost, uint64_t innermost)
{
	return how == TRACE_REPORT_SLEEP ? innermost : outermost;
}

/* The vote of Boyer and Moore, weighted: the key that has more than half of all that a thread
 * waits is left over. Its `ns` are not more than it has, nor less than it has more than the others.
 * END: when the wait of NS ended; CALL: as in the struct. */
static inline void trace_dwelling_add(struct trace_dwelling *d, uint64_t how, uint64_t key,
				      uint64_t ns, uint64_t end, uint64_t call)
{
	if (d->key == key) {
		d->ns += ns;
	} else if (d->ns >= ns) {
		d->ns -= ns;
		return;
	} else {
		d->key = key;
		d->how = (uint8_t)how;
		d->ns = ns - d->ns;
		d->waits = d->calls = d->ended = 0;
		d->call = 0;
		for (int i = 0; i < TRACE_DWELLING_MET; i++)
			d->met[i].here = 0;
	}
	d->waits++;
	d->last = end;
	d->calls += call && call != d->call;
	d->call = call;
}

/* A wait for KEY, which was added just now if it is one, has been ended by the thread with the number BY, at TIME. */
void trace_dwelling_ended(struct trace_dwelling *d, uint64_t key, uint32_t by, uint64_t time);

/* The thread has read from CHANNEL (0: unknown), or WRITES there. */
static inline void trace_dwelling_moved(struct trace_dwelling *d, uint64_t channel, bool writes)
{
	*(writes ? &d->written : &d->read) = channel;
	d->converses |= channel && d->read == d->written;
}

/* Who waited nine tenths of ALL for one thing did so by four fifths longer than for the others. */
static inline bool trace_dwelling_is_most(uint64_t part, uint64_t all)
{
	return part && part >= all - all / 5;
}

/* Another thread's, by its number; CTX is the caller's. */
typedef const struct trace_dwelling *trace_dwelling_of(const void *ctx, uint32_t at);

/* Can it be what the thread with the number AT is for to wait as it does where it dwells, in a run that ended at END? Who
 * has waited there once or twice, and then went on, is in no loop. Who reads what it has asked for
 * has something else to do, unlike who answers: a connection that is ACCEPTED waits for requests. */
bool trace_dwelling_may_be(const struct trace_dwelling *d, bool accepted, uint64_t end, uint32_t at,
			   trace_dwelling_of *of, const void *ctx);
/* So has who contends for a lock, which an object of CLASS_NAME is, all its life. ALONE: no other thread dwells
 * there: a semaphore is a lock, or the permits of a pool, unless one thread alone waits for it, to be told
 * that there is something to do. */
bool trace_dwelling_is_lock(const char *class_name, bool alone);

#endif
