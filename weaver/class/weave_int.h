/*
 * weave_int.h: what the files that weave one class share.
 *
 * One method goes through five steps, and is left as it was by the first that says so:
 *
 *     calls    call_sites.c  which invocations are call sites, and what encloses them
 *     handlers caught.c  where what handlers catch is recorded on its way to them
 *     probes   captures.c probes.c  what is captured; the bytes of the probes
 *     scan     sites.c   one pass over the instructions: where probes go, what they cover
 *     (ctor.c            for constructors: where `this` is not initialised yet)
 *     layout   layout.c  three numbers per pc; wide branches and islands where they are needed
 *     limits   method.c  what would not fit, or would never be compiled
 *     pool     method.c  the constants that the probes need
 *     locals   locals.c  the locals at call sites that the program's own handlers enclose
 *     emit     emit.c    the new Code attribute; what is in it: frames.c, debug_tables.c,
 *                        annotations.c
 *
 * Nothing is allocated per instruction: a plan holds the places that change, not those that stay.
 */
#ifndef JW_WEAVER_WEAVE_INT_H
#define JW_WEAVER_WEAVE_INT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "base/status.h"
#include "cfr/class.h"
#include "cfr/code.h"
#include "cfr/smt.h"
#include "weaver/class/weave.h"
#include "weaver/types/types.h"

/* ---- plan.c: what is inserted, and where everything lies then ---- */

/* What happens to the instruction of an edit. */
enum weave_change {
	WEAVE_KEEP,   /* copied; only its branch offset moves */
	WEAVE_SWITCH, /* its padding depends on where it lies */
	WEAVE_WIDEN,  /* goto becomes goto_w, jsr becomes jsr_w */
};

/*
 * A pc at which something changes. What is put before an instruction, and the three numbers:
 *
 *     instruction before | islands | FALL bytes | L: TARGET bytes | instruction
 *     ^end                                      ^lab              ^ins
 *
 * FALL bytes run only when falling in; TARGET bytes run for everyone who arrives; islands are
 * reached by their own branches alone, so they lie only where nothing falls in ("gap").
 */
struct weave_edit {
	uint32_t pc, length; /* of the instruction; length 0 at the end of the code */
	struct jw_span fall, target;
	enum weave_change change;
	bool gap;
	/* Where ranges of handlers meet here, which bytes they cover: as much as can be, since
	 * HotSpot compiles no method in which a probe stands uncovered while a monitor is held. */
	bool starts_fall;               /* those that start here: FALL and TARGET bytes, */
	bool starts_target;             /* TARGET bytes; */
	bool ends_fall;                 /* those that end here: FALL bytes */
	uint32_t islands, first_island; /* how many; 1 + index of the newest, 0: none */
	uint32_t end, lab, ins;
	uint32_t delta; /* new pc minus old pc behind the instruction (modulo 2^32) */
};

/* A branch instruction with one target (switches are edits). */
struct weave_jump {
	uint32_t pc, target;
	uint32_t island; /* 1 + index of the island it goes to, 0: to its target */
	uint8_t op;
	bool wide; /* four bytes of offset: from the input, or widened */
};

/* `goto_w target`, for conditionals that do not reach it. */
struct weave_island {
	uint32_t edit; /* index of the gap */
	uint32_t rank; /* place in the gap, from 0 */
	uint32_t next; /* older island of the same gap: 1 + index, 0: none */
	uint32_t target;
};

/* Code appended behind the end, a handler: its bytes, and the frame that it starts with. */
struct weave_tail {
	struct jw_span bytes;
	bool uninit_this; /* locals [uninitializedThis], else []; the stack is [Throwable] */
	bool used;
	uint32_t at; /* new pc */
};

/* A range of the input's pcs that a tail covers. */
struct weave_cover {
	uint32_t start, end, tail;
};

enum { WEAVE_TAIL_PLAIN, WEAVE_TAIL_UNINIT, WEAVE_TAILS };

/* What is traced: a method, or a call. Its probes are bytes of their own for each of them:
 *
 *     ENTER id, captures of this and args | ... | captures of the result, EXIT id
 *                                                 capture of the exception, FAIL id, athrow
 */
