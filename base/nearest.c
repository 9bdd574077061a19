#include "base/nearest.h"

#include <stdbool.h>
#include <string.h>

#include "base/banned.h"

enum { MAX_WORD = 40, MIN_PART = 4 };

static int lower(int c)
{
	return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Edit distance (insert, delete, replace, swap of neighbours); case is ignored. */
static unsigned distance(const char *a, const char *b)
{
	unsigned row[3][MAX_WORD + 1];
	size_t n = strlen(a), m = strlen(b);

	if (n > MAX_WORD || m > MAX_WORD)
		return MAX_WORD;
	for (unsigned j = 0; j <= m; j++)
		row[0][j] = j;
	for (size_t i = 1; i <= n; i++) {
		unsigned *now = row[i % 3], *before = row[(i - 1) % 3], *two = row[(i + 1) % 3];

		now[0] = (unsigned)i;
		for (size_t j = 1; j <= m; j++) {
			bool same = lower(a[i - 1]) == lower(b[j - 1]);

			now[j] = least(before[j - 1] + !same, 1 + least(before[j], now[j - 1]));
			if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
			    lower(a[i - 2]) == lower(b[j - 1]))
				now[j] = least(now[j], two[j - 2] + 1);
		}
	}
	return row[n % 3][m];
}

/* Is the shorter of A and B the beginning or the end of the other? Case is ignored. */
static bool begins_or_ends(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b);
	bool begins = true, ends = true;

	if (n > m)
		return begins_or_ends(b, a);
	for (size_t i = 0; i < n; i++) {
		begins = begins && lower(a[i]) == lower(b[i]);
		ends = ends && lower(a[i]) == lower(b[m - n + i]);
	}
	return n >= MIN_PART && (begins || ends);
}

/* The name that WORD is a part of, or that is a part of it ("warning", "warn"), the most similar
 * first. */
static const char *nearest_part(const char *word, const char *const *names, size_t count)
{
	const char *best = NULL;
	size_t n = strlen(word), best_more = MAX_WORD;

	for (size_t i = 0; i < count; i++) {
		size_t m = strlen(names[i]), more = m > n ? m - n : n - m;

		if (more < best_more && begins_or_ends(word, names[i])) {
			best = names[i];
			best_more = more;
		}
	}
	return best;
}

const char *jw_nearest(const char *word, const char *const *names, size_t count)
{
	size_t best = count;               /* none */
	size_t dashes = strspn(word, "-"); /* of an option: they say nothing */
	unsigned letters = (unsigned)strlen(word + dashes), best_distance = letters / 3;

	if (best_distance == 0)
		best_distance = 1;
	for (size_t i = 0; i < count; i++) {
		unsigned d = distance(word, names[i]);

		if (d >= letters) /* nothing of the word is left */
			continue;
		if (d < best_distance || (d == best_distance && best == count)) {
			best = i;
			best_distance = d;
		}
	}
	return best < count ? names[best] : nearest_part(word + dashes, names, count);
}
