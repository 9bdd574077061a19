/*
 * diff_side.c: reports of runs become one side of a comparison: see diff.h.
 */
#include <string.h>

#include "base/assert.h"
#include "base/grow.h"
#include "trace/calls/role.h"
#include "trace/diff/diff.h"
#include "trace/diff/diff_ports.h"
#include "trace/report/report.h"
#include "trace/requests/requests.h"

#include "base/banned.h"

enum jw_status trace_diff_side_open(struct trace_diff_side *side, struct jw_arena *arena,
				    size_t runs, struct jw_err *e)
{
	if (runs > TRACE_DIFF_MAX_RUNS)
		return jw_fail(e, JW_LIMIT, "too many runs (limit is %d)", TRACE_DIFF_MAX_RUNS);
	*side = (struct trace_diff_side){ .arena = arena, .runs = runs };
	side->duration_ns = JW_NEW_ARRAY(arena, double, runs + 1);
	side->calls = JW_NEW_ARRAY(arena, double, runs + 1);
	side->unknown = jw_arena_alloc(arena, runs + 1, sizeof(*side->unknown));
	return side->duration_ns && side->calls && side->unknown ? JW_OK : jw_nomem(e);
}

void trace_diff_side_close(struct trace_diff_side *side)
{
	jw_lookup_free(&side->lookup);
}

/* ---- items by name ---- */

static uint32_t hash_text(uint32_t hash, const char *text)
{
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 16777619u;
	return (hash ^ '/') * 16777619u;
}

static uint32_t hash_of(const struct trace_diff_item *item)
{
	uint32_t hash = 2166136261u + item->kind;

	if (!item->class_name[0])
		return hash_text(hash, item->label);
	return hash_text(hash_text(hash_text(hash, item->class_name), item->name),
			 item->descriptor);
}

/* Methods with a whole name go by it; templates of labels may give many methods one label. */
static bool is_like(const struct trace_diff_item *x, const struct trace_diff_item *y)
{
	if (x->kind != y->kind || strcmp(x->class_name, y->class_name) != 0)
		return false;
	if (!x->class_name[0])
		return strcmp(x->label, y->label) == 0;
	return strcmp(x->name, y->name) == 0 && strcmp(x->descriptor, y->descriptor) == 0;
}

struct trace_diff_item *trace_diff_side_find(const struct trace_diff_side *side,
					     const struct trace_diff_item *like)
{
	for (struct jw_lookup_walk w = jw_lookup_walk(&side->lookup, hash_of(like));
	     jw_lookup_next(&w);)
		if (is_like(&side->items.at[w.place], like))
			return &side->items.at[w.place];
	return NULL;
}

enum jw_status trace_diff_side_put(struct trace_diff_side *side, const struct trace_diff_item *like,
				   struct trace_diff_item **out, struct jw_err *e)
{
	static const struct jw_growth how = { "items", 100000000, 64 };
	struct trace_diff_item *item = trace_diff_side_find(side, like);

	*out = item;
	if (item)
		return JW_OK;
	JW_TRY(JW_GROW_IN(side->arena, &side->items, &how, e));
	JW_ASSERT(side->items.at);
	item = &side->items.at[side->items.n];
	*item = *like;
	item->values = JW_NEW_ARRAY(side->arena, double, side->runs *TRACE_DIFF_COLUMNS);
	if (!item->values || !jw_lookup_add(&side->lookup, hash_of(like), side->items.n))
		return jw_nomem(e);
	for (size_t run = 0; run < side->runs; run++)
		for (size_t c = 0; c < TRACE_DIFF_COLUMNS; c++)
			if (side->unknown[run][like->kind] >> c & 1)
				item->values[run * TRACE_DIFF_COLUMNS + c] = TRACE_DIFF_UNKNOWN;
	side->items.n++;
	*out = item;
	return JW_OK;
}

/* ---- from reports ---- */