struct weave_join {
	uint64_t id;
	uint64_t how; /* rules_how(): what its probes push beside the id; 0: they are the plain ones
		       */
	bool numbered; /* they push the last two bytes of the id alone: numbers.c */
	const struct jw_capture *captures; /* in the order of their records */
	size_t capture_count;
	uint8_t *code;              /* the three, one behind another; filled in before emitting */
	uint32_t enter, exit, fail; /* their lengths */
};

/* A call site: an invocation with probes around it.
 *
 *     ..., before | invocation | after (FALL bytes of the next instruction), ...
 *     at the end of the code: fail; athrow
 *
 * The catch-all of a site covers the invocation alone and stands before all original entries; what
 * it throws on passes through copies of those that covered the invocation.
 *
 * Of monitorexit the catch-all covers the probes, and gives back what the instruction would have:
 * then entries that begin with as many monitors held cover it no more. */
struct weave_call {
	struct weave_join join;
	uint32_t pc, next; /* of the invocation, and behind it */
	uint32_t spill;    /* the first of its fresh locals */
	uint32_t filled;   /* those of what it fills: behind what is spilled */
	size_t rule;
	struct jw_span descriptor; /* of the callee */
	uint16_t callee;           /* of its Methodref or InterfaceMethodref */
	bool enclosed;             /* an original entry covers it */
	bool tail;                 /* false: super(...), which no handler can cover */
	bool uninit;               /* before super(...) */
	bool monitor;              /* no call, but monitorenter or monitorexit: monitors.c */
	bool instant;              /* all its probes stand before it: monitorexit */
	uint8_t held;              /* of a monitor: how many are held before it */
	uint16_t operand;          /* of monitorexit: the local that it gives back */
	uint32_t at;               /* new pc of its handler */
	uint16_t local_count;
	const struct cfr_vtype *locals; /* of the handler's frame; pcs are the input's */
};

/* What `this` is. */
enum weave_this {
	WEAVE_THIS_SET,    /* an ordinary reference */
	WEAVE_THIS_UNINIT, /* uninitialized, and in local 0 */
	WEAVE_THIS_NOW,    /* the invocation that initialises it */
};

/* dup; invokestatic: shows what is on the stack to a probe */
enum { WEAVE_SHOW = 4 };

/* A landing of a handler: what its entries catch comes here, is recorded, and goes on:
 *
 *     at the end of the code:   dup; CAUGHT; goto_w handler
 *
 * Its frame is the handler's. Whoever branches to the handler does not come by. */
struct weave_landing {
	uint32_t handler;      /* pc of the handler */
	uint16_t type;         /* that is caught */
	enum weave_this state; /* of `this` there */
	uint32_t at;           /* new pc */
	uint16_t local_count;
	const struct cfr_vtype *locals, *stack; /* of its frame; pcs are the input's */
};

enum { WEAVE_CREATED = 6, WEAVE_CREATED_ARRAY = 12 };

/* An instruction that makes an object, with a probe behind it: creations.c. */
struct weave_creation {
	uint32_t next; /* pc behind it */
	uint64_t id;
	bool array;
	uint8_t code[WEAVE_CREATED_ARRAY]; /* filled in before emitting */
};

struct weave_plan {
	struct jw_arena *arena;
	struct weave_creation *creations; /* by rising pc; kept by a reset */
	size_t creation_count, creation_cap;
	struct weave_landing *landings; /* by handler and type; kept by a reset */
	uint32_t landing_count;
	struct weave_call *calls; /* by rising pc; kept by a reset */
	uint32_t call_count, call_cap;
	uint32_t code_length;     /* of the input */
	struct weave_edit *edits; /* by rising pc */
	uint32_t edit_count, edit_cap;
	struct weave_jump *jumps; /* by rising pc */
	uint32_t jump_count, jump_cap;
	struct weave_cover *covers; /* by rising start */
	uint32_t cover_count, cover_cap;
	struct weave_island *islands;
	uint32_t island_count, island_cap;
	struct weave_tail tails[WEAVE_TAILS];
	uint32_t length; /* of the new code, tails included; set by the layout */
};

