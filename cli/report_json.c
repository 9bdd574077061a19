/*
 * report_json.c: `jweave report --json`.
 *
 * { kind, exceptionsKnown, sitesKnown, statesKnown, gcPauses: { count, ns, longestNs }, [beginNs,]
 * durationNs, calls, [cut: { before, after },] methodCount, threadCount,
 * methods: [{ name, full, calls, [cut,] [sampleEvery,] [exceptional,]
 * inclusiveNs, exclusiveNs, selfNs: { running, blocked, waiting, io, forWork, gc, other }, totalNs: {
 * likewise }, longestNs, meanNs, threads: [{ task, thread, calls, [exceptional,]
 * inclusiveNs, exclusiveNs }] }], threads: [{ task, thread, name, [isVm,] calls, lifeNs, runningNs,
 * utilization, insideNs, criticalState, criticalNs, criticalLongestNs, states: { NUMBER: ns },
 * operations: [{ type, name, count, ns, bytes }] }], states: { NUMBER: label },
 * stateTimes: { NUMBER: running.. },
 * operations: [{ type, name, count, ns, bytes }],
 *   sites: [{ callee, caller, source, line, operation, count, exceptional, ns, bytes,
 *             threads: [{ task, thread, count, exceptional, ns, bytes }] }],
 *   monitors: [{ task, class, object, contended: { count, ns }, waits: { count, ns },
 *                threads: [{ task, thread, count, ns }], owners: [likewise] }],
 *   classes: [{ class, objects, contended, waits }],
 *   deadlocks: [text],
 *   allocations: [{ class, count, bytes, threads: [{ task, thread, count, bytes }] }],
 *   connections: [{ name, reads: { count, bytes, ns }, writes: { likewise }, others: { likewise } }],
 *   files: [likewise],
 *   [sockets: { between, matched, unmatched: { REASON: { bytes, ends } }, backwards, backwardsNs },]
 *   [clocks: { machines, messages, backwardsBefore, backwardsBeforeNs },]
 *   exceptions: [{ class, thrown, again, caught }],
 *   objects: [{ class, made, elements }] }
 */
#include <string.h>

#include "cli/cli.h"
#include "cli/report_json.h"
#include "cli/report_shared.h"
#include "trace/names/state_names.h"

#include "base/banned.h"

/* What is printed, and where. */
struct printer {
	struct cli *cli;
	const struct trace_report *report;
	const struct cli_report_busy *busy;
	const char **state_keys; /* the numbers of its states as text */
	struct cli_json json;
};

/* An object in LIST for a share, with its thread. */
static cJSON *share_of(struct printer *p, cJSON *list, const struct trace_report_share *share)
{
	const struct trace_report_thread *thread = &p->report->threads[share->of];
	cJSON *object = cli_json_object(&p->json, list, NULL);

	cli_json_number(&p->json, object, "task", thread->task);
	cli_json_number(&p->json, object, "thread", thread->number);
	return object;
}

/* ---- methods ---- */

void cli_report_json_times(struct cli_json *json, cJSON *parent, const char *key,
			   const uint64_t times[TRACE_REPORT_TIMES])
{
	cJSON *object = cli_json_object(json, parent, key);

	for (size_t i = 0; i < TRACE_REPORT_TIMES; i++)
		cli_json_number(json, object, cli_report_times[i], times[i]);
}

void cli_report_json_split(struct cli_json *json, cJSON *parent, const char *key,
			   const struct trace_report_split *split)
{
	cli_report_json_times(json, parent, key, split->ns);
}

/* "Solver.step [acme.Solver.step(int):void X.java:12]" is a name and a full name. */
void cli_report_json_label(struct cli_json *json, cJSON *object, const char *text)
{
	struct jw_span label = jw_span_str(text), full = label, name = label;
	const char *open = strchr(text, '[');

	if (open && open > text && jw_span_ends(label, JW_SPAN_LIT("]"))) {
		name.n = (size_t)(open - text);
		full = jw_span_sub(label, name.n + 1, label.n - name.n - 2);
		while (name.n && name.p[name.n - 1] == ' ')
			name.n--;
	}
	cli_json_span(json, object, "name", name);
	cli_json_span(json, object, "full", full);
}

