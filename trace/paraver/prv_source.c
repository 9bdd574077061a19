/*
 * prv_source.c: see prv_source.h.
 *
 * As Paraver reads them: 60000019 pushes a method on a value above 0 and pops one on 0. That a
 * method is left by an exception is an event just before.
 */
#include "base/grow.h"
#include "base/memory.h"
#include "base/operations.h"
#include "trace/names/label.h"
#include "trace/output.h"
#include "trace/paraver/numbers.h"
#include "trace/paraver/prv_held.h"
#include "trace/paraver/prv_scene.h"
#include "trace/paraver/prv_source.h"
#include "trace/paraver/prv_told.h"
#include "trace/paraver/prv_types.h"
#include "trace/reader/notes.h"
#include "trace/reader/prv_head.h"
#include "trace/reader/prv_lines.h"
#include "trace/reader/prv_names.h"
#include "trace/select/select.h"

#include "base/banned.h"

#define MOST_NOTES 1000

struct trace_prv_source {
	struct trace_prv_lines lines;
	const struct trace_output *output;
	void *ctx;
	struct trace_prv_scene scene;
	struct jw_span row; /* before the first line; "": there is none */
	bool *failed;       /* owned; by thread: by an exception */
	struct trace_prv_types types;
	bool tells_captures; /* as recordings do, from what TOLD has */
	struct trace_prv_told told;
	struct trace_prv_held held;
	uint64_t *stated;  /* owned; by thread: until when its states go; 0: it has none */
	bool has_gaps;     /* between the states of a thread, or before them */
	struct jw_err why; /* a failure of the output */
	struct {
		const char **at; /* owned; the texts in the arena */
		size_t n, room;
	} lacks; /* what the trace lacks, as its .pcf says */
	struct jw_arena arena;
};

/* ---- what the lines say; false: the output has failed ---- */

static bool is_well(struct trace_prv_source *s)
{
	if (s->held.failed && s->why.status == JW_OK)
		(void)jw_nomem(&s->why);
	return s->why.status == JW_OK && s->output->check(s->ctx, &s->why) == JW_OK;
}

/* What waits for what comes next is not about the end of a call. */
static inline void take_other(struct trace_prv_source *s)
{
	if (trace_prv_held_waits(&s->held))
		trace_prv_held_other(&s->held);
}

static bool take_head(void *ctx, const struct trace_prv_head *head)
{
	struct trace_prv_source *s = ctx;

	s->failed = jw_mem_zalloc((size_t)head->thread_count + 1, sizeof(*s->failed));
	s->stated = jw_mem_zalloc((size_t)head->thread_count + 1, sizeof(*s->stated));
	return s->failed && s->stated &&
	       trace_prv_scene_make(&s->scene, head, s->row, &s->why) == JW_OK &&
	       trace_prv_held_begin(&s->held, s->output, s->ctx, head->thread_count, &s->why) ==
		       JW_OK &&
	       s->output->begin(s->ctx, &s->scene.scene, &s->why) == JW_OK;
}

static bool take_state(void *ctx, uint32_t thread, uint64_t begin, uint64_t end, uint64_t state)
{
	struct trace_prv_source *s = ctx;

	take_other(s);
	s->has_gaps |= begin != s->stated[thread];
	s->stated[thread] = end;
	s->output->state(s->ctx, thread, begin, end, state);
	return is_well(s);
}

static void take_function(struct trace_prv_source *s, uint32_t thread, uint64_t time,
			  uint64_t value)
{
	if (trace_prv_held_waits(&s->held) && value)
		trace_prv_held_other(&s->held);
	else if (trace_prv_held_waits(&s->held))
		trace_prv_held_leaving(&s->held, thread, time);
	if (value)
		s->output->enter(s->ctx, thread, time, value);
	else
		s->output->leave(s->ctx, thread, time, s->failed[thread]);
	s->failed[thread] = false;
}

