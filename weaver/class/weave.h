/*
 * weave.h: what is asked of the weaving of one class, and what it answers: the job, its limits, the
 * result, and the reasons to leave a method or class as it was. class_weave.h does it.
 */
#ifndef JW_WEAVER_WEAVE_H
#define JW_WEAVER_WEAVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/status.h"
#include "rules/rules.h"

/* X(name, text) : why a chosen method, or a whole class, stays as it was, byte for byte. */
#define WEAVE_SKIP_LIST(X)                                                                      \
	X(NOT, "")                                                                              \
	X(TOO_LARGE, "the woven code would pass 65535 bytes")                                   \
	X(HUGE, "the woven code would pass 8000 bytes, beyond which HotSpot never compiles "    \
		"(--huge weaves it)")                                                           \
	X(POOL_FULL, "the constant pool would pass 65535 entries")                              \
	X(HANDLERS_FULL, "the exception table would pass 65535 entries")                        \
	X(BRANCH, "a branch cannot reach its target, and no gap for an island is near")         \
	X(FRAMES, "its StackMapTable has a form that is not known")                             \
	X(ATTRIBUTE, "it has an attribute with code positions that is not known")               \
	X(OPCODE, "it has an instruction that is not known")                                    \
	X(BROKEN, "its code is not well formed")                                                \
	X(CONSTRUCTOR, "its constructor loses track of the uninitialized this")                 \
	X(FINALIZER, "an empty finalize() must stay empty: HotSpot treats the class by it")     \
	X(CALLS, "its class has more call sites or methods than there are ids (32768 of each)") \
	X(MONITORS, "with probes at its monitors HotSpot would not compile it")                 \
	X(CLASS, "the class cannot be read")                                                    \
	X(VERSION, "its class-file version is not known")

enum weave_skip {
#define WEAVE_SKIP_ENUM(name, text) WEAVE_SKIP_##name,
	WEAVE_SKIP_LIST(WEAVE_SKIP_ENUM)
#undef WEAVE_SKIP_ENUM
};

/* "TOO_LARGE" for reports; the sentence for people. */
const char *weave_skip_name(enum weave_skip skip);
const char *weave_skip_text(enum weave_skip skip);

struct weave_limits {
	uint32_t branch;   /* farthest branch; 32767, smaller in tests so that islands occur */
	uint32_t code;     /* longest code; 65535 */
	uint32_t compiled; /* longest code that HotSpot compiles; 8000, 0: --huge */
	uint32_t hash_cut; /* class hashes lack so many bits; 0, more in tests so that some are one
			    */
};
extern const struct weave_limits weave_default_limits;

/* The class hash of NAME (trace_class_hash()) within LIMITS. */
uint64_t weave_class_hash(struct jw_span name, uint64_t salt, const struct weave_limits *limits);

struct weave_types;

/* The numbers of a class's methods (numbers.c): that of the method INDEX is FIRST + INDEX, if INDEX
 * is below COUNT. */
struct weave_numbers {
	uint16_t first;
	uint32_t count;       /* 0: none has one */
	uint64_t space;       /* the class hash in their ids */
	struct jw_span owner; /* internal name of the class that probes by number call */
};

/* A method of CLASS, and what the rules say of it. CODE_BYTES 0: it has no body, and the verdict is
 * never to trace it. */
typedef enum jw_status weave_each_method(void *ctx, const struct rules_class *cls,
					 const struct rules_method *method, uint32_t code_bytes,
					 struct rules_verdict verdict, struct jw_err *e);

/* An invocation in METHOD of CLASS, shown after the method itself, if a rule for calls may choose it;
 * then the objects that it makes (callee->made), where there are rules for them. LINE 0: unknown. */
typedef enum jw_status weave_each_call(void *ctx, const struct rules_class *cls,
				       const struct rules_method *method,
				       const struct rules_callee *callee, uint32_t line,
				       struct rules_verdict verdict, struct jw_err *e);

