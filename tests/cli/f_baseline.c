/*
 * f_baseline.c: any bytes as a baseline of `jweave diff`: read or refused with a place; what is read
 * is written, read again and written again as the same text, and compared with itself, where nothing
 * has changed and no gate fails.
 */
#include <stdlib.h>

#include "cli/diff.h"
#include "tests/fuzz.h"

#include "base/banned.h"

static void must(bool holds)
{
	if (!holds)
		abort();
}

static void compare(const struct trace_diff_side *a, const struct trace_diff_side *b,
		    struct jw_arena *arena)
{
	struct trace_diff diff;
	struct jw_err e = { 0 };

	must(trace_diff_compare(a, b, arena, &diff, &e) == JW_OK);
	must(diff.all == a->items.n); /* each with its own */
	for (size_t i = 0; i < a->items.n; i++)
		must(!diff.pairs[i].changed && diff.pairs[i].a && diff.pairs[i].b);
	for (size_t c = 0; c < TRACE_DIFF_COLUMNS; c++)
		must(trace_diff_sort(&diff, c, &e) == JW_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct jw_arena arena = { 0 };
	struct trace_diff_side side = { 0 }, again = { 0 };
	struct jw_buf text = { 0 }, same = { 0 };
	struct jw_err e = { 0 };
	enum jw_status status = cli_baseline_read(jw_span(data, size), "base", &arena, &side, &e);

	must(status == JW_OK || status == JW_INPUT);
	must(status == JW_OK || jw_span_starts(jw_span_str(e.text), JW_SPAN_LIT("base:")));
	if (status == JW_OK) {
		must(cli_baseline_put(&text, &side, &e) == JW_OK);
		must(cli_baseline_read(jw_buf_span(&text), "base", &arena, &again, &e) == JW_OK);
		must(cli_baseline_put(&same, &again, &e) == JW_OK);
		must(jw_span_eq(jw_buf_span(&text), jw_buf_span(&same)));
		compare(&side, &again, &arena);
	}
	jw_buf_free(&text);
	jw_buf_free(&same);
	trace_diff_side_close(&side);
	trace_diff_side_close(&again);
	jw_arena_free(&arena);
	return 0;
}