/* The figures of LIKE in the latest run become more by MORE. */
static enum jw_status add(struct trace_diff_side *side, const struct trace_diff_item *like,
			  const double more[TRACE_DIFF_COLUMNS], struct jw_err *e)
{
	struct trace_diff_item *item = NULL;

	JW_TRY(trace_diff_side_put(side, like, &item, e));
	double *values = item->values + (side->known - 1) * TRACE_DIFF_COLUMNS;

	item->at_least |= like->at_least;
	item->little_else &= like->little_else;
	for (size_t c = 0; c < TRACE_DIFF_COLUMNS; c++) {
		if (values[c] == TRACE_DIFF_UNKNOWN || more[c] == TRACE_DIFF_UNKNOWN) {
			values[c] = TRACE_DIFF_UNKNOWN;
			continue;
		}
		/* of two of one name: the slower one's */
		if (trace_diff_kinds[like->kind].columns[c].unit == TRACE_DIFF_CALL_NS)
			values[c] = more[c] > values[c] ? more[c] : values[c];
		else
			values[c] += more[c];
	}
	if (like->kind == TRACE_DIFF_METHOD) /* of two methods of one name, that of both */
		values[TRACE_DIFF_MEAN] =
			values[TRACE_DIFF_CALLS] > 0
				? values[TRACE_DIFF_TOTAL] / values[TRACE_DIFF_CALLS]
				: 0;
	return JW_OK;
}

/* "Storm.down (1 of 100) [acme.Storm.down(int):int Storm.java:31]": what is in the parentheses
 * of the short part, when it is about calls that were not recorded. */
static const char *spared_of(struct jw_arena *arena, struct jw_span text)
{
	static const char *const words[] = { "1 of ", "depth ", "from " };
	size_t open = text.n;

	if (text.n == 0 || text.p[text.n - 1] != ')')
		return "";
	while (open > 0 && text.p[open - 1] != '(')
		open--;
	struct jw_span inside = jw_span_sub(text, open, text.n - 1 - open);

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (jw_span_starts(inside, jw_span_str(words[i])))
			return jw_arena_str(arena, inside);
	return "";
}

/* "Storm.java:31"; a part of a descriptor is none. */
static const char *place_of(struct jw_arena *arena, const char *label)
{
	const char *open = strstr(label, " ["), *last = open ? strrchr(open + 2, ' ') : NULL;
	size_t n = last ? strlen(last + 1) : 0;

	if (n < 2 || last[n] != ']' || strpbrk(last, "()"))
		return "";
	return jw_arena_str(arena, jw_span(last + 1, n - 1));
}

/* Has T clearly used more of the CPU than it was running: in calls that count as I/O, or as waiting? */
static bool worked_elsewhere(const struct trace_report *r, const struct trace_report_thread *t)
{
	return t->cpu_ns > t->running_ns + t->running_ns / 4 &&
	       t->cpu_ns - t->running_ns > r->duration_ns / 20;
}

/* What METHOD ran by itself took of the CPU; unknown of one that is mostly in I/O, by its state, of a thread that has
 * worked there: its thread had one for a part of the time in which it was
 * running, on a busy machine for a small one. */
static double cpu_of(const struct trace_report *r, const struct trace_report_method *m)
{
	double own = 0, had = 0;
	bool in_io = m->self.ns[TRACE_REPORT_IO] > m->self.ns[TRACE_REPORT_RUNNING];

	for (size_t i = 0; i < m->share_count; i++) {
		const struct trace_report_thread *t = &r->threads[m->shares[i].of];

		if (in_io && worked_elsewhere(r, t))
			return TRACE_DIFF_UNKNOWN;
		bool waited = t->cpu_ns > 0 && t->cpu_ns < t->running_ns;
		double share = waited ? (double)t->cpu_ns / (double)t->running_ns : 1;

		own += (double)m->shares[i].own_ns;
		had += (double)m->shares[i].own_ns * share;
	}
	return own > 0 ? (double)m->self.ns[TRACE_REPORT_RUNNING] * had / own : 0;
}

