/*
 * prv_source.c: see prv_source.h.
 *
 * As Paraver reads them: 60000019 pushes a method on a value above 0 and pops one on 0. That a
 * method is left by an exception is an event just before.
 */
#include "base/memory.h"
#include "base/operations.h"
#include "trace/output.h"
#include "trace/paraver/numbers.h"
#include "trace/paraver/prv_source.h"
#include "trace/reader/notes.h"
#include "trace/reader/prv_lines.h"
#include "trace/reader/prv_names.h"
#include "trace/select/select.h"

#include "base/banned.h"

#define KINDS 512 /* more than twice as many as types: a hash table */

enum kind { USER, FUNCTION, FAILED, OPERATION, EVENT };

/* What a type of the .prv is. */
struct type {
	uint32_t number; /* 0: none */
	enum kind kind;
	uint32_t place; /* of OPERATION: enum jw_operation_type; of EVENT: enum trace_type */
};

struct trace_prv_source {
	struct trace_prv_lines lines;
	const struct trace_output *output;
	void *ctx;
	struct trace_scene scene;
	struct trace_scene_process *processes; /* owned */
	struct trace_scene_thread *threads;    /* owned */
	bool *failed;                          /* owned; by thread: by an exception */
	struct type types[KINDS];
	uint64_t *stated;  /* owned; by thread: until when its states go; 0: it has none */
	bool has_gaps;     /* between the states of a thread, or before them */
	uint64_t late;     /* records after the end that the header tells */
	struct jw_err why; /* a failure of the output */
};

/* ---- types ---- */

static struct type *slot_of(struct trace_prv_source *s, uint64_t number)
{
	size_t at = (size_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 40) % KINDS;

	while (s->types[at].number && s->types[at].number != number)
		at = (at + 1) % KINDS;
	return &s->types[at];
}

static void add_type(struct trace_prv_source *s, uint32_t number, enum kind kind, uint32_t place)
{
	*slot_of(s, number) = (struct type){ number, kind, place };
}

static void add_types(struct trace_prv_source *s)
{
	add_type(s, TRACE_PRV_FUNCTION, FUNCTION, 0);
	add_type(s, TRACE_PRV_NUMBER_FAILED, FAILED, 0);
	for (uint32_t i = 0; i < TRACE_TYPES; i++)
		add_type(s, trace_prv_numbers[i], EVENT, i);
	for (uint32_t i = 0; i < JW_OPERATION_TYPES; i++)
		add_type(s, jw_operation_kinds[i].event, OPERATION, i);
}

/* ---- the scene ---- */

static bool make_scene(struct trace_prv_source *s, const struct trace_prv_head *head)
{
	s->processes = jw_mem_zalloc(head->task_count + 1, sizeof(*s->processes));
	s->threads = jw_mem_zalloc((size_t)head->thread_count + 1, sizeof(*s->threads));
	s->failed = jw_mem_zalloc((size_t)head->thread_count + 1, sizeof(*s->failed));
	s->stated = jw_mem_zalloc((size_t)head->thread_count + 1, sizeof(*s->stated));
	if (!s->processes || !s->threads || !s->failed || !s->stated)
		return false;
	for (uint32_t i = 0; i < head->task_count; i++) {
		const struct trace_prv_task *t = &head->tasks[i];

		s->processes[i] = (struct trace_scene_process){ .application = t->appl,
								.number = t->number,
								.first = t->first,
								.threads = t->threads };
		for (uint32_t k = 0; k < t->threads; k++)
			s->threads[t->first + k] =
				(struct trace_scene_thread){ .process = i, .number = k + 1 };
	}
	s->scene = (struct trace_scene){
		.end = head->end_ns,
		.processes = s->processes,
		.threads = s->threads,
		.process_count = head->task_count,
		.thread_count = head->thread_count,
	};
	return true;
}

/* ---- what the lines say; false: the output has failed ---- */

static bool is_well(struct trace_prv_source *s)
{
	return s->output->check(s->ctx, &s->why) == JW_OK;
}

static bool take_head(void *ctx, const struct trace_prv_head *head)
{
	struct trace_prv_source *s = ctx;

	return make_scene(s, head) && s->output->begin(s->ctx, &s->scene, &s->why) == JW_OK;
}

