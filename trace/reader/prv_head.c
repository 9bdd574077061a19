/*
 * prv_head.c: see prv_head.h.
 */
#include <string.h>

#include "base/memory.h"
#include "trace/reader/prv_head.h"

#include "base/banned.h"

bool trace_take_number(struct jw_span *s, uint64_t *out)
{
	uint64_t v = 0;
	size_t n = 0;

	for (; n < s->n && s->p[n] >= '0' && s->p[n] <= '9'; n++) {
		unsigned digit = s->p[n] - (unsigned)'0';

		v = v > (UINT64_MAX - digit) / 10 ? UINT64_MAX : v * 10 + digit;
	}
	*s = jw_span_sub(*s, n, s->n);
	*out = v;
	return n > 0;
}

/* Cuts *S at the first END, which is skipped. */
static bool take_until(struct jw_span *s, const char *end, struct jw_span *out)
{
	size_t n = strlen(end);

	for (size_t i = 0; i + n <= s->n; i++) {
		if (memcmp(s->p + i, end, n) == 0) {
			*out = jw_span_sub(*s, 0, i);
			*s = jw_span_sub(*s, i + n, s->n);
			return true;
		}
	}
	return false;
}

static enum jw_status cut_short(struct jw_err *e)
{
	return jw_fail(e, JW_INPUT, "its header is damaged or cut short");
}

/* "3:1", one task: its threads, and its node. */
static enum jw_status take_task(struct trace_prv_head *head, struct jw_span *list, uint32_t appl,
				uint32_t number, struct jw_err *e)
{
	struct trace_prv_task *task = &head->tasks[head->task_count];
	uint64_t threads, node;

	if (!trace_take_number(list, &threads) || !jw_span_starts(*list, JW_SPAN_LIT(":")))
		return cut_short(e);
	*list = jw_span_sub(*list, 1, list->n);
	if (!trace_take_number(list, &node) || threads == 0)
		return cut_short(e);
	if (threads > TRACE_PRV_MAX_THREADS - head->thread_count)
		return jw_fail(e, JW_LIMIT, "it has more than %d threads", TRACE_PRV_MAX_THREADS);
	*task = (struct trace_prv_task){ .appl = appl,
					 .number = number,
					 .threads = (uint32_t)threads,
					 .first = head->thread_count,
					 .node = node > UINT32_MAX ? 0 : (uint32_t)node };
	head->thread_count += task->threads;
	head->task_count++;
	return JW_OK;
}

/* "2(3:1,4:1)": an application. */
static enum jw_status take_appl(struct trace_prv_head *head, struct jw_span *s, uint32_t appl,
				struct jw_err *e)
{
	uint64_t tasks;
	struct jw_span list;

	if (!trace_take_number(s, &tasks) || !jw_span_starts(*s, JW_SPAN_LIT("(")))
		return cut_short(e);
	*s = jw_span_sub(*s, 1, s->n);
	if (!take_until(s, ")", &list) || tasks == 0)
		return cut_short(e);
	if (tasks > TRACE_PRV_MAX_THREADS - head->task_count)
		return jw_fail(e, JW_LIMIT, "it has more than %d tasks", TRACE_PRV_MAX_THREADS);
	head->appl_first[appl - 1] = head->task_count;
	for (uint32_t i = 1; i <= tasks; i++) {
		JW_TRY(take_task(head, &list, appl, i, e));
		list = jw_span_sub(list, 1, list.n); /* a comma */
	}
	return JW_OK;
}

static enum jw_status take_appls(struct trace_prv_head *head, struct jw_span s, struct jw_err *e)
{
	uint64_t count;

	if (!trace_take_number(&s, &count) || !jw_span_starts(s, JW_SPAN_LIT(":")) || count == 0 ||
	    count > TRACE_PRV_MAX_THREADS)
		return cut_short(e);
	s = jw_span_sub(s, 1, s.n);
	/* a task takes three bytes and more: the line bounds the memory */
	size_t most = s.n / 3 + 1 < TRACE_PRV_MAX_THREADS ? s.n / 3 + 1 : TRACE_PRV_MAX_THREADS;

	head->tasks = jw_mem_zalloc(most, sizeof(*head->tasks));
	head->appl_first = jw_mem_zalloc(count + 1, sizeof(*head->appl_first));
	if (!head->tasks || !head->appl_first)
		return jw_nomem(e);
	for (uint32_t i = 1; i <= count; i++) {
		JW_TRY(take_appl(head, &s, i, e));
		s = jw_span_sub(s, 1, s.n);
		head->appl_count = i;
	}
	head->appl_first[count] = head->task_count;
	return JW_OK;
}

enum jw_status trace_prv_head_read(struct jw_span line, struct trace_prv_head *out,
				   struct jw_err *e)
{
	struct jw_span rest = line, unit, nodes;
	uint64_t end, node_count = 0;

	*out = (struct trace_prv_head){ .unit_ns = 1000 };
	if (!jw_span_starts(line, JW_SPAN_LIT("#Paraver (")) ||
	    !take_until(&rest, "(", &out->date) || !take_until(&rest, "):", &out->date))
		return jw_fail(e, JW_INPUT,
			       "no Paraver trace: it does not begin with \"#Paraver (\"");
	if (!trace_take_number(&rest, &end) || !take_until(&rest, ":", &unit) ||
	    !take_until(&rest, ":", &nodes))
		return cut_short(e);
	if (jw_span_eq_str(unit, "_ms"))
		out->unit_ns = 1000000;
	else if (jw_span_eq_str(unit, "_ns"))
		out->unit_ns = 1;
	out->end_ns = end > UINT64_MAX / out->unit_ns ? UINT64_MAX : end * out->unit_ns;
	(void)trace_take_number(&nodes, &node_count);
	out->nodes = node_count > UINT32_MAX ? UINT32_MAX : (uint32_t)node_count;
	return take_appls(out, rest, e);
}

void trace_prv_head_free(struct trace_prv_head *head)
{
	jw_mem_free(head->tasks);
	jw_mem_free(head->appl_first);
	*head = (struct trace_prv_head){ 0 };
}

uint32_t trace_prv_thread(const struct trace_prv_head *head, uint64_t appl, uint64_t task,
			  uint64_t thread)
{
	if (appl == 0 || appl > head->appl_count || task == 0 || thread == 0 ||
	    task > head->appl_first[appl] - head->appl_first[appl - 1])
		return UINT32_MAX;
	const struct trace_prv_task *t = &head->tasks[head->appl_first[appl - 1] + task - 1];

	return thread > t->threads ? UINT32_MAX : t->first + (uint32_t)thread - 1;
}
