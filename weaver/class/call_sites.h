/*
 * call_sites.h: which invocations the rules choose, and what encloses them. Instructions on monitors
 * are sites, too.
 *
 * Asking the rules about every invocation would cost more than the weaving. So they are asked first
 * about every method that the constant pool names, once a class: that is the gate. Only invocations
 * of those that a rule may choose are looked at further.
 */
#ifndef JW_WEAVER_CALL_SITES_H
#define JW_WEAVER_CALL_SITES_H

#include "weaver/class/body.h"
#include "weaver/class/describe.h"

/* Which constants of a class name methods that a call rule may choose, and whether a rule may
 * choose what enters or leaves a monitor. */
struct weave_call_gate {
	uint8_t *may; /* per index of the pool; NULL: none */
	bool enter, exit;
};

/* Asks the rules about every method that CLS names. */
enum jw_status JW_MUST_USE weave_call_gate(const struct rules *rules,
					   const struct weave_described *cls,
					   const struct cfr_pool *pool, struct jw_arena *arena,
					   struct weave_call_gate *gate, struct jw_err *e);

/* The sites of one class, as they are found. */
struct weave_sites {
	struct weave_site *list;
	size_t count, cap;
	size_t method;       /* index in the result's methods of the one at hand */
	uint64_t next_index; /* of the next site's id */
};

/* Asks the rules about the invocations of METHOD, described by weave_describe_method(): what they
 * decide goes to SITES, what they choose into the plan of B. */
enum jw_status JW_MUST_USE weave_choose_sites(struct weave_body *b,
					      const struct weave_call_gate *gate,
					      const struct weave_described *cls,
					      const struct rules_method *method,
					      uint64_t class_hash, struct weave_sites *sites,
					      struct jw_err *e);

/* Shows the invocations of METHOD, described by weave_describe_method(), to job->each_call. */
enum jw_status JW_MUST_USE weave_scan_calls(const struct weave_class_job *job,
					    const struct weave_described *cls,
					    const struct rules_method *method,
					    const struct weave_call_gate *gate,
					    struct jw_arena *arena, void *ctx, struct jw_err *e);

/* Finds out, once b->runs are known, what encloses each call of the plan, and whether a handler can
 * cover it. */
void weave_calls_place(struct weave_body *b);

#endif
