/*
 * report.c: see report.h: names for what reading.c has added up.
 */
#include "trace/report.h"

#include <string.h>

#include "trace/report_int.h"
#include "trace/text.h"

#include "base/banned.h"

/* ---- names ---- */

struct naming {
	struct trace_reading *r;
	struct jw_arena *arena;
	const char **labels;       /* of methods, by number; owned */
	const char **state_labels; /* by column */
	const char **threads;      /* by place; owned */
	const char **classes;      /* of allocations, by value - 1; owned */
	size_t class_count, class_cap;
	struct trace_report_types types;
	bool failed;
};

static const char *keep(struct naming *n, struct jw_span text)
{
	const char *copy = jw_arena_str(n->arena, text);

	n->failed |= !copy;
	return copy;
}

/* "17   label": false: it is not. */
static bool take_value(struct jw_span line, uint64_t *value, struct jw_span *label)
{
	if (!trace_take_number(&line, value) || line.n == 0 || line.p[0] != ' ')
		return false;
	while (line.n && line.p[0] == ' ')
		line = jw_span_sub(line, 1, line.n);
	*label = line;
	return line.n > 0;
}

static void name_method(struct naming *n, uint64_t value, struct jw_span label)
{
	uint32_t number = trace_methods_known(&n->r->methods, value);

	if (number != TRACE_NO_METHOD && !n->labels[number])
		n->labels[number] = keep(n, label);
}

static void name_state(struct naming *n, uint64_t value, struct jw_span label)
{
	for (size_t i = 0; i < n->r->state_count; i++)
		if (n->r->states[i] == value && !n->state_labels[i])
			n->state_labels[i] = keep(n, label);
}

static struct jw_span trimmed(struct jw_span line)
{
	while (line.n && (line.p[0] == ' ' || line.p[0] == '\t'))
		line = jw_span_sub(line, 1, line.n);
	while (line.n && (line.p[line.n - 1] == ' ' || line.p[line.n - 1] == '\r'))
		line.n--;
	return line;
}

/* Values come in their order. "byte()" is how a .pcf writes "byte[]". */
static void name_class(struct naming *n, uint64_t value, struct jw_span label)
{
	if (value != n->class_count + 1)
		return;
	const char **grown = trace_grow(n->classes, n->class_count, &n->class_cap, sizeof(*grown));
	char *text = jw_arena_str(n->arena, label);

	n->failed |= !grown || !text;
	n->classes = grown ? grown : n->classes;
	for (char *p = text; p && *p; p++) {
		if (*p == '(' || *p == ')')
			*p = *p == '(' ? '[' : ']';
	}
	if (grown && text)
		n->classes[n->class_count++] = text;
}

/* "0  60000019  User function": the number of the type; 0: it is no such line. */
static uint64_t type_of(struct jw_span line)
{
	uint64_t class, type;
	struct jw_span rest, label;

	return take_value(line, &class, &rest) && take_value(rest, &type, &label) ? type : 0;
}

/* The value of an event of TYPE. */
static void name_value(struct naming *n, uint64_t type, uint64_t value, struct jw_span label)
{
	if (type == TRACE_USER_FUNCTION)
		name_method(n, value, label);
	else if (type == TRACE_NUMBER_ALLOC_CLASS)
		name_class(n, value, label);
	else if (trace_names_classes(type))
		n->failed |= !trace_types_name(&n->types, n->arena, value, label);
}

static void take_pcf(struct naming *n, struct jw_span text)
{
	static const char *const sections[] = { "STATES",          "STATES_COLOR",
						"EVENT_TYPE",      "GRADIENT_COLOR",
						"GRADIENT_NAMES",  "DEFAULT_OPTIONS",
						"DEFAULT_SEMANTIC" };
	enum { STATES, COLOR, TYPE, OTHER };
	size_t section = OTHER;
	bool values = false;
	uint64_t type = 0; /* the latest of a group */

	while (text.n) {
		struct jw_span line = trimmed(trace_line(&text)), label;
		uint64_t value;
		size_t i = 0;

		while (i < sizeof(sections) / sizeof(*sections) &&
		       !jw_span_eq_str(line, sections[i]))
			i++;
		if (i < sizeof(sections) / sizeof(*sections)) {
			section = i < OTHER ? i : OTHER;
			values = false;
			type = 0;
		} else if (section == TYPE && jw_span_eq_str(line, "VALUES")) {
			values = true;
		} else if (section == TYPE && !values) {
			type = type_of(line) ? type_of(line) : type;
		} else if (take_value(line, &value, &label)) {
			if (section == STATES)
				name_state(n, value, label);
			else if (section == TYPE)
				name_value(n, type, value, label);
		}
	}
}

