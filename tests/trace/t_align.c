/*
 * t_align.c: clocks of several machines on one axis: drift, wall clocks that were set, containers
 * of one machine.
 */
#include "tests/tap.h"
#include "tests/trace/make_recording.h"
#include "trace/paraver/paraver.h"

#include "base/banned.h"

#define SECOND UINT64_C(2000000000) /* in ticks */

/* A recording of HOST, 10 s long, with an event each second of its own clock. */
static struct make host_of(const char *name, const char *host, const char *boot, double wall_rate,
			   uint64_t mono_ahead)
{
	struct make m = make_begin_bare(name);

	m.wall_rate = wall_rate;
	m.mono_start += mono_ahead;
	make_meta(&m,
		  "jweave-recording|1\nclock|tsc\nclock-point|%u|%llu|%llu\nhost|%s\npid|1\n"
		  "boot|%s|0",
		  MAKE_START, (unsigned long long)m.mono_start, (unsigned long long)m.wall_start,
		  host, boot);
	for (uint64_t s = 0; s <= 10; s++) {
		make_event(&m, 1, MAKE_START + s * SECOND, JWR_ENTER, 7);
		make_event(&m, 1, MAKE_START + s * SECOND + 2000, JWR_EXIT, 7);
	}
	make_finish(&m, true);
	return m;
}

/* The times of the begins in NAME.prv of task TASK. */
static size_t begins(const char *name, int task, uint64_t *out, size_t max)
{
	char *text = make_slurp(make_path("%s.prv", name)), *line = text;
	size_t n = 0;

	while (line && n < max) {
		unsigned long long cpu, appl, t, thread, time, type, value;

		if (sscanf(line, "2:%llu:%llu:%llu:%llu:%llu:%llu:%llu", &cpu, &appl, &t, &thread,
			   &time, &type, &value) == 7 &&
		    (int)t == task && value)
			out[n++] = time;
		line = strchr(line, '\n');
		line += line != NULL;
	}
	free(text);
	return n;
}

static void merge(const char *name, const struct make *a, const struct make *b)
{
	const char *paths[] = { a->path, b->path };
	struct jw_arena arena = { 0 };
	struct trace_summary sum;
	struct jw_err e = { 0 };

	is_int(make_convert(paths, 2, name, NULL, &arena, &sum, &e), JW_OK);
	jw_arena_free(&arena);
	is_int(make_validate(name), 0);
}

static int64_t ns(double seconds)
{
	return (int64_t)(seconds * 1e9) + 1;
}

static bool near(uint64_t got, int64_t want)
{
	int64_t off = (int64_t)got - want;

	if (off > 2 || off < -2)
		tap_note("%lld, want %lld", (long long)got, (long long)want);
	return off <= 2 && off >= -2;
}

TEST(clocks_that_drift_apart)
{
	/* b's monotonic clock is slow by 100 ppm: between two of its seconds the wall clock does
	 * more */
	struct make a = host_of("drift-a", "a", "boot-a", 1, 0);
	struct make b = host_of("drift-b", "b", "boot-b", 1.0001, UINT64_C(77000000000));
	uint64_t ta[16], tb[16];

	merge("drift", &a, &b);
	is_int(begins("drift", 1, ta, 16), 11);
	is_int(begins("drift", 2, tb, 16), 11);
	for (int s = 0; s <= 10; s++)
		ok(near(ta[s], ns(s)) && near(tb[s], ns(s * 1.0001)));
}

TEST(a_wall_clock_that_was_set)
{
	/* by a second and more in ten: its beginning is believed, durations are left alone */
	struct make a = host_of("set-a", "a", "boot-a", 1, 0);
	struct make b = host_of("set-b", "b", "boot-b", 1.2, 0);
	uint64_t ta[16], tb[16];

	merge("set", &a, &b);
	is_int(begins("set", 1, ta, 16), 11);
	is_int(begins("set", 2, tb, 16), 11);
	for (int s = 0; s <= 10; s++)
		ok(near(ta[s], ns(s)) && near(tb[s], ns(s)));
}

TEST(containers_of_one_machine)
{
	/* two names, one boot: one clock, whatever their readings of the wall clock say */
	struct make a = host_of("box-a", "box-a", "boot", 1, 0);
	struct make b = host_of("box-b", "box-b", "boot", 1.0001, 5000);
	uint64_t ta[16], tb[16];

	merge("box", &a, &b);
	is_int(begins("box", 1, ta, 16), 11);
	is_int(begins("box", 2, tb, 16), 11);
	for (int s = 0; s <= 10; s++)
		ok(near(ta[s], ns(s)) && near(tb[s], ns(s) + 5000));
}

TEST(one_name_two_machines)
{
	/* "localhost" everywhere, but not one boot: they meet on the wall clock */
	struct make a = host_of("same-a", "localhost", "boot-a", 1, 0);
	struct make b = host_of("same-b", "localhost", "boot-b", 1, 5000);
	uint64_t ta[16], tb[16];

	merge("same", &a, &b);
	is_int(begins("same", 1, ta, 16), 11);
	is_int(begins("same", 2, tb, 16), 11);
	for (int s = 0; s <= 10; s++)
		ok(near(ta[s], ns(s)) && near(tb[s], ns(s)));
}

TEST(a_process_that_began_later)
{
	/* what was there when its recording began did nothing before, as far as is known */
	struct make a = host_of("early", "a", "boot", 1, 0);
	struct make b = host_of("later", "a", "boot", 1, UINT64_C(3000000000));

	merge("both", &a, &b);
	char *text = make_slurp(make_path("both.prv"));

	ok(strstr(text, ":1:2:1:0:3000000000:2\n") || strstr(text, ":1:2:1:0:3000000001:2\n"));
	ok(strstr(text, ":1:1:1:0:") != NULL);
	free(text);
}
