/*
 * statements.c: see statements.h.
 */
#include "trace/statements/statements.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/lookup.h"
#include "base/operations.h"
#include "trace/follow/wanted.h"
#include "trace/ignore.h"

#include "base/banned.h"

/* Of operations of JDBC (operations.def). */
enum { EXECUTE = 2, PREPARE = 7 };
enum { MOST_OPEN = 16 };

/* An operation that goes on. */
struct open_operation {
	enum jw_operation_type type;
	uint64_t number, begin;
	uint64_t text; /* of it; 0: unknown so far */
	bool own;      /* it has captured that */
};

/* A thread. */
struct lane {
	struct open_operation open[MOST_OPEN]; /* the innermost last */
	uint32_t n, over;                      /* over: beyond these */
};

/* What was prepared: a statement, and its text. */
struct prepared {
	uint64_t object, text;
	uint32_t process;
};

struct sum {
	uint64_t text; /* 0: unknown */
	struct trace_statement of;
};

struct trace_statements {
	struct jw_arena *arena;
	struct trace_wanted names;
	const struct trace_scene *scene;
	struct lane *lanes; /* owned; by their places */
	struct {
		struct prepared *at; /* owned */
		size_t n, room;
		struct jw_lookup lookup;
	} prepared;
	struct {
		struct sum *at; /* owned */
		size_t n, room;
		struct jw_lookup lookup;
	} sums;
	uint32_t type; /* of the events that are texts */
	uint64_t end;
	struct trace_statement_list list;
	bool failed; /* no memory */
};

static const struct jw_growth grow = { "statements", UINT32_MAX, 64 };

/* ---- what was prepared ---- */

static uint32_t hash_of(uint32_t process, uint64_t object)
{
	return jw_hash_id(object ^ (uint64_t)process << 53);
}

/* NULL: nobody has prepared it. */
static struct prepared *find_prepared(struct trace_statements *s, uint32_t process, uint64_t object)
{
	struct jw_lookup_walk w = jw_lookup_walk(&s->prepared.lookup, hash_of(process, object));

	while (jw_lookup_next(&w)) {
		struct prepared *p = &s->prepared.at[w.place];

		if (p->object == object && p->process == process)
			return p;
	}
	return NULL;
}

static void prepare(struct trace_statements *s, uint32_t process, uint64_t object, uint64_t text)
{
	struct prepared *known = find_prepared(s, process, object);

	if (known) {
		known->text = text;
		return;
	}
	if (JW_GROW(&s->prepared, &grow, NULL) != JW_OK ||
	    !jw_lookup_add(&s->prepared.lookup, hash_of(process, object), s->prepared.n)) {
		s->failed = true;
		return;
	}
	s->prepared.at[s->prepared.n++] = (struct prepared){ object, text, process };
}

/* ---- sums ---- */

/* Those of TEXT; NULL: no memory. */
static struct trace_statement *sum_of(struct trace_statements *s, uint64_t text)
{
	struct jw_lookup_walk w = jw_lookup_walk(&s->sums.lookup, jw_hash_id(text));

	while (jw_lookup_next(&w))
		if (s->sums.at[w.place].text == text)
			return &s->sums.at[w.place].of;
	if (JW_GROW(&s->sums, &grow, NULL) != JW_OK ||
	    !jw_lookup_add(&s->sums.lookup, jw_hash_id(text), s->sums.n)) {
		s->failed = true;
		return NULL;
	}
	s->sums.at[s->sums.n] = (struct sum){ .text = text };
	return &s->sums.at[s->sums.n++].of;
}

static void finish(struct trace_statements *s, const struct open_operation *op, uint64_t time)
{
	bool executes = op->type == JW_OPERATIONS_JDBC && op->number == EXECUTE;
	bool prepares = op->type == JW_OPERATIONS_JDBC && op->number == PREPARE && op->text;
	struct trace_statement *sum = executes || prepares ? sum_of(s, op->text) : NULL;
	uint64_t ns = time > op->begin ? time - op->begin : 0;

	if (!sum)
		return;
	if (prepares) {
		sum->prepared++;
		return;
	}
	sum->count++;
	sum->ns += ns;
	sum->longest_ns = ns > sum->longest_ns ? ns : sum->longest_ns;
	s->list.count++;
	s->list.ns += ns;
}

/* ---- what happens ---- */

static enum jw_status take_scene(void *ctx, const struct trace_scene *scene, struct jw_err *e)
{
	struct trace_statements *s = ctx;

	s->scene = scene;
	s->lanes = jw_mem_zalloc((size_t)scene->thread_count + 1, sizeof(*s->lanes));
	return s->lanes ? JW_OK : jw_nomem(e);
}

static void begin(struct lane *lane, uint64_t time, enum jw_operation_type type, uint64_t number)
{
	if (lane->n == MOST_OPEN)
		lane->over++;
	else
		lane->open[lane->n++] = (struct open_operation){ type, number, time, 0, false };
}

/* The innermost of TYPE ends, and with it what is inside of it. */
static void end(struct trace_statements *s, struct lane *lane, uint64_t time,
		enum jw_operation_type type)
{
	uint32_t n = lane->n;

	if (lane->over) {
		lane->over--;
		return;
	}
	while (n && lane->open[n - 1].type != type)
		n--;
	if (!n)
		return;
	finish(s, &lane->open[n - 1], time);
	lane->n = n - 1;
}

static void take_operation(void *ctx, uint32_t at, uint64_t time, enum jw_operation_type type,
			   uint64_t number)
{
	struct trace_statements *s = ctx;

	if (number)
		begin(&s->lanes[at], time, type, number);
	else
		end(s, &s->lanes[at], time, type);
}

