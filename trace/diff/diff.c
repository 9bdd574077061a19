/*
 * diff.c: see diff.h.
 */
#include "trace/diff/diff.h"

#include <stdlib.h>
#include <string.h>

#include "trace/diff/diff_many.h"
#include "trace/diff/diff_match.h"
#include "trace/diff/diff_ports.h"
#include "trace/diff/rank.h"
#include "trace/format/methodmap.h"
#include "trace/names/label.h"
#include "trace/names/titles.h"

#include "base/banned.h"

/* ORDER: the columns of methods are an enum, all are filled in diff_side.c */
const struct trace_diff_kind_info trace_diff_kinds[TRACE_DIFF_KINDS] = {
#define KIND(name, text, singular, plural) \
	[TRACE_DIFF_##name] = { .list = text, .one = singular, .many = plural },
	TRACE_DIFF_KIND_LIST(KIND)
#undef KIND
#define COLUMNS(name) [TRACE_DIFF_##name].columns
	COLUMNS(METHOD) = {
		{ "calls", "calls", TRACE_DIFF_COUNT, true, false, false, false },
		{ "exceptions", "exceptions", TRACE_DIFF_COUNT, true, false, false, false },
		{ "self", "self", TRACE_DIFF_NS, false, false, false, false },
		{ "total", "total", TRACE_DIFF_NS, false, false, false, false },
		{ "cpu", "own CPU", TRACE_DIFF_NS, false, false, false, false },
		{ "mean", "mean", TRACE_DIFF_CALL_NS, false, true, true, false },
		{ "longest", "longest", TRACE_DIFF_CALL_NS, false, false, false, false },
		{ "p50", "p50", TRACE_DIFF_CALL_NS, false, true, false, false },
		{ "p90", "p90", TRACE_DIFF_CALL_NS, false, true, false, false },
		{ "p99", "p99", TRACE_DIFF_CALL_NS, false, true, false, false },
		{ "p99.9", "p99.9", TRACE_DIFF_CALL_NS, false, true, false, false },
	},
	COLUMNS(WAIT) = {
		{ "count", "count", TRACE_DIFF_COUNT, false, false, false, true },
		{ "waited", "waited", TRACE_DIFF_NS, false, false, false, false },
		{ "longest", "longest", TRACE_DIFF_CALL_NS, false, false, false, false },
	},
	COLUMNS(ROLE) = {
		{ "threads", "threads", TRACE_DIFF_COUNT, false, false, false, false },
		{ "calls", "calls", TRACE_DIFF_COUNT, false, false, false, false },
		{ "inside", "in methods", TRACE_DIFF_NS, false, false, false, false },
		{ "running", "running", TRACE_DIFF_NS, false, false, false, false },
		{ "cpu", "CPU", TRACE_DIFF_NS, false, false, false, false },
	},
	COLUMNS(LOCK) = {
		{ "contended", "contended", TRACE_DIFF_COUNT, false, false, false, true },
		{ "blocked", "blocked", TRACE_DIFF_NS, false, false, false, false },
		{ "waits", "waits", TRACE_DIFF_COUNT, false, false, false, true },
		{ "waited", "waited", TRACE_DIFF_NS, false, false, false, false },
	},
	COLUMNS(OPERATION) = {
		{ "count", "count", TRACE_DIFF_COUNT, false, false, false, false },
		{ "time", "time", TRACE_DIFF_NS, false, false, false, false },
		{ "bytes", "bytes", TRACE_DIFF_BYTES, false, false, false, false },
	},
	COLUMNS(REQUEST) = {
		{ "count", "count", TRACE_DIFF_COUNT, false, false, false, false },
		{ "mean", "mean", TRACE_DIFF_CALL_NS, false, true, false, false },
		{ "p50", "p50", TRACE_DIFF_CALL_NS, false, true, false, false },
		{ "p99", "p99", TRACE_DIFF_CALL_NS, false, true, false, false },
		{ "longest", "longest", TRACE_DIFF_CALL_NS, false, false, false, false },
	},
	COLUMNS(THROWN) = {
		{ "thrown", "thrown", TRACE_DIFF_COUNT, true, false, false, false },
		{ "again", "thrown again", TRACE_DIFF_COUNT, true, false, false, false },
		{ "caught", "caught", TRACE_DIFF_COUNT, true, false, false, false },
	},
	COLUMNS(GC) = {
		{ "pauses", "pauses", TRACE_DIFF_COUNT, false, false, false, false },
		{ "time", "time", TRACE_DIFF_NS, false, false, false, false },
		{ "longest", "longest", TRACE_DIFF_CALL_NS, false, false, false, false },
	},
#undef COLUMNS
};

const char *trace_diff_verdict_word(enum trace_diff_verdict verdict)
{
	static const char *const words[] = {
#define WORD(name, word) word,
		TRACE_DIFF_VERDICT_LIST(WORD)
#undef WORD
	};

	return words[verdict];
}

const struct trace_diff_item *trace_diff_item_of(const struct trace_diff_pair *pair)
{
	return pair->b ? pair->b : pair->a;
}

/* ---- one figure ---- */

struct judge {
	const struct trace_diff *diff;
	struct trace_rank rank;
	double least_ns; /* a difference of times that counts */
};

static double apart(double a, double b)
{
	return a < b ? b - a : a - b;
}

/* The figures of ITEM, of KIND, in COLUMN by run, those of no item are 0; false: a run does not know it. */
static bool take(const struct trace_diff_side *side, const struct trace_diff_item *item,
		 enum trace_diff_kind kind, size_t column, double *out)
{
	for (size_t run = 0; run < side->runs; run++) {
		if (!item && side->unknown[run][kind] >> column & 1)
			return false;
		out[run] = item ? item->values[run * TRACE_DIFF_COLUMNS + column] : 0;
		if (out[run] == TRACE_DIFF_UNKNOWN)
			return false;
	}
	return true;
}

static bool all_same(const double *sorted, size_t n)
{
	return sorted[0] == sorted[n - 1];
}

/* What was not recorded of the pair's calls in both of its versions is no difference; what a time
 * decides (from 1.5ms) is another thing in each run. */
static bool is_timed(const struct trace_diff_item *item)
{
	return strstr(item->spared, "from ") != NULL;
}

static bool is_at_least(const struct trace_diff *d, const struct trace_diff_pair *pair)
{
	const struct trace_diff_item *a = pair->a, *b = pair->b;

	return d->a->incomplete || d->b->incomplete || (a && a->at_least) || (b && b->at_least) ||
	       (a && b && strcmp(a->spared, b->spared) != 0);
}

/* Is it as much as a change has to be, from A to B? How often threads meet varies as the arrivals of a stream do, by the
 * root of their number. */
static bool is_enough(const struct trace_diff_column *column, double a, double b)
{
	double more = apart(a, b), least = a < b ? b : a;

	return more >= least * TRACE_DIFF_LEAST_SHARE &&
	       (!column->races || more * more >= 4 * (a + b));
}

/* F keeps those SPLITS of its runs that would have been a change; a time is of each of CALLS. */
static void keep_splits(const struct judge *j, const struct trace_diff_column *column, double calls,
			const struct trace_rank_split splits[2], struct trace_diff_figure *f)
{
	for (size_t i = 0; i < 2 && j->diff->judged; i++) {
		double low = splits[i].low, high = splits[i].high;

		f->splits[i] = splits[i];
		if (!is_enough(column, low, high) ||
		    (trace_diff_is_time(column) && (high - low) * calls < j->least_ns))
			f->splits[i].gap = 0;
	}
}

/* Of figures that vary; A and B are sorted. */
static enum trace_diff_verdict weigh(const struct judge *j, const struct trace_diff_column *column,
				     struct trace_diff_figure *f, const double *a, const double *b)
{
	size_t n = j->diff->a->runs, m = j->diff->b->runs;
	double more = apart(f->a, f->b);

	if (!j->diff->judged)
		return TRACE_DIFF_UNJUDGED;
	f->p = trace_rank_chance(&j->rank, a, b);
	f->gap = trace_rank_gap(&j->rank, a, b);
	f->alone = f->p < TRACE_DIFF_CHANCE && is_enough(column, f->a, f->b) &&
		   more > trace_rank_spread(a, n) && more > trace_rank_spread(b, m);
	return f->alone ? TRACE_DIFF_CHANGED : TRACE_DIFF_NOISE;
}

static enum trace_diff_verdict judge(const struct judge *j, const struct trace_diff_pair *pair,
				     const struct trace_diff_column *column, size_t c,
				     struct trace_diff_figure *f)
{
	const struct trace_diff *d = j->diff;
	enum trace_diff_kind kind = trace_diff_item_of(pair)->kind;
	double a[TRACE_DIFF_MAX_RUNS], b[TRACE_DIFF_MAX_RUNS], calls = 1;
	struct trace_rank_split splits[2];

	f->a = f->b = f->p = f->corrected = TRACE_DIFF_UNKNOWN;
	if (!take(d->a, pair->a, kind, c, a) || !take(d->b, pair->b, kind, c, b))
		return TRACE_DIFF_NOT_KNOWN;
	trace_rank_splits(&j->rank, a, b, splits); /* (medians sort) */
	f->a = trace_rank_median(a, d->a->runs);
	f->b = trace_rank_median(b, d->b->runs);
	if (is_at_least(d, pair))
		return TRACE_DIFF_AT_LEAST;
	if (all_same(a, d->a->runs) && all_same(b, d->b->runs)) {
		if (f->a == f->b)
			return TRACE_DIFF_SAME;
		if (column->exact && !is_timed(trace_diff_item_of(pair)))
			return TRACE_DIFF_CHANGED;
	}
	if (column->per_call) { /* ORDER: calls were judged before */
		const struct trace_diff_figure *of = &pair->figures[TRACE_DIFF_CALLS];

		calls = of->a < of->b ? of->b : of->a;
	}
	keep_splits(j, column, calls, splits, f);
	if (trace_diff_is_time(column) && apart(f->a, f->b) * calls < j->least_ns) {
		f->large = (f->a < f->b ? f->b : f->a) * calls >= j->least_ns;
		return f->a == f->b ? TRACE_DIFF_SAME : TRACE_DIFF_SMALL;
	}
	return weigh(j, column, f, a, b);
}

/* A figure that nobody can judge, but that looks as if it had changed. */
static bool is_open(const struct trace_diff_figure *f)
{
	double more = f->a < f->b ? f->b : f->a;

	return f->verdict == TRACE_DIFF_UNJUDGED &&
	       apart(f->a, f->b) >= more * TRACE_DIFF_LEAST_SHARE;
}

static void judge_pair(const struct judge *j, struct trace_diff *d, struct trace_diff_pair *pair)
{
	enum trace_diff_kind kind = trace_diff_item_of(pair)->kind;

	for (size_t c = 0; c < TRACE_DIFF_COLUMNS; c++) {
		struct trace_diff_figure *f = &pair->figures[c];

		f->p = TRACE_DIFF_UNKNOWN;
		if (!trace_diff_kinds[kind].columns[c].word)
			continue;
		f->verdict = judge(j, pair, &trace_diff_kinds[kind].columns[c], c, f);
		/* (percentiles of calls that take no time are never the same) */
		pair->unjudged |= (kind != TRACE_DIFF_METHOD || c < TRACE_DIFF_P50) && is_open(f);
	}
	d->partly += kind == TRACE_DIFF_METHOD &&
		     pair->figures[TRACE_DIFF_CALLS].verdict == TRACE_DIFF_AT_LEAST;
}

/* Once all verdicts are there. */
static void sum_pair(struct trace_diff *d, struct trace_diff_pair *pair)
{
	enum trace_diff_kind kind = trace_diff_item_of(pair)->kind;

	bool few = false;

	for (size_t c = 0; c < TRACE_DIFF_COLUMNS && trace_diff_kinds[kind].columns[c].word; c++) {
		bool changed = pair->figures[c].verdict == TRACE_DIFF_CHANGED;

		d->changed[kind][c] += changed;
		pair->changed |= changed;
		few |= pair->figures[c].verdict == TRACE_DIFF_FEW;
	}
	d->few += few && !pair->changed;
	pair->unjudged = (pair->unjudged || few) && !pair->changed;
}

/* ---- the order ---- */

/* By what a kind is sorted: its first time, else its first figure. */
static size_t first_time(enum trace_diff_kind kind)
{
	for (size_t c = 0; c < TRACE_DIFF_COLUMNS && trace_diff_kinds[kind].columns[c].word; c++)
		if (trace_diff_kinds[kind].columns[c].unit == TRACE_DIFF_NS)
			return c;
	return 0;
}

/* qsort has no context: the keys are beside the pairs while they are sorted. */
struct keyed {
	double key;
	struct trace_diff_pair pair;
};

static int by_change(const void *a, const void *b)
{
	const struct keyed *x = a, *y = b;
	const struct trace_diff_item *of_x = trace_diff_item_of(&x->pair);
	const struct trace_diff_item *of_y = trace_diff_item_of(&y->pair);
	int order;

	if (x->pair.aside != y->pair.aside)
		return x->pair.aside ? 1 : -1;
	if (of_x->kind != of_y->kind)
		return of_x->kind < of_y->kind ? -1 : 1;
	if (x->pair.changed != y->pair.changed)
		return x->pair.changed ? -1 : 1;
	if (x->pair.unjudged != y->pair.unjudged)
		return x->pair.unjudged ? -1 : 1;
	if (x->key != y->key)
		return x->key > y->key ? -1 : 1;
	order = strcmp(of_x->class_name, of_y->class_name);
	order = order ? order : strcmp(of_x->label, of_y->label);
	return order ? order : strcmp(of_x->descriptor, of_y->descriptor);
}

enum jw_status trace_diff_sort(struct trace_diff *d, size_t column, struct jw_err *e)
{
	size_t n = d->all;

	d->by = column;
	struct keyed *keyed = jw_mem_zalloc(n + 1, sizeof(*keyed));

	if (!keyed)
		return jw_nomem(e);
	for (size_t i = 0; i < n; i++) {
		enum trace_diff_kind kind = trace_diff_item_of(&d->pairs[i])->kind;
		size_t c = kind == TRACE_DIFF_METHOD ? column : first_time(kind);
		const struct trace_diff_figure *f = &d->pairs[i].figures[c];

		keyed[i] = (struct keyed){ apart(f->a, f->b), d->pairs[i] };
	}
	if (n > 1)
		qsort(keyed, n, sizeof(*keyed), by_change);
	for (size_t i = 0; i < n; i++)
		d->pairs[i] = keyed[i].pair;
	jw_mem_free(keyed);
	return JW_OK;
}

/* ---- all of it ---- */

static bool says_nothing(const struct trace_diff_pair *pair)
{
	return (!pair->a || pair->a->little_else) && (!pair->b || pair->b->little_else);
}

static void put_pair(struct trace_diff *d, size_t *count, const struct trace_diff_item *a,
		     const struct trace_diff_item *b)
{
	struct trace_diff_pair *pair = &d->pairs[(*count)++];

	*pair = (struct trace_diff_pair){ .a = a, .b = b };
	pair->aside = says_nothing(pair);
}

static enum jw_status pair_items(struct trace_diff *d, struct jw_arena *arena, struct jw_err *e)
{
	size_t n = d->a->items.n, m = d->b->items.n, count = 0;
	size_t *partners = JW_NEW_ARRAY(arena, size_t, n + 1);
	bool *left_a = JW_NEW_ARRAY(arena, bool, n + 1), *left_b = JW_NEW_ARRAY(arena, bool, m + 1);
	struct trace_diff_folded folded[2];

	d->pairs = JW_NEW_ARRAY(arena, struct trace_diff_pair, n + m + 1);
	if (!partners || !left_a || !left_b || !d->pairs)
		return jw_nomem(e);
	JW_TRY(trace_diff_match(d->a, d->b, partners, e));
	for (size_t i = 0; i < m; i++)
		left_b[i] = true;
	for (size_t i = 0; i < n; i++) {
		left_a[i] = partners[i] == SIZE_MAX;
		if (left_a[i])
			continue;
		left_b[partners[i]] = false;
		put_pair(d, &count, &d->a->items.at[i], &d->b->items.at[partners[i]]);
	}
	JW_TRY(trace_diff_fold_ports(d->a, left_a, d->b, left_b, arena, folded, e));
	for (size_t i = 0; i < folded[0].n; i++)
		put_pair(d, &count, &folded[0].at[i], &folded[1].at[i]);
	for (size_t i = 0; i < n; i++)
		if (left_a[i])
			put_pair(d, &count, &d->a->items.at[i], NULL);
	for (size_t i = 0; i < m; i++)
		if (left_b[i])
			put_pair(d, &count, NULL, &d->b->items.at[i]);
	d->all = count;
	return JW_OK;
}

/* "LABEL [com.acme.Shop.buy(int):void]"; the label of what has no whole name. NULL: no memory. */
static const char *whole_label(struct jw_arena *arena, const struct trace_diff_item *item)
{
	const struct trace_method method = { .class_name = item->class_name,
					     .name = item->name,
					     .descriptor = item->descriptor,
					     .source = "",
					     .rule = "",
					     .label = "" };
	struct jw_buf text = { 0 };

	if (!item->class_name[0])
		return item->label;
	trace_put_label(&text, &method, 0, SIZE_MAX);
	jw_put_u1(&text, 0);
	const char *open = text.failed ? NULL : strstr((const char *)text.p, " [");
	const char *whole = text.failed ? NULL
			    : open      ? jw_arena_fmt(arena, "%s%s", item->label, open)
					: item->label;

	jw_buf_free(&text);
	return whole;
}

/* Methods that share a label are told apart by their types. */
static enum jw_status put_titles(struct trace_diff *d, struct jw_arena *arena, struct jw_err *e)
{
	size_t all = d->all, n = 0;
	struct trace_titled *list = JW_NEW_ARRAY(arena, struct trace_titled, all + 1);

	for (size_t i = 0; list && i < all; i++) {
		const struct trace_diff_item *item = trace_diff_item_of(&d->pairs[i]);

		d->pairs[i].title = item->label;
		if (item->kind != TRACE_DIFF_METHOD)
			continue;
		list[n].label = whole_label(arena, item);
		if (!list[n++].label)
			return jw_nomem(e);
	}
	if (!list || !trace_titles(list, n, arena))
		return jw_nomem(e);
	for (size_t i = all; i-- > 0;)
		if (trace_diff_item_of(&d->pairs[i])->kind == TRACE_DIFF_METHOD)
			d->pairs[i].title = list[--n].title;
	return JW_OK;
}

static double median_duration(const struct trace_diff_side *side)
{
	double all[TRACE_DIFF_MAX_RUNS];

	memcpy(all, side->duration_ns, side->runs * sizeof(*all));
	return trace_rank_median(all, side->runs);
}

enum jw_status trace_diff_compare(const struct trace_diff_side *a, const struct trace_diff_side *b,
				  struct jw_arena *arena, struct trace_diff *out, struct jw_err *e)
{
	struct trace_diff d = { .a = a, .b = b };
	struct judge j = { .diff = &d };

	if (a->runs == 0 || b->runs == 0)
		return jw_bug(e, "a side without a run");
	if (!trace_rank_open(&j.rank, arena, a->runs, b->runs))
		return jw_nomem(e);
	d.least = trace_rank_least(&j.rank);
	d.judged = d.least < TRACE_DIFF_CHANCE;
	d.a_duration_ns = median_duration(a);
	d.b_duration_ns = median_duration(b);
	j.least_ns = TRACE_DIFF_LEAST_TIME *
		     (d.a_duration_ns < d.b_duration_ns ? d.b_duration_ns : d.a_duration_ns);
	JW_TRY(pair_items(&d, arena, e));
	JW_TRY(put_titles(&d, arena, e));
	for (size_t i = 0; i < d.all; i++)
		judge_pair(&j, &d, &d.pairs[i]);
	JW_TRY(trace_diff_correct(&d, e));
	for (size_t i = 0; i < d.all; i++)
		if (!d.pairs[i].aside)
			sum_pair(&d, &d.pairs[i]);
	JW_TRY(trace_diff_sort(&d, TRACE_DIFF_SELF, e));
	for (size_t kind = 0, i = 0; kind <= TRACE_DIFF_KINDS; kind++) {
		d.first[kind] = i;
		while (i < d.all && !d.pairs[i].aside &&
		       trace_diff_item_of(&d.pairs[i])->kind == kind)
			i++;
	}
	*out = d;
	return JW_OK;
}
