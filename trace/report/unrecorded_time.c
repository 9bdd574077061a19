#include "trace/format/recording.h"
#include "trace/reader/reader.h"
#include "trace/report/unrecorded_time.h"

#include "base/banned.h"

#define NOBODY UINT32_MAX
/* Below so much of details under a method, nothing is said of how its time divides. */
#define DETAIL_LEAST_NS 50000
/* What a detail lasts, about. */
#define DETAIL_NS (JWR_DETAIL_US * 1000ULL)
/* Closed methods that call each other, looked through for who called the first. */
#define DEEPEST 256

static struct trace_unrecorded_method *method_at(struct trace_reading *r, uint32_t number)
{
	struct trace_unrecorded *b = &r->unrecorded;

	while (number >= b->count) {
		struct trace_unrecorded_method *grown =
			trace_grow(b->methods, b->count, &b->cap, sizeof(*grown));

		if (!grown) {
			r->failed = true;
			return NULL;
		}
		b->methods = grown;
		grown[b->count++] = (struct trace_unrecorded_method){ 0 };
	}
	return &b->methods[number];
}

void trace_unrecorded_close(struct trace_reading *r, uint32_t at, uint64_t time, uint32_t number)
{
	struct trace_unrecorded_method *method = method_at(r, number);

	r->processes[r->lanes[at].task].closes = true;
	if (method && !method->closed_ns)
		method->closed_ns = time;
}

void trace_unrecorded_detail(struct trace_reading *r, uint32_t at, bool begins)
{
	r->processes[r->lanes[at].task].detail = begins;
}

/* When method NUMBER was closed first; 0: never. */
static uint64_t closed_ns(const struct trace_unrecorded *b, size_t number)
{
	return number < b->count ? b->methods[number].closed_ns : 0;
}

/* The innermost open method of LANE that was never closed. */
static uint32_t owner(const struct trace_reading *r, const struct trace_lane *lane)
{
	uint32_t least = lane->depth > DEEPEST ? lane->depth - DEEPEST : 0;

	for (uint32_t d = lane->depth; d > least; d--)
		if (!closed_ns(&r->unrecorded, lane->frames[d - 1].method))
			return lane->frames[d - 1].method;
	return NOBODY;
}

void trace_unrecorded_ran(struct trace_reading *r, const struct trace_lane *lane, uint64_t ns)
{
	const struct trace_process *p = &r->processes[lane->task];
	uint32_t number = lane->frames[lane->depth - 1].method;

	if (!p->closes)
		return;
	if (p->detail && !lane->met)
		return;
	if (p->detail) {
		struct trace_sum *sum = trace_tally_at(&r->unrecorded.seen, owner(r, lane), number);

		r->failed |= !sum;
		if (sum)
			sum->ns += ns < DETAIL_NS ? ns : DETAIL_NS;
		return;
	}
	struct trace_unrecorded_method *method = method_at(r, number);
	if (method && !method->closed_ns)
		method->outside_ns += ns;
}

/* All that details saw below each method. */
static void add_up(const struct trace_unrecorded *b, double *all)
{
	for (size_t i = 0; i < b->seen.n; i++) {
		const struct trace_sum *sum = &b->seen.sums[i];

		if (sum->a < b->count)
			all[sum->a] += (double)sum->ns;
	}
}

bool trace_unrecorded_finish(const struct trace_reading *r, struct trace_report_method *methods,
			     size_t count)
{
	const struct trace_unrecorded *b = &r->unrecorded;
	double *all = jw_mem_zalloc(b->count + 1, sizeof(*all));

	for (size_t i = 0; i < count; i++) {
		methods[i].closed_ns = closed_ns(b, i);
		methods[i].likely_ns = methods[i].self.ns[TRACE_REPORT_RUNNING];
	}
	if (!all)
		return false;
	add_up(b, all);
	for (size_t i = 0; i < b->seen.n; i++) {
		const struct trace_sum *sum = &b->seen.sums[i];

		if (sum->a >= b->count || sum->a >= count || sum->b >= count || sum->a == sum->b ||
		    all[sum->a] < DETAIL_LEAST_NS)
			continue;
		double part = (double)sum->ns / all[sum->a];
		uint64_t moved = (uint64_t)((double)b->methods[sum->a].outside_ns * part);

		methods[sum->b].likely_ns += moved;
		methods[sum->a].likely_ns -=
			moved < methods[sum->a].likely_ns ? moved : methods[sum->a].likely_ns;
	}
	jw_mem_free(all);
	return true;
}

void trace_unrecorded_free(struct trace_unrecorded *b)
{
	jw_mem_free(b->methods);
	trace_tally_free(&b->seen);
}
