/*
 * report_json.c: `jweave report --json`.
 *
 * { kind, exceptionsKnown, sitesKnown, statesKnown, gcPauses: { count, ns, longestNs }, durationNs,
 * calls, methodCount, threadCount, methods: [{ name, full, calls, [sampleEvery,] [exceptional,]
 * inclusiveNs, exclusiveNs, selfNs: { running, blocked, waiting, io, forWork, gc, other }, totalNs: {
 * likewise }, longestNs, meanNs, threads: [{ task, thread, calls, [exceptional,]
 * inclusiveNs, exclusiveNs }] }], threads: [{ task, thread, name, calls, lifeNs, runningNs,
 * utilization, insideNs, criticalState, criticalNs, criticalLongestNs, states: { NUMBER: ns },
 * operations: [{ type, name, count, ns, bytes }] }], states: { NUMBER: label },
 * operations: [{ type, name, count, ns, bytes }],
 *   sites: [{ callee, caller, source, line, operation, count, exceptional, ns, bytes,
 *             threads: [{ task, thread, count, exceptional, ns, bytes }] }],
 *   monitors: [{ task, class, object, contended: { count, ns }, waits: { count, ns },
 *                threads: [{ task, thread, count, ns }], owners: [likewise] }],
 *   classes: [{ class, objects, contended, waits }],
 *   allocations: [{ class, count, bytes, threads: [{ task, thread, count, bytes }] }],
 *   exceptions: [{ class, thrown, again, caught }],
 *   objects: [{ class, made, elements }] }
 */
#include <string.h>

#include "cli/report_shared.h"

#include "base/banned.h"

/* Whose share it is. */
static void json_thread_of(struct jw_buf *out, const struct trace_report *r,
			   const struct trace_report_share *share)
{
	cli_json_number(out, "task", r->threads[share->of].task, ",");
	cli_json_number(out, "thread", r->threads[share->of].number, ",");
}

/* ---- methods ---- */

static void json_split(struct jw_buf *out, const char *name, const struct trace_report_split *split)
{
	static const char *const words[] = {
#define WORD(name, word) word,
		TRACE_REPORT_TIME_LIST(WORD)
#undef WORD
	};

	jw_put_fmt(out, "\"%s\":{", name);
	for (size_t i = 0; i < TRACE_REPORT_TIMES; i++)
		cli_json_number(out, words[i], split->ns[i],
				i + 1 < TRACE_REPORT_TIMES ? "," : "},");
}

static void json_method(struct jw_buf *out, const struct trace_report *r,
			const struct trace_report_method *m)
{
	struct jw_span label = jw_span_str(m->label), full = label, name = label;
	const char *open = strchr(m->label, '[');

	if (open && open > m->label && jw_span_ends(label, JW_SPAN_LIT("]"))) {
		name.n = (size_t)(open - m->label);
		full = jw_span_sub(label, name.n + 1, label.n - name.n - 2);
		while (name.n && name.p[name.n - 1] == ' ')
			name.n--;
	}
	jw_put_str(out, "{\"name\":");
	cli_put_json(out, name);
	jw_put_str(out, ",\"full\":");
	cli_put_json(out, full);
	jw_put_str(out, ",");
	cli_json_number(out, "calls", m->calls, ",");
	if (cli_report_every(m) > 1)
		cli_json_number(out, "sampleEvery", cli_report_every(m), ",");
	if (r->exceptions_known)
		cli_json_number(out, "exceptional", m->exceptional, ",");
	cli_json_number(out, "inclusiveNs", m->inclusive_ns, ",");
	cli_json_number(out, "exclusiveNs", m->exclusive_ns, ",");
	if (r->states_known) {
		json_split(out, "selfNs", &m->self);
		json_split(out, "totalNs", &m->total);
	}
	if (r->closed_methods) {
		jw_put_fmt(out, "\"closed\":%s,", m->closed ? "true" : "false");
		cli_json_number(out, "likelyRunningNs", m->likely_ns, ",");
	}
	cli_json_number(out, "longestNs", m->longest_ns, ",");
	jw_put_fmt(out, "\"meanNs\":%.1f,\"threads\":[", cli_report_mean_ns(m));
	for (size_t i = 0; i < m->share_count; i++) {
		const struct trace_report_share *share = &m->shares[i];

		jw_put_str(out, i ? ",{" : "{");
		json_thread_of(out, r, share);
		cli_json_number(out, "calls", share->count, ",");
		if (r->exceptions_known)
			cli_json_number(out, "exceptional", share->exceptional, ",");
		cli_json_number(out, "inclusiveNs", share->ns, ",");
		cli_json_number(out, "exclusiveNs", share->own_ns, "");
		jw_put_str(out, "}");
	}
	jw_put_str(out, "]}");
}

