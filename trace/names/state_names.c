/*
 * state_names.c: see state_names.h.
 */
#include <stddef.h>

#include "trace/names/state_names.h"

#include "base/banned.h"

static const char *const names[TRACE_STATE_NAMES] = {
	"Idle",
	"Running",
	"Not created",
	"Waiting a message",
	"Blocking Send",
	"Synchronization",
	"Test/Probe",
	"Scheduling and Fork/Join",
	"Wait/WaitAll",
	"Blocked",
	"Immediate Send",
	"Immediate Receive",
	"I/O",
	"Group Communication",
	"Tracing Disabled",
	"Others",
	"Send Receive",
	"Memory transfer",
	"Profiling",
	"On-line analysis",
	"Remote memory access",
	"Atomic memory operation",
	"Memory ordering operation",
	"Distributed locking",
	"Overhead",
	"One-sided op",
	"Startup latency",
	"Waiting links",
	"Data copy",
	"RTT",
	"Allocating memory",
	"Freeing memory",
	"Configuring accelerator",
	"Stream Registration",
	"Waiting for work", /* ours: TRACE_FOR_WORK */
};

const char *trace_state_name(uint64_t state)
{
	return state < TRACE_STATE_NAMES ? names[state] : NULL;
}
