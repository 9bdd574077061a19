/*
 * sites.c: where the probes of a method go, from one pass over its instructions.
 *
 *     enter   FALL bytes at pc 0: run once, however often the code branches back to 0
 *     exit    TARGET bytes at each return: control that arrives there leaves the method
 *     fail    a catch-all over everything else
 *
 *     created FALL bytes after each instruction that makes an object (creations.c)
 *     thrown  TARGET bytes at each athrow, where exceptions are recorded (caught.c)
 *
 * and around each call site: TARGET bytes at the invocation (a conditional argument branches to
 * it), FALL bytes at the instruction after it, which run only when the invocation returns. The
 * same at monitorenter; at monitorexit all probes come before it.
 *
 * Ranges in which nothing can throw (quiet.c) are not covered. The catch-all covers neither exit
 * probes nor the returns after them: a return may throw IllegalMonitorStateException after its
 * exit was recorded, and nothing exits twice. In a constructor the covered ranges are those of
 * b->runs, each with the handler that fits it.
 */
#include "weaver/class/sites.h"

#include "weaver/class/creations.h"
#include "weaver/class/ctor.h"
#include "weaver/class/quiet.h"

#include "base/banned.h"

struct site_scan {
	struct weave_body *b;
	struct weave_plan *plan;
	bool all;
	uint32_t open;      /* start of the range being covered */
	uint32_t run;       /* index of the next run */
	uint32_t run_start; /* where it starts, or UINT32_MAX */
	enum weave_this state;
	bool gap;      /* nothing falls into the next instruction */
	uint32_t call; /* index of the next call site */
	size_t made;   /* of the next place where an object is made */
	struct weave_quiet quiet;
};

/* Ends the covered range before PC; the next one starts at RESUME. Where nothing can throw there is
 * nothing to catch. */
static enum jw_status close_range(struct site_scan *s, uint32_t pc, uint32_t resume,
				  struct jw_err *e)
{
	struct weave_cover cover = { .start = s->open, .end = pc };
	bool quiet = !s->quiet.noisy;

	s->quiet.noisy = false;

	cover.tail = s->state == WEAVE_THIS_UNINIT ? WEAVE_TAIL_UNINIT : WEAVE_TAIL_PLAIN;
	s->open = resume;
	if (cover.start >= cover.end || quiet || s->state == WEAVE_THIS_NOW || !s->b->traced)
		return JW_OK;
	return weave_plan_cover(s->plan, cover, e);
}

static void take_run(struct site_scan *s)
{
	s->state = s->b->runs[s->run].state;
	s->run++;
	s->run_start = s->run < s->b->run_count ? s->b->runs[s->run].start : UINT32_MAX;
}

static enum jw_status note_edit(struct site_scan *s, uint32_t pc, uint32_t length,
				struct weave_edit **out, struct jw_err *e)
{
	JW_TRY(weave_plan_edit(s->plan, pc, length, out, e));
	(*out)->gap |= s->gap;
	return JW_OK;
}

static enum jw_status note_jump(struct site_scan *s, uint32_t pc, uint8_t op, enum cfr_form form,
				struct jw_err *e)
{
	struct jw_span code = s->b->code.code;
	struct weave_jump jump = { .pc = pc, .op = op, .wide = form == CFR_FORM_BRANCH_WIDE };
	uint32_t offset =
		jump.wide ? jw_span_u4(code, pc + 1) : (uint32_t)(int16_t)jw_span_u2(code, pc + 1);

	jump.target = pc + offset;
	return weave_plan_jump(s->plan, jump, e);
}

static void use(struct site_scan *s, const struct weave_join *join, enum weave_probe probe)
{
	s->b->probe_used[weave_probe_of(join, probe)] = true;
}

static enum jw_status note_return(struct site_scan *s, uint32_t pc, struct jw_err *e)
{
	struct weave_edit *edit;

	if (!s->b->traced)
		return JW_OK;
	JW_TRY(note_edit(s, pc, 1, &edit, e));
	edit->target = weave_exit_code(&s->b->own);
	use(s, &s->b->own, WEAVE_PROBE_EXIT);
	return close_range(s, pc, pc + 1, e);
}

static enum jw_status note_throw(struct site_scan *s, uint32_t pc, struct jw_err *e)
{
	struct weave_edit *edit;

	if (!s->b->exceptions)
		return JW_OK;
	JW_TRY(note_edit(s, pc, 1, &edit, e));
	edit->target = jw_span(s->b->thrown, WEAVE_SHOW);
	edit->starts_target = true;
	s->b->probe_used[WEAVE_PROBE_THROWN] = true;
	return JW_OK;
}

/* Does CALL run a constructor? No handler around it may see the object that it initialises. */
static bool initialises(const struct weave_body *b, const struct weave_call *call)
{
	struct cfr_ref ref;

	return cfr_pool_ref(&b->cls->pool, call->callee, &ref) && jw_span_u1(ref.name, 0) == '<';
}

/* The probe before the call site at PC, and the one after the call site that ends there. */
static enum jw_status scan_call(struct site_scan *s, uint32_t pc, uint32_t length, struct jw_err *e)
{
	struct weave_call *calls = s->plan->calls;
	struct weave_edit *edit;