/* ---- threads ---- */

static void json_operation(struct jw_buf *out, const struct trace_report_operation *op,
			   uint64_t count, uint64_t ns, uint64_t bytes)
{
	jw_put_str(out, "{");
	cli_json_text(out, "type", op->type, ",");
	cli_json_text(out, "name", op->name, ",");
	cli_json_number(out, "count", count, ",");
	cli_json_number(out, "ns", ns, ",");
	cli_json_number(out, "bytes", bytes, "");
	jw_put_str(out, "}");
}

static void json_critical(struct jw_buf *out, const struct trace_report *r,
			  const struct trace_report_thread *t)
{
	if (t->critical == SIZE_MAX)
		jw_put_str(out, "\"criticalState\":null,");
	else
		jw_put_fmt(out, "\"criticalState\":\"%llu\",",
			   (unsigned long long)r->states[t->critical].number);
	cli_json_number(out, "criticalNs", t->critical_ns, ",");
	cli_json_number(out, "criticalLongestNs", t->critical_longest_ns, ",");
}

/* Unknown is null. */
static void json_cpu(struct jw_buf *out, uint64_t ns)
{
	if (ns)
		cli_json_number(out, "cpuNs", ns, ",");
	else
		jw_put_str(out, "\"cpuNs\":null,");
}

static bool is_busy(const struct cli_report_busy *busy, const struct trace_report_thread *t)
{
	size_t low = 0, high = busy->count;

	while (low < high) { /* they stand in their order */
		size_t mid = (low + high) / 2;

		if (busy->list[mid] < t)
			low = mid + 1;
		else
			high = mid;
	}
	return low < busy->count && busy->list[low] == t;
}

static void json_thread(struct jw_buf *out, const struct trace_report *r,
			const struct trace_report_thread *t, const struct cli_report_busy *busy)
{
	const char *comma = "";

	jw_put_fmt(out, "{\"task\":%u,\"thread\":%u,\"name\":", t->task, t->number);
	cli_put_json(out, jw_span_str(t->name));
	jw_put_str(out, ",");
	cli_json_number(out, "calls", t->calls, ",");
	cli_json_number(out, "lifeNs", t->life_ns, ",");
	cli_json_number(out, "runningNs", t->running_ns, ",");
	jw_put_fmt(out, "\"utilization\":%.4f,",
		   t->life_ns ? (double)t->running_ns / (double)t->life_ns : 0.0);
	cli_json_number(out, "insideNs", t->inside_ns, ",");
	cli_json_number(out, "insideRunningNs", t->busy_ns, ",");
	json_cpu(out, t->cpu_ns);
	jw_put_fmt(out, "\"busy\":%s,", is_busy(busy, t) ? "true" : "false");
	json_critical(out, r, t);
	jw_put_str(out, "\"states\":{");
	for (size_t s = 0; s < r->state_count; s++) {
		if (!t->states_ns[s])
			continue;
		jw_put_fmt(out, "%s\"%llu\":%llu", comma, (unsigned long long)r->states[s].number,
			   (unsigned long long)t->states_ns[s]);
		comma = ",";
	}
	jw_put_str(out, "},\"operations\":[");
	for (size_t i = 0; i < t->operation_count; i++) {
		const struct trace_report_share *share = &t->operations[i];

		jw_put_str(out, i ? "," : "");
		json_operation(out, &r->operations[share->of], share->count, share->ns,
			       share->bytes);
	}
	jw_put_str(out, "]}");
}

