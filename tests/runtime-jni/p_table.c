/*
 * p_table.c: tables of sums against a model that is written apart: random calls, balanced or not,
 * waits, moves to larger memory at any moment, tables written out and begun anew, pauses, copies.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "runtime-jni/recorder/sums_table.h"
#include "tests/tap.h"

#include "base/banned.h"

#define METHODS   40
#define OBJECTS   3
#define DEPTH     3000
#define ROUNDS    60
#define STEPS     4000
#define ROWS_LOG  7
#define FIRST_LOG 3

struct figures {
	uint64_t calls, fails, total, own, longest;
};

/* What should come out. */
static struct {
	struct figures methods[METHODS], waits[OBJECTS];
	struct {
		int method;
		uint64_t enter, inner;
	} stack[DEPTH];
	int depth;
	struct {
		int object;
		uint64_t since;
	} waiting[JWR_WAITS];
	int wait_n;
	struct jwr_odds odds;
	bool cut;
} model;

/* What has come out: of tables that were written out, and of the last one. */
static struct figures got_methods[METHODS], got_waits[OBJECTS];
static struct jwr_odds got_odds;

static struct rt_table table;
static struct jwr_sums head;
static struct jwr_row *rows;
static struct jwr_frame *frames;
static uint64_t now;

static uint64_t key_of(int method)
{
	return jwr_word(JWR_ENTER, jwr_method_id(UINT64_C(0x12345678) + (uint64_t)method / 4,
						 (uint16_t)(method % 4)));
}

static uint64_t wait_key(int object)
{
	return jwr_word(JWR_WAIT, 77 + (uint64_t)object);
}

/* ---- the model ---- */

static bool model_has(int method)
{
	for (int i = 0; i < model.depth; i++)
		if (model.stack[i].method == method)
			return true;
	return false;
}

static void model_enter(int method)
{
	model.methods[method].calls++;
	model.stack[model.depth].method = method;
	model.stack[model.depth].enter = now;
	model.stack[model.depth++].inner = 0;
}

static void add(struct figures *f, uint64_t time, bool failed)
{
	f->total += time;
	f->fails += failed;
	f->longest = time > f->longest ? time : f->longest;
}

static void model_pop(bool failed)
{
	int method = model.stack[--model.depth].method;
	uint64_t time = now - model.stack[model.depth].enter;
	struct figures *f = &model.methods[method];
	uint64_t total = f->total;

	f->own += time - model.stack[model.depth].inner;
	add(f, time, failed);
	if (model_has(method))
		f->total = total;
	if (model.depth)
		model.stack[model.depth - 1].inner += time;
}

static void model_exit(int method, bool failed)
{
	if (!model_has(method)) {
		*(model.cut ? &model.odds.headless : &model.odds.lone) += 1;
		return;
	}
	for (; model.stack[model.depth - 1].method != method; model.odds.inferred++)
		model_pop(false);
	model_pop(failed);
}

static void model_close(bool cut)
{
	for (; model.depth; *(cut ? &model.odds.cut : &model.odds.inferred) += 1)
		model_pop(false);
	while (model.wait_n) {
		struct figures *f = &model.waits[model.waiting[--model.wait_n].object];

		f->calls++;
		add(f, now - model.waiting[model.wait_n].since, false);
	}
}

/* ---- the table ---- */

static void *zeros(size_t count, size_t size)
{
	void *p = jw_mem_zalloc(count, size);

	if (!p)
		abort();
	return p;
}

static void begin(void)
{
	memset(&model, 0, sizeof(model));
	memset(got_methods, 0, sizeof(got_methods));
	memset(got_waits, 0, sizeof(got_waits));
	got_odds = (struct jwr_odds){ 0 };
	head = (struct jwr_sums){ 0 };
	rows = zeros(1u << FIRST_LOG, sizeof(*rows));
	frames = zeros(1u << FIRST_LOG, sizeof(*frames));
	rt_table_init(&table, &head, rows, 1u << FIRST_LOG, frames, 1u << FIRST_LOG);
	head.limit = table.frame_count;
}

static void gather(const struct rt_table *t)
{
	struct jwr_row *packed = zeros(t->row_count, sizeof(*packed));
	uint32_t n = rt_table_pack(t, packed);

	for (uint32_t i = 0; i < n; i++) {
		struct figures *f = NULL;

		for (int m = 0; m < METHODS; m++)
			f = packed[i].key == key_of(m) ? &got_methods[m] : f;
		for (int o = 0; o < OBJECTS; o++)
			f = packed[i].key == wait_key(o) ? &got_waits[o] : f;
		if (!ok(f != NULL))
			continue;
		f->calls += packed[i].calls;
		f->fails += packed[i].fails;
		f->total += packed[i].total;
		f->own += packed[i].own;
		f->longest = packed[i].longest > f->longest ? packed[i].longest : f->longest;
	}
	for (size_t i = 0; i < sizeof(got_odds) / sizeof(uint64_t); i++)
		((uint64_t *)&got_odds)[i] += ((const uint64_t *)&t->head->odds)[i];
	jw_mem_free(packed);
}

static void move_rows(void)
{
	uint32_t count = table.row_count * 2;
	struct jwr_row *fresh = zeros(count, sizeof(*fresh));

	rt_table_move_rows(&table, fresh, count, jwr_place(4096, 1));
	jw_mem_free(rows);
	rows = fresh;
}