static void take_user(struct trace_prv_source *s, uint32_t thread, uint64_t time, uint64_t number,
		      uint64_t value)
{
	const struct trace_prv_capture *what =
		s->tells_captures ? trace_prv_told_capture(&s->told, number) : NULL;

	if (what) {
		trace_prv_held_take(&s->held, thread, time, what, value);
		return;
	}
	take_other(s);
	s->output->user(s->ctx, thread, time, number, value);
}

static bool take_event(void *ctx, uint32_t thread, uint64_t time, uint64_t number, uint64_t value)
{
	struct trace_prv_source *s = ctx;
	const struct trace_prv_is_type *type = trace_prv_type(&s->types, number);

	switch (type->is) {
	case TRACE_PRV_IS_FUNCTION:
		take_function(s, thread, time, value);
		break;
	case TRACE_PRV_IS_FAILED:
		s->failed[thread] = value;
		break;
	case TRACE_PRV_IS_OPERATION:
		take_other(s);
		s->output->operation(s->ctx, thread, time, (enum jw_operation_type)type->place,
				     value);
		break;
	case TRACE_PRV_IS_EVENT:
		take_other(s);
		s->output->event(s->ctx, thread, time, (enum trace_type)type->place, value);
		break;
	case TRACE_PRV_IS_USER:
		take_user(s, thread, time, number, value);
		break;
	case TRACE_PRV_IS_NOTES: /* there is no such event */
		break;
	}
	return is_well(s);
}

static bool take_arrow(void *ctx, uint32_t from, uint64_t sent, uint32_t to, uint64_t received,
		       uint64_t tag)
{
	struct trace_prv_source *s = ctx;

	take_other(s);
	s->output->arrow(s->ctx, from, sent, to, received, tag);
	return is_well(s);
}

static const struct trace_prv_listener listener = { take_head, take_state, take_event, take_arrow };

/* ---- names ---- */

/* A .pcf cannot have the brackets of addresses, and of arrays. */
static void name_mended(struct trace_prv_source *s, enum trace_name_kind what, uint64_t value,
			struct jw_span label)
{
	char *text = jw_arena_str(&s->arena, label);

	if (!text) {
		if (s->why.status == JW_OK)
			(void)jw_nomem(&s->why);
		return;
	}
	trace_mend_name(what, text, label.n);
	s->output->name(s->ctx, what, value, (struct jw_span){ (const uint8_t *)text, label.n });
}

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
		name_mended(s, TRACE_NAME_CHANNEL, value, label);
	else if (value && what == TRACE_VALUE_LINK)
		s->output->name(s->ctx, TRACE_NAME_LINK, value, label);
	else if (value && what == TRACE_VALUE_CLASS)
		name_mended(s, TRACE_NAME_CLASS, value, label);
}

/* An event of the program's own, or a capture. */
static void name_user(struct trace_prv_source *s, uint64_t type, uint64_t value,
		      struct jw_span label)
{
	if (value != TRACE_PCF_TYPE)
		s->output->name(s->ctx, TRACE_NAME_VALUE, trace_value_number(type, value), label);
	else
		s->output->name(s->ctx, TRACE_NAME_EVENT, type, trace_prv_told_label(label, type));
}

static void name_value(struct trace_prv_source *s, uint64_t number, uint64_t value,
		       struct jw_span label)
{
	const struct trace_prv_is_type *type = trace_prv_type(&s->types, number);

	if (number != TRACE_PCF_STATE && type->is == TRACE_PRV_IS_USER)
		name_user(s, number, value, label);
	else if (value == TRACE_PCF_TYPE)
		return;
	else if (number == TRACE_PCF_STATE)
		s->output->name(s->ctx, TRACE_NAME_STATE, value, label);
	else if (type->is == TRACE_PRV_IS_FUNCTION)
		s->output->name(s->ctx, TRACE_NAME_METHOD, value, label);
	else if (type->is == TRACE_PRV_IS_FAILED)
		s->output->name(s->ctx, TRACE_NAME_FAILED, 0, JW_SPAN_LIT(""));
	else if (type->is == TRACE_PRV_IS_EVENT)
		name_event(s, (enum trace_type)type->place, value, label);
}