static enum jw_status add_method(struct trace_diff_side *side, const struct trace_report *r,
				 const struct trace_report_method *m, struct jw_err *e)
{
	const char *open = strstr(m->label, " [");
	struct jw_span text =
		jw_span(m->label, open ? (size_t)(open - m->label) : strlen(m->label));
	bool whole = m->descriptor[0]; /* a label may be cut in its types: it goes by its label */
	struct trace_diff_item like = { .kind = TRACE_DIFF_METHOD,
					.label = jw_arena_str(side->arena, text),
					.class_name = whole ? m->class_name : "",
					.name = whole ? m->name : "",
					.descriptor = m->descriptor,
					.place = place_of(side->arena, m->label),
					.spared = spared_of(side->arena, text),
					.at_least = m->closed_ns != 0 };
	const double more[TRACE_DIFF_COLUMNS] = {
		[TRACE_DIFF_CALLS] = (double)m->calls,
		[TRACE_DIFF_FAILS] = (double)m->exceptional,
		[TRACE_DIFF_SELF] = (double)m->exclusive_ns,
		[TRACE_DIFF_TOTAL] = (double)m->inclusive_ns,
		[TRACE_DIFF_CPU] = cpu_of(r, m),
		[TRACE_DIFF_LONGEST] = (double)m->longest_ns,
		[TRACE_DIFF_P50] = (double)trace_sketch_at(&m->durations, 500),
		[TRACE_DIFF_P90] = (double)trace_sketch_at(&m->durations, 900),
		[TRACE_DIFF_P99] = (double)trace_sketch_at(&m->durations, 990),
		[TRACE_DIFF_P999] = (double)trace_sketch_at(&m->durations, 999),
	};

	if (!like.label || !like.place || !like.spared)
		return jw_nomem(e);
	return add(side, &like, more, e);
}

static struct trace_diff_item named(enum trace_diff_kind kind, const char *label)
{
	return (struct trace_diff_item){ .kind = kind,
					 .label = label,
					 .class_name = "",
					 .name = "",
					 .descriptor = "",
					 .place = "",
					 .spared = "" };
}

/* "park for a.Lock in Shop.pay": objects, connections and lines of the source are others in each run, or in
 * each version. */
static const char *wait_label(struct jw_arena *arena, const struct trace_report_stall *s)
{
	const struct trace_wait_words *words = &trace_wait_words[s->how];
	bool named = *s->class_name;

	return jw_arena_fmt(arena, "%s%s%s%s%s", trace_wait_callee(s),
			    named ? words->of : words->alone, trace_wait_class(s),
			    *s->method ? " in " : "", s->method);
}

static enum jw_status add_wait(struct trace_diff_side *side, const struct trace_report_stall *s,
			       struct jw_err *e)
{
	const double more[TRACE_DIFF_COLUMNS] = { (double)s->count, (double)s->ns,
						  (double)s->longest_ns };

	if (s->waiter == TRACE_REPORT_IDLE)
		return JW_OK;
	struct trace_diff_item like = named(TRACE_DIFF_WAIT, wait_label(side->arena, s));

	like.little_else = s->waiter == TRACE_REPORT_LITTLE_ELSE;
	if (!like.label)
		return jw_nomem(e);
	like.label = *like.label ? like.label : "unknown";
	return add(side, &like, more, e);
}

/* What the process of T is among those of the run, however many there are of it. */
static const char *process_role(struct jw_arena *arena, const struct trace_report_thread *t)
{
	return *t->kind ? t->kind : trace_role(arena, t->process);
}

/* Have processes of R several roles? Those of the ranks of one program have one. *OUT: so. */
static enum jw_status have_roles(struct trace_diff_side *side, const struct trace_report *r,
				 bool *out, struct jw_err *e)
{
	const char *first = NULL;

	*out = false;
	for (size_t i = 0; r->process_count > 1 && i < r->thread_count && !*out; i++) {
		const char *role = process_role(side->arena, &r->threads[i]);

		if (!role)
			return jw_nomem(e);
		first = first ? first : role;
		*out = strcmp(first, role) != 0;
	}
	return JW_OK;
}

/* "main"; where processes have several roles, "main of executor". */
static const char *role_label(struct jw_arena *arena, const struct trace_report_thread *t,
			      bool roles)
{
	const char *thread = trace_role(arena, t->name);
	const char *process = roles ? process_role(arena, t) : "";

	if (!thread || !process || !*process)
		return process ? thread : NULL;
	return jw_arena_fmt(arena, "%s of %s", thread, process);
}