static void add_shares(struct printer *p, cJSON *method, const struct trace_report_method *m)
{
	struct cli_json *json = &p->json;
	cJSON *threads = cli_json_array(json, method, "threads");

	for (size_t i = 0; i < m->share_count; i++) {
		const struct trace_report_share *share = &m->shares[i];
		cJSON *object = share_of(p, threads, share);

		cli_json_number(json, object, "calls", share->count);
		if (p->report->exceptions_known)
			cli_json_number(json, object, "exceptional", share->exceptional);
		cli_json_number(json, object, "inclusiveNs", share->ns);
		cli_json_number(json, object, "exclusiveNs", share->own_ns);
	}
}

/* Of the calls that are told, those that a range cuts; where it cuts none, nothing. */
static void add_cut(struct cli_json *json, cJSON *object, const struct trace_report_cut *cut)
{
	if (!cut->before && !cut->after)
		return;
	cJSON *of = cli_json_object(json, object, "cut");

	cli_json_number(json, of, "before", cut->before);
	cli_json_number(json, of, "after", cut->after);
}

static void put_method(struct printer *p, const struct trace_report_method *m)
{
	struct cli_json *json = &p->json;
	cJSON *method = cli_json_object(json, NULL, NULL);

	cli_report_json_label(json, method, m->label);
	cli_json_number(json, method, "calls", m->calls);
	add_cut(json, method, &m->cut);
	if (cli_report_every(m) > 1)
		cli_json_number(json, method, "sampleEvery", cli_report_every(m));
	if (p->report->exceptions_known)
		cli_json_number(json, method, "exceptional", m->exceptional);
	cli_json_number(json, method, "inclusiveNs", m->inclusive_ns);
	cli_json_number(json, method, "exclusiveNs", m->exclusive_ns);
	if (p->report->states_known) {
		cli_report_json_split(json, method, "selfNs", &m->self);
		cli_report_json_split(json, method, "totalNs", &m->total);
	}
	if (p->report->closed_methods) {
		cli_json_bool(json, method, "closed", m->closed_ns);
		if (m->closed_ns)
			cli_json_number(json, method, "closedNs", m->closed_ns);
		cli_json_number(json, method, "likelyRunningNs", m->likely_ns);
	}
	cli_json_number(json, method, "longestNs", m->longest_ns);
	cli_json_decimal(json, method, "meanNs", cli_report_mean_ns(m), 1);
	add_shares(p, method, m);
	cli_json_element(json, method);
}

/* ---- threads ---- */

static void fill_operation(struct cli_json *json, cJSON *object,
			   const struct trace_report_operation *op, uint64_t count, uint64_t ns,
			   uint64_t bytes)
{
	cli_json_text(json, object, "type", op->type);
	cli_json_text(json, object, "name", op->name);
	cli_json_number(json, object, "count", count);
	cli_json_number(json, object, "ns", ns);
	cli_json_number(json, object, "bytes", bytes);
}

static void add_critical(struct printer *p, cJSON *thread, const struct trace_report_thread *t)
{
	if (t->critical == SIZE_MAX)
		cli_json_null(&p->json, thread, "criticalState");
	else
		cli_json_text(&p->json, thread, "criticalState", p->state_keys[t->critical]);
	cli_json_number(&p->json, thread, "criticalNs", t->critical_ns);
	cli_json_number(&p->json, thread, "criticalLongestNs", t->critical_longest_ns);
}

/* What is unknown is null. */
static void add_cpu(struct cli_json *json, cJSON *object, uint64_t ns)
{
	if (ns)
		cli_json_number(json, object, "cpuNs", ns);
	else
		cli_json_null(json, object, "cpuNs");
}

static bool is_busy(const struct cli_report_busy *busy, const struct trace_report_thread *t)
{
	size_t low = 0, high = busy->count;

	while (low < high) { /* they are in the order of the report */
		size_t mid = (low + high) / 2;

		if (busy->list[mid] < t)
			low = mid + 1;
		else
			high = mid;
	}
	return low < busy->count && busy->list[low] == t;
}

