/*
 * t_view_said.c: the section "said" of a page: values of calls, names of captures, texts, arrows.
 */
#include <string.h>

#include "base/memory.h"
#include "tests/tap.h"
#include "trace/format/methodmap.h"
#include "trace/view/view.h"
#include "trace/view/view_columns.h"
#include "trace/view/view_said.h"
#include "trace/view/view_track.h"

#include "base/banned.h"

static bool is_text(struct jw_cur *c, const char *want)
{
	uint64_t n = trace_view_get(c);
	const size_t length = strlen(want);

	if (n != length)
		return false;
	for (size_t i = 0; i < length; i++)
		if (jw_cur_u1(c) != (uint8_t)want[i])
			return false;
	return true;
}

static void is_numbers(struct jw_cur *c, const uint64_t *want, size_t n)
{
	for (size_t i = 0; i < n; i++)
		is_int(trace_view_get(c), want[i]);
}

TEST(values_names_and_arrows_are_written)
{
	struct trace_view_said said = { 0 };
	const struct trace_view_value values[] = {
		{ .begin = 1000, .value = 42, .row = 3, .line = 2, .type = 7 },
		{ .begin = 2000, .value = 5, .row = 0, .line = 1, .type = 8, .is_text = true },
	};
	const struct jw_capture order = { .type = 7 };
	const struct trace_captured captured[] = { { &order, "order \"1\" <b>" } };
	const struct trace_text texts[] = { { 5, "caf\303\251" } };
	const struct trace_names names = {
		.captured = captured, .captured_count = 1, .texts = texts, .text_count = 1
	};
	const struct trace_view_arrow arrows[] = { { .tag = 4 }, { .tag = 9 }, { .tag = 4 } };
	struct jw_buf out = { 0 };

	ok(trace_view_said_add(&said, &values[0]) && trace_view_said_add(&said, &values[1]));
	trace_view_said_put(&said, &names, arrows, 3, &out);
	ok(out.failed == JW_OK);
	struct jw_cur c = jw_cur(jw_buf_span(&out));

	is_numbers(&c, (const uint64_t[]){ 2, 2, 3, 2, 1000, 7, 0, 42, 0, 1, 2000, 8, 1, 5 }, 14);
	is_numbers(&c, (const uint64_t[]){ 1, 7 }, 2);
	ok(is_text(&c, "order \"1\" <b>"));
	is_numbers(&c, (const uint64_t[]){ 1, 5 }, 2);
	ok(is_text(&c, "caf\303\251"));
	is_numbers(&c, (const uint64_t[]){ 2, 4 }, 2); /* each tag once */
	jw_buf_free(&out);
	trace_view_said_free(&said);
	is_int(said.n, 0);
}

/* Of a .prv: what its .pcf names, by a number of the page's own; what it does not, as the number that it is. */
TEST(events_of_the_programs_own_have_their_names)
{
	struct trace_view_said said = { 0 };
	const struct trace_view_value values[] = {
		{ .begin = 1, .value = 3, .row = 0, .line = 1, .type = 48110000, .is_user = true },
		{ .begin = 2,
		  .value = 9000000000,
		  .row = 0,
		  .line = 1,
		  .type = 1000,
		  .is_user = true },
		{ .begin = 3, .value = 3, .row = 0, .line = 1, .type = 48110000, .is_user = true },
	};
	const uint64_t text = UINT64_C(1) << 40 | 1; /* the second name that is wanted */
	struct jw_buf out = { 0 };

	for (size_t i = 0; i < 3; i++)
		ok(trace_view_said_add(&said, &values[i]));
	ok(trace_view_said_want(&said));
	trace_view_said_name(&said, TRACE_NAME_EVENT, 48110000, JW_SPAN_LIT("SQL"));
	trace_view_said_name(&said, TRACE_NAME_VALUE, trace_value_number(48110000, 3),
			     JW_SPAN_LIT("commit"));
	trace_view_said_name(&said, TRACE_NAME_VALUE, trace_value_number(48110000, 4),
			     JW_SPAN_LIT("nobody asked"));
	trace_view_said_put(&said, NULL, NULL, 0, &out);
	struct jw_cur c = jw_cur(jw_buf_span(&out));

	is_numbers(&c, (const uint64_t[]){ 3, 3, 0, 1, 1, 48110000, 1, text }, 8);
	is_numbers(&c, (const uint64_t[]){ 0, 1, 2, 1000, 0, 9000000000 }, 6);
	is_numbers(&c, (const uint64_t[]){ 0, 1, 3, 48110000, 1, text, 1, 48110000 }, 8);
	ok(is_text(&c, "SQL"));
	is_numbers(&c, (const uint64_t[]){ 1, text }, 2);
	ok(is_text(&c, "commit"));
	is_numbers(&c, (const uint64_t[]){ 0 }, 1);
	ok(!jw_cur_left(&c) && jw_cur_ok(&c));
	jw_buf_free(&out);
	trace_view_said_free(&said);
}

TEST(nothing_is_written_as_nothing)
{
	struct trace_view_said said = { 0 };
	struct jw_buf out = { 0 };

	trace_view_said_put(&said, NULL, NULL, 0, &out);
	struct jw_cur c = jw_cur(jw_buf_span(&out));

	is_numbers(&c, (const uint64_t[]){ 0, 0, 0, 0, 0 }, 5);
	ok(!jw_cur_left(&c) && jw_cur_ok(&c));
	jw_buf_free(&out);
}

TEST(more_than_a_page_may_have_are_counted)
{
	struct trace_view_said said = { 0 };
	const struct trace_view_value value = { .value = 1 };
	bool good = true;

	for (size_t i = 0; i < TRACE_VIEW_CAPTURES + 3; i++)
		good = good && trace_view_said_add(&said, &value);
	ok(good);
	is_int(said.n, TRACE_VIEW_CAPTURES);
	is_int(said.all, TRACE_VIEW_CAPTURES + 3);
	trace_view_said_free(&said);
}

TEST(more_kinds_of_arrows_than_have_names)
{
	struct trace_view_said said = { 0 };
	struct trace_view_arrow arrows[300] = { { 0 } };
	struct jw_buf out = { 0 };

	for (size_t i = 0; i < 300; i++)
		arrows[i].tag = TRACE_LINK_TAG + i;
	trace_view_said_put(&said, NULL, arrows, 300, &out);
	struct jw_cur c = jw_cur(jw_buf_span(&out));

	is_numbers(&c, (const uint64_t[]){ 0, 0, 0, 0, 256, TRACE_LINK_TAG }, 6);
	jw_buf_free(&out);
}

TEST(without_memory_it_is_said)
{
	struct trace_view_said said = { 0 };
	const struct trace_view_value value = { .value = 1 };

	jw_mem_fail_after(0);
	bool added = trace_view_said_add(&said, &value);

	jw_mem_fail_after(-1);
	ok(!added);
	is_int(said.n, 0);
	trace_view_said_free(&said);
}
