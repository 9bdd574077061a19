/*
 * class_waits.c: see class_waits.h.
 */
#include "runtime-jni/jvm/class_waits.h"

#include "runtime-jni/recorder/budget.h"
#include "runtime-jni/recorder/config.h"
#include "runtime-jni/recorder/recorder.h"
#include "runtime-jni/recorder/session.h"

#include "base/banned.h"

static bool told_all; /* what else threads wait for */

static _Thread_local bool waits; /* in Object.wait() */

void rt_class_waits_prepare(unsigned events)
{
	const unsigned all = RT_EVENTS_PARK | RT_EVENTS_SLEEP | RT_EVENTS_IO;

	told_all = (events & all) == all;
}

void rt_class_waits_other(void)
{
	waits = true;
}

bool rt_class_waits_may_be(void)
{
	bool other = waits;

	waits = false;
	return !other && told_all && !rt_tls.mounted && rt_is_told() && rt_recording() &&
	       rt_recorder_mode() != RT_MODE_SUMMARY && !rt_budget_least_wait();
}