static bool take_state(void *ctx, uint32_t thread, uint64_t begin, uint64_t end, uint64_t state)
{
	struct trace_prv_source *s = ctx;

	s->late += begin > s->scene.end;
	s->has_gaps |= begin != s->stated[thread];
	s->stated[thread] = end;
	s->output->state(s->ctx, thread, begin, end, state);
	return is_well(s);
}

static void take_function(struct trace_prv_source *s, uint32_t thread, uint64_t time,
			  uint64_t value)
{
	if (value)
		s->output->enter(s->ctx, thread, time, value);
	else
		s->output->leave(s->ctx, thread, time, s->failed[thread]);
	s->failed[thread] = false;
}

static bool take_event(void *ctx, uint32_t thread, uint64_t time, uint64_t number, uint64_t value)
{
	struct trace_prv_source *s = ctx;
	const struct type *type = slot_of(s, number);

	s->late += time > s->scene.end;
	switch (type->number ? type->kind : USER) {
	case FUNCTION:
		take_function(s, thread, time, value);
		break;
	case FAILED:
		s->failed[thread] = value;
		break;
	case OPERATION:
		s->output->operation(s->ctx, thread, time, (enum jw_operation_type)type->place,
				     value);
		break;
	case EVENT:
		s->output->event(s->ctx, thread, time, (enum trace_type)type->place, value);
		break;
	case USER:
		s->output->user(s->ctx, thread, time, number, value);
		break;
	}
	return is_well(s);
}

static bool take_arrow(void *ctx, uint32_t from, uint64_t sent, uint32_t to, uint64_t received,
		       uint64_t tag)
{
	struct trace_prv_source *s = ctx;

	s->output->arrow(s->ctx, from, sent, to, received, tag);
	return is_well(s);
}

static const struct trace_prv_listener listener = { take_head, take_state, take_event, take_arrow };

/* ---- names ---- */

static void name_event(struct trace_prv_source *s, enum trace_type type, uint64_t value,
		       struct jw_span label)
{
	static const enum trace_value is[TRACE_TYPES] = {
#define IS(name, value) [TRACE_TYPE_##name] = TRACE_VALUE_##value,
		TRACE_TYPE_LIST(IS)
#undef IS
	};
	enum trace_value what = is[type];

	if (what == TRACE_VALUE_SITE)
		s->output->name(s->ctx, TRACE_NAME_SITES, 0, JW_SPAN_LIT(""));
	if (value && what == TRACE_VALUE_SITE)
		s->output->name(s->ctx, TRACE_NAME_SITE, value, label);
	else if (value && what == TRACE_VALUE_PLACE)
		s->output->name(s->ctx, TRACE_NAME_PLACE, value, label);
	else if (value && what == TRACE_VALUE_CHANNEL)
		s->output->name(s->ctx, TRACE_NAME_CHANNEL, value, label);
	else if (value && what == TRACE_VALUE_LINK)
		s->output->name(s->ctx, TRACE_NAME_LINK, value, label);
	else if (value && what == TRACE_VALUE_CLASS)
		s->output->name(s->ctx, TRACE_NAME_CLASS, value, label);
}

/* An event of the program's own, or a capture: the label of its type ends with the number, " (48110000)". */
static void name_user(struct trace_prv_source *s, uint64_t type, uint64_t value,
		      struct jw_span label)
{
	size_t n = label.n;

	if (value != TRACE_PCF_TYPE) {
		s->output->name(s->ctx, TRACE_NAME_VALUE, trace_value_number(type, value), label);
		return;
	}
	while (n && label.p[n - 1] != '(')
		n--;
	if (n > 1)
		label = jw_span_sub(label, 0, n - 2);
	s->output->name(s->ctx, TRACE_NAME_EVENT, type, label);
}

