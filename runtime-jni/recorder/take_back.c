/*
 * take_back.c: what a virtual thread has told last, and what turns out not to have been, is taken back.
 */
#include "runtime-jni/recorder/recorder.h"
#include "runtime-jni/recorder/session.h"
#include "runtime-jni/recorder/slots.h"
#include "runtime-jni/recorder/state.h"

#include "base/banned.h"

struct rt_mark rt_mark(void)
{
	const struct rt_slot *slot = rt_tls.slot;

	if (!slot || slot->window == &slot->none || rt_recorder.mode == RT_MODE_SUMMARY ||
	    rt_paused() || !rt_tls.mounted || slot->shown != rt_tls.mounted)
		return (struct rt_mark){ 0 };
	return (struct rt_mark){ slot->window->seq, slot->window->cursor };
}

bool rt_take_back(struct rt_mark from, struct rt_mark to)
{
	struct rt_mark now = rt_mark();

	if (!from.at || from.seq != now.seq || to.seq != now.seq || to.at != now.at)
		return false;
	return rt_slot_back(rt_tls.slot, from.at);
}
