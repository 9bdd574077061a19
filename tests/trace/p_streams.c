/*
 * p_streams.c: random recordings, balanced or not, clean or killed, in chunks of any size: the
 * trace is valid, and the validator counts in it what a naive model counts in the records.
 */
#include "tests/tap.h"
#include "tests/trace/make_recording.h"

#include "base/banned.h"

#define THREADS 5
#define METHODS 6
#define DEPTH   4000

struct model {
	uint64_t calls[METHODS], deepest[METHODS];
	int stack[DEPTH];
	int depth;
};

static struct model model[THREADS];
static uint64_t inferred, dropped, events;

static void model_take(struct model *t, enum jwr_kind kind, int method)
{
	int at = t->depth - 1;

	events++;
	if (kind == JWR_ENTER) {
		t->stack[t->depth++] = method;
		t->calls[method]++;
		if ((uint64_t)t->depth > t->deepest[method])
			t->deepest[method] = (uint64_t)t->depth;
		return;
	}
	while (at >= 0 && t->stack[at] != method)
		at--;
	if (at < 0) {
		dropped++;
		return;
	}
	inferred += (uint64_t)(t->depth - 1 - at);
	t->depth = at;
}

/* The kind and method of the next record: mostly balanced, FAULTY percent of them anything. */
static void choose(const struct model *t, uint32_t faulty, enum jwr_kind *kind, int *method)
{
	bool up = t->depth == 0 || (t->depth < 30 && tap_below(2));

	*kind = up ? JWR_ENTER : tap_below(5) ? JWR_EXIT : JWR_FAIL;
	*method = up ? (int)tap_below(METHODS) : t->stack[t->depth - 1];
	if (tap_below(100) < faulty) {
		*kind = (enum jwr_kind)(1 + tap_below(3));
		*method = (int)tap_below(METHODS);
	}
}

static uint64_t id_of(int method)
{
	return UINT64_C(0x1000) + (uint64_t)method;
}

static const char *record(const char *name, uint32_t faulty)
{
	static struct make m;
	uint64_t tick = MAKE_START;
	uint32_t n = tap_below(3000), size = 1 + tap_below(tap_below(2) ? 5 : 4096);

	memset(model, 0, sizeof(model));
	inferred = dropped = events = 0;
	m = make_begin(name);
	m.window_records = size;
	for (uint32_t i = 0; i < THREADS; i++) {
		char text[16];

		snprintf(text, sizeof(text), "t%u", i + 1);
		make_thread(&m, i + 1, tap_below(2) ? MAKE_START + tap_below(5000) : 0, text);
	}
	for (uint32_t i = 0; i < n + 1; i++) {
		uint32_t thread = tap_below(THREADS);
		enum jwr_kind kind;
		int method;

		tick += tap_below(3) * tap_below(100);
		choose(&model[thread], faulty, &kind, &method);
		if (model[thread].depth == DEPTH)
			continue;
		model_take(&model[thread], kind, method);
		make_event(&m, thread + 1, tick, kind, id_of(method));
	}
	make_finish(&m, tap_below(2));
	for (int i = 0; i < THREADS; i++)
		inferred += (uint64_t)model[i].depth;
	return m.path;
}

/* Reads the validator's counts and takes them off the model: nothing may be left. */
static void compare(const char *base)
{
	char command[1200], line[400];
	unsigned thread, id;
	unsigned long long calls, deepest;
	uint64_t left = 0;

	snprintf(command, sizeof(command), "perl tests/paraver/validate.pl --counts '%s.prv'",
		 make_path("%s", base));
	FILE *f = popen(command, "r");

	while (f && fgets(line, sizeof(line), f)) {
		if (!ok(sscanf(line, "t%u\tunknown 0x%x\t%llu\t%llu", &thread, &id, &calls,
			       &deepest) == 4)) {
			tap_note("%s", line);
			break;
		}
		struct model *t = &model[(thread - 1) % THREADS];
		unsigned k = (id - 0x1000) % METHODS;

		if (!is_int(calls, t->calls[k]) || !is_int(deepest, t->deepest[k]))
			tap_note("%s", line);
		t->calls[k] = 0;
	}
	ok(f && pclose(f) == 0);
	for (int i = 0; i < THREADS; i++)
		for (int k = 0; k < METHODS; k++)
			left += model[i].calls[k];
	is_int(left, 0);
}

static void round_of(uint32_t faulty)
{
	const char *path = record("p", faulty);
	struct jw_arena arena = { 0 };
	struct trace_summary sum = { 0 };
	struct jw_err e = { 0 };
	uint64_t calls = 0;

	is_int(make_convert(&path, 1, "p", NULL, &arena, &sum, &e), JW_OK);
	is_str(e.text, "");
	for (int i = 0; i < THREADS; i++)
		for (int k = 0; k < METHODS; k++)
			calls += model[i].calls[k];
	is_int(sum.events, events);
	is_int(sum.calls, calls);
	is_int(sum.inferred, inferred);
	is_int(sum.dropped, dropped);
	if (calls)
		compare("p");
	jw_arena_free(&arena);
	char command[1200];

	snprintf(command, sizeof(command), "rm -rf '%s'", path);
	ok(system(command) == 0);
}

TEST(balanced)
{
	for (int i = 0; i < 20; i++)
		round_of(0);
}

TEST(unbalanced)
{
	for (int i = 0; i < 25; i++)
		round_of(1 + tap_below(30));
}

TEST(noise)
{
	for (int i = 0; i < 15; i++)
		round_of(100);
}
