/*
 * time_range.c: see time_range.h.
 */
#include <string.h>

#include "base/assert.h"
#include "trace/reader/prv_head.h"
#include "trace/reader/time_range.h"

#include "base/banned.h"

#define SECOND UINT64_C(1000000000)

/* ORDER: the largest first. */
static const struct {
	uint64_t ns;
	const char *name;
} units[] = { { SECOND, "s" }, { 1000000, "ms" }, { 1000, "us" }, { 1, "ns" } };

#define UNITS (sizeof(units) / sizeof(units[0]))

/* ---- a moment ---- */

/* "12.5" as 12.5 * 10^9; what is beyond nine digits after the point is dropped. */
static bool take_decimal(struct jw_span *s, uint64_t *out)
{
	uint64_t whole, part = 0, scale = SECOND;

	if (!trace_take_number(s, &whole) || whole > UINT64_MAX / SECOND - 1)
		return false;
	if (jw_span_starts(*s, JW_SPAN_LIT("."))) {
		*s = jw_span_sub(*s, 1, s->n);
		if (s->n == 0 || s->p[0] < '0' || s->p[0] > '9')
			return false;
	}
	while (s->n && s->p[0] >= '0' && s->p[0] <= '9') {
		scale /= 10;
		part += scale * (s->p[0] - (unsigned)'0');
		*s = jw_span_sub(*s, 1, s->n);
	}
	*out = whole * SECOND + part;
	return true;
}

bool trace_moment_parse(const char *text, struct trace_moment *out)
{
	struct jw_span rest = jw_span_str(text);
	uint64_t value;

	if (!take_decimal(&rest, &value))
		return false;
	if (jw_span_eq_str(rest, "%")) {
		*out = (struct trace_moment){ .share = (double)value / (100.0 * (double)SECOND),
					      .given = true,
					      .is_share = true };
		return value <= 100 * SECOND;
	}
	for (size_t i = 0; i < UNITS; i++) {
		if (!jw_span_eq_str(rest, units[i].name) && (i > 0 || rest.n))
			continue;
		*out = (struct trace_moment){ .ns = value / (SECOND / units[i].ns), .given = true };
		return true;
	}
	return false;
}

/* ---- a range ---- */

static uint64_t moment_at(const struct trace_moment *m, uint64_t end, uint64_t without)
{
	if (!m->given)
		return without;
	if (!m->is_share)
		return m->ns;
	return m->share >= 1 ? end : (uint64_t)(m->share * (double)end);
}

static enum jw_status nothing(struct jw_err *e, const char *what, uint64_t at, const char *than,
			      uint64_t limit)
{
	struct jw_buf text = { 0 };

	jw_put_fmt(&text, "%s ", what);
	trace_put_time(&text, at);
	jw_put_fmt(&text, "%s ", than);
	trace_put_time(&text, limit);
	jw_put_u1(&text, 0);
	enum jw_status status = text.failed == JW_OK
					? jw_fail(e, JW_USAGE, "%s", (const char *)text.p)
					: jw_nomem(e);

	jw_buf_free(&text);
	return status;
}

enum jw_status trace_range_of(const struct trace_range *range, uint64_t end, uint64_t *from,
			      uint64_t *to, struct jw_err *e)
{
	uint64_t all = end ? end : 1;
	uint64_t begin = moment_at(&range->from, all, 0), stop = moment_at(&range->to, all, all);

	if (begin >= all)
		return nothing(e, "the range begins at", begin, ": the trace ends at", end);
	if (begin >= stop)
		return nothing(e, "the range is empty: from", begin, " to", stop);
	*from = begin;
	*to = stop < all ? stop : all;
	return JW_OK;
}

/* ---- text ---- */

void trace_put_ns(struct jw_buf *out, uint64_t ns, uint64_t unit, int digits)
{
	uint64_t rest = ns % unit, scale = unit;
	size_t i = 0;

	jw_put_dec(out, ns / unit);
	for (int d = 0; d < digits && scale >= 10; d++) {
		scale /= 10;
		jw_put_fmt(out, "%s%u", d ? "" : ".", (unsigned)(rest / scale % 10));
	}
	while (i + 1 < UNITS && units[i].ns != unit)
		i++;
	jw_put_fmt(out, " %s", units[i].name);
}

void trace_put_time(struct jw_buf *out, uint64_t ns)
{
	size_t i = 0;

	while (i + 1 < UNITS && ns < units[i].ns)
		i++;
	uint64_t unit = units[i].ns;

	JW_ASSERT(unit > 0);
	uint64_t whole = ns / unit, step = unit;
	int digits = whole >= 1000 ? 0 : whole >= 100 ? 1 : whole >= 10 ? 2 : 3;

	for (int d = 0; d < digits; d++)
		step /= step >= 10 ? 10 : 1;
	ns -= ns % step; /* what is not shown; then zeros at the end are not, either */
	for (; digits && (step * 10 > unit || ns % (step * 10) == 0); digits--)
		step *= 10;
	trace_put_ns(out, ns, unit, digits);
}