	if (s->call > 0 && calls[s->call - 1].next == pc && !calls[s->call - 1].instant) {
		JW_TRY(note_edit(s, pc, length, &edit, e));
		edit->fall = weave_exit_code(&calls[s->call - 1].join);
		edit->starts_fall = calls[s->call - 1].monitor;
		edit->ends_fall =
			!calls[s->call - 1].monitor && !initialises(s->b, &calls[s->call - 1]);
		use(s, &calls[s->call - 1].join, WEAVE_PROBE_EXIT);
	}
	if (s->call < s->plan->call_count && calls[s->call].pc == pc) {
		const struct weave_call *call = &calls[s->call];

		JW_TRY(note_edit(s, pc, length, &edit, e));
		edit->target = call->instant ? weave_instant_code(&call->join)
					     : weave_enter_code(&call->join);
		edit->starts_target = !call->instant;
		use(s, &call->join, WEAVE_PROBE_ENTER);
		if (call->instant)
			use(s, &call->join, WEAVE_PROBE_EXIT);
		if (call->tail)
			use(s, &call->join, WEAVE_PROBE_FAIL);
		s->call++;
	}
	return JW_OK;
}

/* The probe after the instruction that ends at PC, where that makes an object. */
static enum jw_status scan_creation(struct site_scan *s, uint32_t pc, uint32_t length,
				    struct jw_err *e)
{
	const struct weave_creation *c;
	struct weave_edit *edit;

	if (s->made == s->plan->creation_count)
		return JW_OK;
	c = &s->plan->creations[s->made];
	if (c->next != pc)
		return JW_OK;
	JW_TRY(note_edit(s, pc, length, &edit, e));
	edit->fall = weave_creation_code(c);
	edit->ends_fall = true;
	s->b->probe_used[WEAVE_PROBE_CREATED] = true;
	s->b->probe_used[WEAVE_PROBE_VALUE] |= c->array;
	s->made++;
	return JW_OK;
}

/* The instruction of LENGTH bytes at PC. */
static enum jw_status scan_insn(struct site_scan *s, uint32_t pc, uint32_t length, struct jw_err *e)
{
	uint8_t op = s->b->code.code.p[pc];
	struct weave_edit *edit;

	if (length == 1) {
		if (cfr_op_is_return(op))
			return note_return(s, pc, e);
		return op == CFR_OP_athrow ? note_throw(s, pc, e) : JW_OK;
	}
	enum cfr_form form = cfr_op(op)->form;
	if (form == CFR_FORM_BRANCH || form == CFR_FORM_BRANCH_WIDE) {
		if (s->all)
			JW_TRY(note_edit(s, pc, length, &edit, e));
		return note_jump(s, pc, op, form, e);
	}
	if (form == CFR_FORM_TABLE || form == CFR_FORM_LOOKUP) {
		JW_TRY(note_edit(s, pc, length, &edit, e));
		edit->change = WEAVE_SWITCH;
	}
	return JW_OK;
}

static enum jw_status scan_enter(struct site_scan *s, struct jw_err *e)
{
	struct weave_edit *edit;
	uint32_t length = cfr_insn_length(s->b->code.code, 0);

	JW_TRY(note_edit(s, 0, length, &edit, e));
	edit->fall = weave_enter_code(&s->b->own);
	use(s, &s->b->own, WEAVE_PROBE_ENTER);
	return JW_OK;
}

static bool ends_flow(struct jw_span code, uint32_t pc)
{
	uint8_t op = code.p[pc];

	return cfr_op_ends_flow(op) || (op == CFR_OP_wide && code.p[pc + 1] == CFR_OP_ret);
}

static enum jw_status scan_code(struct site_scan *s, struct jw_err *e)
{
	struct jw_span code = s->b->code.code;
	struct weave_edit *edit;
	uint32_t length;

	for (uint32_t pc = 0; pc < code.n; pc += length) {
		length = cfr_insn_length(code, pc);
		if (pc == s->run_start) {
			JW_TRY(close_range(s, pc, pc, e));
			take_run(s);
		}
		if (s->gap && s->all)
			JW_TRY(note_edit(s, pc, length, &edit, e));
		JW_TRY(scan_call(s, pc, length, e));
		JW_TRY(scan_creation(s, pc, length, e));
		JW_TRY(scan_insn(s, pc, length, e));
		if (s->b->traced)
			weave_quiet_see(&s->quiet, s->b, pc);
		s->gap = ends_flow(code, pc);
	}
	if (!s->gap)
		return weave_leave(s->b, WEAVE_SKIP_BROKEN, e, "control falls off its end");
	JW_TRY(close_range(s, (uint32_t)code.n, (uint32_t)code.n, e));
	return s->all ? note_edit(s, (uint32_t)code.n, 0, &edit, e) : JW_OK;
}

enum jw_status weave_scan_sites(struct weave_body *b, bool all, struct jw_err *e)
{
	struct site_scan s = { .b = b, .plan = &b->plan, .all = all };

	s.quiet.before[0] = s.quiet.before[1] = WEAVE_NO_PC;

	weave_plan_reset(&b->plan, (uint32_t)b->code.code.n);
	take_run(&s);
	if (b->traced)
		JW_TRY(scan_enter(&s, e));
	JW_TRY(scan_code(&s, e));
	for (uint32_t i = 0; i < WEAVE_TAILS; i++) {
		struct weave_tail *tail = &b->plan.tails[i];

		if (!tail->used)
			continue;
		tail->uninit_this = i == WEAVE_TAIL_UNINIT;
		tail->bytes = weave_fail_code(&b->own);
		use(&s, &b->own, WEAVE_PROBE_FAIL);
	}
	return JW_OK;
}
