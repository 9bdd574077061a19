/*
 * p_weave.c: what holds for every class: those of testdata/classes/, and random code.
 */
#include <dirent.h>

#include "base/file.h"
#include "tests/weaver/everything.h"
#include "tests/weaver/make.h"

#include "base/banned.h"

static const struct weave_limits all_limits[] = {
	{ .branch = 32767, .code = 65535, .compiled = 8000 },
	{ .branch = 400, .code = 65535 },
	{ .branch = 150, .code = 65535 },
};
enum { LIMITS = sizeof(all_limits) / sizeof(all_limits[0]) };

static const char every_call[] = METHODS_AND_CALLS("");
static const char calls_alone[] = CALLS_ALONE("");

typedef void each_class(const char *path, struct jw_span bytes);

/* Calls EACH for every class of testdata/classes/; returns how many. */
static int each(each_class *call)
{
	static const char *const folders[] = { "8", "11", "17", "25" };
	int count = 0;

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		char path[512];
		struct dirent *entry;

		snprintf(path, sizeof(path), "testdata/classes/%s", folders[i]);
		DIR *dir = opendir(path);
		while (dir && (entry = readdir(dir)) != NULL) {
			struct jw_file file = { 0 };
			struct jw_err e = { 0 };

			if (!strstr(entry->d_name, ".class"))
				continue;
			snprintf(path, sizeof(path), "testdata/classes/%s/%s", folders[i],
				 entry->d_name);
			if (!ok(jw_file_open(path, 0, &file, &e) == JW_OK))
				continue;
			call(path, file.bytes);
			jw_file_close(&file);
			count++;
		}
		if (dir)
			closedir(dir);
	}
	return count;
}

/* Weaves BYTES by RULES within LIMITS into W; what comes out must be well formed. */
static void weave_checked(const char *path, struct jw_span bytes, const struct rules *rules,
			  const struct weave_limits *limits, struct woven *w)
{
	*w = (struct woven){ .limits = *limits };
	if (!ok(weave_bytes(bytes, rules, w) == JW_OK))
		tap_note("%s: %s", path, w->e.text);
	if (w->result.changed &&
	    !ok(cfr_check(jw_buf_span(&w->out), bytes, &w->arena, &w->e) == JW_OK))
		tap_note("%s, branches up to %u: %s", path, limits->branch, w->e.text);
}

static void free_unopened(struct woven *w)
{
	jw_buf_free(&w->out);
	jw_arena_free(&w->arena);
}

static size_t total_woven;

static void is_well_formed(const char *path, struct jw_span bytes)
{
	struct rules *rules = make_rules(NULL);
	struct woven w, again;

	for (size_t i = 0; i < LIMITS; i++) {
		weave_checked(path, bytes, rules, &all_limits[i], &w);
		weave_checked(path, bytes, rules, &all_limits[i], &again);
		is_int(w.result.skip, WEAVE_SKIP_NOT);
		is_int(w.result.woven, w.result.total);
		is_span(jw_buf_span(&again.out), jw_buf_span(&w.out));
		total_woven += w.result.woven;
		free_unopened(&w);
		free_unopened(&again);
	}
	rules_free(rules);
}

TEST(everything_woven_is_well_formed_and_the_same_each_time)
{
	ok(each(is_well_formed) >= 8);
	ok(total_woven > 50);
}

/* With calls, and with calls alone, with captures and without; a branch of 150 bytes may leave a
 * method. */
static size_t total_sites;

static void calls_are_well_formed(const char *path, struct jw_span bytes)
{
	static const char *const texts[] = { every_call,
					     calls_alone,
					     METHODS_AND_CALLS(EVERY_CAPTURE),
					     CALLS_ALONE(EVERY_CAPTURE),
					     EVERYTHING(EVERY_CAPTURE),
					     MONITORS_ALONE };
	struct woven w, again;

	for (size_t i = 0; i < 6 * LIMITS; i++) {
		struct rules *rules = make_rules(texts[i % 6]);
		const struct weave_limits *limits = &all_limits[i / 6];

		weave_checked(path, bytes, rules, limits, &w);
		weave_checked(path, bytes, rules, limits, &again);
		is_int(w.result.skip, WEAVE_SKIP_NOT);
		ok(w.result.sites_woven <= w.result.site_count);
		is_int(w.result.changed, w.result.woven + w.result.sites_woven > 0);
		if (i % 2)
			is_int(w.result.woven, 0);
		is_span(jw_buf_span(&again.out), jw_buf_span(&w.out));
		total_sites += w.result.sites_woven;
		free_unopened(&w);
		free_unopened(&again);
		rules_free(rules);
	}
}

TEST(calls_woven_are_well_formed_and_the_same_each_time)
{
	ok(each(calls_are_well_formed) >= 8);
	ok(total_sites > 200);
}

static void is_unchanged(const char *path, struct jw_span bytes)
{
	struct rules *none =
		make_rules("{\"jweave\": 1, \"rules\": [{\"match\": \"**#nobodyHasThisName()\"}]}");
	struct woven w;

	weave_checked(path, bytes, none, &all_limits[0], &w);
	ok(!w.result.changed);
	is_int(w.out.n, 0);
	free_unopened(&w);
	rules_free(none);
}

TEST(a_plan_of_nothing_changes_nothing)
{
	ok(each(is_unchanged) >= 8);
}