static void add_states(struct printer *p, cJSON *thread, const struct trace_report_thread *t)
{
	const struct trace_report *r = p->report;
	cJSON *states = cli_json_object(&p->json, thread, "states");

	for (size_t s = 0; s < r->state_count; s++)
		if (t->states_ns[s])
			cli_json_number(&p->json, states, p->state_keys[s], t->states_ns[s]);
}

static void put_thread(struct printer *p, const struct trace_report_thread *t)
{
	struct cli_json *json = &p->json;
	cJSON *thread = cli_json_object(json, NULL, NULL);

	cli_json_number(json, thread, "task", t->task);
	cli_json_number(json, thread, "thread", t->number);
	cli_json_text(json, thread, "name", t->name);
	if (t->is_vm)
		cli_json_bool(json, thread, "isVm", true);
	cli_json_number(json, thread, "calls", t->calls);
	cli_json_number(json, thread, "lifeNs", t->life_ns);
	cli_json_number(json, thread, "runningNs", t->running_ns);
	cli_json_decimal(json, thread, "utilization",
			 t->life_ns ? (double)t->running_ns / (double)t->life_ns : 0.0, 4);
	cli_json_number(json, thread, "insideNs", t->inside_ns);
	cli_json_number(json, thread, "insideRunningNs", t->busy_ns);
	add_cpu(json, thread, t->cpu_ns);
	cli_json_bool(json, thread, "busy", is_busy(p->busy, t));
	add_critical(p, thread, t);
	add_states(p, thread, t);
	cJSON *operations = cli_json_array(json, thread, "operations");
	for (size_t i = 0; i < t->operation_count; i++) {
		const struct trace_report_share *share = &t->operations[i];

		fill_operation(json, cli_json_object(json, operations, NULL),
			       &p->report->operations[share->of], share->count, share->ns,
			       share->bytes);
	}
	cli_json_element(json, thread);
}

/* ---- what was done, and waited for ---- */

static void put_operation(struct printer *p, const struct trace_report_operation *op)
{
	cJSON *object = cli_json_object(&p->json, NULL, NULL);

	fill_operation(&p->json, object, op, op->count, op->ns, op->bytes);
	cli_json_element(&p->json, object);
}

static void put_site(struct printer *p, const struct trace_report_site *s)
{
	struct cli_json *json = &p->json;
	cJSON *site = cli_json_object(json, NULL, NULL);

	cli_json_text(json, site, "callee", s->callee);
	cli_json_text(json, site, "caller", s->caller);
	cli_json_text(json, site, "source", s->source);
	cli_json_number(json, site, "line", s->line);
	cli_json_text(json, site, "operation", s->operation);
	cli_json_number(json, site, "count", s->count);
	cli_json_number(json, site, "exceptional", s->exceptional);
	cli_json_number(json, site, "ns", s->ns);
	cli_json_number(json, site, "bytes", s->bytes);
	cJSON *threads = cli_json_array(json, site, "threads");
	for (size_t i = 0; i < s->thread_count; i++) {
		const struct trace_report_share *share = &s->threads[i];
		cJSON *object = share_of(p, threads, share);

		cli_json_number(json, object, "count", share->count);
		cli_json_number(json, object, "exceptional", share->exceptional);
		cli_json_number(json, object, "ns", share->ns);
		cli_json_number(json, object, "bytes", share->bytes);
	}
	cli_json_element(json, site);
}

static void add_wait(struct cli_json *json, cJSON *parent, const char *key,
		     const struct trace_report_wait *wait)
{
	cJSON *object = cli_json_object(json, parent, key);

	cli_json_number(json, object, "count", wait->count);
	cli_json_number(json, object, "ns", wait->ns);
}

static void add_share_list(struct printer *p, cJSON *parent, const char *key,
			   const struct trace_report_share *list, size_t count)
{
	cJSON *shares = cli_json_array(&p->json, parent, key);

	for (size_t i = 0; i < count; i++) {
		cJSON *share = share_of(p, shares, &list[i]);

		cli_json_number(&p->json, share, "count", list[i].count);
		cli_json_number(&p->json, share, "ns", list[i].ns);
	}
}

