#include "tests/runtime-jni/summary_kit.h"

#include "base/banned.h"

struct trace_recording rec;

static void describe(struct rt_thread_info *out)
{
	snprintf(out->name, sizeof(out->name), "a thread");
}

void start_sums(const char *name, uint64_t max_size)
{
	config.mode = RT_MODE_SUMMARY;
	config.max_size = max_size;
	start_with(name, describe);
}

void enter(uint64_t id)
{
	rt_sums_enter(rt_recorder_clock(), id);
}

void leave(uint64_t id)
{
	rt_sums_exit(rt_recorder_clock(), id, false);
}

void fail(uint64_t id)
{
	rt_sums_exit(rt_recorder_clock(), id, true);
}

void call(uint64_t id)
{
	enter(id);
	leave(id);
}
static struct jw_arena arena;

bool read_sums(const char *name)
{
	static char path[300];
	struct trace_notes notes = { .arena = &arena };
	struct jw_err e = { 0 };

	snprintf(path, sizeof(path), "%s/%s.jwr", work_dir(), name);
	bool good = trace_recording_open(path, NULL, &rec, &notes, &e) == JW_OK;
	if (!good)
		tap_note("%s", e.text);
	for (size_t i = 0; i < notes.n; i++)
		tap_note("%s", notes.text[i]);
	trace_notes_free(&notes);
	return good && rec.is_summary;
}

void done_reading(void)
{
	trace_recording_close(&rec);
	jw_arena_free(&arena);
}

struct trace_sum sum_of(enum jwr_kind kind, uint64_t payload)
{
	struct trace_sum all = { 0 };

	for (size_t i = 0; i < rec.sums.n; i++) {
		const struct trace_sum *one = &rec.sums.sums[i];

		if (one->b != jwr_word(kind, payload))
			continue;
		all.count += one->count;
		all.exceptional += one->exceptional;
		all.ns += one->ns;
		all.own_ns += one->own_ns;
		all.longest = one->longest > all.longest ? one->longest : all.longest;
		all.open++; /* threads */
	}
	return all;
}

void is_called(uint64_t id, uint64_t calls, uint64_t fails)
{
	struct trace_sum sum = sum_of(JWR_ENTER, id);

	is_int(sum.count, calls);
	is_int(sum.exceptional, fails);
}

void is_whole(void)
{
	is_int(rec.cut_chunks, 0);
	is_int(rec.bad_windows, 0);
	is_int(rec.bad_lines, 0);
	is_int(rec.lost, 0);
}

uint64_t sum_calls(uint64_t *methods)
{
	uint64_t calls = 0;

	*methods = 0;
	for (size_t i = 0; i < rec.sums.n; i++) {
		calls += rec.sums.sums[i].count;
		*methods += jwr_word_kind(rec.sums.sums[i].b) == JWR_ENTER;
	}
	return calls;
}