static void move_frames(void)
{
	uint32_t count = table.frame_count * 2;
	struct jwr_frame *fresh = zeros(count, sizeof(*fresh));

	rt_table_move_frames(&table, fresh, count, jwr_place(8192, 1));
	jw_mem_free(frames);
	frames = fresh;
	head.limit = count;
}

static struct jwr_row *row_of(uint64_t key)
{
	struct jwr_row *row = rt_table_find(&table, key);

	if (!row)
		row = rt_table_add(&table, key);
	if (row)
		return row;
	if (table.row_count < 1u << ROWS_LOG && tap_below(3)) {
		move_rows();
	} else {
		gather(&table);
		rt_table_clear(&table);
	}
	row = rt_table_add(&table, key);
	if (!row) { /* all of it is open */
		move_rows();
		row = rt_table_add(&table, key);
	}
	return row;
}

static void enter(int method)
{
	if (head.depth == table.frame_count)
		move_frames();
	struct jwr_row *ready = rt_table_ready(&table, key_of(method)),
		       *row = row_of(key_of(method));

	if (ready)
		ok(ready == row);
	rt_table_push(&table, row, now);
	model_enter(method);
}

static void leave(int method, bool failed)
{
	bool top = model.depth && model.stack[model.depth - 1].method == method;

	is_int(rt_table_ends(&table, key_of(method)), top);
	if (top)
		rt_table_pop(&table, now, failed);
	else
		rt_table_unwind(&table, key_of(method), now, failed);
	model_exit(method, failed);
}

static void change_waits(void)
{
	int object = (int)tap_below(OBJECTS);
	uint64_t since = 0, key;

	if (tap_below(2) && model.wait_n < JWR_WAITS) {
		(void)row_of(wait_key(object));
		rt_table_wait_begins(&table, wait_key(object), now);
		model.waiting[model.wait_n].object = object;
		model.waiting[model.wait_n++].since = now;
		return;
	}
	key = rt_table_wait_ends(&table, JWR_WAIT, &since);
	if (!model.wait_n) {
		is_int(key, 0);
		return;
	}
	object = model.waiting[--model.wait_n].object;
	is_int(key, wait_key(object));
	bool expired = tap_below(2);

	rt_table_add_time(&table, row_of(key), now - since, expired);
	model.waits[object].calls++;
	add(&model.waits[object], now - model.waiting[model.wait_n].since, expired);
}

static void copy_it(void)
{
	struct jwr_sums copy_head;
	struct rt_table copy;
	struct jwr_row *r = zeros(table.row_count, sizeof(*r));
	struct jwr_frame *f = zeros(table.frame_count, sizeof(*f));

	ok(rt_table_copy(&table, &copy, &copy_head, r, f));
	ok(memcmp(r, table.rows, table.row_count * sizeof(*r)) == 0);
	ok(memcmp(f, table.frames, head.depth * sizeof(*f)) == 0);
	head.version++;
	ok(!rt_table_copy(&table, &copy, &copy_head, r, f));
	head.version++;
	jw_mem_free(r);
	jw_mem_free(f);
}

static void step(uint32_t deep)
{
	int method = (int)tap_below(METHODS);
	bool up = model.depth == 0 || ((uint32_t)model.depth < deep && tap_below(2));

	now += tap_below(100);
	if (tap_below(200) == 0)
		leave(method, false); /* any */
	else if (tap_below(50) == 0)
		change_waits();
	else if (tap_below(1000) == 0)
		copy_it();
	else if (up && model.depth < DEPTH)
		enter(tap_below(3) || !model.depth ? method : model.stack[model.depth - 1].method);
	else
		leave(model.stack[model.depth - 1].method, tap_below(5) == 0);
	if (tap_below(2000) == 0) {
		rt_table_close(&table, now, true);
		model_close(true);
		head.pauses++;
		model.cut = true;
	}
}

static void compare(const struct figures *got, const struct figures *want, bool own)
{
	is_int(got->calls, want->calls);
	is_int(got->fails, want->fails);
	is_int(got->total, want->total);
	is_int(got->longest, want->longest);
	if (own)
		is_int(got->own, want->own);
}

TEST(tables_say_what_a_model_says)
{
	static const uint32_t depths[] = { 3, 30, 2500 };

	for (int round = 0; round < ROUNDS; round++) {
		begin();
		for (int i = 0; i < STEPS; i++)
			step(depths[round % 3]);
		rt_table_close(&table, now, false);
		model_close(false);
		gather(&table);
		for (int m = 0; m < METHODS; m++)
			compare(&got_methods[m], &model.methods[m], true);
		for (int o = 0; o < OBJECTS; o++)
			compare(&got_waits[o], &model.waits[o], false);
		ok(memcmp(&got_odds, &model.odds, sizeof(got_odds)) == 0);
		is_int(head.version % 2, 0);
		jw_mem_free(rows);
		jw_mem_free(frames);
	}
}

TEST(a_stopped_table_takes_nothing)
{
	begin();
	struct jwr_row *row = row_of(key_of(1));

	ok(rt_table_ready(&table, key_of(1)) == row);
	rt_table_push(&table, row, 5);
	ok(rt_table_ends(&table, key_of(1)));
	head.limit = 0;
	ok(rt_table_ready(&table, key_of(1)) == NULL);
	ok(!rt_table_ends(&table, key_of(1)));
	head.limit = 1;
	ok(rt_table_ready(&table, key_of(1)) == NULL); /* no room on the stack */
	ok(rt_table_ends(&table, key_of(1)));
	jw_mem_free(rows);
	jw_mem_free(frames);
}