void cli_report_json_wait(struct cli_json *json, cJSON *object,
			  const struct trace_report_stall *wait)
{
	struct jw_buf what = { 0 };

	if (wait->objects || wait->how == TRACE_REPORT_ENTER || wait->how == TRACE_REPORT_WAIT)
		cli_report_put_stalled(&what, wait);
	cli_json_text(json, object, "wait", trace_wait_words[wait->how].word);
	cli_json_text(json, object, "callee", wait->callee);
	cli_json_text(json, object, "method", wait->method);
	cli_json_text(json, object, "source", wait->source);
	cli_json_number(json, object, "line", wait->line);
	cli_json_text(json, object, "class", wait->class_name);
	cli_json_span(json, object, "object", jw_buf_span(&what));
	cli_json_number(json, object, "objects", wait->objects);
	cli_json_text(json, object, "channel", wait->channel);
	cli_json_number(json, object, "count", wait->count);
	cli_json_number(json, object, "ns", wait->ns);
	cli_json_number(json, object, "longestNs", wait->longest_ns);
	jw_buf_free(&what);
}

static void add_callers(struct printer *p, cJSON *stall, const struct trace_report_stall *s)
{
	cJSON *callers = cli_json_array(&p->json, stall, "callers");

	for (size_t i = 0; i < s->caller_count; i++) {
		cJSON *one = cli_json_object(&p->json, callers, NULL);

		cli_json_span(&p->json, one, "method",
			      cli_short_label(p->report->methods[s->callers[i].of].label));
		cli_json_number(&p->json, one, "count", s->callers[i].count);
		cli_json_number(&p->json, one, "ns", s->callers[i].ns);
	}
}

static void put_stall(struct printer *p, const struct trace_report_stall *s)
{
	cJSON *stall = cli_json_object(&p->json, NULL, NULL);

	cli_report_json_wait(&p->json, stall, s);
	cli_json_bool(&p->json, stall, "littleElse", s->waiter == TRACE_REPORT_LITTLE_ELSE);
	add_share_list(p, stall, "enders", s->enders, s->ender_count);
	add_callers(p, stall, s);
	cli_json_element(&p->json, stall);
}

static void put_monitor(struct printer *p, const struct trace_report_monitor *m)
{
	struct cli_json *json = &p->json;
	cJSON *monitor = cli_json_object(json, NULL, NULL);
	struct jw_buf name = { 0 };

	cli_report_put_object(&name, m);
	cli_json_number(json, monitor, "task", m->task);
	cli_json_text(json, monitor, "class", m->class_name);
	cli_json_span(json, monitor, "object", jw_buf_span(&name));
	add_wait(json, monitor, "contended", &m->contended);
	add_wait(json, monitor, "waits", &m->waits);
	add_share_list(p, monitor, "threads", m->threads, m->thread_count);
	add_share_list(p, monitor, "owners", m->owners, m->owner_count);
	cli_json_element(json, monitor);
	jw_buf_free(&name);
}

static void put_class(struct printer *p, const struct cli_report_class *c)
{
	struct cli_json *json = &p->json;
	cJSON *class = cli_json_object(json, NULL, NULL);

	cli_json_text(json, class, "class", c->name);
	cli_json_number(json, class, "objects", c->objects);
	add_wait(json, class, "contended", &c->contended);
	add_wait(json, class, "waits", &c->waits);
	cli_json_element(json, class);
}

static void put_alloc(struct printer *p, const struct trace_report_alloc *a)
{
	struct cli_json *json = &p->json;
	cJSON *alloc = cli_json_object(json, NULL, NULL);

	cli_json_text(json, alloc, "class", a->class_name);
	cli_json_number(json, alloc, "count", a->count);
	cli_json_number(json, alloc, "bytes", a->bytes);
	cJSON *threads = cli_json_array(json, alloc, "threads");
	for (size_t i = 0; i < a->thread_count; i++) {
		cJSON *object = share_of(p, threads, &a->threads[i]);

		cli_json_number(json, object, "count", a->threads[i].count);
		cli_json_number(json, object, "bytes", a->threads[i].bytes);
	}
	cli_json_element(json, alloc);
}

