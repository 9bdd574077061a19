/*
 * t_view_contexts.c: the section "contexts" of a page: which trace was current on which row.
 */
#include "base/memory.h"
#include "tests/tap.h"
#include "trace/view/view.h"
#include "trace/view/view_columns.h"
#include "trace/view/view_contexts.h"

#include "base/banned.h"

static bool take(struct trace_view_contexts *all, struct trace_view_current *current, uint32_t row,
		 uint64_t time, const uint64_t parts[4])
{
	bool good = true;

	for (unsigned i = 0; i < 4; i++)
		good = good && trace_view_contexts_take(all, current, row, time,
							TRACE_TYPE_CONTEXT_1 + i, parts[i]);
	return good;
}

/* 0123456789abcdef fedcba9876543210, 1122334455667788 */
static const uint64_t one[] = { UINT64_C(0x0123456789ab), UINT64_C(0xcdeffedcba98),
				UINT64_C(0x765432101122), UINT64_C(0x334455667788) };
static const uint64_t none[4] = { 0 };

TEST(stretches_are_written)
{
	struct trace_view_contexts all = { 0 };
	struct trace_view_current current[2] = { { .since = 0 } };
	const uint64_t want[] = { 2,          2,          1,          100,        50,
				  0x01234567, 0x89abcdef, 0xfedcba98, 0x76543210, 0x11223344,
				  0x55667788, 0,          120,        80,         0x01234567 };
	struct jw_buf out = { 0 };

	ok(take(&all, &current[1], 1, 100, one));
	ok(take(&all, &current[0], 0, 120, one));
	ok(take(&all, &current[1], 1, 150, none));
	ok(trace_view_contexts_end(&all, &current[0], 0, 200));
	ok(trace_view_contexts_end(&all, &current[1], 1, 200)); /* nothing was current */
	trace_view_contexts_put(&all, &out);
	struct jw_cur c = jw_cur(jw_buf_span(&out));

	for (size_t i = 0; i < sizeof(want) / sizeof(*want); i++)
		is_int(trace_view_get(&c), want[i]);
	jw_buf_free(&out);
	trace_view_contexts_free(&all);
	is_int(all.n, 0);
}

TEST(more_than_a_page_may_have_are_counted)
{
	struct trace_view_contexts all = { 0 };
	struct trace_view_current current = { .since = 0 };
	bool good = true;

	for (size_t i = 0; i < TRACE_VIEW_CONTEXTS + 2; i++)
		good = good && take(&all, &current, 0, i, one);
	ok(good && trace_view_contexts_end(&all, &current, 0, 1000000));
	is_int(all.n, TRACE_VIEW_CONTEXTS);
	is_int(all.all, TRACE_VIEW_CONTEXTS + 2);
	trace_view_contexts_free(&all);
}

TEST(without_memory_it_is_said)
{
	struct trace_view_contexts all = { 0 };
	struct trace_view_current current = { .since = 0 };

	ok(take(&all, &current, 0, 1, one));
	jw_mem_fail_after(0);
	bool added = trace_view_contexts_end(&all, &current, 0, 2);

	jw_mem_fail_after(-1);
	ok(!added);
	is_int(all.n, 0);
	trace_view_contexts_free(&all);
}
