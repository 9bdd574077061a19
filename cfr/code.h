/*
 * code.h: a Code attribute (JVMS 4.7.3), validated once at the border.
 *
 * cfr_code_open() proves: every instruction is known and complete; every branch and switch target,
 * handler_pc, and range end of the exception table lands on an instruction (range ends may equal
 * code_length); constant operands are in the pool. After it, code is read without further checks.
 */
#ifndef JW_CFR_CODE_H
#define JW_CFR_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "base/status.h"
#include "cfr/class.h"
#include "cfr/ops.h"

/* An entry of the exception_table (JVMS 4.7.3), and how many bytes it is there. */
enum { CFR_HANDLER_BYTES = 8 };
struct cfr_handler {
	uint16_t start_pc, end_pc, handler_pc, catch_type;
};

struct cfr_code {
	struct jw_span info; /* of the Code attribute */
	struct jw_span code; /* the instructions */
	uint16_t max_stack, max_locals;
	uint16_t handler_count;
	struct jw_span handlers; /* the exception_table's, CFR_HANDLER_BYTES each */
	struct cfr_attrs attrs;  /* LineNumberTable, StackMapTable, ... */
	const uint8_t *starts;   /* a bit per pc: an instruction starts here */
	const uint8_t *targets;  /* a bit per pc: a branch, switch or handler leads here */
};

/* One instruction. Branch targets are absolute. */
struct cfr_insn {
	uint32_t pc, length;
	uint8_t op; /* of the wide form: the widened opcode, with `wide` set */
	bool wide;
	int32_t target; /* of a CFR_FORM_BRANCH/BRANCH_WIDE instruction; -1: none */
};

/* Validates and opens the Code of METHOD (JW_BUG when it has none). JW_INPUT: broken, with the pc;
 * JW_UNSUPPORTED: an opcode that is not in the table, or the short Code of class files before 45.3.
 * Cost: one pass over the instructions; two bits per code byte in the arena. */
enum jw_status JW_MUST_USE cfr_code_open(const struct cfr_class *cls,
					 const struct cfr_member *method, struct jw_arena *arena,
					 struct cfr_code *out, struct jw_err *e);

/* The instruction at PC (a start: asserted). Walk with pc += insn.length up to code.n. */
struct cfr_insn cfr_insn_at(const struct cfr_code *code, uint32_t pc);

/* Is PC (< code length) the start of an instruction? */
bool cfr_code_starts(const struct cfr_code *code, uint32_t pc);

/* Entry INDEX (< handler_count) of the exception table. */
struct cfr_handler cfr_code_handler(const struct cfr_code *code, uint16_t index);

/* A tableswitch or lookupswitch taken apart: its default target and `count` cases (absolute). */
struct cfr_switch {
	uint32_t default_target, count;
	int32_t low;          /* tableswitch: the first key */
	struct jw_span cases; /* 4 bytes (tableswitch) or 8 (lookupswitch: key, offset) each */
	bool table;
	uint32_t pc;
};
struct cfr_switch cfr_switch_at(const struct cfr_code *code, const struct cfr_insn *insn);
uint32_t cfr_switch_target(const struct cfr_switch *sw, uint32_t index);

/* The length of the instruction at PC of CODE, which need not be validated; 0 when it is unknown,
 * cut off, or a switch with a nonsensical count. */
uint32_t cfr_insn_length(struct jw_span code, uint32_t pc);

/* The pool index that INSN names; 0 when it names none. */
uint16_t cfr_insn_index(const struct cfr_code *code, const struct cfr_insn *insn);

/* The local variable that INSN reads or writes (iload_1 and the like included); -1: none. */
int32_t cfr_insn_local(const struct cfr_code *code, const struct cfr_insn *insn);

#endif
