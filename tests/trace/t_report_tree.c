/*
 * t_report_tree.c: the tree of calls, and durations, of a .prv; what is running.
 */
#include "base/memory.h"
#include "tests/tap.h"
#include "trace/report/report.h"

#include "base/banned.h"

static struct jw_arena arena;
static struct trace_report rep;

static enum jw_status read_in(const char *prv, const char *row)
{
	struct trace_reading *r = trace_reading_new(NULL);
	struct jw_err e = { 0 };
	enum jw_status status = r ? trace_reading_feed(r, jw_span_str(prv), &e) : JW_NOMEM;

	jw_arena_free(&arena);
	if (status == JW_OK)
		status = trace_reading_finish(r, jw_span_str(""), jw_span_str(row), &arena, &rep,
					      &e);
	trace_reading_free(r);
	return status;
}

/* The node of METHOD below PARENT. */
static const struct trace_tree_node *below(const struct trace_tree *t, uint32_t parent,
					   uint32_t method)
{
	static const struct trace_tree_node none = { .method = TRACE_TREE_NONE };
	uint32_t i = t->at[parent].first;

	while (i != TRACE_TREE_NONE && t->at[i].method != method)
		i = t->at[i].next;
	ok(i != TRACE_TREE_NONE);
	return i == TRACE_TREE_NONE ? &none : &t->at[i];
}

/* A state in which a thread does something for others counts as running wherever states are added up. */
TEST(running_is_one_thing)
{
	static const char prv[] = "#Paraver (1/1/2025 at 0:00):10000_ns:0:1:1(1:0),0\n"
				  "1:0:1:1:1:0:1000:1\n"
				  "2:0:1:1:1:0:60000019:1\n"
				  "1:0:1:1:1:1000:3000:6\n"
				  "1:0:1:1:1:3000:6000:7\n"
				  "1:0:1:1:1:6000:6500:10\n"
				  "1:0:1:1:1:6500:7000:11\n"
				  "1:0:1:1:1:7000:9000:13\n"
				  "1:0:1:1:1:9000:9100:5\n"
				  "1:0:1:1:1:9100:10000:15\n"
				  "2:0:1:1:1:10000:60000019:0\n";

	is_int(read_in(prv, ""), JW_OK);
	is_int(rep.methods[0].self.ns[TRACE_REPORT_RUNNING], 9000);
	is_int(rep.threads[0].busy_ns, 9000);
	is_int(rep.threads[0].running_ns, 9000);
	is_int(rep.states[rep.threads[0].critical].number, 15);
}

/* f -> g, f -> f in one thread, g in another: each way has its calls and times, by what its threads
 * do; so has each method its durations. */
TEST(calls_have_a_tree_and_durations)
{
	static const char prv[] = "#Paraver (1/1/2025 at 0:00):10000_ns:0:1:1(3:0),0\n"
				  "1:0:1:1:1:0:3000:1\n"
				  "1:0:1:1:3:0:10000:1\n"
				  "2:0:1:1:1:1000:60000019:7\n"
				  "2:0:1:1:1:2000:60000019:9\n"
				  "2:0:1:1:1:2300:60000019:0\n"
				  "1:0:1:1:1:3000:10000:5\n"
				  "2:0:1:1:1:3500:60000019:7\n"
				  "2:0:1:1:1:3600:60000019:0\n"
				  "2:0:1:1:3:4000:60000019:9\n"
				  "2:0:1:1:1:5000:60000019:0\n";

	is_int(read_in(prv, "LEVEL THREAD SIZE 3\nw-1\nidle\nw-2\n"), JW_OK);
	ok(rep.calls_known);
	is_int(rep.methods[0].durations.n, 2);
	is_int(trace_sketch_at(&rep.methods[0].durations, 500), 100);
	is_int(trace_sketch_at(&rep.methods[0].durations, 1000), 4000);
	is_int(rep.methods[1].durations.n, 2);
	is_int(trace_sketch_at(&rep.methods[1].durations, 1000), 6000);

	const struct trace_tree *t = &rep.tree.tree;

	is_int(t->roots, 2);
	is_str(rep.tree.roles[0], "w-*");
	is_str(rep.tree.roles[1], "idle");
	ok(t->at[1].first == TRACE_TREE_NONE);
	const struct trace_tree_node *f = below(t, 0, 0), *g = below(t, 0, 1);

	is_int(f->calls, 1);
	is_int(f->self[TRACE_REPORT_RUNNING], 1700);
	is_int(f->self[TRACE_REPORT_WAITING], 1900);
	is_int(f->total[TRACE_REPORT_RUNNING], 2000);
	is_int(f->total[TRACE_REPORT_WAITING], 2000);
	is_int(g->self[TRACE_REPORT_RUNNING], 6000);
	uint32_t at = (uint32_t)(f - t->at);

	is_int(below(t, at, 0)->self[TRACE_REPORT_WAITING], 100);
	is_int(below(t, at, 1)->self[TRACE_REPORT_RUNNING], 300);

	struct trace_tree all = { 0 };

	ok(trace_report_tree_all(&rep.tree, &all));
	is_int(all.roots, 1);
	is_int(trace_tree_ns(all.at[0].total), 10000);
	trace_tree_free(&all);
}

/* More threads than are kept apart until their names come. */
TEST(many_threads_without_names_have_one_tree)
{
	struct jw_buf prv = { 0 };

	jw_put_str(&prv, "#Paraver (1/1/2025 at 0:00):10000_ns:0:1:1(65:0),0\n");
	for (unsigned i = 1; i <= 65; i++)
		jw_put_fmt(&prv, "2:0:1:1:%u:%u:60000019:1\n", i, i);
	jw_put_u1(&prv, 0);
	is_int(read_in((const char *)prv.p, ""), JW_OK);
	is_int(rep.tree.tree.roots, 1);
	is_str(rep.tree.roles[0], "all threads");
	is_int(below(&rep.tree.tree, 0, 0)->calls, 65);
	jw_buf_free(&prv);
}