static void name_value(void *ctx, uint64_t number, uint64_t value, struct jw_span label)
{
	struct trace_prv_source *s = ctx;
	const struct type *type = slot_of(s, number);

	if (number != TRACE_PCF_STATE && !type->number)
		name_user(s, number, value, label);
	else if (value == TRACE_PCF_TYPE)
		return;
	else if (number == TRACE_PCF_STATE)
		s->output->name(s->ctx, TRACE_NAME_STATE, value, label);
	else if (type->number && type->kind == FUNCTION)
		s->output->name(s->ctx, TRACE_NAME_METHOD, value, label);
	else if (type->number && type->kind == FAILED)
		s->output->name(s->ctx, TRACE_NAME_FAILED, 0, JW_SPAN_LIT(""));
	else if (type->number && type->kind == EVENT)
		name_event(s, (enum trace_type)type->place, value, label);
}

static void name_row(void *ctx, uint64_t place, struct jw_span name)
{
	struct trace_prv_source *s = ctx;

	if (place < s->scene.thread_count)
		s->output->name(s->ctx, TRACE_NAME_ROW, place, name);
}

/* ---- all of it ---- */

struct trace_prv_source *trace_prv_source_new(const struct trace_output *output, void *ctx,
					      struct trace_select *select)
{
	struct trace_prv_source *s = jw_mem_zalloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->lines = (struct trace_prv_lines){ .to = &listener, .ctx = s };
	if (select)
		trace_select_to(select, output, ctx);
	s->output = select ? &trace_select_output : output;
	s->ctx = select ? (void *)select : ctx;
	add_types(s);
	return s;
}

/* What a listener cannot return. */
static enum jw_status told(const struct trace_prv_source *s, enum jw_status status,
			   struct jw_err *e)
{
	if (status != JW_NOMEM || s->why.status == JW_OK)
		return status;
	if (e)
		*e = s->why;
	return s->why.status;
}

enum jw_status trace_prv_source_feed(struct trace_prv_source *s, struct jw_span piece,
				     struct jw_err *e)
{
	return told(s, trace_prv_lines_feed(&s->lines, piece, e), e);
}

/* Of a trace whose states fill each row, as jweave's do. */
static uint64_t rows_cut_short(const struct trace_prv_source *s)
{
	uint64_t n = 0;

	for (size_t i = 0; i < s->scene.thread_count && !s->has_gaps; i++)
		n += s->stated[i] && s->stated[i] < s->scene.end;
	return n;
}

/* Of what is cut short nothing is known after its last state. */
static uint64_t end_of(const struct trace_prv_source *s)
{
	uint64_t stated = 0;

	if (!rows_cut_short(s))
		return s->lines.last > s->scene.end ? s->lines.last : s->scene.end;
	for (size_t i = 0; i < s->scene.thread_count; i++)
		stated = s->stated[i] > stated ? s->stated[i] : stated;
	return stated;
}

enum jw_status trace_prv_source_finish(struct trace_prv_source *s, struct jw_span pcf,
				       struct jw_span row, struct jw_err *e)
{
	JW_TRY(told(s, trace_prv_lines_end(&s->lines, e), e));
	if (s->output->over)
		s->output->over(s->ctx, end_of(s));
	if (s->output->name) {
		trace_pcf_each(pcf, name_value, s);
		trace_row_each(row, name_row, s);
	}
	return s->output->end(s->ctx, NULL, e);
}

void trace_prv_source_note_flaws(const struct trace_prv_source *s, struct trace_notes *notes)
{
	const struct trace_fact facts[] = {
		{ rows_cut_short(s),
		  "row ends before the end that the header tells: the file may be cut short",
		  "rows end before the end that the header tells: the file may be cut short" },
		{ s->lines.bad, TRACE_TOLD_BAD_LINE },
		{ s->lines.unsorted, TRACE_TOLD_UNSORTED },
		{ s->late, "record comes after the end that the header tells",
		  "records come after the end that the header tells" },
	};

	trace_note_facts(notes, NULL, facts, sizeof(facts) / sizeof(*facts));
}

void trace_prv_source_free(struct trace_prv_source *s)
{
	if (!s)
		return;
	trace_prv_lines_free(&s->lines);
	jw_mem_free(s->processes);
	jw_mem_free(s->threads);
	jw_mem_free(s->failed);
	jw_mem_free(s->stated);
	jw_mem_free(s);
}
