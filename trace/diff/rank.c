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

double trace_rank_least(const struct trace_rank *rank)
{
	return rank->chance[0];
}
