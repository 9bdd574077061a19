/*
 * handlers.c: the exception table of the new code: the old entries, split around islands, then ours.
 *
 *     catch-alls of call sites | old entries | the method's own catch-all |
 *     over each call's handler: copies of what covered the call, the method's own |
 *     over each landing: its handler, copies of what covered that, the method's own
 *
 * The first entry that covers a pc is the one that counts.
 */
#include "weaver/class/handlers.h"

#include "base/assert.h"
#include "weaver/class/caught.h"

#include "base/banned.h"

static void put_handler(struct jw_buf *out, uint32_t start, uint32_t end, uint32_t handler,
			uint16_t type)
{
	jw_put_u2(out, start);
	jw_put_u2(out, end);
	jw_put_u2(out, handler);
	jw_put_u2(out, type);
}

/* The next edit with islands inside (START, END), from edit *I on; NULL: none. */
static const struct weave_edit *island_inside(const struct weave_plan *plan, uint32_t *i,
					      uint32_t end)
{
	for (; *i < plan->edit_count && plan->edits[*i].pc < end; ++*i) {
		if (plan->edits[*i].islands)
			return &plan->edits[(*i)++];
	}
	return NULL;
}

static uint32_t first_inside(const struct weave_plan *plan, uint32_t start)
{
	const struct weave_edit *edit = weave_plan_find(plan, start);

	return edit ? (uint32_t)(edit - plan->edits) + 1 : 0;
}

uint32_t weave_pieces(const struct weave_plan *plan, uint32_t start, uint32_t end)
{
	uint32_t pieces = 1;

	if (plan->island_count == 0)
		return pieces;
	for (uint32_t i = first_inside(plan, start); island_inside(plan, &i, end);)
		pieces++;
	return pieces;
}

/* The range START..END of the input. Islands have the frames of their targets, which may be outside
 * the range, so islands are never inside it. */
static void put_range(const struct weave_plan *plan, uint32_t start, uint32_t end, uint32_t handler,
		      uint16_t type, struct jw_buf *out)
{
	uint32_t at = weave_range_start(plan, start), i;
	const struct weave_edit *edit;

	if (plan->island_count > 0) {
		i = first_inside(plan, start);
		while ((edit = island_inside(plan, &i, end)) != NULL) {
			put_handler(out, at, edit->end, handler, type);
			at = edit->end + edit->islands * WEAVE_ISLAND_SIZE;
		}
	}
	put_handler(out, at, weave_range_end(plan, end), handler, type);
}

/* Where the entry H of the input leads to now. */
static uint32_t handler_at(const struct weave_plan *plan, const struct cfr_handler *h)
{
	const struct weave_landing *landing = weave_landing_of(plan, h);

	return landing ? landing->at : weave_lab(plan, h->handler_pc);
}

static const uint32_t ANY_HELD = UINT32_MAX;

/* Copies of the original entries that covered PC, in order, over the new AT..END: those that begin
 * with less than HELD monitors held. OUT NULL: only counts them. */
static uint32_t put_covering(const struct weave_body *b, uint32_t pc, uint32_t held, uint32_t at,
			     uint32_t end, struct jw_buf *out)
{
	uint32_t count = 0;

	for (uint16_t i = 0; i < b->code.handler_count; i++) {
		struct cfr_handler h = cfr_code_handler(&b->code, i);

		if (pc < h.start_pc || pc >= h.end_pc)
			continue;
		if (held != ANY_HELD && b->handler_held[i] >= held)
			continue;
		count++;
		if (out)
			put_handler(out, at, end, handler_at(&b->plan, &h), h.catch_type);
	}
	return count;
}

/* Over the handler of CALL: copies of what covered CALL, then the method's own catch-all. */
static uint32_t put_enclosing(const struct weave_body *b, const struct weave_call *call,
			      struct jw_buf *out)
{
	uint32_t end = call->at + call->join.fail, count = 0;
	const struct weave_tail *own =
		&b->plan.tails[call->uninit ? WEAVE_TAIL_UNINIT : WEAVE_TAIL_PLAIN];

