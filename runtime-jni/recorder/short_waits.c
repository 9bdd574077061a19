#include "runtime-jni/recorder/short_waits.h"

#include <stdatomic.h>

#include "runtime-jni/recorder/budget.h"
#include "runtime-jni/recorder/recorder.h"
#include "runtime-jni/recorder/session.h"
#include "trace/format/recording.h"

#include "base/banned.h"

/* Of this thread, not told so far: parks and sleeps, then I/O. */
static _Thread_local uint64_t untold[2];

#define PLACES 16384
/* Of virtual threads, by their ids: since when one has no carrier (0: it has one), beside whether that is
 * for I/O, and what is not told so far. */
static struct {
	_Atomic uint64_t id, since, untold[2];
} virtuals[PLACES];

static void tell(uint64_t tick, bool io)
{
	rt_event_late(tick, JWR_SHORT, jwr_short(rt_budget_ns(untold[io]), io));
	untold[io] = 0;
}

void rt_short_wait(uint64_t now, uint64_t ticks, uint64_t least, bool io)
{
	if (rt_tls.mounted) /* of one that is pinned, which may tell the next on another carrier */
		return;
	untold[io] += ticks;
	if (untold[io] >= least)
		tell(now, io);
}

void rt_short_waits_told(uint64_t tick)
{
	for (int io = 0; io < 2; io++)
		if (untold[io] && !rt_tls.mounted)
			tell(tick, io);
}

void rt_short_unmount(uint64_t id, bool io)
{
	size_t at = id % PLACES;

	if (atomic_load_explicit(&virtuals[at].id, memory_order_relaxed) != id) {
		for (int i = 0; i < 2; i++)
			atomic_store_explicit(&virtuals[at].untold[i], 0, memory_order_relaxed);
		atomic_store_explicit(&virtuals[at].id, id, memory_order_relaxed);
	}
	atomic_store_explicit(&virtuals[at].since, trace_tick_now(rt_recorder_clock()) << 1 | io,
			      memory_order_release);
}

void rt_short_mounted(uint64_t id, uint64_t least)
{
	size_t at = id % PLACES;
	uint64_t now = trace_tick_now(rt_recorder_clock());
	uint64_t found = atomic_load_explicit(&virtuals[at].since, memory_order_acquire);
	uint64_t since = found >> 1;
	bool io = found & 1;

	if (atomic_load_explicit(&virtuals[at].id, memory_order_relaxed) != id || !since ||
	    since > now)
		return;
	uint64_t ticks =
		atomic_load_explicit(&virtuals[at].untold[io], memory_order_relaxed) + now - since;
	bool tells = ticks >= least;

	atomic_store_explicit(&virtuals[at].since, 0, memory_order_relaxed);
	atomic_store_explicit(&virtuals[at].untold[io], tells ? 0 : ticks, memory_order_relaxed);
	if (tells)
		rt_event(rt_recorder_clock(), JWR_SHORT, jwr_short(rt_budget_ns(ticks), io));
}

void rt_short_lost(uint64_t id)
{
	size_t at = id % PLACES;

	if (atomic_load_explicit(&virtuals[at].id, memory_order_relaxed) == id)
		atomic_store_explicit(&virtuals[at].since, 0, memory_order_relaxed);
}
