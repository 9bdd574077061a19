/*
 * caught.c: what a method throws and catches.
 *
 *     athrow     TARGET bytes before it: dup; THROWN
 *     handlers   those that name a type; not `any`, which finally and synchronized are compiled to:
 *                those are seen when they throw the exception again
 *     passing    in the method's own catch-all, and in those of its calls: dup; PASSED
 *
 * A handler may be reached by branches, too, and may be in its own range. So nothing is put there:
 * its entries lead to a landing after the end of the code, which shows the exception to the probe
 * and goes on to the handler, whose frame it has. A landing is covered as its handler is, and first
 * of all by the handler itself: where the stack is too full for a probe, a StackOverflowError of the
 * probe still goes to a handler that catches it.
 */
#include "weaver/class/caught.h"

#include <stdlib.h>

#include "cfr/smt.h"
#include "weaver/class/ctor.h"
#include "weaver/class/frames.h"

#include "base/banned.h"

/* ---- landings ---- */

static int by_handler(const void *a, const void *b)
{
	const struct weave_landing *x = a, *y = b;

	if (x->handler != y->handler)
		return x->handler < y->handler ? -1 : 1;
	return x->type < y->type ? -1 : x->type > y->type;
}

static uint32_t drop_doubles(struct weave_landing *list, uint32_t count)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < count; i++) {
		if (n == 0 || by_handler(&list[n - 1], &list[i]) != 0)
			list[n++] = list[i];
	}
	return n;
}

enum jw_status weave_find_landings(struct weave_body *b, struct jw_err *e)
{
	struct weave_plan *plan = &b->plan;
	struct weave_landing *list;
	uint32_t count = 0, run = 0;

	plan->landing_count = 0;
	if (!b->exceptions || b->code.handler_count == 0)
		return JW_OK;
	list = JW_NEW_ARRAY(b->arena, struct weave_landing, b->code.handler_count);
	if (!list)
		return jw_nomem(e);
	for (uint16_t i = 0; i < b->code.handler_count; i++) {
		struct cfr_handler h = cfr_code_handler(&b->code, i);

		if (h.catch_type != 0)
			list[count++] = (struct weave_landing){ .handler = h.handler_pc,
								.type = h.catch_type };
	}
	if (count > 1)
		qsort(list, count, sizeof(*list), by_handler);
	plan->landings = list;
	plan->landing_count = drop_doubles(list, count);
	for (uint32_t i = 0; i < plan->landing_count; i++)
		list[i].state = weave_this_at(b, list[i].handler, &run);
	b->probe_used[WEAVE_PROBE_CAUGHT] = plan->landing_count > 0;
	return JW_OK;
}

const struct weave_landing *weave_landing_of(const struct weave_plan *plan,
					     const struct cfr_handler *h)
{
	struct weave_landing key = { .handler = h->handler_pc, .type = h->catch_type };

	if (plan->landing_count == 0 || h->catch_type == 0)
		return NULL;
	return bsearch(&key, plan->landings, plan->landing_count, sizeof(key), by_handler);
}

/* ---- frames ---- */

/* Gives the landings their frames, which are in SMT by rising pc, as the landings are by handler. */
static enum jw_status take_frames(struct weave_body *b, const struct cfr_smt *smt, struct jw_err *e)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < b->plan.landing_count; i++) {
		struct weave_landing *landing = &b->plan.landings[i];

		while (at < smt->count && smt->frames[at].pc < landing->handler)
			at++;
		if (at == smt->count || smt->frames[at].pc != landing->handler ||
		    smt->frames[at].stack_count != 1)
			return weave_leave(b, WEAVE_SKIP_FRAMES, e,
					   "pc %u: the frame of a handler is missing",
					   landing->handler);
		landing->locals = smt->frames[at].locals;
		landing->local_count = smt->frames[at].local_count;
		landing->stack = smt->frames[at].stack;
	}
	return JW_OK;
}

enum jw_status weave_landing_types(struct weave_body *b, struct jw_err *e)
{
	struct cfr_smt smt;

	if (b->plan.landing_count == 0 || b->old_verifier)
		return JW_OK;
	JW_TRY(weave_decode_frames(b, &smt, e));
	return take_frames(b, &smt, e);
}

/* ---- probes ---- */

static void write_show(const struct weave_body *b, enum weave_probe probe, uint8_t *code)
{
	uint16_t index = b->constants.probe[probe];

	code[0] = CFR_OP_dup;
	code[1] = CFR_OP_invokestatic;
	code[2] = (uint8_t)(index >> 8);
	code[3] = (uint8_t)index;
}

void weave_write_shows(struct weave_body *b)
{
	write_show(b, WEAVE_PROBE_THROWN, b->thrown);
	write_show(b, WEAVE_PROBE_CAUGHT, b->caught);
}