	if (call->enclosed)
		count = put_covering(b, call->pc, call->instant ? call->held : ANY_HELD, call->at,
				     end, out);
	if (b->traced && out)
		put_handler(out, call->at, end, own->at, 0);
	return count + b->traced;
}

/* LANDING is covered as its handler is, and first by the handler itself. */
static uint32_t put_landing_range(const struct weave_body *b, const struct weave_landing *landing,
				  struct jw_buf *out)
{
	const struct weave_plan *plan = &b->plan;
	uint32_t end = landing->at + WEAVE_LANDING_SIZE;
	const struct weave_tail *own =
		&plan->tails[landing->state == WEAVE_THIS_UNINIT ? WEAVE_TAIL_UNINIT
								 : WEAVE_TAIL_PLAIN];
	bool tail = own->used && landing->state != WEAVE_THIS_NOW;

	if (out)
		put_handler(out, landing->at, end, weave_lab(plan, landing->handler),
			    landing->type);
	uint32_t count = put_covering(b, landing->handler, ANY_HELD, landing->at, end, out);
	if (tail && out)
		put_handler(out, landing->at, end, own->at, 0);
	return 1 + count + tail;
}

static uint64_t count_handlers(const struct weave_body *b)
{
	const struct weave_plan *plan = &b->plan;
	uint64_t count = 0;

	for (uint32_t i = 0; i < plan->call_count; i++) {
		if (plan->calls[i].tail)
			count += 1 + put_enclosing(b, &plan->calls[i], NULL);
	}
	for (uint16_t i = 0; i < b->code.handler_count; i++) {
		struct cfr_handler h = cfr_code_handler(&b->code, i);

		count += weave_pieces(plan, h.start_pc, h.end_pc);
	}
	for (uint32_t i = 0; i < plan->cover_count; i++)
		count += weave_pieces(plan, plan->covers[i].start, plan->covers[i].end);
	for (uint32_t i = 0; i < plan->landing_count; i++)
		count += put_landing_range(b, &plan->landings[i], NULL);
	return count;
}

/* ORDER: the first entry that covers a pc is the one that counts. */
enum jw_status weave_put_handlers(struct weave_body *b, struct jw_buf *out, struct jw_err *e)
{
	const struct weave_plan *plan = &b->plan;
	uint64_t count = count_handlers(b);
	size_t start = out->n;

	if (count > UINT16_MAX)
		return weave_leave(b, WEAVE_SKIP_HANDLERS_FULL, e, NULL);
	jw_put_u2(out, (size_t)count);
	for (uint32_t i = 0; i < plan->call_count; i++) {
		const struct weave_call *call = &plan->calls[i];

		if (call->tail && call->instant)
			put_handler(out, weave_lab(plan, call->pc), weave_ins(plan, call->pc),
				    call->at, 0);
		else if (call->tail)
			put_handler(out, weave_ins(plan, call->pc), weave_end(plan, call->next),
				    call->at, 0);
	}
	for (uint16_t i = 0; i < b->code.handler_count; i++) {
		struct cfr_handler h = cfr_code_handler(&b->code, i);

		put_range(plan, h.start_pc, h.end_pc, handler_at(plan, &h), h.catch_type, out);
	}
	for (uint32_t i = 0; i < plan->cover_count; i++) {
		const struct weave_cover *cover = &plan->covers[i];

		put_range(plan, cover->start, cover->end, plan->tails[cover->tail].at, 0, out);
	}
	for (uint32_t i = 0; i < plan->call_count; i++) {
		if (plan->calls[i].tail)
			put_enclosing(b, &plan->calls[i], out);
	}
	for (uint32_t i = 0; i < plan->landing_count; i++)
		put_landing_range(b, &plan->landings[i], out);
	JW_ASSERT(out->failed || out->n - start == 2 + count * CFR_HANDLER_BYTES);
	return JW_OK;
}
