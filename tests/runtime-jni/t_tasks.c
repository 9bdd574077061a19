/*
 * t_tasks.c: tasks that were handed over, and whose body it is that runs; without a JVM.
 */
#include "runtime-jni/recorder/tasks.h"
#include "tests/tap.h"

#include "base/banned.h"

struct task {
	uint64_t runner;
	bool over, dropped;
};

static bool look(void *ctx, void *ref, uint64_t *runner)
{
	const struct task *t = ref;

	(void)ctx;
	*runner = t->runner;
	return !t->over;
}

static void drop(void *ctx, void *ref)
{
	(void)ctx;
	((struct task *)ref)->dropped = true;
}

static const struct rt_task_view view = { look, drop, NULL };

TEST(the_task_of_a_body_is_the_one_that_its_thread_runs)
{
	struct task a = { 0 }, b = { 0 };

	rt_task_handed(&view, 7, 100, &a);
	rt_task_handed(&view, 7, 101, &b);
	ok(rt_body_begins(&view, 7, 1) == 0); /* called directly */
	ok(rt_body_ends(&view, 7, 1) == 0);
	b.runner = 2;
	ok(rt_body_begins(&view, 8, 2) == 0); /* another body */
	ok(rt_body_begins(&view, 7, 2) == 101);
	ok(rt_body_begins(&view, 7, 2) == 0); /* inside of it, called directly */
	ok(rt_body_ends(&view, 7, 2) == 0 && rt_body_ends(&view, 7, 2) == 0);
	ok(b.dropped && !a.dropped);
	a.over = true;
	ok(rt_body_begins(&view, 7, 3) == 0 && a.dropped);
	ok(rt_body_ends(&view, 7, 3) == 0);
}

TEST(one_that_ran_too_early_is_found_at_its_end)
{
	struct task a = { .runner = 5 };

	rt_task_expected(9);
	ok(rt_body_begins(&view, 9, 5) == 0);
	rt_task_handed(&view, 9, 102, &a);
	ok(rt_body_begins(&view, 9, 5) == 0); /* called directly inside */
	ok(rt_body_ends(&view, 9, 5) == 0);
	ok(rt_body_ends(&view, 9, 5) == 102 && a.dropped);
}

TEST(what_began_when_nothing_was_expected_is_not_counted)
{
	struct task a = { .runner = 8 }, b = { 0 };

	ok(rt_body_begins(&view, 12, 8) == 0);
	rt_task_handed(&view, 12, 103, &a); /* it may be that of the task, or outside of it */
	ok(a.dropped);
	rt_task_handed(&view, 12, 104, &b);
	b.runner = 8;
	ok(rt_body_begins(&view, 12, 8) == 104);
	ok(rt_body_ends(&view, 12, 8) == 0);
	ok(rt_body_ends(&view, 12, 8) == 0);
}

/* The task I of MANY is run by thread 6: is it known? */
static bool is_known(struct task *many, uint64_t i)
{
	many[i].runner = 6;
	uint64_t number = rt_body_begins(&view, 11, 6);

	ok(rt_body_ends(&view, 11, 6) == 0);
	ok(number == 0 || number == 1000 + i);
	many[i].runner = 0;
	return number != 0;
}

TEST(the_oldest_and_the_newest_are_looked_at)
{
	static struct task many[3 * RT_TASKS_LOOK]; /* some stay in the table */
	const uint64_t n = 3 * (uint64_t)RT_TASKS_LOOK;

	for (uint64_t i = 0; i < n; i++)
		rt_task_handed(&view, 11, 1000 + i, &many[i]);
	ok(!is_known(many, RT_TASKS_LOOK) && !is_known(many, n - RT_TASKS_LOOK - 1));
	ok(is_known(many, n - RT_TASKS_LOOK) && is_known(many, RT_TASKS_LOOK - 1));
	/* the next ones have moved up */
	ok(is_known(many, RT_TASKS_LOOK) && is_known(many, n - RT_TASKS_LOOK - 1));
	ok(is_known(many, n - 1) && is_known(many, 0) && !is_known(many, 0));
	for (uint64_t i = 0; i < n; i++)
		many[i].over = true;
	ok(!is_known(many, 1)); /* what is over goes where it is met */
	ok(many[1].dropped && many[RT_TASKS_LOOK - 2].dropped && many[n - 2].dropped);
}

TEST(all_that_is_over_goes_when_there_is_no_room)
{
	static struct task many[RT_TASKS_MOST + 2];
	uint64_t n = RT_TASKS_MOST;

	/* bodies of their own, and what is left of the tests before */
	for (uint64_t i = 0; i < n; i++)
		rt_task_handed(&view, 100 + i, 5000 + i, &many[i]);
	rt_task_handed(&view, 50, 4998, &many[n]);
	ok(many[n].dropped && !many[0].dropped); /* there was no room */
	for (uint64_t i = 0; i < n; i++)
		many[i].over = i % 2 == 0;
	for (int i = 0; i < RT_TASKS_MOST / 4; i++) /* not at each that finds none */
		rt_task_handed(&view, 50, 4998, &many[n]);
	ok(many[0].dropped && !many[1].dropped);
	many[n + 1].runner = 9;
	rt_task_handed(&view, 51, 4999, &many[n + 1]);
	ok(!many[n + 1].dropped);
	ok(rt_body_begins(&view, 51, 9) == 4999);
	many[1].runner = 9;
	ok(rt_body_begins(&view, 101, 9) == 5001 && many[1].dropped);
}
