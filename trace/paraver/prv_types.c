/*
 * prv_types.c: see prv_types.h.
 */
#include "trace/paraver/prv_types.h"

#include "base/operations.h"
#include "trace/output.h"
#include "trace/paraver/numbers.h"

#include "base/banned.h"

static void add(struct trace_prv_types *types, uint32_t number, enum trace_prv_is is,
		uint32_t place)
{
	size_t at = (size_t)(trace_prv_type(types, number) - types->at);

	types->at[at] = (struct trace_prv_is_type){ number, is, place };
}

void trace_prv_types_fill(struct trace_prv_types *types)
{
	*types = (struct trace_prv_types){ 0 };
	add(types, TRACE_PRV_FUNCTION, TRACE_PRV_IS_FUNCTION, 0);
	add(types, TRACE_PRV_NUMBER_FAILED, TRACE_PRV_IS_FAILED, 0);
	add(types, TRACE_PRV_NOTES, TRACE_PRV_IS_NOTES, 0);
	for (uint32_t i = 0; i < TRACE_TYPES; i++)
		add(types, trace_prv_numbers[i], TRACE_PRV_IS_EVENT, i);
	for (uint32_t i = 0; i < JW_OPERATION_TYPES; i++)
		add(types, jw_operation_kinds[i].event, TRACE_PRV_IS_OPERATION, i);
}
