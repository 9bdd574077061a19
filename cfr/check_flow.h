/*
 * check_flow.h: the checker's walk along the depth of the stack, and what it shares with the others:
 * the slots of instructions and descriptors.
 */
#ifndef JW_CFR_CHECK_FLOW_H
#define JW_CFR_CHECK_FLOW_H

#include "cfr/code.h"

/* What the checks of all methods of one class share. */
struct cfr_slots {
	/* slots that each instruction takes and gives, without what its operands add */
	uint8_t taken[256], given[256];
	/* by index of a descriptor's Utf8, so that each is read once however many refer to it:
	 * 0 not looked at, CFR_SLOTS_DAMAGED, or CFR_SLOTS_KNOWN + parameter slots * 4 + slots of
	 * the result (of a field: slots of its type, as the result) */
	uint16_t *descriptors;
};
enum { CFR_SLOTS_DAMAGED = 1, CFR_SLOTS_KNOWN = 0x8000 };

enum jw_status JW_MUST_USE cfr_slots_init(struct cfr_slots *slots, const struct cfr_class *cls,
					  struct jw_arena *arena, struct jw_err *e);

/* Looks the descriptor at INDEX of the pool up; false when it is damaged. */
bool cfr_slots_of(const struct cfr_slots *slots, const struct cfr_class *cls, uint16_t index,
		  uint32_t *params, uint32_t *result);

/* Follows the depth of the stack through CODE: never below zero, never over max_stack, the same
 * from every way a pc is reached, as its frame says; locals within max_locals; returns of the kind
 * that the descriptor says; the end is not run over; from class file 51 on a frame wherever control
 * flow joins or starts anew. */
enum jw_status JW_MUST_USE cfr_check_flow(const struct cfr_class *cls,
					  const struct cfr_member *method,
					  const struct cfr_code *code,
					  const struct cfr_slots *slots, struct jw_arena *arena,
					  struct jw_err *e);

#endif
