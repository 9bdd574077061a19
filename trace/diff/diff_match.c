/*
 * diff_match.c: see diff_match.h.
 *
 * By name, but for the bodies of lambda expressions: their compilers number them, through the class,
 * so that one more of them renames all after it. Where the lines of a class say that it was edited,
 * those of one enclosing method are lined up in the order of their lines instead, as two versions of
 * a text are by diff(1): of all ways to pair them in this order, the one in which the least differs.
 * What then is left over has come or gone.
 */
#include "trace/diff/diff_match.h"

#include <stdlib.h>
#include <string.h>

#include "trace/diff/rank.h"

#include "base/banned.h"

/* What it costs to call two lambdas the same. */
enum { COST_CALLS = 2, COST_TYPES = 3, COST_GONE = 3 };
#define MANY ((size_t)1 << 16) /* pairs; more are not worth the work: by order */

static size_t digits_before(const char *name, size_t n)
{
	size_t count = 0;

	while (count < n && name[n - count - 1] >= '0' && name[n - count - 1] <= '9')
		count++;
	return count;
}

/* lambda$main$3, of a serializable one lambda$main$7f3a09c1$1; main$lambda$3 and main$lambda-3
 * (Kotlin); $anonfun$main$3 (Scala). */
bool trace_diff_is_lambda(const char *name, struct jw_span *stem)
{
	size_t n = strlen(name), digits = digits_before(name, n), hex;

	if (digits == 0 || digits == n || !strchr("$-", name[n - digits - 1]) ||
	    (!strstr(name, "lambda$") && !strstr(name, "lambda-") && !strstr(name, "$anonfun$")))
		return false;
	n -= digits + 1;
	for (hex = 0; hex < n && strchr("0123456789abcdef", name[n - hex - 1]);)
		hex++;
	if (hex >= 6 && hex < n && name[n - hex - 1] == '$')
		n -= hex + 1;
	*stem = jw_span(name, n);
	return true;
}

struct lambda {
	const struct trace_diff_item *item;
	struct jw_span stem;
	size_t place; /* among the items */
	unsigned long line, number;
	double calls;
};

struct lambdas {
	struct lambda *at;
	size_t n;
};

static int compare_spans(struct jw_span x, struct jw_span y)
{
	int order = memcmp(x.p, y.p, x.n < y.n ? x.n : y.n);

	return order ? order : x.n < y.n ? -1 : x.n > y.n;
}

static int by_group(const struct lambda *x, const struct lambda *y)
{
	int order = strcmp(x->item->class_name, y->item->class_name);

	return order ? order : compare_spans(x->stem, y->stem);
}

static int by_place(const void *a, const void *b)
{
	const struct lambda *x = a, *y = b;
	int order = by_group(x, y);

	if (order)
		return order;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

static double calls_of(const struct trace_diff_side *side, const struct trace_diff_item *item)
{
	double calls[TRACE_DIFF_MAX_RUNS];

	for (size_t run = 0; run < side->runs; run++)
		calls[run] = item->values[run * TRACE_DIFF_COLUMNS + TRACE_DIFF_CALLS];
	return trace_rank_median(calls, side->runs);
}

/* Those of SIDE, sorted; owned. */
static enum jw_status collect(const struct trace_diff_side *side, struct lambdas *out,
			      struct jw_err *e)
{
	struct jw_span stem;
	size_t count = 0;

	for (size_t i = 0; i < side->items.n; i++)
		count += side->items.at[i].class_name[0] &&
			 trace_diff_is_lambda(side->items.at[i].name, &stem);
	out->at = jw_mem_zalloc(count + 1, sizeof(*out->at));
	if (!out->at)
		return jw_nomem(e);
	for (size_t i = 0; i < side->items.n; i++) {
		const struct trace_diff_item *item = &side->items.at[i];
		const char *colon = strrchr(item->place, ':');

		if (!item->class_name[0] || !trace_diff_is_lambda(item->name, &stem))
			continue;
		size_t n = strlen(item->name);

		out->at[out->n++] = (struct lambda){
			.item = item,
			.stem = stem,
			.place = i,
			.line = colon ? strtoul(colon + 1, NULL, 10) : 0,
			.number = strtoul(item->name + n - digits_before(item->name, n), NULL, 10),
			.calls = calls_of(side, item),
		};
	}
	if (out->n > 1)
		qsort(out->at, out->n, sizeof(*out->at), by_place);
	return JW_OK;
}

/* ---- was it edited? ---- */

/* Classes of A with a method that is at another line in B, sorted; owned. */
struct edited {
	const char **classes;
	size_t n;
};

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool is_edited(const struct edited *edited, const char *class_name)
{
	return edited->n &&
	       bsearch(&class_name, edited->classes, edited->n, sizeof(*edited->classes), by_text);
}

static enum jw_status find_edited(const struct trace_diff_side *a, const struct trace_diff_side *b,
				  struct edited *out, struct jw_err *e)
{
	out->classes = jw_mem_zalloc(a->items.n + 1, sizeof(*out->classes));
	if (!out->classes)
		return jw_nomem(e);
	for (size_t i = 0; i < a->items.n; i++) {
		const struct trace_diff_item *item = &a->items.at[i], *other;

		other = item->class_name[0] ? trace_diff_side_find(b, item) : NULL;
		if (other && strcmp(item->place, other->place) != 0)
			out->classes[out->n++] = item->class_name;
	}
	if (out->n > 1)
		qsort(out->classes, out->n, sizeof(*out->classes), by_text);
	return JW_OK;
}

/* The one of L that has X's name; NULL: none. */
static const struct lambda *of_name(const struct lambda *l, size_t n, const struct lambda *x)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(l[i].item->name, x->item->name) == 0)
			return &l[i];
	return NULL;
}