/* ---- what was done, and waited for ---- */

static void json_operations(struct jw_buf *out, const struct trace_report *r)
{
	const char *comma = "";

	for (size_t i = 0; i < r->operation_count; i++) {
		const struct trace_report_operation *op = &r->operations[i];

		if (!op->count)
			continue;
		jw_put_fmt(out, "%s\n", comma);
		json_operation(out, op, op->count, op->ns, op->bytes);
		comma = ",";
	}
}

static void json_site(struct jw_buf *out, const struct trace_report *r,
		      const struct trace_report_site *s)
{
	jw_put_str(out, "{");
	cli_json_text(out, "callee", s->callee, ",");
	cli_json_text(out, "caller", s->caller, ",");
	cli_json_text(out, "source", s->source, ",");
	cli_json_number(out, "line", s->line, ",");
	cli_json_text(out, "operation", s->operation, ",");
	cli_json_number(out, "count", s->count, ",");
	cli_json_number(out, "exceptional", s->exceptional, ",");
	cli_json_number(out, "ns", s->ns, ",");
	cli_json_number(out, "bytes", s->bytes, ",");
	jw_put_str(out, "\"threads\":[");
	for (size_t i = 0; i < s->thread_count; i++) {
		const struct trace_report_share *share = &s->threads[i];

		jw_put_str(out, i ? ",{" : "{");
		json_thread_of(out, r, share);
		cli_json_number(out, "count", share->count, ",");
		cli_json_number(out, "exceptional", share->exceptional, ",");
		cli_json_number(out, "ns", share->ns, ",");
		cli_json_number(out, "bytes", share->bytes, "}");
	}
	jw_put_str(out, "]}");
}

static void json_waits(struct jw_buf *out, const struct trace_report_wait *contended,
		       const struct trace_report_wait *waits)
{
	jw_put_str(out, "\"contended\":{");
	cli_json_number(out, "count", contended->count, ",");
	cli_json_number(out, "ns", contended->ns, "");
	jw_put_str(out, "},\"waits\":{");
	cli_json_number(out, "count", waits->count, ",");
	cli_json_number(out, "ns", waits->ns, "");
	jw_put_str(out, "}");
}

static void json_share_list(struct jw_buf *out, const struct trace_report *r, const char *head,
			    const struct trace_report_share *list, size_t count)
{
	jw_put_str(out, head);
	for (size_t i = 0; i < count; i++) {
		jw_put_str(out, i ? ",{" : "{");
		json_thread_of(out, r, &list[i]);
		cli_json_number(out, "count", list[i].count, ",");
		cli_json_number(out, "ns", list[i].ns, "");
		jw_put_str(out, "}");
	}
}

static void json_stall(struct jw_buf *out, const struct trace_report *r,
		       const struct trace_report_stall *s)
{
	static const char *const hows[] = {
#define WORD(name, word) word,
		TRACE_REPORT_HOW_LIST(WORD)
#undef WORD
	};
	struct jw_buf what = { 0 };

	if (s->objects || s->how == TRACE_REPORT_ENTER || s->how == TRACE_REPORT_WAIT)
		cli_report_put_stalled(&what, s);
	jw_put_fmt(out, "{\"wait\":\"%s\",", hows[s->how]);
	cli_json_text(out, "callee", s->callee, ",");
	cli_json_text(out, "method", s->method, ",");
	cli_json_text(out, "source", s->source, ",");
	cli_json_number(out, "line", s->line, ",");
	cli_json_text(out, "class", s->class_name, ",\"object\":");
	cli_put_json(out, jw_buf_span(&what));
	jw_put_str(out, ",");
	cli_json_number(out, "objects", s->objects, ",");
	cli_json_number(out, "count", s->count, ",");
	cli_json_number(out, "ns", s->ns, ",");
	cli_json_number(out, "longestNs", s->longest_ns, "");
	json_share_list(out, r, ",\"enders\":[", s->enders, s->ender_count);
	jw_put_str(out, "]}");
	jw_buf_free(&what);
}

