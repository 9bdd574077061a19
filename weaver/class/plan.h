/*
 * plan.h: what is inserted into one method, and where everything is in the new code.
 *
 * Nothing is allocated per instruction: a plan holds the places that change, not those that stay.
 *
 * Order of calls: call_sites.h, creations.h and caught.h fill in the calls, creations and landings;
 * sites.h resets the rest and adds edits, jumps and covers by rising pc; layout.h places all of it
 * and adds islands. Only then do the maps from old to new pcs hold. A map costs a binary search
 * over the edits.
 */
#ifndef JW_WEAVER_PLAN_H
#define JW_WEAVER_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "base/status.h"
#include "cfr/smt.h"
#include "weaver/class/join.h"

/* What happens to the instruction of an edit. */
enum weave_change {
	WEAVE_KEEP,   /* copied; only its branch offset moves */
	WEAVE_SWITCH, /* its padding depends on its new pc */
	WEAVE_WIDEN,  /* goto becomes goto_w, jsr becomes jsr_w */
};

/*
 * A pc at which something changes. What is put before an instruction, and the three numbers:
 *
 *     instruction before | islands | FALL bytes | L: TARGET bytes | instruction
 *     ^end                                      ^lab              ^ins
 *
 * FALL bytes run only when control falls in; TARGET bytes run however control arrives; islands are
 * reached by their own branches alone, so they are only where nothing falls in ("gap").
 */
struct weave_edit {
	uint32_t pc, length; /* of the instruction; length 0 at the end of the code */
	struct jw_span fall, target;
	enum weave_change change;
	bool gap;
	/* Where ranges of handlers meet here, which bytes they cover: as many as possible, since
	 * HotSpot compiles no method in which a probe is not covered while a monitor is held. */
	bool starts_fall;               /* a range that starts here covers FALL and TARGET bytes, */
	bool starts_target;             /* or TARGET bytes alone; */
	bool ends_fall;                 /* one that ends here covers FALL bytes */
	uint32_t islands, first_island; /* how many; 1 + index of the newest, 0: none */
	uint32_t end, lab, ins;
	uint32_t delta; /* new pc minus old pc after the instruction (modulo 2^32) */
};

/* A branch instruction with one target (switches are edits). */
struct weave_jump {
	uint32_t pc, target;
	uint32_t island; /* 1 + index of the island it goes to, 0: to its target */
	uint8_t op;
	bool wide; /* four bytes of offset: from the input, or widened */
};

/* `goto_w target`, for conditional branches that do not reach it. */
struct weave_island {
	uint32_t edit; /* index of the gap */
	uint32_t rank; /* place in the gap, from 0 */
	uint32_t next; /* older island of the same gap: 1 + index, 0: none */
	uint32_t target;
};

/* A handler appended to the code: its bytes, and the frame that it starts with. */
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

/*
 * A call site: an invocation with probes around it.
 *
 *     ..., before | invocation | after (FALL bytes of the next instruction), ...
 *     at the end of the code: fail; athrow
 *
 * The catch-all of a site covers the invocation alone and comes before all original entries; what it
 * throws on passes through copies of those that covered the invocation.
 *
 * Of monitorexit the catch-all covers the probes, and releases the monitor that the instruction
 * would have released; entries that begin with as many monitors held then no longer cover it.
 */
struct weave_call {
	struct weave_join join;
	uint32_t pc, next; /* of the invocation, and of the instruction after it */
	uint32_t spill;    /* the first of its fresh locals */
	uint32_t filled;   /* the locals for what it fills: after what is spilled */
	size_t rule;
	struct jw_span descriptor; /* of the callee */
	uint16_t callee;           /* index of its Methodref or InterfaceMethodref */
	bool enclosed;             /* an original entry covers it */
	bool tail;                 /* false: super(...), which no handler can cover */
	bool uninit;               /* before super(...) */
	bool monitor;              /* no call, but monitorenter or monitorexit: monitors.c */
	bool instant;              /* all its probes come before it: monitorexit */
	uint8_t held;              /* of a monitor: how many are held before it */
	uint16_t operand;          /* of monitorexit: the local that it releases */
	uint32_t at;               /* new pc of its handler */
	uint16_t local_count;
	const struct cfr_vtype *locals; /* of the handler's frame; pcs are the input's */
};