/* Empties PLAN for code of CODE_LENGTH bytes, keeping its memory. */
void weave_plan_reset(struct weave_plan *plan, uint32_t code_length);

/* The edit at PC (not below the last one): a new one, or the last. NULL: no memory. */
struct weave_edit *weave_plan_edit(struct weave_plan *plan, uint32_t pc, uint32_t length);

/* Append; false: no memory. */
bool weave_plan_jump(struct weave_plan *plan, struct weave_jump jump);
bool weave_plan_cover(struct weave_plan *plan, struct weave_cover cover);
bool weave_plan_island(struct weave_plan *plan, struct weave_island island);

/* The last edit at or before PC, or NULL. */
struct weave_edit *weave_plan_find(const struct weave_plan *plan, uint32_t pc);

/* Where PC (0 .. code_length) lies; valid once the layout has been made. */
uint32_t weave_end(const struct weave_plan *plan, uint32_t pc);
uint32_t weave_lab(const struct weave_plan *plan, uint32_t pc);
uint32_t weave_ins(const struct weave_plan *plan, uint32_t pc);
/* Where a range of handlers begins that starts at PC, and ends that ends there. */
uint32_t weave_range_start(const struct weave_plan *plan, uint32_t pc);
uint32_t weave_range_end(const struct weave_plan *plan, uint32_t pc);

/* ---- the class and the method being woven ---- */

/* The probes, in the order of their calls; the names are those of the runtime class's methods. */
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
	/* by number: named after attributes, which every class file holds anyway */ \
	X(NUMBER_ENTER, "Code", "(I)V")                                              \
	X(NUMBER_EXIT, "StackMapTable", "(I)V")                                      \
	X(NUMBER_FAIL, "LineNumberTable", "(I)V")

enum weave_probe {
#define WEAVE_PROBE_ENUM(name, method, descriptor) WEAVE_PROBE_##name,
	WEAVE_PROBE_LIST(WEAVE_PROBE_ENUM)
#undef WEAVE_PROBE_ENUM
		WEAVE_PROBES,
};

/* Indices of constants once they were asked for, 0 before. */
struct weave_constants {
	uint16_t probe[WEAVE_PROBES]; /* Methodref */
	uint16_t throwable;           /* Class java/lang/Throwable */
	uint16_t frames;              /* Utf8 StackMapTable */
};

/* From START on (to the next run, or the end of the code), `this` is so. */
struct weave_run {
	uint32_t start;
	enum weave_this state;
};

/* ---- describe.c: a class and its methods for the rules ---- */

/* The class's description; it refers to itself: it stays where it was filled. */
struct weave_described {
	struct rules_class cls;
	const struct cfr_class *file;
	const struct weave_types *types;
	struct weave_supers supers;
	struct jw_arena *arena;        /* of what is found out about it; NULL: it is not open */
	struct weave_lambdas *lambdas; /* once asked for; lambdas.c */
};

/* From the head of CLS, for the gate (TYPES: NULL when no rule asks); and, once CLS is open, the
 * rest, prepared for many methods. */
void weave_describe_head(struct weave_described *d, const struct cfr_class *cls,
			 struct jw_span entry, const struct weave_types *types);
void weave_describe_open(struct weave_described *d, const struct rules *rules,
			 struct jw_arena *arena);

/* The class that declares a callee, or what is made. */
struct weave_owner {
	const struct weave_types *types;
	struct jw_span name;
};
/* Tells CALLEE that its owner is NAME, with its supertypes unless TYPES is NULL. OWNER becomes a
 * part of CALLEE: it stays where it is. */
void weave_describe_owner(struct weave_owner *owner, const struct weave_types *types,
			  struct jw_span name, struct rules_callee *callee);

/* Has the code of MEMBER, which has not been validated, an instruction that IS says yes to, as far
 * as it can be walked? */
typedef bool weave_is_insn(const void *ctx, struct jw_span code, uint32_t pc);
bool weave_code_has(const struct cfr_member *member, weave_is_insn *is, const void *ctx);

