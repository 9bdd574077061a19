/*
 * rank.c: see rank.h.
 */
#include "trace/diff/rank.h"

#include <math.h>
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
	*rank = (struct trace_rank){ n, m, orders };
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
	double wider = wide > other ? wide : other;

	return wider > 0 ? gap / wider : INFINITY;
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
 * are far out, is as wide in each place on a scale of logarithms. */
static double gap_in_widths(const double *low, size_t n, const double *high, size_t m, double grain)
{
	double least = low[0], top = low[n - 1], from = high[0], most = high[m - 1];
	double plain, share;

	if (from <= top)
		return 0;
	plain = in_widths(from - top, top - least + grain, most - from + grain);
	if (least <= 0 || grain > 0)
		return plain;
	share = in_widths(logarithm(from / top), logarithm(top / least), logarithm(most / from));
	return share > plain ? share : plain;
}

/* Of N + M figures, any of a range as likely as any other, the N lowest are a side. The spaces between neighbours then
 * are as those between the arrivals of a stream, which says how likely the gap between the sides is WIDTHS times as
 * wide as the wider side: N - 1 and M - 1 arrivals of two streams come before one of a third, that has WIDTHS times
 * their rate. */
static double chance_of_gap(size_t n, size_t m, double widths)
{
	double row[TRACE_RANK_MOST], one = 1 / (1 + widths), either = 1 / (2 + widths);

	row[0] = 1;
	for (size_t k = 1; k < m; k++)
		row[k] = row[k - 1] * one;
	for (size_t i = 1; i < n; i++) {
		row[0] *= one;
		for (size_t k = 1; k < m; k++)
			row[k] = (row[k] + row[k - 1]) * either;
	}
	return row[m - 1];
}

double trace_rank_chance(const struct trace_rank *rank, const double *a, const double *b,
			 double grain)
{
	size_t n = rank->n, m = rank->m;
	double widths = gap_in_widths(a, n, b, m, grain);

	if (widths <= 0)
		widths = gap_in_widths(b, m, a, n, grain);
	return widths > 0 ? rank->chance[0] * chance_of_gap(n, m, widths)
			  : trace_rank_test(rank, a, b);
}

double trace_rank_least(const struct trace_rank *rank)
{
	return rank->chance[0];
}