static void put_exception(struct printer *p, const struct trace_report_type *t)
{
	cJSON *type = cli_json_object(&p->json, NULL, NULL);

	cli_json_text(&p->json, type, "class", t->name);
	cli_json_number(&p->json, type, "thrown", t->count[TRACE_REPORT_THROWN]);
	cli_json_number(&p->json, type, "again", t->count[TRACE_REPORT_AGAIN]);
	cli_json_number(&p->json, type, "caught", t->count[TRACE_REPORT_CAUGHT]);
	cli_json_element(&p->json, type);
}

static void put_object(struct printer *p, const struct trace_report_type *t)
{
	cJSON *type = cli_json_object(&p->json, NULL, NULL);

	cli_json_text(&p->json, type, "class", t->name);
	cli_json_number(&p->json, type, "made", t->count[TRACE_REPORT_MADE]);
	cli_json_number(&p->json, type, "elements", t->elements);
	cli_json_element(&p->json, type);
}

/* ---- the whole ---- */

static void put_head(struct printer *p)
{
	struct cli_json *json = &p->json;
	const struct trace_report *r = p->report;

	cli_json_line_text(json, "kind", "report");
	cli_json_line_bool(json, "exceptionsKnown", r->exceptions_known);
	cli_json_line_bool(json, "sitesKnown", r->sites_known);
	cli_json_line_bool(json, "statesKnown", r->states_known);
	cJSON *line = cli_json_object(json, NULL, NULL);
	cJSON *pauses = cli_json_object(json, line, "gcPauses");
	cli_json_number(json, pauses, "count", r->pauses.count);
	cli_json_number(json, pauses, "ns", r->pauses.ns);
	cli_json_number(json, pauses, "longestNs", r->pauses.longest_ns);
	cli_json_line(json, line);
	line = cli_json_object(json, NULL, NULL);
	if (r->begin_ns)
		cli_json_number(json, line, "beginNs", r->begin_ns);
	cli_json_number(json, line, "durationNs", r->duration_ns);
	add_cpu(json, line, r->cpu_ns);
	cli_json_number(json, line, "calls", r->calls);
	add_cut(json, line, &r->cut);
	cli_json_number(json, line, "methodCount", r->method_count);
	cli_json_number(json, line, "threadCount", r->threads_all);
	cli_json_line(json, line);
}

static void put_states(struct printer *p)
{
	const struct trace_report *r = p->report;
	cJSON *line = cli_json_object(&p->json, NULL, NULL);
	cJSON *states = cli_json_object(&p->json, line, "states");

	for (size_t s = 0; s < r->state_count; s++)
		cli_json_text(&p->json, states, p->state_keys[s], r->states[s].name);
	cJSON *times = cli_json_object(&p->json, line, "stateTimes");

	for (size_t s = 0; s < r->state_count; s++) {
		const char *word = trace_state_time_word(r->states[s].number);

		if (word)
			cli_json_text(&p->json, times, p->state_keys[s], word);
	}
	cli_json_line(&p->json, line);
}

static size_t top(const struct printer *p, size_t count)
{
	return cli_report_top(p->cli, count, SIZE_MAX);
}

static void put_calls(struct printer *p)
{
	const struct trace_report *r = p->report;

	cli_json_list(&p->json, "operations");
	for (size_t i = 0; i < r->operation_count; i++)
		if (r->operations[i].count)
			put_operation(p, &r->operations[i]);
	cli_json_list_end(&p->json);
	cli_json_list(&p->json, "sites");
	for (size_t i = 0; i < top(p, r->site_count); i++)
		put_site(p, &r->sites[i]);
	cli_json_list_end(&p->json);
}