static enum jw_status add_thread(struct trace_diff_side *side, const struct trace_report_thread *t,
				 bool roles, struct jw_err *e)
{
	const struct trace_diff_item like =
		named(TRACE_DIFF_ROLE, role_label(side->arena, t, roles));
	const double more[TRACE_DIFF_COLUMNS] = { 1, (double)t->calls, (double)t->inside_ns,
						  (double)t->running_ns, (double)t->cpu_ns };

	return like.label ? add(side, &like, more, e) : jw_nomem(e);
}

/* Identities of objects and numbers of classes are others in each run: what has no name is one. */
static enum jw_status add_monitor(struct trace_diff_side *side,
				  const struct trace_report_monitor *m, struct jw_err *e)
{
	const struct trace_diff_item like =
		named(TRACE_DIFF_LOCK,
		      m->class_name[0] ? trace_class_shown(m->class_name) : "unknown class");
	const double more[TRACE_DIFF_COLUMNS] = { (double)m->contended.count,
						  (double)m->contended.ns, (double)m->waits.count,
						  (double)m->waits.ns };

	return add(side, &like, more, e);
}

static enum jw_status add_operation(struct trace_diff_side *side,
				    const struct trace_report_operation *op, struct jw_err *e)
{
	const struct trace_diff_item like =
		named(TRACE_DIFF_OPERATION, jw_arena_fmt(side->arena, "%s/%s", op->type, op->name));
	const double more[TRACE_DIFF_COLUMNS] = { (double)op->count, (double)op->ns,
						  (double)op->bytes };

	if (op->count == 0)
		return JW_OK;
	return like.label ? add(side, &like, more, e) : jw_nomem(e);
}

static enum jw_status add_thrown(struct trace_diff_side *side, const struct trace_report_type *t,
				 struct jw_err *e)
{
	const struct trace_diff_item like = named(TRACE_DIFF_THROWN, t->name);
	const double more[TRACE_DIFF_COLUMNS] = { (double)t->count[TRACE_REPORT_THROWN],
						  (double)t->count[TRACE_REPORT_AGAIN],
						  (double)t->count[TRACE_REPORT_CAUGHT] };

	return add(side, &like, more, e);
}

/* A run without pauses needs no item: all that is not there is 0. */
static enum jw_status add_pauses(struct trace_diff_side *side, const struct trace_report_pauses *p,
				 struct jw_err *e)
{
	const struct trace_diff_item like = named(TRACE_DIFF_GC, "pauses of the garbage collector");
	const double more[TRACE_DIFF_COLUMNS] = { (double)p->count, (double)p->ns,
						  (double)p->longest_ns };

	return p->count ? add(side, &like, more, e) : JW_OK;
}

/* What is unknown in RUN is, of those items that there are. */
static void put_unknown(struct trace_diff_side *side, size_t run)
{
	for (size_t i = 0; i < side->items.n; i++)
		for (size_t c = 0; c < TRACE_DIFF_COLUMNS; c++)
			if (side->unknown[run][side->items.at[i].kind] >> c & 1)
				side->items.at[i].values[run * TRACE_DIFF_COLUMNS + c] =
					TRACE_DIFF_UNKNOWN;
}

void trace_diff_side_unknown(struct trace_diff_side *side, size_t run, enum trace_diff_kind kind)
{
	side->unknown[run][kind] = ~0u;
	put_unknown(side, run);
}

bool trace_diff_side_lacks(const struct trace_diff_side *side, enum trace_diff_kind kind)
{
	for (size_t run = 0; run < side->runs; run++)
		if (side->unknown[run][kind] == ~0u)
			return true;
	return false;
}

void trace_diff_side_settle(struct trace_diff_side *side, size_t run)
{
	bool failed = false, told = false;

	for (size_t i = 0; i < side->items.n; i++) {
		const struct trace_diff_item *item = &side->items.at[i];
		const double *values = item->values + run * TRACE_DIFF_COLUMNS;

		failed |= item->kind == TRACE_DIFF_METHOD && values[TRACE_DIFF_FAILS] > 0;
		for (size_t c = 0; item->kind == TRACE_DIFF_THROWN && c < TRACE_DIFF_COLUMNS; c++)
			told |= values[c] > 0;
	}
	if (failed && !told)
		trace_diff_side_unknown(side, run, TRACE_DIFF_THROWN);
}

