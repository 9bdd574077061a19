/*
 * class_weave.h: one class in, one class out; or the rules asked about one class.
 *
 * Costs a look at the head and the constants of a class that no rule may choose, and about one pass
 * for each step of method.h over each method that one does choose.
 */
#ifndef JW_WEAVER_CLASS_WEAVE_H
#define JW_WEAVER_CLASS_WEAVE_H

#include "base/bytes.h"
#include "base/memory.h"
#include "base/status.h"
#include "weaver/class/weave.h"

/* Weaves the class in BYTES by the rules. A class that is broken or not understood is no error: it
 * is unchanged, RESULT->skip says why. Errors: JW_NOMEM, JW_BUG. Appends to OUT (emptied on entry);
 * everything else lives in ARENA. Thread-safe: nothing shared is written. */
enum jw_status JW_MUST_USE weave_class(const struct weave_class_job *job, struct jw_span bytes,
				       struct jw_arena *arena, struct jw_buf *out,
				       struct weave_class_result *result, struct jw_err *e);

/* Asks the rules of JOB about every method and calls EACH, weaving nothing: for list, explain.
 * Methods without a body (CODE_BYTES 0) are shown, too: the verdict is then never to trace. A class
 * that cannot be read has no methods to ask about: JW_OK. An error of EACH comes back. */
enum jw_status JW_MUST_USE weave_scan_class(const struct weave_class_job *job, struct jw_span bytes,
					    struct jw_arena *arena, weave_each_method *each,
					    void *ctx, struct jw_err *e);

#endif
