/*
 * prv_types.h: what the types of events of a .prv are, by their numbers.
 */
#ifndef JW_TRACE_PARAVER_PRV_TYPES_H
#define JW_TRACE_PARAVER_PRV_TYPES_H

#include <stddef.h>
#include <stdint.h>

/* USER: nobody here knows it: the program's own, a capture, or of another tool. */
enum trace_prv_is {
	TRACE_PRV_IS_USER,
	TRACE_PRV_IS_FUNCTION,
	TRACE_PRV_IS_FAILED,
	TRACE_PRV_IS_OPERATION,
	TRACE_PRV_IS_EVENT,
	TRACE_PRV_IS_NOTES
};

struct trace_prv_is_type {
	uint32_t number; /* 0: none */
	enum trace_prv_is is;
	uint32_t place; /* of OPERATION: enum jw_operation_type; of EVENT: enum trace_type */
};

#define TRACE_PRV_SLOTS 512 /* more than twice as many as types: a hash table */

struct trace_prv_types {
	struct trace_prv_is_type at[TRACE_PRV_SLOTS];
};

void trace_prv_types_fill(struct trace_prv_types *types);

/* The type NUMBER, or else one that is USER. */
static inline const struct trace_prv_is_type *trace_prv_type(const struct trace_prv_types *types,
							     uint64_t number)
{
	size_t at = (size_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 40) % TRACE_PRV_SLOTS;

	while (types->at[at].number && types->at[at].number != number)
		at = (at + 1) % TRACE_PRV_SLOTS;
	return &types->at[at];
}

#endif
