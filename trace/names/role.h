/*
 * role.h: what a process is in its job: "driver", "executor 3", "attempt_..._r_000000_0".
 *
 *     trace_role_of() of each recording -> trace_roles_settle() of all -> names that differ, and
 *     the order in which they are shown
 *
 * By what the user says (JWEAVE_ROLE), else by what was started (roles.def), else by its rank, else
 * its main class or jar.
 */
#ifndef TRACE_NAMES_ROLE_H
#define TRACE_NAMES_ROLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/status.h"

struct trace_recording;

/* The order of processes. */
enum trace_role_order {
	TRACE_ROLE_DRIVER,
	TRACE_ROLE_MASTER, /* of one job: what hands out its work */
	TRACE_ROLE_WORKER,
	TRACE_ROLE_OTHER,   /* any program: as they were named, or began */
	TRACE_ROLE_CLIENT,  /* it has submitted the job */
	TRACE_ROLE_SERVICE, /* of all jobs of a machine */
};

struct trace_role {
	const char *name; /* "" where nothing is known at all */
	const char *kind; /* the name without its number: "executor" */
	const char
		*main; /* its main class, with the package; "": it is called after something else */
	const char *application; /* what engine or system call the job; "": unknown */
	const char *arguments;   /* what it was started with; "": unknown */
	enum trace_role_order order;
	bool known; /* said by the user, or an engine's */
	bool numbered;
	bool is_rank;        /* numbered from 0, by what has launched it */
	uint64_t number;     /* of "executor 3" */
	uint64_t ranks;      /* how many there are, as it was told; 0: unknown */
	uint32_t at;         /* its place among those that were settled together */
	uint32_t of_jobs;    /* its application, from 1 */
	uint64_t pid, began; /* of the process */
	const char *host;
};

/* The role of REC. Texts are REC's or in ARENA. JW_NOMEM only. */
enum jw_status JW_MUST_USE trace_role_of(const struct trace_recording *rec, struct jw_arena *arena,
					 struct trace_role *out, struct jw_err *e);

/* Sorts ROLES, whose `at` becomes their place before: by application, then order, kind and number;
 * others stay as they were. Numbers applications, as their first processes come; where there is one
 * alone, all belong to it, else those of none are the last, but drivers that each began before the first
 * process of one application (they do not know which theirs is): they get its name. Of main classes that have
 * one name, in several packages, the whole name is told. Names that several have get an argument of the
 * program in which all of these differ, else one in which some do, and process ids (and hosts, if
 * need be). Of several pid namespaces they may have all in common: then they get their places, from 1. */
enum jw_status JW_MUST_USE trace_roles_settle(struct trace_role *roles, size_t n,
					      struct jw_arena *arena, struct jw_err *e);

#endif