static void take_note(struct trace_prv_source *s, uint64_t value, struct jw_span label)
{
	static const struct jw_growth grow = { NULL, 0, 0 };

	if (value == 0 || value == TRACE_PCF_TYPE || s->lacks.n == MOST_NOTES)
		return;
	const char *text = jw_arena_str(&s->arena, label);
	if (text && JW_GROW(&s->lacks, &grow, NULL) == JW_OK)
		s->lacks.at[s->lacks.n++] = text;
	else if (s->why.status == JW_OK)
		(void)jw_nomem(&s->why);
}

/* A label of the .pcf. */
static void take_label(void *ctx, uint64_t number, uint64_t value, struct jw_span label)
{
	struct trace_prv_source *s = ctx;

	if (number == TRACE_PRV_NOTES)
		take_note(s, value, label);
	else if (s->output->name)
		name_value(s, number, value, label);
}

static void name_row(void *ctx, uint64_t place, struct jw_span name)
{
	struct trace_prv_source *s = ctx;

	if (place < s->scene.scene.thread_count)
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
	trace_prv_types_fill(&s->types);
	return s;
}

void trace_prv_source_row(struct trace_prv_source *s, struct jw_span row)
{
	s->row = row;
}

enum jw_status trace_prv_source_captures(struct trace_prv_source *s, struct jw_span pcf,
					 struct jw_err *e)
{
	s->tells_captures = true;
	return trace_prv_told_read(&s->told, pcf, &s->types, e);
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

	for (size_t i = 0; i < s->scene.scene.thread_count && !s->has_gaps; i++)
		n += s->stated[i] && s->stated[i] < s->scene.scene.end;
	return n;
}

/* Of what is cut short nothing is known after the latest time in it. */
static uint64_t end_of(const struct trace_prv_source *s)
{
	bool is_known = s->lines.last > s->scene.scene.end || rows_cut_short(s);

	return is_known ? s->lines.last : s->scene.scene.end;
}

enum jw_status trace_prv_source_finish(struct trace_prv_source *s, struct jw_span pcf,
				       struct jw_span row, struct jw_err *e)
{
	JW_TRY(told(s, trace_prv_lines_end(&s->lines, e), e));
	take_other(s);
	if (!is_well(s))
		return told(s, JW_NOMEM, e);
	if (s->output->over)
		s->output->over(s->ctx, end_of(s));
	trace_pcf_each(pcf, take_label, s);
	if (!is_well(s))
		return told(s, JW_NOMEM, e);
	if (s->output->name)
		trace_row_each(row, "THREAD", name_row, s);
	return s->output->end(s->ctx, s->tells_captures ? &s->told.names : NULL, e);
}

void trace_prv_source_note_flaws(const struct trace_prv_source *s, struct trace_notes *notes)
{
	const struct trace_fact facts[] = {
		{ rows_cut_short(s),
		  "row ends before the end that the header tells: the file may be cut short",
		  "rows end before the end that the header tells: the file may be cut short" },
		{ s->lines.bad, TRACE_TOLD_BAD_LINE },
		{ s->lines.unsorted, TRACE_TOLD_UNSORTED },
		{ s->lines.late,
		  "record comes after the end that the header tells, and was left out",
		  "records come after the end that the header tells, and were left out" },
	};

	for (size_t i = 0; i < s->lacks.n; i++)
		trace_note(notes, "%s", s->lacks.at[i]);
	trace_note_facts(notes, NULL, facts, sizeof(facts) / sizeof(*facts));
}

void trace_prv_source_free(struct trace_prv_source *s)
{
	if (!s)
		return;
	trace_prv_lines_free(&s->lines);
	trace_prv_scene_free(&s->scene);
	trace_prv_told_free(&s->told);
	trace_prv_held_free(&s->held);
	jw_mem_free(s->failed);
	jw_mem_free(s->stated);
	jw_mem_free(s->lacks.at);
	jw_arena_free(&s->arena);
	jw_mem_free(s);
}
