/*
 * monitors.c: monitorenter and monitorexit as join points, and whether probes may be put there.
 *
 *     ENTER, object | monitorenter | EXIT          like a call; EXIT runs with the monitor held
 *     ENTER, object, EXIT | monitorexit            an instant, before others can have it
 *
 * HotSpot compiles a method with monitors only if it can see that they are released, however the
 * method ends: whatever may throw while monitors are held must be covered by a catch-all that begins
 * with as many held (JVMS 2.11.10; generateOopMap.cpp assumes that every invocation may throw). The
 * probes are invocations. So the number of monitors held is followed through the code; the probe
 * after monitorenter is put inside the ranges that begin there, and the probes at monitorexit get a
 * catch-all of their own:
 *
 *     aload N | probes | monitorexit          at the end of the code: aload N, monitorexit, athrow
 *
 * which holds no probe: javac's handlers cover themselves up to their monitorexit, and a probe that
 * finds no room on the stack would throw in them in an endless loop. A method where a probe would
 * not be covered, or where it is not known what is released, stays as it was.
 */
#include "weaver/class/monitors.h"

#include <string.h>

#include "base/banned.h"

/* ---- how many monitors are held ---- */

enum { UNSEEN = 0xff, MOST = 0xfe };

/* How often handlers may be asked whether they cover an instruction: a hostile method has 65,535 of
 * both. The longest methods of javac and scalac need some ten thousand questions. */
enum { MOST_STEPS = 1 << 24 };

struct held {
	const struct cfr_code *code;
	uint8_t *at;    /* before each instruction; UNSEEN: nothing leads there */
	uint32_t *todo; /* seen, and not followed yet */
	uint32_t n;
	uint32_t steps;
	bool unbalanced; /* two ways meet with different numbers, or what is not held is released
			  */
};

static void lead_to(struct held *h, uint32_t pc, uint8_t held)
{
	if (pc >= h->code->code.n)
		return;
	if (h->at[pc] == UNSEEN) {
		h->at[pc] = held;
		h->todo[h->n++] = pc;
	} else if (h->at[pc] != held) {
		h->unbalanced = true;
	}
}

/* May OP throw, as HotSpot sees it in code whose monitors are balanced? It assumes that monitorexit
 * and returns do not. */
static bool can_throw(uint8_t op)
{
	static const uint8_t ranges[][2] = {
		{ CFR_OP_ldc, CFR_OP_ldc2_w },
		{ CFR_OP_iaload, CFR_OP_saload },
		{ CFR_OP_iastore, CFR_OP_sastore },
		{ CFR_OP_idiv, CFR_OP_ldiv },
		{ CFR_OP_irem, CFR_OP_lrem },
		{ CFR_OP_getstatic, CFR_OP_monitorenter },
		{ CFR_OP_multianewarray, CFR_OP_multianewarray },
	};

	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
		if (op >= ranges[i][0] && op <= ranges[i][1])
			return true;
	}
	return false;
}

/* The handlers that an exception at PC may reach, up to the first catch-all. */
static void lead_to_handlers(struct held *h, uint32_t pc, uint8_t held)
{
	for (uint16_t i = 0; i < h->code->handler_count && h->steps < MOST_STEPS; i++) {
		struct cfr_handler one = cfr_code_handler(h->code, i);

		h->steps++;
		if (pc < one.start_pc || pc >= one.end_pc)
			continue;
		lead_to(h, one.handler_pc, held);
		if (one.catch_type == 0)
			return;
	}
}

static void lead_to_cases(struct held *h, const struct cfr_insn *insn, uint8_t held)
{
	struct cfr_switch sw = cfr_switch_at(h->code, insn);

	lead_to(h, sw.default_target, held);
	for (uint32_t i = 0; i < sw.count; i++)
		lead_to(h, cfr_switch_target(&sw, i), held);
}

static void follow(struct held *h, uint32_t pc)
{
	struct cfr_insn insn = cfr_insn_at(h->code, pc);
	uint8_t held = h->at[pc];

	if (can_throw(insn.op))
		lead_to_handlers(h, pc, held);
	if (insn.op == CFR_OP_monitorenter)
		h->unbalanced |= held++ == MOST;
	if (insn.op == CFR_OP_monitorexit)
		h->unbalanced |= held-- == 0;
	/* what a subroutine does is not followed: a method that has one is left */
	h->unbalanced |= insn.op == CFR_OP_jsr || insn.op == CFR_OP_jsr_w;
	if (h->unbalanced)
		return;
	if (insn.target >= 0)
		lead_to(h, (uint32_t)insn.target, held);
	if (insn.op == CFR_OP_tableswitch || insn.op == CFR_OP_lookupswitch)
		lead_to_cases(h, &insn, held);
	if (!cfr_op_ends_flow(insn.op))
		lead_to(h, pc + insn.length, held);
}