struct weave_facts {
	struct weave_described *of;
	const struct cfr_class *cls;
	const struct cfr_member *member;
};
/* FACTS must live as long as what is returned. */
struct rules_method weave_describe_method(struct weave_facts *facts);

/* lambdas.c: gives TAKE the functional interfaces, and their supertypes, of the lambda expressions
 * and method references in the class D for which MEMBER of it is the body; as rules_each_name. */
bool weave_each_lambda(struct weave_described *d, const struct cfr_member *member,
		       rules_take_name *take, void *ctx);

struct weave_body {
	const struct weave_class_job *job;
	struct cfr_class *cls;
	struct jw_arena *arena;
	struct weave_constants constants;
	struct weave_plan plan;

	const struct cfr_member *member; /* the method at hand */
	struct cfr_code code;
	struct cfr_attr frames; /* its StackMapTable; info.p == NULL: none */
	bool old_verifier;      /* weave_old_verifier() of it */
	uint16_t max_stack;     /* the new one */
	bool too_many_calls;    /* there are not enough ids for its call sites */
	bool traced;            /* its own enter and exit; else only its call sites */
	bool boots;             /* its exit tells the runtime that the VM has booted */
	struct weave_run *runs; /* by rising start, the first at 0 */
	uint32_t run_count, run_cap;
	uint8_t *slots; /* room for ctor.c */
	uint32_t slot_cap;
	struct weave_join own;                          /* of the method itself */
	uint32_t fresh_locals;                          /* above those of the input */
	bool exceptions;                                /* what it throws and catches is recorded */
	uint8_t thrown[WEAVE_SHOW], caught[WEAVE_SHOW]; /* before athrow, in landings */
	uint8_t *handler_held; /* monitors that are held where each handler begins; monitors.c */
	bool probe_used[WEAVE_PROBES];
	bool has_how; /* a join of the method has */

	enum weave_skip skip; /* why the method is left; WEAVE_SKIP_NOT: it is not */
	const char *detail;
};

enum { WEAVE_ISLAND_SIZE = 5, WEAVE_LANDING_SIZE = WEAVE_SHOW + 5 };

/* Leaves the method at hand for REASON; FMT (may be NULL) is the detail. Returns a status that is
 * not JW_OK: JW_UNSUPPORTED, or JW_NOMEM. */
enum jw_status weave_leave(struct weave_body *b, enum weave_skip reason, struct jw_err *e,
			   const char *fmt, ...) JW_PRINTF(4, 5);

/* STATUS with the message of E came from below: JW_NOMEM and JW_BUG stay errors, the others leave
 * the method for REASON with that message. */
enum jw_status weave_blame(struct weave_body *b, enum weave_skip reason, enum jw_status status,
			   struct jw_err *e);

/* Weaves MEMBER, whose own join is filled in if it is traced, appending its new Code attribute info
 * to OUT. JW_OK, or b->skip is set, or an error. Whatever was appended when it fails is the
 * caller's to undo. */
enum jw_status JW_MUST_USE weave_method_body(struct weave_body *b, const struct cfr_member *member,
					     struct jw_buf *out, struct jw_err *e);

/* ---- captures.c ---- */

/* A method, for what it has to capture. */
struct weave_signature {
	struct jw_span descriptor;
	bool has_this; /* and it is initialised when it is called, or begins */
	bool is_body;  /* no call */
};

/* Which captures of ABOUT a method of SIGNATURE has, into JOIN: what it has not is left out. */
enum jw_status JW_MUST_USE weave_pick_captures(const struct rules_about *about,
					       const struct weave_signature *signature,
					       struct jw_arena *arena, struct weave_join *join,
					       struct jw_err *e);

/* The type of argument ARG, from 0 on, of DESCRIPTOR; empty: there is none. */
struct jw_span weave_arg_of(struct jw_span descriptor, uint32_t arg);

/* Is D, a field descriptor that is not empty, that of an object or array? */
bool weave_is_reference(struct jw_span d);