/* Is there a name with another line or type, or a line with another name? (Many lambdas may be in
 * one line: of those that have their names in both sides, nothing follows.) */
static bool disagree(const struct lambda *a, size_t n, const struct lambda *b, size_t m)
{
	for (size_t i = 0; i < n; i++) {
		const struct lambda *same = of_name(b, m, &a[i]);

		if (same && (same->line != a[i].line ||
			     strcmp(same->item->descriptor, a[i].item->descriptor) != 0))
			return true;
		for (size_t k = 0; !same && k < m; k++)
			if (b[k].line == a[i].line && !of_name(a, n, &b[k]))
				return true;
	}
	return false;
}

/* ---- pairs ---- */

static int cost(const struct lambda *x, const struct lambda *y)
{
	return (x->calls != y->calls ? COST_CALLS : 0) +
	       (strcmp(x->item->descriptor, y->item->descriptor) != 0 ? COST_TYPES : 0);
}

/* N of A and M of B, of one group: COSTS has room for (N + 1) * (M + 1). */
static void line_up(const struct lambda *a, size_t n, const struct lambda *b, size_t m, int *costs,
		    size_t *partners)
{
	size_t wide = m + 1;

	for (size_t i = n + 1; i-- > 0;)
		for (size_t k = m + 1; k-- > 0;) {
			int *to = &costs[i * wide + k];

			*to = i == n && k == m ? 0 : (int)(n - i + m - k) * COST_GONE;
			if (i == n || k == m)
				continue;
			int both = costs[(i + 1) * wide + k + 1] + cost(&a[i], &b[k]);
			int gone = costs[(i + 1) * wide + k] + COST_GONE;
			int come = costs[i * wide + k + 1] + COST_GONE;

			*to = both < gone ? both : gone;
			*to = come < *to ? come : *to;
		}
	for (size_t i = 0, k = 0; i < n && k < m;) {
		int here = costs[i * wide + k];

		if (here == costs[(i + 1) * wide + k + 1] + cost(&a[i], &b[k]))
			partners[a[i++].place] = b[k++].place;
		else if (here == costs[(i + 1) * wide + k] + COST_GONE)
			i++;
		else
			k++;
	}
}

static void pair_names(const struct lambda *a, size_t n, const struct lambda *b, size_t m,
		       size_t *partners)
{
	for (size_t i = 0; i < n; i++) {
		const struct lambda *same = of_name(b, m, &a[i]);

		if (same)
			partners[a[i].place] = same->place;
	}
}

static enum jw_status pair_group(const struct edited *edited, const struct lambda *a, size_t n,
				 const struct lambda *b, size_t m, size_t *partners,
				 struct jw_err *e)
{
	if (n > MANY / (m + 1)) {
		for (size_t i = 0; i < n && i < m; i++)
			partners[a[i].place] = b[i].place;
		return JW_OK;
	}
	if (!is_edited(edited, a->item->class_name) && !disagree(a, n, b, m)) {
		pair_names(a, n, b, m, partners);
		return JW_OK;
	}
	int *costs = jw_mem_zalloc((n + 1) * (m + 1), sizeof(*costs));

	if (!costs)
		return jw_nomem(e);
	line_up(a, n, b, m, costs, partners);
	jw_mem_free(costs);
	return JW_OK;
}

/* The end of the group that begins at FROM. */
static size_t group_end(const struct lambdas *l, size_t from)
{
	size_t end = from + 1;

	while (end < l->n && by_group(&l->at[from], &l->at[end]) == 0)
		end++;
	return end;
}

static enum jw_status pair_lambdas(const struct edited *edited, const struct lambdas *a,
				   const struct lambdas *b, size_t *partners, struct jw_err *e)
{
	for (size_t i = 0, k = 0; i < a->n && k < b->n;) {
		int order = by_group(&a->at[i], &b->at[k]);
		size_t i_end = order <= 0 ? group_end(a, i) : i;
		size_t k_end = order >= 0 ? group_end(b, k) : k;

		if (order == 0)
			JW_TRY(pair_group(edited, a->at + i, i_end - i, b->at + k, k_end - k,
					  partners, e));
		i = i_end;
		k = k_end;
	}
	return JW_OK;
}

enum jw_status trace_diff_match(const struct trace_diff_side *a, const struct trace_diff_side *b,
				size_t *partners, struct jw_err *e)
{
	struct lambdas of_a = { 0 }, of_b = { 0 };
	struct edited edited = { 0 };
	struct jw_span stem;

	for (size_t i = 0; i < a->items.n; i++) {
		const struct trace_diff_item *item = &a->items.at[i], *other = NULL;

		if (!item->class_name[0] || !trace_diff_is_lambda(item->name, &stem))
			other = trace_diff_side_find(b, item);
		partners[i] = other ? (size_t)(other - b->items.at) : SIZE_MAX;
	}
	enum jw_status status = collect(a, &of_a, e);

	if (status == JW_OK)
		status = collect(b, &of_b, e);
	if (status == JW_OK)
		status = find_edited(a, b, &edited, e);
	if (status == JW_OK)
		status = pair_lambdas(&edited, &of_a, &of_b, partners, e);
	jw_mem_free(edited.classes);
	jw_mem_free(of_a.at);
	jw_mem_free(of_b.at);
	return status;
}
