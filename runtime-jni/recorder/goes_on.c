/*
 * goes_on.c: waits of virtual threads that end and go on at once. One that cannot leave its carrier is
 * told to have left it, and to be back; then it waits on it. That is one wait.
 *
 *     may go on, what is told next .. (the end is told before)
 *     may go on, goes on              (nothing is told)
 *
 * After a mount the next event takes the slow path, which asks here: the hot path knows nothing of it.
 */
#include "runtime-jni/recorder/recorder.h"
#include "runtime-jni/recorder/session.h"
#include "runtime-jni/recorder/state.h"
#include "runtime-jni/recorder/sums.h"

#include "base/banned.h"

void rt_may_go_on(uint64_t tick, enum jwr_kind kind, uint64_t payload)
{
	rt_tls.ended.tick = tick;
	rt_tls.ended.word = jwr_word(kind, payload);
}

bool rt_goes_on(void)
{
	bool goes_on = rt_tls.ended.tick;

	rt_tls.ended.tick = 0;
	return goes_on;
}

void rt_tell_ended(void)
{
	uint64_t tick = rt_tls.ended.tick, word = rt_tls.ended.word;
	enum jwr_kind kind = jwr_word_kind(word);

	rt_tls.ended.tick = 0;
	if (rt_paused())
		return;
	if (rt_recorder.mode == RT_MODE_SUMMARY)
		rt_sums_event(kind, jwr_word_payload(word), tick);
	else
		rt_event_late(tick, kind, jwr_word_payload(word));
}
