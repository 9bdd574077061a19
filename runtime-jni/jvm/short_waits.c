#include "runtime-jni/jvm/short_waits.h"

#include "runtime-jni/recorder/budget.h"
#include "runtime-jni/recorder/recorder.h"
#include "trace/format/recording.h"

#include "base/banned.h"

/* Of this thread, not told so far: parks and sleeps, then I/O. */
static _Thread_local uint64_t untold[2];

static void tell(uint64_t tick, bool io)
{
	rt_event_late(tick, JWR_SHORT, jwr_short(rt_budget_ns(untold[io]), io));
	untold[io] = 0;
}

void rt_short_wait(uint64_t now, uint64_t ticks, uint64_t least, bool io)
{
	if (rt_tls.mounted) /* a virtual thread's, which has no such sum */
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
