/*
 * t_tasks.c: tasks that were handed over, and whose body it is that runs; without a JVM.
 */
#include "runtime-jni/tasks.h"
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

	ok(rt_body_begins(&view, 9, 5) == 0);
	rt_task_handed(&view, 9, 102, &a);
	ok(rt_body_begins(&view, 9, 5) == 0); /* called directly inside */
	ok(rt_body_ends(&view, 9, 5) == 0);
	ok(rt_body_ends(&view, 9, 5) == 102 && a.dropped);
}