static void take_row(struct naming *n, struct jw_span text)
{
	struct jw_span prefix = JW_SPAN_LIT("LEVEL THREAD SIZE "), level = JW_SPAN_LIT("LEVEL ");
	uint64_t size;

	while (text.n) {
		struct jw_span line = trimmed(trace_line(&text)), rest = line;

		if (!jw_span_starts(line, level))
			continue;
		while (rest.n && (rest.p[0] < '0' || rest.p[0] > '9'))
			rest = jw_span_sub(rest, 1, rest.n);
		if (!trace_take_number(&rest, &size))
			continue;
		bool threads = jw_span_starts(line, prefix);

		for (uint64_t i = 0; i < size && text.n; i++) {
			struct jw_span name = trimmed(trace_line(&text));

			if (threads && i < n->r->head.thread_count && name.n)
				n->threads[i] = keep(n, name);
		}
	}
}

/* ---- the report ---- */

static void put_methods(struct naming *n, struct trace_report *out)
{
	const struct trace_methods *methods = &n->r->methods;
	struct trace_report_method *m =
		JW_NEW_ARRAY(n->arena, struct trace_report_method, methods->n + 1);

	n->failed |= !m;
	for (size_t i = 0; m && i < methods->n; i++) {
		const struct trace_stat *stat = &methods->m[i];
		const char *label = n->labels[i];

		if (!label)
			label = jw_arena_fmt(n->arena, "function %llu",
					     (unsigned long long)stat->id);
		n->failed |= !label;
		m[i] = (struct trace_report_method){ .label = label,
						     .class_name = "",
						     .name = "",
						     .descriptor = "",
						     .calls = stat->calls,
						     .exceptional = stat->exceptional,
						     .inclusive_ns = stat->inclusive_ns,
						     .exclusive_ns = stat->exclusive_ns,
						     .longest_ns = stat->longest_ns };
	}
	n->failed |= m && !trace_sums_methods(n->r, n->arena, m);
	out->methods = m;
	out->method_count = methods->n;
}

static void put_states(struct naming *n, struct trace_report *out)
{
	struct trace_report_state *s =
		JW_NEW_ARRAY(n->arena, struct trace_report_state, n->r->state_count + 1);

	n->failed |= !s;
	for (size_t i = 0; s && i < n->r->state_count; i++) {
		const char *name = n->state_labels[i];

		if (!name)
			name = jw_arena_fmt(n->arena, "state %llu",
					    (unsigned long long)n->r->states[i]);
		n->failed |= !name;
		s[i] = (struct trace_report_state){ n->r->states[i], name };
	}
	out->states = s;
	out->state_count = n->r->state_count;
}

static void put_thread(struct naming *n, const struct trace_prv_task *task, uint32_t number,
		       struct trace_report_thread *out)
{
	const struct trace_lane *lane = &n->r->lanes[task->first + number];
	size_t count = n->r->state_count;
	uint64_t *states = JW_NEW_ARRAY(n->arena, uint64_t, count + 1);
	const char *name = n->threads[task->first + number];

	if (!name)
		name = jw_arena_fmt(n->arena, "THREAD %u.%u.%u", task->appl, task->number,
				    number + 1);
	n->failed |= !name || !states;
	*out = (struct trace_report_thread){ .name = name,
					     .task = task->number,
					     .number = number + 1,
					     .inside_ns = lane->inside_ns,
					     .calls = lane->calls,
					     .critical = SIZE_MAX,
					     .states_ns = states };
	for (size_t i = 0; states && lane->spent && i < count; i++) {
		states[i] = lane->spent[i].ns;
		if (n->r->states[i] == TRACE_IDLE || n->r->states[i] == TRACE_NOT_CREATED)
			continue;
		out->life_ns += states[i];
		if (n->r->states[i] == TRACE_RUNNING)
			out->running_ns = states[i];
		else if (states[i] > out->critical_ns)
			out->critical_ns = states[out->critical = i];
	}
	if (out->critical != SIZE_MAX)
		out->critical_longest_ns = lane->spent[out->critical].longest_ns;
}