/* ---- may probes be there? ---- */

/* Is what may throw at PC, with HELD monitors held, caught by a catch-all that begins with as many?
 */
static bool is_covered(struct held *h, uint32_t pc, uint8_t held)
{
	for (uint16_t i = 0; held > 0 && i < h->code->handler_count && h->steps < MOST_STEPS; i++) {
		struct cfr_handler one = cfr_code_handler(h->code, i);
		uint8_t there = h->at[one.handler_pc];

		h->steps++;
		if (pc < one.start_pc || pc >= one.end_pc)
			continue;
		if (there != held && there != UNSEEN)
			return false;
		if (one.catch_type == 0)
			return true;
	}
	return held == 0;
}

/* The local that the instruction at PC leaves on the stack, if it is an aload; -1: it is not.
 */
static int32_t loaded_at(const struct cfr_code *code, uint32_t pc)
{
	struct cfr_insn insn = cfr_insn_at(code, pc);
	bool load =
		insn.op == CFR_OP_aload || (insn.op >= CFR_OP_aload_0 && insn.op <= CFR_OP_aload_3);

	return load ? cfr_insn_local(code, &insn) : -1;
}

/* OPERAND: the local that CALL's operand comes from, -1: unknown. */
static bool may_stand(struct held *h, struct weave_call *call, int32_t operand)
{
	call->held = h->at[call->pc];
	if (call->held == UNSEEN) { /* dead code */
		call->tail &= !call->instant;
		return true;
	}
	if (call->instant) {
		call->operand = (uint16_t)operand;
		return operand >= 0 && !call->uninit;
	}
	return is_covered(h, call->pc, call->held) && is_covered(h, call->next, call->held + 1);
}

static enum jw_status check_sites(struct weave_body *b, struct held *h, struct jw_err *e)
{
	const struct cfr_code *code = &b->code;
	struct weave_call *call = b->plan.calls, *end = call + b->plan.call_count;
	int32_t operand = -1;

	for (uint32_t pc = 0; pc < code->code.n && call < end; pc += cfr_insn_at(code, pc).length) {
		bool falls = !(code->targets[pc / 8] >> pc % 8 & 1);

		if (call->pc == pc) {
			if (call->monitor && !may_stand(h, call, falls ? operand : -1))
				return weave_leave(b, WEAVE_SKIP_MONITORS, e,
						   "pc %u: what is released is not known, or a "
						   "probe would not be covered",
						   pc);
			call++;
		}
		operand = loaded_at(code, pc);
	}
	return JW_OK;
}

enum jw_status weave_monitors_check(struct weave_body *b, struct jw_err *e)
{
	struct held h = { .code = &b->code };
	uint32_t i = 0;

	while (i < b->plan.call_count && !b->plan.calls[i].monitor)
		i++;
	if (i == b->plan.call_count)
		return JW_OK;
	h.at = JW_NEW_ARRAY(b->arena, uint8_t, b->code.code.n);
	h.todo = JW_NEW_ARRAY(b->arena, uint32_t, b->code.code.n);
	if (!h.at || !h.todo)
		return jw_nomem(e);
	memset(h.at, UNSEEN, b->code.code.n);
	lead_to(&h, 0, 0);
	while (h.n > 0 && !h.unbalanced && h.steps < MOST_STEPS)
		follow(&h, h.todo[--h.n]);
	if (h.unbalanced)
		return weave_leave(b, WEAVE_SKIP_MONITORS, e,
				   "not every way releases the monitors that it holds");
	if (h.steps == MOST_STEPS)
		return weave_leave(b, WEAVE_SKIP_MONITORS, e,
				   "too many instructions under %u exception handlers",
				   b->code.handler_count);
	b->handler_held = JW_NEW_ARRAY(b->arena, uint8_t, b->code.handler_count + 1u);
	if (!b->handler_held)
		return jw_nomem(e);
	for (uint16_t n = 0; n < b->code.handler_count; n++)
		b->handler_held[n] = h.at[cfr_code_handler(&b->code, n).handler_pc];
	return check_sites(b, &h, e);
}
