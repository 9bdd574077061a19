/*
 * check.h: the structural checker: what we write must pass it, always.
 *
 * Not a verifier of types: it proves that a class file is well formed in every part that weaving
 * touches: pool references, member and attribute lengths, instructions and their targets, exception
 * table, StackMapTable order and starts, LineNumberTable, LocalVariableTable and TypeTable, type
 * annotations, stack depth on a linear walk where frames give it, code_length < 65536.
 */
#ifndef JW_CFR_CHECK_H
#define JW_CFR_CHECK_H

#include "base/bytes.h"
#include "base/memory.h"
#include "base/status.h"

/* JW_OK, or JW_INPUT with class, method, pc and what is wrong. Debug tables (LineNumberTable,
 * LocalVariable*Table, type annotations) that javac and others write out of range in the input are
 * not held against the output: pass the input as ORIGINAL (or an empty span) to allow what it had.
 */
enum jw_status JW_MUST_USE cfr_check(struct jw_span bytes, struct jw_span original,
				     struct jw_arena *arena, struct jw_err *e);

#endif