static void json_monitor(struct jw_buf *out, const struct trace_report *r,
			 const struct trace_report_monitor *m)
{
	struct jw_buf name = { 0 };

	jw_put_fmt(out, "{\"task\":%u,", m->task);
	cli_json_text(out, "class", m->class_name, ",");
	cli_report_put_object(&name, m);
	jw_put_str(out, "\"object\":");
	cli_put_json(out, jw_buf_span(&name));
	jw_put_str(out, ",");
	json_waits(out, &m->contended, &m->waits);
	json_share_list(out, r, ",\"threads\":[", m->threads, m->thread_count);
	json_share_list(out, r, "],\"owners\":[", m->owners, m->owner_count);
	jw_put_str(out, "]}");
	jw_buf_free(&name);
}

static void json_classes(struct cli *cli, struct jw_buf *out, const struct trace_report *r)
{
	struct cli_report_class *classes = NULL;
	size_t n = cli_report_classes(cli, r, &classes);

	for (size_t i = 0; i < cli_report_top(cli, n, SIZE_MAX); i++) {
		jw_put_str(out, i ? ",\n{" : "\n{");
		cli_json_text(out, "class", classes[i].name, ",");
		cli_json_number(out, "objects", classes[i].objects, ",");
		json_waits(out, &classes[i].contended, &classes[i].waits);
		jw_put_str(out, "}");
	}
}

static void json_allocs(struct cli *cli, struct jw_buf *out, const struct trace_report *r)
{
	for (size_t i = 0; i < cli_report_top(cli, r->alloc_count, SIZE_MAX); i++) {
		const struct trace_report_alloc *a = &r->allocs[i];

		jw_put_str(out, i ? ",\n{" : "\n{");
		cli_json_text(out, "class", a->class_name, ",");
		cli_json_number(out, "count", a->count, ",");
		cli_json_number(out, "bytes", a->bytes, ",");
		jw_put_str(out, "\"threads\":[");
		for (size_t k = 0; k < a->thread_count; k++) {
			jw_put_str(out, k ? ",{" : "{");
			json_thread_of(out, r, &a->threads[k]);
			cli_json_number(out, "count", a->threads[k].count, ",");
			cli_json_number(out, "bytes", a->threads[k].bytes, "}");
		}
		jw_put_str(out, "]}");
	}
}

static void json_exceptions(struct cli *cli, struct jw_buf *out, const struct trace_report *r)
{
	for (size_t i = 0; i < cli_report_top(cli, r->exceptions.n, SIZE_MAX); i++) {
		const struct trace_report_type *t = &r->exceptions.list[i];

		jw_put_str(out, i ? ",\n{" : "\n{");
		cli_json_text(out, "class", t->name, ",");
		cli_json_number(out, "thrown", t->count[TRACE_REPORT_THROWN], ",");
		cli_json_number(out, "again", t->count[TRACE_REPORT_AGAIN], ",");
		cli_json_number(out, "caught", t->count[TRACE_REPORT_CAUGHT], "");
		jw_put_str(out, "}");
	}
}

static void json_objects(struct cli *cli, struct jw_buf *out, const struct trace_report *r)
{
	for (size_t i = 0; i < cli_report_top(cli, r->objects.n, SIZE_MAX); i++) {
		const struct trace_report_type *t = &r->objects.list[i];

		jw_put_str(out, i ? ",\n{" : "\n{");
		cli_json_text(out, "class", t->name, ",");
		cli_json_number(out, "made", t->count[TRACE_REPORT_MADE], ",");
		cli_json_number(out, "elements", t->elements, "");
		jw_put_str(out, "}");
	}
}

