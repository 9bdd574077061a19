/*
 * calls.c: see calls.h. What the pass makes of them is its own: states and arrows (find.c), or
 * events (call_events.c).
 */
#include "trace/format/methodmap.h"
#include "trace/format/recording.h"
#include "trace/reader/closings.h"
#include "trace/replay/calls.h"
#include "trace/replay/inside.h"
#include "trace/replay/pass.h"
#include "trace/replay/track.h"

#include "base/banned.h"

static void begin(struct trace_pass *p, const struct trace_who *who,
		  const struct trace_method *method, uint64_t time)
{
	struct trace_insides *in = &who->track->insides;
	uint32_t before = in->n;

	p->failed |= !trace_insides_enter(in, method, time);
	if (in->n > before)
		p->does->call_begins(p, who, method, time);
}

/* RECORDED: a record says so, else what was around it has ended. */
static void end_innermost(struct trace_pass *p, const struct trace_who *who, uint64_t time,
			  bool recorded, bool failed)
{
	p->does->call_ends(p, who, time, recorded, failed);
	who->track->insides.n--;
}

static void end_stale(struct trace_pass *p, const struct trace_who *who, uint64_t time)
{
	struct trace_insides *in = &who->track->insides;

	while (in->n && in->at[in->n - 1].stale)
		end_innermost(p, who, time, false, true);
}

static void end(struct trace_pass *p, const struct trace_who *who,
		const struct trace_method *method, uint64_t time, bool failed)
{
	struct trace_insides *in = &who->track->insides;
	uint32_t below = trace_insides_below(in, method);

	if (in->over) {
		in->over--;
		return;
	}
	if (below == in->n)
		return;
	while (in->n > below)
		end_innermost(p, who, time, in->n == below + 1, failed || in->n > below + 1);
	end_stale(p, who, time);
	if (p->does->calls_ended)
		p->does->calls_ended(p, who, time);
}

void trace_calls_take(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		      uint64_t word)
{
	enum jwr_kind kind = jwr_word_kind(word);
	const struct trace_method *method = trace_map_telling(p->map, jwr_word_payload(word));

	if (kind != JWR_ENTER && method)
		end(p, who, method, time, kind == JWR_FAIL);
	if (p->does->frame)
		p->does->frame(p, who, time, word);
	if (kind == JWR_ENTER && method)
		begin(p, who, method, time);
}

/* How many calls of IN are of the method of the DEPTH with PAYLOAD. */
static uint64_t count_of(const struct trace_insides *in, uint64_t payload)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < in->n; i++)
		n += jwr_depth_is_of(payload, in->at[i].method->id);
	return n;
}

void trace_calls_keep(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		      uint64_t word)
{
	struct trace_insides *in = &who->track->insides;
	uint64_t payload = jwr_word_payload(word), open = in->over ? 0 : count_of(in, payload);
	uint32_t before = in->n;

	while (open > payload >> 32) {
		open -= jwr_depth_is_of(payload, in->at[in->n - 1].method->id);
		end_innermost(p, who, time, false, true);
	}
	if (in->n < before && p->does->calls_ended)
		p->does->calls_ended(p, who, time);
	if (p->does->frame)
		p->does->frame(p, who, time, word);
}

void trace_calls_capture(struct trace_pass *p, const struct trace_who *who, uint64_t time,
			 uint64_t word)
{
	const struct trace_track *track = who->track;
	const struct trace_taken taken = {
		.is_object = jwr_word_kind(word) == JWR_OBJECT,
		.number = jwr_word_payload(word),
		.value = track->has_high ? jwr_wide_value(track->high, word) : jwr_word_value(word),
	};
	const struct jw_capture *c = trace_insides_capture(&who->track->insides, &taken);

	if (c)
		p->does->call_captures(p, who, time, c, &taken);
}

void trace_calls_shut(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		      const struct trace_closings *closings, uint64_t tick)
{
	struct trace_insides *in = &who->track->insides;

	for (uint32_t i = 0; i < in->n; i++)
		in->at[i].stale |= trace_closings_has(closings, in->at[i].method->id, tick);
	end_stale(p, who, time);
	if (p->does->shut)
		p->does->shut(p, who, time, closings, tick);
}

void trace_calls_end(struct trace_pass *p, const struct trace_who *who, uint64_t time)
{
	struct trace_insides *in = &who->track->insides;

	while (in->n)
		end_innermost(p, who, time, false, true);
	trace_insides_free(in);
}
