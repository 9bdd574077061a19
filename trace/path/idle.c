/*
 * idle.c: where a path goes that comes to somebody who had nothing to do.
 *
 * Who was idle until it was asked, unseen, by who waits for it: the path goes on with that one.
 *
 *     main    ==run==|..wait for b..........|==run==      the path: main, then a since it was asked, then b, main
 *     a       ..idle.......|==run==\
 *     b       ..idle................|==run==/
 *
 * A worker that had no work is let go on by whatever has a message for it, as a timer that cleans up and wakes by
 * itself ten times a second. Work that comes meanwhile, or is in the same queue, then has no arrow:
 *
 *     timer   ..idle.|..idle.|..idle.|=\                  the path: worker, that has worked before, not the timer
 *     worker  ========run========|.idle.|==run==
 *
 * So of such a worker the arrow counts unless more than half of the time that whoever sent it had nothing to do is on
 * no way of the worker's own.
 */
#include "trace/path/path_int.h"

#include "base/banned.h"

/* Nodes that are looked through for the last idle wait. */
#define IDLE_NEAR 8

/* The last idle wait of FROM, which nobody is known to have ended; NULL: there was none lately. */
static const struct trace_path_node *last_idle(const struct trace_path *p, uint32_t from)
{
	const struct trace_path_node *node = p->lanes[from].branch.node;

	for (unsigned i = 0; node && i < IDLE_NEAR; i++, node = node->before)
		if (node->kind == TRACE_PATH_WAITS && node->n == 1 &&
		    node->items[0].key.what == TRACE_REPORT_FOR_WORK)
			return node;
	return NULL;
}

/* Did FROM idle at TIME, or until so shortly before that what it did since is no matter? */
static bool idled_at(const struct trace_path *p, uint32_t from, uint64_t time)
{
	const struct trace_path_node *idle = last_idle(p, from);

	return idle && idle->begin < time &&
	       (idle->end > time || time - idle->end <= (idle->end - idle->begin) / 100);
}

struct trace_path_node *trace_path_asked(struct trace_path *p, uint32_t from, uint32_t to,
					 uint64_t sent)
{
	const struct trace_followed_thread *t = &p->follow.threads[to];
	enum trace_report_time what = trace_follow_doing(&p->follow, to, sent);

	if (!t->waits || !trace_path_awaits(p, to, what) || what == TRACE_REPORT_FOR_WORK ||
	    !idled_at(p, from, t->wait.since))
		return NULL;
	struct trace_path_node *by = p->lanes[to].branch.node;

	while (by && by->begin >= t->wait.since)
		by = by->before;
	return by && by->end == t->wait.since
		       ? trace_history_since(&p->history, p->lanes[from].branch.node, by,
					     t->wait.since)
		       : NULL;
}

bool trace_path_was_idler(const struct trace_path *p, uint32_t at, uint64_t time)
{
	const struct trace_path_lane *lane = &p->lanes[at];
	const struct trace_path_node *own = lane->branch.node;

	return lane->idled && own && lane->from &&
	       own->idle + (time - lane->branch.since) < lane->from->idle / 2;
}
