/*
 * draw_band.c: times, in order, become columns: of each, what took most of it.
 *
 *     |..aaab|bbbbbb|bbbb.a|      a    b    b
 */
#include "trace/draw/draw_band.h"
#include "trace/reader/reader.h"

#include "base/banned.h"

/* A column of which less than one in FAINT is covered is drawn faintly. */
#define FAINT 4

/* Where column C begins. */
static uint64_t begin_of(const struct trace_draw_scale *s, uint32_t c)
{
	double offset = (double)(s->to - s->from) / s->columns * c;

	return c >= s->columns ? s->to : s->from + (uint64_t)offset;
}

uint32_t trace_draw_column(const struct trace_draw_scale *s, uint64_t time)
{
	if (time <= s->from)
		return 0;
	double c = (double)(time - s->from) / (double)(s->to - s->from) * s->columns;

	return c < s->columns ? (uint32_t)c : s->columns - 1;
}

static bool put_run(struct trace_draw_band *b, uint32_t what, uint32_t first, uint32_t last)
{
	struct trace_draw_run *latest = b->n ? &b->runs[b->n - 1] : NULL;

	if (latest && latest->what == what && latest->last + 1u == first) {
		latest->last = (uint16_t)last;
		return true;
	}
	struct trace_draw_run *grown = trace_grow(b->runs, b->n, &b->cap, sizeof(*grown));

	if (!grown)
		return false;
	b->runs = grown;
	grown[b->n++] = (struct trace_draw_run){ what, (uint16_t)first, (uint16_t)last };
	return true;
}

bool trace_draw_band_finish(struct trace_draw_band *b, const struct trace_draw_scale *s)
{
	const struct trace_draw_share *most = &b->shares[0];
	uint64_t room = begin_of(s, b->column + 1) - begin_of(s, b->column);

	if (b->share_n == 0)
		return true;
	for (uint32_t i = 1; i < b->share_n; i++)
		most = b->shares[i].ns > most->ns ? &b->shares[i] : most;
	uint32_t faint = b->covered < room / FAINT + (room % FAINT > 0) ? TRACE_DRAW_FAINT : 0;

	b->share_n = 0;
	b->covered = 0;
	return put_run(b, most->what | faint, b->column, b->column);
}

/* Where there are too many, the one with the least time gives its place and its time away. */
static void share(struct trace_draw_band *b, uint32_t what, uint64_t ns)
{
	struct trace_draw_share *least = &b->shares[0];

	b->covered += ns;
	for (uint32_t i = 0; i < b->share_n; i++) {
		if (b->shares[i].what == what) {
			b->shares[i].ns += ns;
			return;
		}
		least = b->shares[i].ns < least->ns ? &b->shares[i] : least;
	}
	if (b->share_n < TRACE_DRAW_SHARES) {
		b->shares[b->share_n++] = (struct trace_draw_share){ ns, what };
		return;
	}
	least->what = what;
	least->ns += ns;
}

/* Column C, of which WHAT has NS more. */
static bool fill(struct trace_draw_band *b, const struct trace_draw_scale *s, uint32_t c,
		 uint32_t what, uint64_t ns)
{
	if (c != b->column && !trace_draw_band_finish(b, s))
		return false;
	b->column = c;
	share(b, what, ns);
	return true;
}

bool trace_draw_band_add(struct trace_draw_band *b, const struct trace_draw_scale *s, uint32_t what,
			 uint64_t begin, uint64_t end)
{
	begin = begin > s->from ? begin : s->from;
	begin = begin > b->time ? begin : b->time;
	end = end < s->to ? end : s->to;
	if (begin >= end)
		return true;
	uint32_t first = trace_draw_column(s, begin), last = trace_draw_column(s, end - 1);

	first = first > b->column ? first : b->column; /* rounding never goes back */
	last = last > first ? last : first;
	b->time = end;
	if (first == last)
		return fill(b, s, first, what, end - begin);
	uint64_t head = begin_of(s, first + 1), tail = begin_of(s, last);

	if (!fill(b, s, first, what, head > begin ? head - begin : 1))
		return false;
	if (last > first + 1) { /* all of the columns between */
		if (!trace_draw_band_finish(b, s) || !put_run(b, what, first + 1, last - 1))
			return false;
	}
	return fill(b, s, last, what, end > tail ? end - tail : 1);
}
