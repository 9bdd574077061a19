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

/* JW_OK; or JW_INPUT with class, method, pc and what is wrong (JW_UNSUPPORTED where something is
 * not known: an opcode, a frame form, a constant).
 *
 * ORIGINAL is the input that BYTES were woven from, or an empty span. Faults that it had already
 * are not held against the output: a method that is the same byte for byte passes, whatever its
 * descriptor is; so do descriptors of fields and bootstrap methods that were damaged; one that was
 * changed may keep debug tables (LineNumberTable, LocalVariable*Table, type annotations: javac and
 * others write some out of range) or frames and stack depths that were wrong in the same method
 * before. */
enum jw_status JW_MUST_USE cfr_check(struct jw_span bytes, struct jw_span original,
				     struct jw_arena *arena, struct jw_err *e);

#endif
