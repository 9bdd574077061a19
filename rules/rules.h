/*
 * rules.h: rules files (format 1) -> a compiled, immutable set -> verdicts on join points.
 *
 * This room never sees a class file: callers describe a class and a method to it. Facts that are
 * expensive to compute (about code) are asked for through a callback, and only when a rule needs
 * them.
 *
 * Two sentences decide: the LAST matching rule decides each join point; a top-level exclude always
 * wins. Before both: the runtime itself, and java.** jdk.** sun.** unless `jdk` is set, are left
 * out.
 */
#ifndef JW_RULES_RULES_H
#define JW_RULES_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "base/operations.h"
#include "base/status.h"

/* X(name, text) : kinds of methods, in the words of the rules. */
#define RULES_KIND_LIST(X)            \
	X(METHOD, "method")           \
	X(CONSTRUCTOR, "constructor") \
	X(CLINIT, "clinit")           \
	X(LAMBDA, "lambda")           \
	X(ACCESSOR, "accessor")       \
	X(BRIDGE, "bridge")           \
	X(SYNTHETIC, "synthetic")

enum rules_kind {
#define RULES_KIND_ENUM(name, text) RULES_KIND_##name,
	RULES_KIND_LIST(RULES_KIND_ENUM)
#undef RULES_KIND_ENUM
};

/* Facts about a method body. */
struct rules_code {
	uint32_t bytes;   /* code_length */
	uint32_t lines;   /* distinct lines in the LineNumberTable, 0: none */
	bool has_loop;    /* a backward branch */
	bool has_call;    /* any invoke instruction */
	bool has_monitor; /* monitorenter, or ACC_SYNCHRONIZED */
	bool throws;      /* athrow, or a handler that names a type */
};

/* Takes a name in internal form; true: no more are needed. */
typedef bool rules_take_name(void *ctx, struct jw_span name);

/* Passes names to TAKE until it returns true or none is left; returns whether it did. Called at any
 * time, by rules that need the names, and from any thread. */
typedef bool rules_each_name(void *ctx, rules_take_name *take, void *take_ctx);

/* Passes to TAKE the type of CTX and those through which it extends or implements TO, one by one,
 * TO last; false when it does not. For `explain`. */
typedef bool rules_path(void *ctx, struct jw_span to, rules_take_name *take, void *take_ctx);

struct rules_class {
	struct jw_span name;   /* internal form: com/acme/Foo$Bar, modified UTF-8 */
	struct jw_span super;  /* internal form; empty for java/lang/Object and module-info */
	struct jw_span source; /* SourceFile, or empty */
	struct jw_span entry;  /* path in the archive, outer!/inner for nested ones */
	uint16_t access;
	const struct rules_prepared *prepared; /* rules_class_prepare(), or NULL */

	/* The class itself and all its supertypes, at any depth, as far as they are known. NULL:
	 * only the class and `super` are known. May be asked before the class is open. */
	rules_each_name *supertypes;
	rules_path *path; /* NULL: not known */
	/* The types of its annotations, visible at run time or not. NULL: none. */
	rules_each_name *annotations;
	void *ctx; /* of all three */
};

struct rules_method {
	struct jw_span name, descriptor; /* modified UTF-8 */
	uint16_t access;
	enum rules_kind kind; /* see rules_method_kind() */
	bool has_code;
	/* Fills OUT; false when the code cannot be read. Called at most once a verdict, only if
	 * needed. */
	bool (*code)(void *ctx, struct rules_code *out);
	/* The types of its annotations, visible at run time or not. NULL: none. */
	rules_each_name *annotations;
	/* The functional interfaces, and what these extend as far as known, of the lambda
	 * expressions and method references in its class whose body it is. NULL: none.
	 */
	rules_each_name *lambda_of;
	void *ctx; /* of all three */
};

/* The kind of a method by its name and access flags (JVMS 4.6): <init>, <clinit>, bodies of lambda
 * expressions (synthetic, named lambda$..., or as Scala does: $anonfun$...), access$NNN accessors,
 * bridges, other synthetic ones. Callers that know of one of these that it is the body of a lambda
 * expression say so. */
enum rules_kind rules_method_kind(struct jw_span name, uint16_t access);

/* X(name, text) : why a join point is woven or not. */
#define RULES_WHY_LIST(X)                                               \
	X(TRACED, "traced by the last matching rule")                   \
	X(UNMATCHED, "no rule matches")                                 \
	X(SKIPPED, "the last matching rule skips it")                   \
	X(EXCLUDED, "excluded by the rules file")                       \
	X(RUNTIME, "part of jweave's own runtime")                      \
	X(JDK, "part of the JDK, and --jdk is not given")               \
	X(BOOTS, "the recorder starts when it ends")                    \
	X(SWITCHES, "one thread continues as another in it")            \
	X(PROBE, "the probes themselves call it")                       \
	X(SCOPED, "the VM looks for its frame on the stack")            \
	X(GUARDED, "trivial body chosen by a wildcard: see --no-guard") \
	X(NO_CODE, "abstract or native: it has no body")

