/*
 * wait_names.c: see wait_names.h.
 */
#include "trace/names/wait_names.h"
#include "trace/output.h"

#include "base/banned.h"

const char *trace_wait_name(uint64_t kind)
{
	static const char *const names[TRACE_WAIT_COUNT] = {
		[TRACE_WAIT_ENTER] = "waits to enter a monitor",
		[TRACE_WAIT_OBJECT] = "Object.wait",
		[TRACE_WAIT_PARK] = "parked",
		[TRACE_WAIT_FOR_WORK] = "waits for work",
		[TRACE_WAIT_SLEEP] = "sleeps",
		[TRACE_WAIT_SELECT] = "select",
		[TRACE_WAIT_FOR_REQUESTS] = "waits for work",
		[TRACE_WAIT_POLL] = "poll",
		[TRACE_WAIT_ACCEPT] = "accept",
		[TRACE_WAIT_CONNECT] = "connect",
		[TRACE_WAIT_READ] = "read",
		[TRACE_WAIT_WRITE] = "write",
		[TRACE_WAIT_FORCE] = "force to disk",
		[TRACE_WAIT_CHILD] = "process",
		[TRACE_WAIT_LOCK] = "file lock",
	};

	return kind < TRACE_WAIT_COUNT ? names[kind] : NULL;
}
