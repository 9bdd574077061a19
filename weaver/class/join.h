/*
 * join.h: what is traced, a method or a call site, and the bytes of its three probes.
 *
 *     ENTER id, captures of this and args | ... | captures of the result, EXIT id
 *                                                 capture of the exception, FAIL id, athrow
 *
 * CONTEXT, where it is asked for, comes before ENTER, and after EXIT and FAIL.
 *
 * Order of calls: captures.h picks the captures, probes.h measures the bytes and later writes them;
 * from the measuring on, the accessors below have the right lengths, after the writing the right
 * bytes.
 */
#ifndef JW_WEAVER_JOIN_H
#define JW_WEAVER_JOIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"

/* X(name, method of the runtime class, its descriptor) : the probes, in the order of their calls. */
#define WEAVE_PROBE_LIST(X)                                                          \
	X(ENTER, "enter", "(J)V")                                                    \
	X(EXIT, "exit", "(J)V")                                                      \
	X(FAIL, "fail", "(J)V")                                                      \
	X(OBJECT, "object", "(Ljava/lang/Object;)V")                                 \
	X(VALUE, "value", "(J)V")                                                    \
	X(NUMBER, "number", "(Ljava/lang/Object;)V")                                 \
	X(LENGTH, "length", "(Ljava/lang/Object;)V")                                 \
	X(ROOM, "room", "(Ljava/lang/Object;)I")                                     \
	X(FILLED, "filled", "(Ljava/lang/Object;I)V")                                \
	X(TYPE, "type", "(Ljava/lang/Object;)V")                                     \
	X(TEXT, "text", "(Ljava/lang/Object;)V")                                     \
	X(CONTEXT, "context", "()V")                                                 \
	X(TASK, "task", "(Ljava/lang/Object;)V")                                     \
	X(HANDED, "handed", "(Ljava/lang/Object;)V")                                 \
	X(RUNS, "runs", "(J)V")                                                      \
	X(RAN, "ran", "(J)V")                                                        \
	X(THROWN, "thrown", "(Ljava/lang/Object;)V")                                 \
	X(CAUGHT, "caught", "(Ljava/lang/Object;)V")                                 \
	X(PASSED, "passed", "(Ljava/lang/Object;)V")                                 \
	X(HOW_ENTER, "enter", "(JJ)V")                                               \
	X(HOW_END, "end", "(JJ)V")                                                   \
	X(HOW_EXIT, "exit", "(JJ)V")                                                 \
	X(HOW_FAIL, "fail", "(JJ)V")                                                 \
	X(CREATED, "created", "(J)V")                                                \
	X(BOOTED, "booted", "(J)V") /* in place of EXIT, where the VM has booted */  \
	/* by number: named after attributes, which every class file names anyway */ \
	X(NUMBER_ENTER, "Code", "(I)V")                                              \
	X(NUMBER_EXIT, "StackMapTable", "(I)V")                                      \
	X(NUMBER_FAIL, "LineNumberTable", "(I)V")

enum weave_probe {
#define WEAVE_PROBE_ENUM(name, method, descriptor) WEAVE_PROBE_##name,
	WEAVE_PROBE_LIST(WEAVE_PROBE_ENUM)
#undef WEAVE_PROBE_ENUM
		WEAVE_PROBES,
};

struct jw_capture;

struct weave_join {
	uint64_t id;
	uint64_t how; /* rules_how(): pushed together with the id; 0: the plain probes are called */
	bool numbered; /* the probes push the last two bytes of the id alone: numbers.c */
	const struct jw_capture *captures; /* in the order of their records */
	size_t capture_count;
	bool context;               /* what trace context there is, is asked before and after it */
	uint8_t *code;              /* of the three probes, one after the other */
	uint32_t enter, exit, fail; /* their lengths */
};

/* Which probe JOIN calls for PROBE (ENTER, EXIT or FAIL): the plain one, the one with `how`, or the
 * one by number. Any other probe is itself. */
enum weave_probe weave_probe_of(const struct weave_join *join, enum weave_probe probe);

/* The three parts of JOIN's code. */
struct jw_span weave_enter_code(const struct weave_join *join);
struct jw_span weave_exit_code(const struct weave_join *join);
struct jw_span weave_fail_code(const struct weave_join *join);
/* The first two at once: of what begins and ends before its instruction. */
struct jw_span weave_instant_code(const struct weave_join *join);

#endif
