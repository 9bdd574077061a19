/*
 * rank.c: see rank.h.
 */
#include "trace/diff/rank.h"

#include <stdlib.h>

#include "base/banned.h"

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

double trace_rank_median(double *figures, size_t n)
{
	if (n > 1)
		qsort(figures, n, sizeof(*figures), by_size);
	return n % 2 ? figures[n / 2] : (figures[n / 2 - 1] + figures[n / 2]) / 2;
}

double trace_rank_spread(const double *sorted, size_t n)
{
	return sorted[n - 1 - n / 4] - sorted[n / 4];
}

static double power(double x, size_t n)
{
	double all = 1;

	for (; n > 0; n--)
		all *= x;
	return all;
}

/* A gap that is wider than either side is one between clusters of figures, and inside of these there are gaps only between smaller
 * ones. Where a figure is in the lower cluster in a SHARE of the cases, N and M runs are apart by the gap between both,
 * or in one cluster, of which the same holds. The most that any share has; LEAST: apart in any way. */
static double most_by_clusters(size_t n, size_t m, double least)
{
	double most = 0;

	for (size_t i = 1; i < 2 * (n + m); i++) { /* (a half, too, where N + M is odd) */
		double low = (double)i / (double)(2 * (n + m)), high = 1 - low;
		double apart = power(low, n) * power(high, m) + power(low, m) * power(high, n);
		double all = apart / (1 - power(low, n + m) - power(high, n + m));

		most = all > most ? all : most;
	}
	return most < least ? most : least;
}

/* The orders of N and M by U are the coefficients of a Gaussian binomial: the product of
 * (1 - q^(m + i)) / (1 - q^i) for i from 1 to n. */
bool trace_rank_open(struct trace_rank *rank, struct jw_arena *arena, size_t n, size_t m)
{
	size_t most = n * m;
	double *orders = JW_NEW_ARRAY(arena, double, most + 1), all = 0, sum = 0;

	if (!orders)
		return false;
	orders[0] = 1;
	for (size_t i = 1; i <= n; i++) {
		for (size_t u = most + 1; u-- > m + i;)
			orders[u] -= orders[u - m - i];
		for (size_t u = i; u <= most; u++)
			orders[u] += orders[u - i];
	}
	for (size_t u = 0; u <= most; u++)
		all += orders[u];
	for (size_t u = 0; u <= most; u++) {
		sum += orders[u];
		orders[u] = 2 * sum < all ? 2 * sum / all : 1;
	}
	*rank = (struct trace_rank){ n, m, orders, most_by_clusters(n, m, orders[0]) };
	return true;
}

double trace_rank_test(const struct trace_rank *rank, const double *a, const double *b)
{
	size_t twice = 0, all = 2 * rank->n * rank->m; /* of U: a tie is one */

	for (size_t i = 0; i < rank->n; i++)
		for (size_t k = 0; k < rank->m; k++)
			twice += a[i] < b[k] ? 2 : a[i] == b[k];
	if (twice > all - twice)
		twice = all - twice;
	return rank->chance[(twice + 1) / 2];
}

/* How many times as wide as the wider one of two sides is the gap between them? */
static double in_widths(double gap, double wide, double other)
{
	return gap / (wide > other ? wide : other);
}

/* The logarithm of X, which is 1 at least, as exact as it takes here: nothing else of this library needs libm. */
static double logarithm(double x)
{
	const double of_2 = 0.69314718055994531;
	double all = 0, sum = 0;

	for (; x > 1.5; x /= 2)
		all += of_2;
	double z = (x - 1) / (x + 1), power = z;

	for (int i = 1; i < 40; i += 2) {
		sum += power / i;
		power *= z * z;
	}
	return all + 2 * sum;
}

/* How far the LOW side is below the HIGH one; 0: not at all. What varies by a share of itself, as times do whose longest
 * are far out, is as wide in each place on a scale of logarithms. All figures are whole numbers: a side of equal ones is
 * one step wide. */
static double gap_in_widths(const double *low, size_t n, const double *high, size_t m)
{
	double least = low[0], top = low[n - 1], from = high[0], most = high[m - 1];
	double plain, share;

	if (from <= top)
		return 0;
	plain = in_widths(from - top, top - least + 1, most - from + 1);
	if (least <= 0)
		return plain;
	share = in_widths(logarithm(from / top), logarithm((top + 1) / least),
			  logarithm((most + 1) / from));
	return share > plain ? share : plain;
}

double trace_rank_gap(const struct trace_rank *rank, const double *a, const double *b)
{
	double gap = gap_in_widths(a, rank->n, b, rank->m);

	return gap > 0 ? gap : gap_in_widths(b, rank->m, a, rank->n);
}

double trace_rank_chance(const struct trace_rank *rank, const double *a, const double *b)
{
	return trace_rank_gap(rank, a, b) > 1 ? rank->wide : trace_rank_test(rank, a, b);
}

struct of_run {
	double figure;
	size_t run;
};

static int by_figure(const void *a, const void *b)
{
	return by_size(&((const struct of_run *)a)->figure, &((const struct of_run *)b)->figure);
}

/* The lowest N runs of SORTED and the others. A_BELOW: those would be A, else B. */
static struct trace_rank_split split_at(const struct of_run *sorted, size_t n, size_t m,
					bool a_below)
{
	double figures[2 * TRACE_RANK_MOST];
	struct trace_rank_split split = { 0 };

	for (size_t i = 0; i < n + m; i++) {
		figures[i] = sorted[i].figure;
		if ((i < n) == a_below)
			split.runs[sorted[i].run / 64] |= UINT64_C(1) << sorted[i].run % 64;
	}
	split.gap = gap_in_widths(figures, n, figures + n, m);
	split.low = trace_rank_median(figures, n);
	split.high = trace_rank_median(figures + n, m);
	return split;
}

void trace_rank_splits(const struct trace_rank *rank, const double *a, const double *b,
		       struct trace_rank_split splits[2])
{
	struct of_run all[2 * TRACE_RANK_MOST];
	size_t n = rank->n, m = rank->m;

	for (size_t i = 0; i < n + m; i++)
		all[i] = (struct of_run){ i < n ? a[i] : b[i - n], i };
	qsort(all, n + m, sizeof(*all), by_figure);
	splits[0] = split_at(all, n, m, true);
	splits[1] = split_at(all, m, n, false);
}

double trace_rank_least(const struct trace_rank *rank)
{
	return rank->chance[0];
}
