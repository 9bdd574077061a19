/*
 * view_track.c: see view_track.h.
 */
#include <string.h>

#include "base/memory.h"
#include "trace/view/view_track.h"

#include "base/banned.h"

/* Of a cell: the longest are kept, when there are more. */
enum { SHARES = 6 };
enum { VARINT_MAX = 10, SPAN_MAX = 5 * VARINT_MAX };

struct share {
	uint64_t ns;
	uint32_t what;
	bool failed;
};

struct trace_view_sum {
	uint64_t last; /* the last instant of its cell */
	uint64_t begin, end, count, busy;
	struct share shares[SHARES];
	uint32_t n;
};

/* ---- numbers ---- */

static size_t write_varint(uint8_t *to, uint64_t v)
{
	size_t n = 0;

	for (; v > 127; v >>= 7)
		to[n++] = (uint8_t)(v | 128);
	to[n++] = (uint8_t)v;
	return n;
}

void trace_view_put(struct jw_buf *out, uint64_t v)
{
	uint8_t bytes[VARINT_MAX];

	jw_put_bytes(out, jw_span(bytes, write_varint(bytes, v)));
}

uint64_t trace_view_get(struct jw_cur *c)
{
	uint8_t byte = jw_cur_u1(c);
	uint64_t v = byte & 127;

	if (byte < 128) /* as most are */
		return v;
	for (unsigned shift = 7; shift < 64; shift += 7) {
		byte = jw_cur_u1(c);

		v |= (uint64_t)(byte & 127) << shift;
		if (byte < 128)
			return v;
	}
	c->bad = true;
	return 0;
}

/* ---- spans as bytes ---- */

static bool put(struct trace_view_track *t, const struct trace_view_span *s)
{
	uint64_t what = (uint64_t)s->what << 2 | (s->failed ? TRACE_VIEW_FAILED : 0) |
			(s->is_sum ? TRACE_VIEW_IS_SUM : 0);

	jw_buf_reserve(&t->bytes, SPAN_MAX);
	if (t->bytes.failed != JW_OK)
		return false;
	uint8_t *bytes = t->bytes.p + t->bytes.n;
	size_t n = write_varint(bytes, s->begin - t->end);

	n += write_varint(bytes + n, s->ns);
	n += write_varint(bytes + n, what);
	if (s->is_sum) {
		n += write_varint(bytes + n, s->count);
		n += write_varint(bytes + n, s->busy);
	}
	t->bytes.n += n;
	t->end = s->begin + s->ns;
	t->n++;
	return true;
}

struct trace_view_reader trace_view_track_open(const struct trace_view_track *t)
{
	return (struct trace_view_reader){ .bytes = jw_cur(jw_buf_span(&t->bytes)) };
}

bool trace_view_track_next(struct trace_view_reader *r, struct trace_view_span *out)
{
	if (!jw_cur_left(&r->bytes))
		return false;
	out->begin = r->end + trace_view_get(&r->bytes);
	out->ns = trace_view_get(&r->bytes);
	uint64_t what = trace_view_get(&r->bytes);

	out->what = (uint32_t)(what >> 2);
	out->failed = what & TRACE_VIEW_FAILED;
	out->is_sum = what & TRACE_VIEW_IS_SUM;
	out->count = out->is_sum ? trace_view_get(&r->bytes) : 1;
	out->busy = out->is_sum ? trace_view_get(&r->bytes) : out->ns;
	r->end = out->begin + out->ns;
	return jw_cur_ok(&r->bytes);
}

/* ---- sums ---- */

static void add_share(struct trace_view_sum *sum, const struct trace_view_span *s)
{
	uint32_t least = 0;

	for (uint32_t i = 0; i < sum->n; i++) {
		if (sum->shares[i].what == s->what && sum->shares[i].failed == s->failed) {
			sum->shares[i].ns += s->busy;
			return;
		}
		if (sum->shares[i].ns < sum->shares[least].ns)
			least = i;
	}
	if (sum->n < SHARES)
		least = sum->n++;
	else if (sum->shares[least].ns >= s->busy)
		return;
	sum->shares[least] = (struct share){ s->busy, s->what, s->failed };
}

/* What is gathered becomes a span. */
static bool put_sum(struct trace_view_track *t)
{
	struct trace_view_sum *sum = t->sum;
	uint32_t most = 0;

	if (!sum || !sum->count)
		return true;
	for (uint32_t i = 1; i < sum->n; i++)
		if (sum->shares[i].ns > sum->shares[most].ns)
			most = i;
	const struct trace_view_span span = { .begin = sum->begin,
					      .ns = sum->end - sum->begin,
					      .what = sum->shares[most].what,
					      .failed = sum->shares[most].failed,
					      .is_sum = sum->count > 1,
					      .count = sum->count,
					      .busy = sum->busy };

	sum->count = 0;
	return put(t, &span);
}

static void open_sum(struct trace_view_sum *sum, uint64_t begin, uint64_t least)
{
	uint64_t rest = least - 1 - begin % least;

	sum->begin = begin;
	sum->last = begin < UINT64_MAX - rest ? begin + rest : UINT64_MAX;
	sum->busy = 0;
	sum->n = 0;
}

static bool gather(struct trace_view_track *t, uint64_t least, const struct trace_view_span *s)
{
	if (t->sum && t->sum->count && t->sum->last < s->begin && !put_sum(t))
		return false;
	if (!t->sum)
		t->sum = jw_mem_zalloc(1, sizeof(*t->sum));
	if (!t->sum)
		return false;
	struct trace_view_sum *sum = t->sum;

	if (!sum->count)
		open_sum(sum, s->begin, least);
	sum->end = s->begin + s->ns;
	sum->count += s->count;
	sum->busy += s->busy;
	add_share(sum, s);
	return true;
}

/* ---- tracks ---- */

static uint64_t filled(const struct trace_view_track *t)
{
	return t->sum && t->sum->count ? t->sum->end : t->end;
}

bool trace_view_track_add(struct trace_view_track *t, uint64_t least,
			  const struct trace_view_span *span)
{
	struct trace_view_span s = *span;
	uint64_t from = filled(t), end = s.begin + s.ns;

	if (end < from || (end == from && s.ns)) /* of a trace that somebody wrote */
		return true;
	if (s.begin < from) {
		s.begin = from;
		s.ns = end - from;
		s.busy = s.busy < s.ns ? s.busy : s.ns;
	}
	if (s.ns < least)
		return gather(t, least, &s);
	return put_sum(t) && put(t, &s);
}

bool trace_view_track_close(struct trace_view_track *t)
{
	bool done = put_sum(t);

	jw_mem_free(t->sum);
	t->sum = NULL;
	return done;
}

bool trace_view_track_coarsen(struct trace_view_track *t, uint64_t least)
{
	struct trace_view_track coarse = { 0 };
	struct trace_view_span span;
	bool done = trace_view_track_close(t);

	for (struct trace_view_reader r = trace_view_track_open(t);
	     done && trace_view_track_next(&r, &span);)
		done = trace_view_track_add(&coarse, least, &span);
	trace_view_track_free(t);
	*t = coarse;
	return done;
}

void trace_view_track_free(struct trace_view_track *t)
{
	jw_buf_free(&t->bytes);
	jw_mem_free(t->sum);
	*t = (struct trace_view_track){ 0 };
}