static void put_threads(struct naming *n, struct trace_report *out)
{
	const struct trace_prv_head *head = &n->r->head;
	struct trace_report_thread *threads =
		JW_NEW_ARRAY(n->arena, struct trace_report_thread, head->thread_count + 1);

	n->failed |= !threads;
	for (size_t i = 0; threads && i < head->task_count; i++)
		for (uint32_t j = 0; j < head->tasks[i].threads; j++)
			put_thread(n, &head->tasks[i], j, &threads[head->tasks[i].first + j]);
	n->failed |= threads && !trace_sums_operations(n->r, n->arena, threads, out);
	out->threads = threads;
	out->thread_count = head->thread_count;
}

static enum jw_status put_warnings(struct naming *n, struct trace_report *out, struct jw_err *e)
{
	const struct trace_reading *r = n->r;
	struct trace_notes notes = { .arena = n->arena };
	const struct trace_fact facts[] = {
		{ r->bad_lines, "line is no record of this trace, and was left out",
		  "lines are no records of this trace, and were left out" },
		{ r->unsorted, "event is earlier than the one before of its thread",
		  "events are earlier than the one before of their thread" },
		{ r->lone_exits, TRACE_TOLD_LONE },
		{ r->too_deep, "call is nested too deep or of too many methods, and was left out",
		  "calls are nested too deep or of too many methods, and were left out" },
	};
	const char **text = NULL;

	trace_note_facts(&notes, NULL, facts, sizeof(facts) / sizeof(*facts));
	text = JW_NEW_ARRAY(n->arena, const char *, notes.n + 1);
	for (size_t i = 0; text && i < notes.n; i++)
		text[i] = notes.text[i];
	out->warnings = text;
	out->warning_count = notes.n;
	bool failed = notes.failed || !text;

	trace_notes_free(&notes);
	return failed || n->failed ? jw_nomem(e) : JW_OK;
}

enum jw_status trace_reading_finish(struct trace_reading *r, struct jw_span pcf, struct jw_span row,
				    struct jw_arena *arena, struct trace_report *out,
				    struct jw_err *e)
{
	const char *state_labels[TRACE_MAX_STATES] = { 0 };
	static const char no_end[] = "\n";
	struct trace_report report = { 0 };

	if (r->carry.n || !r->begun)
		JW_TRY(trace_reading_feed(r, jw_span(no_end, 1), e));
	trace_reading_end(r);
	struct naming n = { .r = r,
			    .arena = arena,
			    .labels = jw_mem_zalloc(r->methods.n + 1, sizeof(char *)),
			    .state_labels = state_labels,
			    .threads = jw_mem_zalloc(r->head.thread_count, sizeof(char *)) };
	enum jw_status status = JW_NOMEM;

	n.failed = !n.labels || !n.threads || r->failed;
	n.failed = n.failed || !trace_types_open(r, arena, &n.types);
	if (!n.failed) {
		take_pcf(&n, pcf);
		take_row(&n, row);
		put_methods(&n, &report);
		put_states(&n, &report);
		put_threads(&n, &report);
		n.failed |= !trace_sums_monitors(r, arena, &report) ||
			    !trace_types_finish(&n.types, arena, &report) ||
			    !trace_sums_allocs(r, arena, n.classes, n.class_count, &report);
		status = put_warnings(&n, &report, e);
	}
	jw_mem_free(n.labels);
	jw_mem_free(n.threads);
	jw_mem_free(n.classes);
	if (n.failed)
		return jw_nomem(e);
	report.duration_ns = r->last > r->head.end_ns ? r->last : r->head.end_ns;
	report.calls = r->calls;
	report.pauses = r->pauses;
	report.states_known = true;
	if (status == JW_OK)
		*out = report;
	return status;
}
