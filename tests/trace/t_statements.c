/*
 * Statements of SQL, by their texts: what executes, what was prepared, and what nobody knows.
 */
#include "trace/statements/statements.h"

#include <stdio.h>

#include "base/operations.h"
#include "tests/tap.h"

#include "base/banned.h"

enum { EXECUTE = 2, FETCH = 3, PREPARE = 7 };

static struct trace_statements *s;
static struct jw_arena arena;
static uint64_t now;

static const struct trace_scene_process processes[] = { { .number = 1, .threads = 2 },
							{ .number = 2, .first = 2, .threads = 1 } };
static const struct trace_scene_thread threads[] = { { .name = "a" },
						     { .name = "b" },
						     { .name = "c", .process = 1 } };
static const struct trace_scene scene = { .end = 10000,
					  .processes = processes,
					  .threads = threads,
					  .process_count = 2,
					  .thread_count = 3 };

static void begin(void)
{
	struct jw_err e = { 0 };

	now = 0;
	s = trace_statements_new(&arena);
	is_int(trace_statements_output.begin(s, &scene, &e), JW_OK);
}

static void operation(uint32_t thread, uint64_t number)
{
	trace_statements_output.operation(s, thread, now += 10, JW_OPERATIONS_JDBC, number);
}

static void other(uint32_t thread, uint64_t number)
{
	trace_statements_output.operation(s, thread, now += 10, JW_OPERATIONS_LOCK, number);
}

static void object(uint32_t thread, uint64_t object)
{
	trace_statements_output.event(s, thread, now, TRACE_TYPE_OPERATION_OBJECT, object);
}

static void text(uint32_t thread, uint64_t number)
{
	trace_statements_output.user(s, thread, now, jw_labelled_type(TRACE_STATEMENTS_LABEL),
				     number);
}

/* What is prepared by THREAD, of TEXT, is OBJECT. */
static void prepare(uint32_t thread, uint64_t number, uint64_t made)
{
	operation(thread, PREPARE);
	text(thread, number);
	object(thread, made);
	operation(thread, 0);
}

static void execute(uint32_t thread, uint64_t of)
{
	operation(thread, EXECUTE);
	object(thread, of);
	operation(thread, 0);
}

/* "TEXT count/ns/longest prepared, .." */
static const char *list(void)
{
	static char out[1024];
	static const char *const texts[] = { "one", "two", "three" };
	struct jw_err e = { 0 };
	size_t n = 0;

	trace_statements_output.over(s, now += 10);
	for (uint64_t i = 1; i <= 3; i++)
		trace_statements_output.name(
			s, TRACE_NAME_VALUE,
			trace_value_number(jw_labelled_type(TRACE_STATEMENTS_LABEL), i),
			jw_span_str(texts[i - 1]));
	is_int(trace_statements_output.end(s, NULL, &e), JW_OK);
	const struct trace_statement_list l = trace_statements_list(s);

	out[0] = 0;
	for (size_t i = 0; i < l.n; i++)
		n += (size_t)snprintf(out + n, sizeof(out) - n, "%s %llu/%llu/%llu %llu, ",
				      l.statements[i].text ? l.statements[i].text : "?",
				      (unsigned long long)l.statements[i].count,
				      (unsigned long long)l.statements[i].ns,
				      (unsigned long long)l.statements[i].longest_ns,
				      (unsigned long long)l.statements[i].prepared);
	trace_statements_free(s);
	jw_arena_free(&arena);
	return out;
}

TEST(what_was_prepared_has_its_text_in_any_thread)
{
	begin();
	prepare(0, 1, 77);
	execute(0, 77);
	execute(1, 77);
	execute(2, 77); /* of another process */
	prepare(1, 2, 77);
	execute(0, 77);
	is_str(list(), "one 2/20/10 1, two 1/10/10 1, ? 1/10/10 0, ");
}

TEST(a_text_of_its_own_counts)
{
	begin();
	prepare(0, 1, 77);
	operation(0, EXECUTE); /* an object with the number of one that is gone */
	object(0, 77);
	text(0, 2);
	text(0, 3); /* by a call inside */
	now += 100;
	operation(0, 0);
	is_str(list(), "two 1/110/110 0, one 0/0/0 1, ");
}

TEST(what_else_goes_on_is_none_of_it)
{
	begin();
	text(0, 1);
	object(0, 77);
	operation(0, FETCH);
	text(0, 1);
	operation(0, 0);
	operation(0, EXECUTE);
	other(0, 1);
	object(0, 5); /* a lock */
	text(0, 3);   /* of the execution all the same */
	other(0, 0);
	operation(0, 0);
	is_str(list(), "three 1/30/30 0, ");
}

TEST(ends_that_are_missing_and_ends_of_nothing)
{
	begin();
	operation(0, 0);
	other(0, 0);
	operation(0, EXECUTE);
	other(0, 1);
	operation(0, 0);             /* with what is inside */
	for (int i = 0; i < 40; i++) /* more than are kept */
		other(1, 1);
	operation(1, EXECUTE);
	text(1, 1);
	operation(1, 0);
	for (int i = 0; i < 40; i++)
		other(1, 0);
	operation(2, EXECUTE); /* until the end */
	text(2, 2);
	is_str(list(), "two 1/10/10 0, ? 1/20/20 0, ");
}

TEST(a_text_without_a_name_is_unknown)
{
	begin();
	operation(0, EXECUTE);
	text(0, 9);
	operation(0, 0);
	operation(0, EXECUTE);
	text(0, UINT64_MAX);
	operation(0, 0);
	is_str(list(), "? 2/20/10 0, ");
}

TEST(nothing)
{
	begin();
	is_str(list(), "");
}