/* ---- the whole ---- */

static void put_lists(struct cli *cli, struct jw_buf *out, const struct trace_report *r)
{
	jw_put_str(out, "},\n\"operations\":[");
	json_operations(out, r);
	jw_put_str(out, "\n],\n\"sites\":[");
	for (size_t i = 0; i < cli_report_top(cli, r->site_count, SIZE_MAX); i++) {
		jw_put_str(out, i ? ",\n" : "\n");
		json_site(out, r, &r->sites[i]);
	}
	jw_put_str(out, "\n],\n\"waits\":[");
	for (size_t i = 0; i < cli_report_top(cli, r->stall_count, SIZE_MAX); i++) {
		jw_put_str(out, i ? ",\n" : "\n");
		json_stall(out, r, &r->stalls[i]);
	}
	jw_put_str(out, "\n],\n\"monitors\":[");
	for (size_t i = 0; i < cli_report_top(cli, r->monitor_count, SIZE_MAX); i++) {
		jw_put_str(out, i ? ",\n" : "\n");
		json_monitor(out, r, &r->monitors[i]);
	}
	jw_put_str(out, "\n],\n\"classes\":[");
	json_classes(cli, out, r);
	jw_put_str(out, "\n],\n\"allocations\":[");
	json_allocs(cli, out, r);
	jw_put_str(out, "\n],\n\"exceptions\":[");
	json_exceptions(cli, out, r);
	jw_put_str(out, "\n],\n\"objects\":[");
	json_objects(cli, out, r);
	jw_put_str(out, "\n]\n}\n");
}

enum jw_status cli_report_json(struct cli *cli, const struct trace_report *r,
			       const struct trace_report_method **sorted,
			       const struct cli_report_busy *busy, struct jw_err *e)
{
	struct jw_buf out = { 0 };

	jw_put_fmt(&out, "{\n\"kind\":\"report\",\n\"exceptionsKnown\":%s,\n\"sitesKnown\":%s,\n",
		   r->exceptions_known ? "true" : "false", r->sites_known ? "true" : "false");
	jw_put_fmt(&out, "\"statesKnown\":%s,\n\"gcPauses\":{", r->states_known ? "true" : "false");
	cli_json_number(&out, "count", r->pauses.count, ",");
	cli_json_number(&out, "ns", r->pauses.ns, ",");
	cli_json_number(&out, "longestNs", r->pauses.longest_ns, "");
	jw_put_str(&out, "},\n");
	cli_json_number(&out, "durationNs", r->duration_ns, ",");
	json_cpu(&out, r->cpu_ns);
	cli_json_number(&out, "calls", r->calls, ",");
	cli_json_number(&out, "methodCount", r->method_count, ",");
	cli_json_number(&out, "threadCount", r->thread_count, ",");
	jw_put_str(&out, "\n\"methods\":[");
	for (size_t i = 0; i < cli_report_top(cli, r->method_count, SIZE_MAX); i++) {
		jw_put_str(&out, i ? ",\n" : "\n");
		json_method(&out, r, sorted[i]);
	}
	jw_put_str(&out, "\n],\n\"threads\":[");
	for (size_t i = 0; i < cli_report_top(cli, r->thread_count, SIZE_MAX); i++) {
		jw_put_str(&out, i ? ",\n" : "\n");
		json_thread(&out, r, &r->threads[i], busy);
	}
	jw_put_str(&out, "\n],\n\"states\":{");
	for (size_t s = 0; s < r->state_count; s++) {
		jw_put_fmt(&out, "%s\"%llu\":", s ? "," : "",
			   (unsigned long long)r->states[s].number);
		cli_put_json(&out, jw_span_str(r->states[s].name));
	}
	put_lists(cli, &out, r);
	cli_put_span(cli, jw_buf_span(&out));
	enum jw_status status = jw_buf_finish(&out, "report", e);

	jw_buf_free(&out);
	return status;
}