enum rules_why {
#define RULES_WHY_ENUM(name, text) RULES_WHY_##name,
	RULES_WHY_LIST(RULES_WHY_ENUM)
#undef RULES_WHY_ENUM
};

/* The text of WHY. */
const char *rules_why_text(enum rules_why why);

#define RULES_NONE ((size_t)-1)

struct rules_verdict {
	enum rules_why why;
	size_t rule; /* index of the deciding rule, or RULES_NONE */
};

/* Which of the calls that a rule chooses are recorded; all zero: every one. */
struct rules_sampling {
	uint32_t every;     /* the first of this many calls of a method in a thread; 0: all */
	uint32_t max_depth; /* while at most this many of its calls are open in a thread; 0: all */
	uint64_t min_ns;    /* those that took at least this long; 0: all */
};

/* The public face of one rule. Strings live as long as the set. */
struct rules_rule {
	const char *id;    /* as written, or "rule-N" by its place (from 1) */
	const char *label; /* event label template, or "" */
	const char *file;  /* where it is */
	uint32_t line;
	bool skip;        /* action: skip */
	bool call;        /* on: call or monitor */
	bool monitor;     /* on: monitor */
	bool exception;   /* on: exception */
	bool creation;    /* on: new */
	int state;        /* Paraver state while inside (call), or RULES_NO_STATE */
	int on_unmatched; /* RULES_UNMATCHED_* */
	bool enabled;     /* false: ignored, unless it is switched on at run time */
	bool switchable;  /* says `enabled` itself: it can be switched at run time */

	const struct jw_operation *operation; /* what the traced method or call does, or NULL */
	uint32_t size;                        /* bytes of it when it returns, 0: not known */
	/* What probes capture, in the order of their records; JW_AS_COUNT: an identity or a
	 * value, whichever applies. */
	const struct jw_capture *captures;
	size_t capture_count;
	const struct jw_link *link; /* it is an end of messages; NULL: of none */
	struct rules_sampling sampling;
	uint32_t number; /* for probes and runtime, from 1; 0: they do not need it */
	/* Said by the rule itself: else captures and state are those of the operation, if any. */
	bool captures_said, state_said, event_said;
};
enum { RULES_NO_STATE = -1, RULES_MAX_STATE = 255 };
enum { RULES_UNMATCHED_IGNORE, RULES_UNMATCHED_WARN, RULES_UNMATCHED_ERROR };

struct rules_options {
	bool jdk;      /* bodies of java.** jdk.** sun.** may be woven */
	bool any;      /* also what jdk.c leaves out: to list methods, not to weave */
	bool no_guard; /* trivial bodies are woven too */
	/* Presets whose rules come before those of the file; NULL ends them. NULL: none. */
	const char *const *presets;
};

struct rules; /* immutable once loaded: any number of threads may ask it */

/* Reads PATH and what it includes. JW_RULES with "file:line:col: /json/pointer: what (did you mean
 * "x"?)"; JW_INPUT when a file cannot be read. */
enum jw_status JW_MUST_USE rules_load(const char *path, const struct rules_options *options,
				      struct rules **out, struct jw_err *e);

/* The same from memory; NAME is the file in messages, and includes are relative to it. */
enum jw_status JW_MUST_USE rules_parse(struct jw_span text, const char *name,
				       const struct rules_options *options, struct rules **out,
				       struct jw_err *e);
void rules_free(struct rules *rules);

/* How many rules there are; the one of INDEX (below that), as verdicts give it. Owned by RULES. */
size_t rules_count(const struct rules *rules);
const struct rules_rule *rules_rule(const struct rules *rules, size_t index);

/* The files read (the rules file first, then includes in order of reading; what was parsed from
 * memory and presets are none): for --depfile. */
size_t rules_file_count(const struct rules *rules);
const char *rules_file(const struct rules *rules, size_t index);

/* A digest of everything that can change a verdict: 16 hex digits, stable. */
const char *rules_digest(const struct rules *rules);

/* Does any rule ask for supertypes? Else there is no need to find them. */
bool rules_needs_supertypes(const struct rules *rules);

/* Can any method of CLASS be chosen? False only when certainly none can: the gate before a class's
 * methods are read. Looks only at name, package, entry, access and supertypes. *SKIPS (NULL: not
 * wanted): the rule that skips every method of it, or RULES_NONE. */
bool rules_may_choose(const struct rules *rules, const struct rules_class *cls, size_t *skips);

/* What the rules say of CLASS alone, worked out once for all its methods: set it as CLASS->prepared
 * before many rules_decide() of the same set, which then gives the same verdicts, sooner. Lives in
 * ARENA; NULL when there is no memory, which only costs time. */
const struct rules_prepared *rules_class_prepare(const struct rules *rules,
						 const struct rules_class *cls,
						 struct jw_arena *arena);

/* The verdict on a method of CLASS for `on: execution`. */
struct rules_verdict rules_decide(const struct rules *rules, const struct rules_class *cls,
				  const struct rules_method *method);

/* ---- on: exception ---- */

/* Is there a rule for exceptions, and may the code of CLASS be woven? Looks only at
 * name and access. */
