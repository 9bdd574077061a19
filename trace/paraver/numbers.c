/*
 * numbers.c: see numbers.h.
 */
#include "trace/output.h"
#include "trace/paraver/numbers.h"

#include "base/banned.h"

_Static_assert(TRACE_PRV_TYPES <= 64, "a bit for each: struct trace_prv");

const struct trace_prv_kind trace_prv_kinds[TRACE_PRV_TYPES] = {
#define KIND(name, number, label, values) { number, label, values },
	TRACE_PRV_LIST(KIND)
#undef KIND
};

const uint32_t trace_prv_numbers[TRACE_TYPES] = {
#define NUMBER(name, value) [TRACE_TYPE_##name] = TRACE_PRV_NUMBER_##name,
	TRACE_TYPE_LIST(NUMBER)
#undef NUMBER
};

const uint8_t trace_prv_places[TRACE_TYPES] = {
#define PLACE(name, value) [TRACE_TYPE_##name] = TRACE_PRV_##name,
	TRACE_TYPE_LIST(PLACE)
#undef PLACE
};
