/*
 * state_names.c: see state_names.h.
 */
#include <stddef.h>

#include "trace/names/state_names.h"

#include "base/banned.h"

static const char *const names[TRACE_STATE_NAMES] = {
#define STATE(time, name) name,
#include "trace/names/states.def"
};

static const uint8_t times[TRACE_STATE_NAMES] = {
#define STATE(time, name) TRACE_REPORT_##time,
#include "trace/names/states.def"
};

static const char *const words[TRACE_REPORT_TIMES] = {
#define WORD(name, word) word,
	TRACE_REPORT_TIME_LIST(WORD)
#undef WORD
};

const char *trace_state_name(uint64_t state)
{
	return state < TRACE_STATE_NAMES ? names[state] : NULL;
}

enum trace_report_time trace_state_time(uint64_t state)
{
	return state < TRACE_STATE_NAMES ? (enum trace_report_time)times[state]
					 : TRACE_REPORT_OTHER;
}

const char *trace_state_time_word(uint64_t state)
{
	return trace_state_is_life(state) ? words[trace_state_time(state)] : NULL;
}