static void put_waits(struct printer *p)
{
	const struct trace_report *r = p->report;
	struct cli_report_class *classes = NULL;
	size_t class_count = cli_report_classes(p->cli, r, &classes);

	cli_json_list(&p->json, "waits");
	for (size_t i = 0; i < top(p, r->stall_count); i++)
		put_stall(p, &r->stalls[i]);
	cli_json_list_end(&p->json);
	cli_json_list(&p->json, "monitors");
	for (size_t i = 0; i < top(p, r->monitor_count); i++)
		put_monitor(p, &r->monitors[i]);
	cli_json_list_end(&p->json);
	cli_json_list(&p->json, "classes");
	for (size_t i = 0; i < top(p, class_count); i++)
		put_class(p, &classes[i]);
	cli_json_list_end(&p->json);
	cli_json_list(&p->json, "deadlocks");
	for (size_t i = 0; i < r->deadlock_count; i++)
		cli_json_element(&p->json, cli_json_string(&p->json, r->deadlocks[i]));
	cli_json_list_end(&p->json);
}

static void put_channel(struct printer *p, const struct trace_report_channel *c)
{
	static const char *const moves[] = { "reads", "writes", "others" };
	struct cli_json *json = &p->json;
	cJSON *channel = cli_json_object(json, NULL, NULL);

	cli_json_text(json, channel, "name", c->name);
	for (int i = 0; i < TRACE_REPORT_MOVES; i++) {
		cJSON *one = cli_json_object(json, channel, moves[i]);

		cli_json_number(json, one, "count", c->moves[i].count);
		cli_json_number(json, one, "bytes", c->moves[i].bytes);
		cli_json_number(json, one, "ns", c->moves[i].ns);
	}
	cli_json_element(json, channel);
}

static void put_channels(struct printer *p)
{
	const struct trace_report *r = p->report;

	cli_json_list(&p->json, "connections");
	for (size_t i = 0; i < top(p, r->connection_count); i++)
		put_channel(p, &r->connections[i]);
	cli_json_list_end(&p->json);
	cli_json_list(&p->json, "files");
	for (size_t i = 0; i < top(p, r->file_count); i++)
		put_channel(p, &r->files[i]);
	cli_json_list_end(&p->json);
}

static void put_types(struct printer *p)
{
	const struct trace_report *r = p->report;

	cli_json_list(&p->json, "allocations");
	for (size_t i = 0; i < top(p, r->alloc_count); i++)
		put_alloc(p, &r->allocs[i]);
	cli_json_list_end(&p->json);
	cli_json_list(&p->json, "exceptions");
	for (size_t i = 0; i < top(p, r->exceptions.n); i++)
		put_exception(p, &r->exceptions.list[i]);
	cli_json_list_end(&p->json);
	cli_json_list(&p->json, "objects");
	for (size_t i = 0; i < top(p, r->objects.n); i++)
		put_object(p, &r->objects.list[i]);
	cli_json_list_end(&p->json);
}

static bool name_states(struct printer *p)
{
	const struct trace_report *r = p->report;

	p->state_keys = JW_NEW_ARRAY(&p->cli->arena, const char *, r->state_count + 1);
	if (!p->state_keys)
		return false;
	for (size_t s = 0; s < r->state_count; s++) {
		p->state_keys[s] = jw_arena_fmt(&p->cli->arena, "%llu",
						(unsigned long long)r->states[s].number);
		if (!p->state_keys[s])
			return false;
	}
	return true;
}

enum jw_status cli_report_json(struct cli *cli, const struct trace_report *r,
			       const struct trace_report_method **sorted,
			       const struct cli_report_busy *busy, struct jw_err *e)
{
	struct printer p = { .cli = cli, .report = r, .busy = busy };

	if (!name_states(&p))
		return jw_nomem(e);
	cli_json_open(&p.json, cli, '{');
	put_head(&p);
	cli_json_list(&p.json, "methods");
	for (size_t i = 0; i < top(&p, r->method_count); i++)
		put_method(&p, sorted[i]);
	cli_json_list_end(&p.json);
	cli_json_list(&p.json, "threads");
	for (size_t i = 0; i < top(&p, r->thread_count); i++)
		put_thread(&p, &r->threads[i]);
	cli_json_list_end(&p.json);
	cli_report_add_processes(&p.json, cli, r);
	put_states(&p);
	put_calls(&p);
	put_waits(&p);
	put_channels(&p);
	cli_report_json_sockets(&p.json, &r->sockets, &r->messages);
	if (r->link_count)
		cli_report_add_links(&p.json, r);
	put_types(&p);
	return cli_json_close(&p.json, e);
}