bool rules_has_exceptions(const struct rules *rules, const struct rules_class *cls);

/* The verdict on what METHOD of CLASS throws and catches, for `on: exception`: the last matching
 * rule among those. They choose methods as rules of `on: execution` do, but decide separately; the
 * guard does not apply. */
struct rules_verdict rules_decide_exceptions(const struct rules *rules,
					     const struct rules_class *cls,
					     const struct rules_method *method);

/* ---- on: call, on: monitor ---- */

/* The method that an invocation names, as in the constant pool: the owner is the static
 * type, "[..." for arrays. */
struct rules_callee {
	struct jw_span owner, name, descriptor;
	bool made;                   /* no call: see rules_decide_creation() */
	bool interface;              /* made through an interface: invokeinterface */
	bool super_call;             /* super.name(...): no constructor, no private method */
	rules_each_name *supertypes; /* of the owner, as in rules_class; NULL: only it is known */
	rules_path *path;            /* of the owner */
	void *ctx;                   /* of both */
	bool monitor; /* no call, but RULES_MONITOR_ENTER or RULES_MONITOR_EXIT of its operand */
};

/* The names of monitorenter and monitorexit, where calls have a method: no class declares them,
 * and only rules with `on: monitor` see them. */
#define RULES_MONITOR_OWNER "java/lang/Object"
#define RULES_MONITOR_ENTER "monitorenter"
#define RULES_MONITOR_EXIT  "monitorexit"

/* Is there a rule for calls or monitors, and may the code of CLASS be woven? Looks at name and
 * access alone. */
bool rules_has_calls(const struct rules *rules, const struct rules_class *cls);

/* Can a rule decide a call of CALLEE, even if only to skip it? False only when certainly none can. */
bool rules_may_call(const struct rules *rules, const struct rules_callee *callee);

/* The verdict on an invocation of CALLEE in METHOD of CLASS, for `on: call`: the last matching rule
 * among those for calls. Excludes are about METHOD of CLASS. Where a method calls the one that it
 * overrides, a rule that says subtypeOf has chosen the call of the method already: UNMATCHED. */
struct rules_verdict rules_decide_call(const struct rules *rules, const struct rules_class *cls,
				       const struct rules_method *method,
				       const struct rules_callee *callee);

/* ---- on: new ---- */

/* Is there a rule for new objects, and may the code of CLASS be woven? As rules_has_calls(). */
bool rules_has_creations(const struct rules *rules, const struct rules_class *cls);

/* The verdict on an instruction in METHOD of CLASS that makes an object: the last matching rule of
 * those for `on: new`. MADE: its owner is the class (of arrays, of the elements: "int"; its
 * supertypes are those of the class), its descriptor gives the type: "()[I". */
struct rules_verdict rules_decide_creation(const struct rules *rules, const struct rules_class *cls,
					   const struct rules_method *method,
					   const struct rules_callee *made);

/* Which rule says what a method that RULE traces does, or (CALLEE not NULL) a call in it: RULE
 * itself when it does, or samples; else the last one before it that also matches and names an
 * operation; else RULE. */
size_t rules_operation_rule(const struct rules *rules, const struct rules_class *cls,
			    const struct rules_method *method, const struct rules_callee *callee,
			    size_t rule);

/* May rules be switched on and off at run time? */
bool rules_has_switches(const struct rules *rules);

/* Sets, by rule, USED of those that decide METHOD, which is traced, while switches are on or off. */
void rules_switched(const struct rules *rules, const struct rules_class *cls,
		    const struct rules_method *method, bool *used);

/* What a rule makes of what it traces, together with the rule that says what that does. */
struct rules_about {
	const struct jw_operation *operation; /* or NULL */
	uint32_t size;
	int state;
	struct jw_capture captures[JW_CAPTURES]; /* in the order of their records */
	size_t capture_count;
};
void rules_about(const struct rules *rules, size_t rule, size_t operation_rule,
		 struct rules_about *out);

/* What the probes of a join point that RULE traces tell the runtime besides its id (base/baked.h):
 * 0, nothing, or the number of the rule, the rules with a switch, and whether there are CAPTURES.
 * METHOD of CLASS; both NULL: a call. */
uint64_t rules_how(const struct rules *rules, const struct rules_class *cls,
		   const struct rules_method *method, size_t rule, bool captures);

/* Does S record less than all calls? */
static inline bool rules_samples(const struct rules_sampling *s)
{
	return s->every > 0 || s->max_depth > 0 || s->min_ns > 0;
}

/* What is baked into a woven archive for its runtime (base/baked.h); empty: nothing. Lives as long
 * as the set. */
struct jw_span rules_baked(const struct rules *rules);
/* The key that says so first: "runtime"; NULL: nothing. */
const char *rules_baked_key(const struct rules *rules);

/* Do they say that nothing is traced, unless the user says so ("tracing": false)? */
bool rules_off(const struct rules *rules);

/* Does the character C (a code point, or a byte of UTF-8) of a class, package or method stand for
 * itself in a pattern? The rest of ASCII is syntax there, is reserved, or cannot occur. */
bool rules_is_literal(uint32_t c);

#endif