/* What `this` is: ctor.h. */
enum weave_this {
	WEAVE_THIS_SET,    /* an ordinary reference */
	WEAVE_THIS_UNINIT, /* uninitialized, and in local 0 */
	WEAVE_THIS_NOW,    /* the invocation that initialises it */
};

/*
 * A landing of a handler: what its entries catch comes here, is recorded, and goes on:
 *
 *     at the end of the code:   dup; CAUGHT; goto_w handler
 *
 * Its frame is the handler's. Branches to the handler do not pass through it.
 */
struct weave_landing {
	uint32_t handler;      /* pc of the handler */
	uint16_t type;         /* that is caught */
	enum weave_this state; /* of `this` there */
	uint32_t at;           /* new pc */
	uint16_t local_count;
	const struct cfr_vtype *locals, *stack; /* of its frame; pcs are the input's */
};

enum {
	WEAVE_SHOW =
		4, /* bytes of `dup; invokestatic`, which shows the top of the stack to a probe */
	WEAVE_ISLAND_SIZE = 5,
	WEAVE_LANDING_SIZE = WEAVE_SHOW + 5,
	WEAVE_CREATED = 6,
	WEAVE_CREATED_ARRAY = 12,
};

/* An instruction that makes an object, with a probe after it: creations.c. */
struct weave_creation {
	uint32_t next; /* pc after it */
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
	uint32_t call_count;
	size_t call_cap;
	uint32_t code_length;     /* of the input */
	struct weave_edit *edits; /* by rising pc */
	uint32_t edit_count;
	size_t edit_cap;
	struct weave_jump *jumps; /* by rising pc */
	uint32_t jump_count;
	size_t jump_cap;
	struct weave_cover *covers; /* by rising start */
	uint32_t cover_count;
	size_t cover_cap;
	struct weave_island *islands;
	uint32_t island_count;
	size_t island_cap;
	struct weave_tail tails[WEAVE_TAILS];
	uint32_t length; /* of the new code, tails included; set by the layout */
};

/* Empties PLAN for code of CODE_LENGTH bytes, keeping its memory, calls, creations and landings. */
void weave_plan_reset(struct weave_plan *plan, uint32_t code_length);

/* The edit at PC, not below the last one (asserted): a new one, or the last; good until the next is
 * made. */
enum jw_status JW_MUST_USE weave_plan_edit(struct weave_plan *plan, uint32_t pc, uint32_t length,
					   struct weave_edit **out, struct jw_err *e);

/* Append: calls, creations, jumps and covers by rising pc (asserted). */
enum jw_status JW_MUST_USE weave_plan_call(struct weave_plan *plan, const struct weave_call *call,
					   struct jw_err *e);
enum jw_status JW_MUST_USE weave_plan_creation(struct weave_plan *plan,
					       const struct weave_creation *creation,
					       struct jw_err *e);
enum jw_status JW_MUST_USE weave_plan_jump(struct weave_plan *plan, struct weave_jump jump,
					   struct jw_err *e);
enum jw_status JW_MUST_USE weave_plan_cover(struct weave_plan *plan, struct weave_cover cover,
					    struct jw_err *e);
enum jw_status JW_MUST_USE weave_plan_island(struct weave_plan *plan, struct weave_island island,
					     struct jw_err *e);

/* Has any call of PLAN a handler? */
bool weave_plan_has_call_tails(const struct weave_plan *plan);

/* Are the three numbers of all edits in order, with room for the instructions between them, and the
 * end after them? True of a finished layout. */
bool weave_plan_is_placed(const struct weave_plan *plan);

/* The last edit at or before PC, or NULL. */
struct weave_edit *weave_plan_find(const struct weave_plan *plan, uint32_t pc);

/* Where PC (0 .. code_length) is in the new code. Not before the layout (asserted). */
uint32_t weave_end(const struct weave_plan *plan, uint32_t pc);
uint32_t weave_lab(const struct weave_plan *plan, uint32_t pc);
uint32_t weave_ins(const struct weave_plan *plan, uint32_t pc);
/* Where a range of handlers begins that starts at PC, and ends that ends there. */
uint32_t weave_range_start(const struct weave_plan *plan, uint32_t pc);
uint32_t weave_range_end(const struct weave_plan *plan, uint32_t pc);
/* The new pc of ISLAND, and of what JUMP goes to: its island, or its target. */
uint32_t weave_island_at(const struct weave_plan *plan, const struct weave_island *island);
uint32_t weave_aim(const struct weave_plan *plan, const struct weave_jump *jump);

#endif
