/*
 * creations.h: the objects that a method makes: which of them the rules choose, and their probes.
 *
 * Order of calls: choose after the call sites of the same method; write once the constants are
 * known.
 */
#ifndef JW_WEAVER_CREATIONS_H
#define JW_WEAVER_CREATIONS_H

#include "weaver/class/body.h"
#include "weaver/class/call_sites.h"
#include "weaver/class/describe.h"

/* Asks the rules about the objects that METHOD makes: what they decide goes to SITES, after its
 * calls; what they choose into the plan of B. */
enum jw_status JW_MUST_USE weave_choose_creations(struct weave_body *b,
						  const struct weave_described *cls,
						  const struct rules_method *method,
						  uint64_t class_hash, struct weave_sites *sites,
						  struct jw_err *e);

/* Shows the objects that METHOD makes to job->each_call. */
enum jw_status JW_MUST_USE weave_scan_creations(const struct weave_class_job *job,
						const struct weave_described *cls,
						const struct rules_method *method,
						struct jw_arena *arena, void *ctx,
						struct jw_err *e);

/* The bytes after its instruction. */
struct jw_span weave_creation_code(const struct weave_creation *creation);

/* Writes them. */
enum jw_status JW_MUST_USE weave_write_creations(struct weave_body *b, struct jw_err *e);

#endif