/* ---- probes.c ---- */

/* Measures the probes of the method and of its calls, and the fresh locals that they take. */
enum jw_status JW_MUST_USE weave_measure_probes(struct weave_body *b, struct jw_err *e);
/* Writes them, once all constants are known. */
enum jw_status JW_MUST_USE weave_write_probes(struct weave_body *b, struct jw_err *e);

/* The one of enter, exit or fail that JOIN calls. */
enum weave_probe weave_probe_of(const struct weave_join *join, enum weave_probe probe);

/* The three parts of JOIN's code. */
struct jw_span weave_enter_code(const struct weave_join *join);
struct jw_span weave_exit_code(const struct weave_join *join);
struct jw_span weave_fail_code(const struct weave_join *join);
/* The first two of them at once: of what begins and ends before its instruction. */
struct jw_span weave_instant_code(const struct weave_join *join);

/* ---- call sites ---- */

/* Which constants of a class name methods that a call rule may choose, and whether a rule may
 * choose what enters or leaves a monitor. */
struct weave_call_gate {
	uint8_t *may; /* per index of the pool; NULL: none */
	bool enter, exit;
};

/* What stands for the callee where there is none: no constant has this index. */
enum { WEAVE_MONITOR = UINT16_MAX };

/* The callee that monitorenter or monitorexit is to the rules. */
struct rules_callee weave_monitor_callee(uint8_t op);

/* Leaves the method at hand where probes at its monitors would keep HotSpot from compiling it. */
enum jw_status JW_MUST_USE weave_monitors_check(struct weave_body *b, struct jw_err *e);

/* Asks the rules about every method that CLS names. */
enum jw_status JW_MUST_USE weave_call_gate(const struct rules *rules,
					   const struct weave_described *cls,
					   const struct cfr_pool *pool, struct jw_arena *arena,
					   struct weave_call_gate *gate, struct jw_err *e);

/* The instruction at PC of CODE is one that GATE lets through: the index of its callee, or
 * WEAVE_MONITOR; else 0. */
uint16_t weave_call_at(const struct weave_call_gate *gate, struct jw_span code, uint32_t pc);

/* Calls EACH for every such invocation of MEMBER with its line (0: unknown), in order, as far as
 * its code can be walked. */
typedef enum jw_status weave_call_each(void *ctx, uint32_t pc, uint32_t next, uint16_t callee,
				       uint32_t line, struct jw_err *e);
enum jw_status JW_MUST_USE weave_each_site(const struct cfr_class *cls,
					   const struct cfr_member *member,
					   const struct weave_call_gate *gate,
					   struct jw_arena *arena, weave_call_each *each, void *ctx,
					   struct jw_err *e);

/* The call sites of one class, as they are found. */
struct weave_sites {
	struct weave_site *list;
	size_t count, cap;
	size_t method;       /* index in the result's methods of the one at hand */
	uint64_t next_index; /* of the next site's id */
};

/* Asks the rules CLS-wide about the invocations of METHOD, described by weave_describe_method():
 * what they decide goes to SITES, what they choose into the plan of B. */
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

/* Finds out of each call of the plan what encloses it, and whether a handler can cover it. */
void weave_calls_place(struct weave_body *b);

/* Fills in the locals of their handlers' frames. */
enum jw_status JW_MUST_USE weave_call_types(struct weave_body *b, struct jw_err *e);

/* Has any call of the plan a handler? */
bool weave_has_call_tails(const struct weave_plan *plan);

/* Room for one item more in LIST, COUNT of *CAP items of SIZE; NULL: no memory. */
void *weave_room(struct jw_arena *arena, void *list, size_t count, size_t *cap, size_t size);

/* 1 + the line that begins at each pc of CODE, 0: none begins. NULL: no memory, or no table. */
uint32_t *weave_line_starts(const struct cfr_class *cls, const struct cfr_code *code,
			    struct jw_arena *arena);

/* ---- creations.c: objects that are made ---- */