/* The launcher's half in java.base. It begins with a call of its initOutput(boolean): the VM has
 * booted then and is live for JVM TI (which it is not yet when System.initPhase3() ends), and the
 * thread holds no lock. */
#define WEAVE_BOOT_CLASS "sun/launcher/LauncherHelper"

struct weave_class_job {
	const struct rules *rules;
	const struct weave_limits *limits;
	struct jw_span runtime; /* internal name of the runtime class that the probes call */
	struct jw_span entry;   /* the path of the class, for rules and messages */
	struct weave_numbers numbers;
	uint64_t salt;       /* of the class hash: trace_class_hash() */
	struct jw_span home; /* "a/B": only one class of this name is in the archive; the hash of
				others is of their bytes, too */
	bool boots;          /* java.base: the runtime begins where the VM has booted */
	const struct weave_types *types; /* types.h; NULL: no rule asks for supertypes */
	weave_each_call *each_call; /* of weave_scan_class() alone; may be NULL; with its CTX */
};

/* The result of one method that a rule chose. Spans point into the class's bytes. */
struct weave_method {
	struct jw_span name, descriptor;
	enum weave_skip skip;      /* WEAVE_SKIP_NOT: woven */
	size_t rule;               /* index in the rules */
	size_t operation_rule;     /* rules_operation_rule() */
	uint32_t line;             /* first line, 0: unknown */
	uint32_t size, woven_size; /* code_length before and after */
	uint16_t index, access;
	uint64_t id;
	bool calls_only; /* no rule traces it: it is here for its call sites, or exceptions */
	size_t exceptions_rule; /* that has its exceptions recorded; RULES_NONE: they are not */
	const struct jw_capture *captures; /* of itself, as in weave_site */
	size_t capture_count;
	bool context;       /* the probes ask for the trace context, first of all */
	const char *detail; /* more about the skip, or NULL */
};

/* A call site that a rule decided. Spans point into the class's bytes. */
struct weave_site {
	struct jw_span owner, name, descriptor; /* of the callee, as the call names it */
	size_t method;                     /* index in the result's methods: the code that calls */
	size_t rule;                       /* index in the rules */
	size_t operation_rule;             /* rules_operation_rule() */
	uint32_t line;                     /* of the call, 0: unknown */
	uint16_t index;                    /* of its id, from WEAVE_FIRST_SITE */
	const struct jw_capture *captures; /* in the order of their records; in the arena */
	size_t capture_count;
	bool refused; /* by the rule: not a site */
	bool made;    /* no call: an object is made, of the class `owner` ("int[]") */
};
/* Ids of a class: those of methods are below, those of call sites from here on. */
enum { WEAVE_FIRST_SITE = 0x8000 };

struct weave_class_result {
	bool changed; /* OUT holds a new class file; else the input is to be kept */
	struct jw_span name, source;
	uint64_t class_hash;
	const struct weave_method *methods; /* the chosen ones; in the arena */
	size_t method_count;                /* chosen: woven or skipped */
	size_t woven;                       /* of these, woven */
	size_t total;                       /* methods of the class that have a body */
	size_t guarded;                     /* left out by the guard */
	const struct weave_site *sites;     /* in order; in the arena */
	size_t site_count;
	size_t creations;   /* sites where objects are made, as sites_woven */
	size_t exceptions;  /* methods, not skipped, whose exceptions are recorded */
	size_t sites_woven; /* calls: those that are not refused, in methods that are not skipped */
	const size_t *refused; /* rules (action: skip) that left a method out, or its exceptions;
				  in the arena */
	size_t refused_count;
	const bool *used;     /* by rule: those that do something without deciding, as they say what
				 methods or calls do, or decide while others are switched off;
				 NULL: none. In the arena */
	enum weave_skip skip; /* of the whole class; WEAVE_SKIP_NOT when it was read */
	const char *detail;
};

#endif