/* Weaving what is woven: probes are code like any other. */
static void weaves_twice(const char *path, struct jw_span bytes)
{
	struct rules *rules = make_rules(NULL);
	struct woven w, again;

	weave_checked(path, bytes, rules, &all_limits[2], &w);
	if (w.result.changed) {
		weave_checked(path, jw_buf_span(&w.out), rules, &all_limits[2], &again);
		is_int(again.result.woven, w.result.woven);
		free_unopened(&again);
	}
	free_unopened(&w);
	rules_free(rules);
}

TEST(woven_classes_weave)
{
	ok(each(weaves_twice) >= 8);
}

/* Bytes of a real class changed at random: no crash; what was well formed stays so. */
static void survives_mutation(const char *path, struct jw_span bytes, const char *text)
{
	struct rules *rules = make_rules(text);
	struct jw_arena arena = { 0 };
	struct jw_buf b = { 0 };
	struct woven w;

	for (int i = 0; i < 400; i++) {
		struct jw_err e = { 0 };

		jw_buf_clear(&b);
		jw_put_bytes(&b, bytes);
		for (uint32_t n = 1 + tap_below(3); n > 0; n--)
			b.p[tap_below((uint32_t)b.n)] = (uint8_t)tap_below(256);
		jw_arena_reset(&arena);
		bool formed = cfr_check(jw_buf_span(&b), bytes, &arena, &e) == JW_OK;
		w = (struct woven){ .limits = all_limits[i % LIMITS] };
		is_int(weave_bytes(jw_buf_span(&b), rules, &w), JW_OK);
		if (formed && w.result.changed &&
		    !ok(cfr_check(jw_buf_span(&w.out), jw_buf_span(&b), &w.arena, &w.e) == JW_OK))
			tap_note("%s: %s", path, w.e.text);
		free_unopened(&w);
	}
	jw_buf_free(&b);
	jw_arena_free(&arena);
	rules_free(rules);
}

static void methods_survive(const char *path, struct jw_span bytes)
{
	survives_mutation(path, bytes, NULL);
}

static void calls_survive(const char *path, struct jw_span bytes)
{
	survives_mutation(path, bytes, every_call);
}

TEST(mutated_classes_stay_well_formed)
{
	ok(each(methods_survive) >= 8);
	ok(each(calls_survive) >= 8);
}

/* ---- random code: the same way through it, whatever was inserted ---- */

enum { BLOCK = 8, BLOCKS_MAX = 300, STEPS_MAX = 400, SIPUSH = 17 };

/* Blocks of 8 bytes: each names itself (sipush, pop), and branches, returns or goes on. */
static void random_blocks(struct jw_buf *code)
{
	uint32_t blocks = 2 + tap_below(BLOCKS_MAX - 2);

	for (uint32_t i = 0; i < blocks; i++) {
		uint32_t kind = i == blocks - 1 ? 7 : tap_below(8);
		int32_t offset = ((int32_t)tap_below(blocks) - (int32_t)i) * BLOCK - 5;

		OPS(code, SIPUSH, (uint8_t)(i >> 8), (uint8_t)i, POP);
		if (kind < 4)
			OPS(code, ICONST_0, IFEQ, (uint8_t)(offset >> 8), (uint8_t)offset);
		else if (kind < 6)
			OPS(code, NOP, GOTO, (uint8_t)(offset >> 8), (uint8_t)offset);
		else
			OPS(code, NOP, NOP, NOP, kind == 7 ? RETURN : NOP);
	}
}

/* The way through CODE that the coins of SEED lead: the blocks seen, and -1 for each probe. */
static uint32_t way_through(const struct cfr_code *code, uint64_t seed, int32_t *way,
			    uint32_t *probes)
{
	uint32_t pc = 0, blocks = 0;

	*probes = 0;
	while (blocks < STEPS_MAX) {
		struct cfr_insn insn = cfr_insn_at(code, pc);

		pc += insn.length;
		if (insn.op == SIPUSH) {
			way[blocks++] = jw_span_u2(code->code, insn.pc + 1);
		} else if (insn.op == LDC2_W) {
			++*probes;
		} else if (insn.op == IFEQ) {
			seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
			if (seed >> 63)
				pc = (uint32_t)insn.target;
		} else if (insn.op == GOTO || insn.op == GOTO_W) {
			pc = (uint32_t)insn.target;
		} else if (insn.op == RETURN) {
			way[blocks++] = -1;
			break;
		}
	}
	return blocks;
}

TEST(the_way_through_the_code_stays)
{
	static int32_t before[STEPS_MAX + 1], after[STEPS_MAX + 1];
	size_t woven = 0;

	for (int round = 0; round < 300; round++) {
		struct jw_buf code = { 0 };
		struct cfr_class cls;
		struct cfr_code old;
		struct woven w;

		random_blocks(&code);
		weave_made(&(struct make){ .max_stack = 1, .code = jw_buf_span(&code) },
			   &all_limits[round % LIMITS], &w);
		woven += w.result.woven;
		ok(cfr_class_open(jw_buf_span(&w.in), &w.arena, &cls, &w.e) == JW_OK);
		ok(cfr_code_open(&cls, &cls.methods[0], &w.arena, &old, &w.e) == JW_OK);
		for (int walk = 0; walk < 10 && w.result.changed; walk++) {
			uint64_t seed = tap_random();
			uint32_t probes, n = way_through(&old, seed, before, &probes);

			is_int(way_through(&w.code, seed, after, &probes), n);
			ok(memcmp(before, after, n * sizeof(before[0])) == 0);
			/* one enter, and one exit where it came to an end */
			is_int(probes, before[n - 1] == -1 ? 2 : 1);
		}
		cfr_class_close(&cls);
		woven_free(&w);
		jw_buf_free(&code);
	}
	ok(woven > 250);
}