/* What the innermost operation is about: the statement that it executes, or has prepared. */
static void take_event(void *ctx, uint32_t at, uint64_t time, enum trace_type type, uint64_t value)
{
	struct trace_statements *s = ctx;
	struct lane *lane = &s->lanes[at];
	uint32_t process = s->scene->threads[at].process;

	(void)time;
	if (type != TRACE_TYPE_OPERATION_OBJECT || !value || !lane->n || lane->over)
		return;
	struct open_operation *op = &lane->open[lane->n - 1];
	if (op->type != JW_OPERATIONS_JDBC)
		return;
	if (op->number == PREPARE && op->text) {
		prepare(s, process, value, op->text);
	} else if (op->number == EXECUTE && !op->text) {
		const struct prepared *p = find_prepared(s, process, value);

		op->text = p ? p->text : 0;
	}
}

/* A text is that of the operation of JDBC that goes on. */
static void take_user(void *ctx, uint32_t at, uint64_t time, uint64_t type, uint64_t value)
{
	struct trace_statements *s = ctx;
	struct lane *lane = &s->lanes[at];

	(void)time;
	if (type != s->type || !value || lane->over)
		return;
	for (uint32_t i = lane->n; i-- > 0;)
		if (lane->open[i].type == JW_OPERATIONS_JDBC) {
			if (!lane->open[i].own)
				lane->open[i].text = value;
			lane->open[i].own = true;
			return;
		}
}

static void take_captured(void *ctx, uint32_t at, uint64_t time, const struct jw_capture *what,
			  uint64_t value)
{
	take_user(ctx, at, time, what->type, value);
}

static enum jw_status check(void *ctx, struct jw_err *e)
{
	const struct trace_statements *s = ctx;

	return s->failed ? jw_nomem(e) : JW_OK;
}

/* What goes on has taken until END. */
static void take_over(void *ctx, uint64_t time)
{
	struct trace_statements *s = ctx;

	s->end = time;
	for (uint32_t at = 0; at < s->scene->thread_count; at++)
		while (s->lanes[at].n)
			finish(s, &s->lanes[at].open[--s->lanes[at].n], time);
	for (size_t i = 0; i < s->sums.n; i++)
		if (s->sums.at[i].text)
			trace_want(&s->names, TRACE_NAME_VALUE,
				   trace_value_number(s->type, s->sums.at[i].text));
}

static void take_name(void *ctx, enum trace_name_kind what, uint64_t number, struct jw_span label)
{
	struct trace_statements *s = ctx;

	trace_wanted_take(&s->names, what, number, label);
}

/* ---- the list ---- */

static int by_time(const void *a, const void *b)
{
	const struct trace_statement *x = a, *y = b;

	if (!x->text != !y->text)
		return !x->text - !y->text;
	if (x->ns != y->ns)
		return x->ns > y->ns ? -1 : 1;
	return x->text ? strcmp(x->text, y->text) : 0;
}

/* Texts that the trace has no name for are unknown, together. */
static enum jw_status take_end(void *ctx, const struct trace_names *names, struct jw_err *e)
{
	struct trace_statements *s = ctx;
	struct trace_statement *list = JW_NEW_ARRAY(s->arena, struct trace_statement,
						    s->sums.n + 1),
			       unknown = { 0 };
	size_t n = 0;

	(void)names;
	if (!list || s->failed || s->names.failed)
		return jw_nomem(e);
	for (size_t i = 0; i < s->sums.n; i++) {
		struct sum *sum = &s->sums.at[i];

		sum->of.text = trace_wanted_text(&s->names, TRACE_NAME_VALUE,
						 trace_value_number(s->type, sum->text));
		if (sum->of.text) {
			list[n++] = sum->of;
			continue;
		}
		unknown.count += sum->of.count;
		unknown.ns += sum->of.ns;
		if (sum->of.longest_ns > unknown.longest_ns)
			unknown.longest_ns = sum->of.longest_ns;
	}
	if (unknown.count)
		list[n++] = unknown;
	if (n > 1)
		qsort(list, n, sizeof(*list), by_time);
	s->list.statements = list;
	s->list.n = n;
	s->list.duration_ns = s->end - s->scene->begin;
	return JW_OK;
}

const struct trace_output trace_statements_output = {
	.in_order = true,
	.begin = take_scene,
	.state = trace_ignore_state,
	.enter = trace_ignore_enter,
	.leave = trace_ignore_leave,
	.event = take_event,
	.operation = take_operation,
	.captured = take_captured,
	.user = take_user,
	.arrow = trace_ignore_arrow,
	.check = check,
	.over = take_over,
	.name = take_name,
	.end = take_end,
};

struct trace_statements *trace_statements_new(struct jw_arena *arena)
{
	struct trace_statements *s = jw_mem_zalloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->arena = arena;
	s->names.arena = arena;
	s->type = jw_labelled_type(TRACE_STATEMENTS_LABEL);
	return s;
}

struct trace_statement_list trace_statements_list(const struct trace_statements *statements)
{
	return statements->list;
}

void trace_statements_free(struct trace_statements *statements)
{
	if (!statements)
		return;
	jw_mem_free(statements->lanes);
	jw_mem_free(statements->prepared.at);
	jw_lookup_free(&statements->prepared.lookup);
	jw_mem_free(statements->sums.at);
	jw_lookup_free(&statements->sums.lookup);
	trace_wanted_free(&statements->names);
	jw_mem_free(statements);
}
