/*
 * f_operations.c: threads that do any operations with any objects, in any order: the trace is well
 * formed, and no arrow goes back in time.
 *
 * The input is a program, two bytes a step: what, then which thread (two bits) and an argument
 * (six). What below the number of operations: a call of it begins; 248..255: see below; else a
 * method.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/trace/make_calls.h"

#include "base/banned.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { THREADS = 4, DEPTH = 64, SITES = 128, STEPS_MAX = 2000 };
enum { DO_METHOD = 248, DO_EXIT, DO_FAIL, DO_TICKS, DO_END, DO_OBJECT, DO_VALUE, DO_CHUNK };

struct program {
	struct make m;
	uint64_t tick;
	uint32_t open[THREADS + 1][DEPTH]; /* 1 + site, or 0: a method */
	uint32_t depth[THREADS + 1];
	bool ended[THREADS + 1];
};

static struct make_site sites[SITES];
static char abouts[SITES][80];
static uint32_t site_count;

static void must(bool holds)
{
	if (!holds)
		__builtin_trap();
}

/* Every operation, called where its object is captured. */
static const char *make_all_sites(void)
{
	for (const struct jw_operation *op = jw_operations; op->word; op++, site_count++) {
		must(site_count < SITES);
		snprintf(abouts[site_count], sizeof(abouts[0]), "%s/%s%s%s%s",
			 jw_operation_kinds[op->type].word, op->word,
			 op->object & JW_OBJECT_THIS ? "|this:identity" : "",
			 op->object & JW_OBJECT_ARG0 ? "|arg0:identity" : "",
			 op->object & JW_OBJECT_RETURN ? "|return:identity" : "|return:value");
		sites[site_count] = (struct make_site){ op->state, "a.B.m()V", abouts[site_count] };
	}
	return make_sites("operations.map", sites, site_count);
}

static uint64_t object_of(uint32_t arg)
{
	return arg <= THREADS ? JWR_OBJECT_THREAD | arg : arg;
}

static void begin(struct program *p, uint32_t uid, uint32_t what, uint32_t arg)
{
	if (p->depth[uid] == DEPTH)
		return;
	p->open[uid][p->depth[uid]++] = what + 1;
	make_event(&p->m, uid, p->tick, JWR_ENTER, make_site(what));
	if (jw_operations[what].object & (JW_OBJECT_THIS | JW_OBJECT_ARG0))
		make_event(&p->m, uid, p->tick, JWR_OBJECT, object_of(arg));
}

static void end(struct program *p, uint32_t uid, enum jwr_kind kind, uint32_t arg)
{
	uint32_t top = p->depth[uid] ? p->open[uid][--p->depth[uid]] : 0;

	if (top && kind == JWR_EXIT)
		make_event(&p->m, uid, p->tick,
			   jw_operations[top - 1].object & JW_OBJECT_RETURN ? JWR_OBJECT
									    : JWR_VALUE,
			   arg);
	make_event(&p->m, uid, p->tick, kind, top ? make_site(top - 1) : make_method(arg));
}

static void step(struct program *p, uint8_t what, uint32_t uid, uint32_t arg)
{
	if (what == DO_TICKS)
		p->tick += arg * UINT64_C(200);
	else if (p->ended[uid])
		return;
	else if (what < site_count)
		begin(p, uid, what, arg);
	else if (what == DO_EXIT || what == DO_FAIL)
		end(p, uid, what == DO_EXIT ? JWR_EXIT : JWR_FAIL, arg);
	else if (what == DO_OBJECT || what == DO_VALUE)
		make_event(&p->m, uid, p->tick, what == DO_OBJECT ? JWR_OBJECT : JWR_VALUE,
			   object_of(arg));
	else if (what == DO_CHUNK)
		make_chunk(&p->m, uid);
	else if (what == DO_END)
		make_meta(&p->m, "thread-end|%u|%llu|t", uid, (unsigned long long)p->tick);
	else if (p->depth[uid] < DEPTH) {
		p->open[uid][p->depth[uid]++] = 0;
		make_event(&p->m, uid, p->tick, JWR_ENTER, make_method(arg));
	}
	p->ended[uid] = what == DO_END;
	p->tick++;
}

/* ---- what comes out ---- */

/* The numbers of LINE, separated by colons, into V. */
static size_t numbers(char *line, uint64_t *v, size_t max)
{
	size_t n = 0;

	for (char *at = line; n < max; at++) {
		v[n++] = strtoull(at, &at, 10);
		if (*at != ':')
			break;
	}
	return n;
}

static void check(const char *base)
{
	char *prv = make_slurp(make_path("%s.prv", base)), *rest = prv, *line;
	uint64_t v[64], last = 0, state_end[THREADS + 16] = { 0 };

	must(prv && strncmp(prv, "#Paraver (", 10) == 0 && prv[strlen(prv) - 1] == '\n');
	for (strsep(&rest, "\n"); (line = strsep(&rest, "\n")) != NULL && *line;) {
		size_t n = numbers(line, v, 64);

		if (*line != '1' && *line != '2' && *line != '3')
			continue; /* the header's list of communicators */
		must(n >= 8);
		must(v[5] >= last); /* lines by time */
		last = v[5];
		if (*line == '1') {
			must(v[4] < sizeof(state_end) / sizeof(*state_end));
			must(v[5] == state_end[v[4]] && v[6] >= v[5]); /* no gap, no overlap */
			state_end[v[4]] = v[6];
		} else if (*line == '3') {
			must(n >= 14 && v[5] <= v[6] && v[6] <= v[12] && v[11] <= v[12]);
		}
	}
	free(prv);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *map;
	struct program p = { .m = make_begin("fuzz"), .tick = MAKE_START };
	const char *path = p.m.path;
	struct jw_arena arena = { 0 };
	struct trace_summary sum;
	struct jw_err e = { 0 };

	map = map ? map : make_all_sites();
	for (uint32_t uid = 1; uid <= THREADS; uid++)
		make_thread(&p.m, uid, MAKE_START, "t");
	for (size_t i = 0; i + 1 < size && i < 2 * (size_t)STEPS_MAX; i += 2)
		step(&p, data[i], 1 + data[i + 1] % THREADS, data[i + 1] / THREADS);
	make_finish(&p.m, size % 2 == 0);
	must(make_convert(&path, 1, "fuzz", map, &arena, &sum, &e) == JW_OK);
	check("fuzz");
	remove(make_path("fuzz.prv"));
	jw_arena_free(&arena);
	return 0;
}