/* Asks the rules about the objects that METHOD makes: what they decide goes to SITES, behind its
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
/* The bytes behind it. */
struct jw_span weave_creation_code(const struct weave_creation *creation);
/* Writes them, once the constants are known. */
enum jw_status JW_MUST_USE weave_write_creations(struct weave_body *b, struct jw_err *e);

/* ---- caught.c: exceptions thrown and caught ---- */

/* Finds the landings of the method, where its exceptions are recorded. */
enum jw_status JW_MUST_USE weave_find_landings(struct weave_body *b, struct jw_err *e);

/* Fills in their frames. */
enum jw_status JW_MUST_USE weave_landing_types(struct weave_body *b, struct jw_err *e);

/* The landing of H, an entry of the input's exception table; NULL: it has none. */
const struct weave_landing *weave_landing_of(const struct weave_plan *plan,
					     const struct cfr_handler *h);

/* Writes b->thrown and b->caught, once their constants are known. */
void weave_write_shows(struct weave_body *b);

/* ---- quiet.c: ranges in which nothing can throw ---- */

#define WEAVE_NO_PC UINT32_MAX

struct weave_quiet {
	bool noisy;         /* something seen since the range began may throw */
	uint32_t before[2]; /* pcs of the last two instructions, the latest first; WEAVE_NO_PC */
	enum { WEAVE_STORED_UNKNOWN, WEAVE_STORED, WEAVE_NOT_STORED } stored; /* to local 0? */
};

/* Shows the instruction at PC; all of a method's are shown, in order. */
void weave_quiet_see(struct weave_quiet *q, const struct weave_body *b, uint32_t pc);

/* ---- steps ---- */

/* Fills the plan. With ALL also an edit at each branch and gap, for the layout to change. */
enum jw_status JW_MUST_USE weave_scan_sites(struct weave_body *b, bool all, struct jw_err *e);

/* Fills b->runs: where `this` is what. Only constructors have more than one run. */
enum jw_status JW_MUST_USE weave_this_runs(struct weave_body *b, struct jw_err *e);

/* Is this method left to the verifier that infers types, for which frames do not matter? Below
 * version 50, and in version 50 where frames would be needed and are not there, or with jsr:
 * HotSpot then falls back to it. */
bool weave_old_verifier(const struct weave_body *b);

/* Places everything within LIMITS. Scans again when branches have to be widened. */
enum jw_status JW_MUST_USE weave_layout(struct weave_body *b, struct jw_err *e);

/* Writes the Code attribute's info by the layout. */
enum jw_status JW_MUST_USE weave_emit(struct weave_body *b, struct jw_buf *out, struct jw_err *e);

/* The new pc of ISLAND. */
uint32_t weave_island_at(const struct weave_plan *plan, const struct weave_island *island);

/* ---- attributes of Code: each writes the new info to OUT ---- */

/* The input's frames, decoded, all their types resolved. */
enum jw_status JW_MUST_USE weave_decode_frames(struct weave_body *b, struct cfr_smt *out,
					       struct jw_err *e);

/* The StackMapTable: the old frames moved, those of islands and tails added. */
enum jw_status JW_MUST_USE weave_put_frames(struct weave_body *b, struct jw_buf *out,
					    struct jw_err *e);
/* Does the new code need frames that the old one had no table for? */
bool weave_needs_frames(const struct weave_body *b);

enum jw_status JW_MUST_USE weave_put_lines(struct weave_body *b, struct jw_span info,
					   struct jw_buf *out, struct jw_err *e);
enum jw_status JW_MUST_USE weave_put_locals(struct weave_body *b, struct jw_span info,
					    struct jw_buf *out, struct jw_err *e);
enum jw_status JW_MUST_USE weave_put_ranges(struct weave_body *b, struct jw_span info,
					    struct jw_buf *out, struct jw_err *e);
enum jw_status JW_MUST_USE weave_put_annotations(struct weave_body *b, struct jw_span info,
						 struct jw_buf *out, struct jw_err *e);

/* How many entries of the new exception table the range START..END of the input becomes: it is
 * split around islands. */
uint32_t weave_pieces(const struct weave_plan *plan, uint32_t start, uint32_t end);

#endif