/* Columns that RUN cannot tell. */
static void note_unknown(struct trace_diff_side *side, size_t run, const struct trace_report *r)
{
	bool cpu = false;

	for (size_t i = 0; i < r->thread_count; i++)
		cpu |= r->threads[i].cpu_ns > 0;
	side->unknown[run][TRACE_DIFF_METHOD] =
		(r->exceptions_known ? 0 : 1u << TRACE_DIFF_FAILS) |
		(r->states_known && cpu ? 0 : 1u << TRACE_DIFF_CPU) |
		(r->calls_known ? 0 : 0xfu << TRACE_DIFF_P50); /* ORDER: four percentiles */
	side->unknown[run][TRACE_DIFF_WAIT] = r->states_known ? 0 : ~0u; /* where: in no summary */
	side->unknown[run][TRACE_DIFF_THROWN] = r->states_known ? 0 : ~0u; /* likewise */
	side->unknown[run][TRACE_DIFF_ROLE] =
		(r->states_known ? 0 : 1u << 3) | (cpu ? 0 : 1u << 4); /* ORDER: the columns */
	put_unknown(side, run);
}

enum jw_status trace_diff_side_add(struct trace_diff_side *side, const struct trace_report *r,
				   struct jw_err *e)
{
	size_t run = side->known++;
	bool roles;

	if (run >= side->runs)
		return jw_bug(e, "a run more than was said");
	side->duration_ns[run] = (double)r->duration_ns;
	side->calls[run] = (double)r->calls;
	side->incomplete |= r->lost > 0;
	note_unknown(side, run, r);
	for (size_t i = 0; i < r->method_count; i++)
		JW_TRY(add_method(side, r, &r->methods[i], e));
	for (size_t i = 0; i < r->stall_count; i++)
		JW_TRY(add_wait(side, &r->stalls[i], e));
	JW_TRY(have_roles(side, r, &roles, e));
	for (size_t i = 0; i < r->thread_count; i++)
		if (!r->threads[i].is_vm)
			JW_TRY(add_thread(side, &r->threads[i], roles, e));
	for (size_t i = 0; i < r->monitor_count; i++)
		JW_TRY(add_monitor(side, &r->monitors[i], e));
	for (size_t i = 0; i < r->operation_count; i++)
		JW_TRY(add_operation(side, &r->operations[i], e));
	for (size_t i = 0; i < r->exceptions.n; i++)
		JW_TRY(add_thrown(side, &r->exceptions.list[i], e));
	JW_TRY(add_pauses(side, &r->pauses, e));
	trace_diff_side_settle(side, run);
	return JW_OK;
}

/* ---- from requests ---- */

/* Of two that are one: what is slower of either. */
static enum jw_status add_requests(struct trace_diff_side *side, size_t run,
				   const struct trace_request_sum *s, struct jw_err *e)
{
	const struct trace_diff_item like = named(TRACE_DIFF_REQUEST, s->where);
	const double more[TRACE_DIFF_COLUMNS] = { (double)s->times.n,
						  (double)s->ns / (double)s->times.n,
						  (double)trace_sketch_at(&s->times, 500),
						  (double)trace_sketch_at(&s->times, 990),
						  (double)s->times.most };
	struct trace_diff_item *item = NULL;

	JW_TRY(trace_diff_side_put(side, &like, &item, e));
	trace_diff_join_requests(item->values + run * TRACE_DIFF_COLUMNS, more);
	return JW_OK;
}

enum jw_status trace_diff_side_requests(struct trace_diff_side *side,
					const struct trace_request_list *requests, struct jw_err *e)
{
	size_t run = side->known - 1;

	if (!requests->sum_count)
		trace_diff_side_unknown(side, run, TRACE_DIFF_REQUEST);
	for (size_t i = 0; i < requests->sum_count; i++)
		JW_TRY(add_requests(side, run, &requests->sums[i], e));
	return JW_OK;
}
