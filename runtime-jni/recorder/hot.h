/*
 * hot.h: which methods a recording can do without: what its latest chunks say of each.
 *
 *   rt_hot_clear() -> rt_hot_chunk()* -> rt_hot_rank()
 *
 * A method's figures are its events, and its own time: that between two records of a thread belongs
 * to the call that is open innermost. A method is worth the less the shorter its own time by event,
 * and costs the more the more events it has; the rank is by events^2 / time. So 50,000 calls of
 * 40 ns go before one call that waits.
 *
 * Some always stay: methods whose calls take long from enter to exit, however little of that is their own (there
 * cannot be many such calls, and each may be what somebody looks for: a request); those whose calls are captured,
 * since captures are records of their own, which do not name their method; those that the caller excepts. Where what
 * stays, I/O for example, is more than may be recorded, it does not take all room from the others: half is theirs.
 *
 * Knows no JVM, no recorder and no clock: an array of records is all it takes.
 */
#ifndef RT_HOT_H
#define RT_HOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/format/recording.h"

#define RT_HOT_METHODS 4096 /* so many are told apart, at most */

struct rt_hot_method {
	uint64_t id; /* 0: a free place */
	uint64_t events;
	uint64_t ticks; /* own time */
	uint64_t whole; /* from enter to exit, as much of it as is in the chunks */
	bool captured;
};

struct rt_hot {
	struct rt_hot_method methods[2 * RT_HOT_METHODS]; /* a hash table, by id */
	size_t count;
	uint64_t events; /* of all, captures and waits too */
	uint64_t waits;  /* of them, of waits inside the JDK */
};

void rt_hot_clear(struct rt_hot *hot);

/* Adds the N records of one chunk, in their order. Calls that began before it are not known. */
void rt_hot_chunk(struct rt_hot *hot, const struct jwr_record *records, size_t n);

/* What may become of a method: it stays; it may be left out; it is left out already, and these are
 * its last events. */
enum rt_hot_fate { RT_HOT_STAYS, RT_HOT_MAY_GO, RT_HOT_GONE };
typedef enum rt_hot_fate rt_hot_judge(void *ctx, uint64_t id);

/* What decides. */
struct rt_hot_limits {
	double keep;    /* as many events, 0 to 1 of all that were, may come again */
	double lasting; /* ticks: own time of an event from which on a method is not small */
	double whole; /* ticks: time of a call, from enter to exit, from which on its method stays */
};

/*
 * The ids of the methods to leave out so that no more events than may be come again, or as near as may be: the
 * first in rank, into IDS, which has room for RT_HOT_METHODS. None, or no more, where the others that may go have
 * less than 1 % of the events. Returns how many. Changes HOT: it is to be cleared next.
 */
size_t rt_hot_rank(struct rt_hot *hot, const struct rt_hot_limits *limits, rt_hot_judge *judge,
		   void *ctx, uint64_t *ids);

#endif
