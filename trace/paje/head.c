/*
 * head.c: what comes before and after what happened (paje.h): types, values and containers.
 */
#include <string.h>

#include "trace/format/methodmap.h"
#include "trace/names/label.h"
#include "trace/names/said_names.h"
#include "trace/names/state_names.h"
#include "trace/names/wait_names.h"
#include "trace/paje/paje_int.h"

#include "base/banned.h"

#define PIECE    ((size_t)256 << 10)
#define MAX_TEXT 4096

struct naming {
	struct trace_paje *w;
	const struct trace_names *names; /* NULL: of a .prv */
	struct trace_methods texts;      /* owned; the numbers of those of `names`, in order */
	struct trace_methods classes;    /* owned; 2^32 times a process, and a class */
	struct jw_buf out, text;         /* owned; text: of one name */
	struct jw_err *e;
};

static enum jw_status send(struct naming *x, size_t more_than)
{
	if (x->out.failed == JW_OK && x->text.failed != JW_OK)
		x->out.failed = x->text.failed;
	JW_TRY(jw_buf_finish(&x->out, "names of the trace", x->e));
	if (x->out.n <= more_than)
		return JW_OK;
	enum jw_status status = x->w->to->write(x->w->to->to, jw_buf_span(&x->out), x->e);

	jw_buf_clear(&x->out);
	return status;
}

/* Appends `text`, then empty, in quotes, which cannot be in it. pj_dump knows no text that is empty. */
static void put_quoted(struct naming *x)
{
	if (x->text.n == 0)
		jw_put_str(&x->text, "(empty)");
	for (size_t i = 0; i < x->text.n; i++)
		if (x->text.p[i] == '"')
			x->text.p[i] = '\'';
	jw_put_u1(&x->out, '"');
	jw_put_bytes(&x->out, jw_buf_span(&x->text));
	jw_put_u1(&x->out, '"');
	jw_buf_clear(&x->text);
}

/* ---- types ---- */

static void put_events(struct naming *x)
{
	static const struct {
		unsigned number;
		const char *name, *fields;
	} events[] = {
#define EVENT(kind, number, name, fields) { number, name, fields },
		TRACE_PAJE_EVENTS(EVENT)
#undef EVENT
	};

	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++) {
		jw_put_fmt(&x->out, "%%EventDef %s %u\n%% ", events[i].name, events[i].number);
		for (const char *p = events[i].fields; *p; p++) {
			if (*p == ',')
				jw_put_str(&x->out, "\n% ");
			else
				jw_put_u1(&x->out, (uint8_t)*p);
		}
		jw_put_str(&x->out, "\n%EndEventDef\n");
	}
}

static void put_types(struct naming *x)
{
	jw_put_fmt(
		&x->out,
		"%d H 0 \"Host\"\n%d P H \"Process\"\n%d T P \"Thread\"\n%d C P \"Class\"\n%d O C "
		"\"Object\"\n",
		TRACE_PAJE_CONTAINER_TYPE, TRACE_PAJE_CONTAINER_TYPE, TRACE_PAJE_CONTAINER_TYPE,
		TRACE_PAJE_CONTAINER_TYPE, TRACE_PAJE_CONTAINER_TYPE);
	jw_put_fmt(&x->out, "%d M T \"Method\"\n%d S T \"State\"\n", TRACE_PAJE_STATE_TYPE,
		   TRACE_PAJE_STATE_TYPE);
	if (x->w->pauses)
		jw_put_fmt(&x->out, "%d G T \"GC\"\n", TRACE_PAJE_STATE_TYPE);
	jw_put_fmt(&x->out, "%d A 0 T T \"arrow\"\n%d U 0 T O \"use\"\n", TRACE_PAJE_LINK_TYPE,
		   TRACE_PAJE_LINK_TYPE);
	jw_put_fmt(&x->out, "%d E T \"event\" \"0.8 0.1 0.1\"\n", TRACE_PAJE_EVENT_TYPE);
	jw_put_fmt(&x->out, "%d W O \"threads waiting\" \"0.8 0.5 0.1\"\n",
		   TRACE_PAJE_VARIABLE_TYPE);
}

/* ---- values ---- */

static void put_text(struct naming *x, uint64_t value)
{
	uint64_t number = value & ~TRACE_PAJE_TEXT_CLASS;
	uint32_t at = trace_methods_known(&x->texts, number);

	if (at == TRACE_NO_METHOD)
		jw_put_fmt(&x->text, "text %llu", (unsigned long long)number);
	else if (value & TRACE_PAJE_TEXT_CLASS)
		trace_put_class(&x->text, jw_span_str(x->names->texts[at].text));
	else
		trace_put_name(&x->text, jw_span_str(x->names->texts[at].text), MAX_TEXT);
}

/* "exception thrown: java.lang.Error" */
static void put_of_class(struct naming *x, uint64_t value, const char *label)
{
	static const char *const events[TRACE_TYPES] = {
		[TRACE_TYPE_THROWN] = "exception thrown",
		[TRACE_TYPE_RETHROWN] = "exception thrown again",
		[TRACE_TYPE_CAUGHT] = "exception caught",
		[TRACE_TYPE_ALLOC_CLASS] = "allocation",
		[TRACE_TYPE_CREATED] = "object created",
	};
	uint64_t class = value % TRACE_PAJE_TYPE_UNIT;

	const char *event = events[value / TRACE_PAJE_TYPE_UNIT];

	jw_put_fmt(&x->text, "%s: ", event ? event : "event");
	if (label)
		trace_put_name(&x->text, jw_span_str(label), TRACE_MAX_LABEL);
	else
		jw_put_fmt(&x->text, "class %llu", (unsigned long long)class);
}

/* What names told, or a table of ours; NULL: nothing. */
static const char *label_of(const struct naming *x, enum trace_paje_name name, uint64_t value,
			    const char *label)
{
	switch (name) {
	case TRACE_PAJE_STATE:
		return label ? label : trace_state_name(value);
	case TRACE_PAJE_ARROW:
		return trace_arrow_label(x->names, value);
	case TRACE_PAJE_OPERATION:
		return trace_operation_label(value / 100, value % 100);
	case TRACE_PAJE_WAIT:
		return trace_wait_name(value);
	case TRACE_PAJE_VIRTUAL:
		return x->names && value <= x->names->virtuals.n ? x->names->virtuals.at[value - 1]
								 : NULL;
	case TRACE_PAJE_PAUSE:
		return "GC pause";
	default:
		return label;
	}
}

/* What a value of NAME is. */
static const char *kind_of(enum trace_paje_name name)
{
	static const char *const kinds[] = {
		[TRACE_PAJE_METHOD] = "method",
		[TRACE_PAJE_STATE] = "state",
		[TRACE_PAJE_ARROW] = "arrow",
		[TRACE_PAJE_OPERATION] = "operation",
		[TRACE_PAJE_WAIT] = "wait",
		[TRACE_PAJE_CLOSED] = "method",
		[TRACE_PAJE_VIRTUAL] = "virtual thread",
	};

	return name < sizeof(kinds) / sizeof(*kinds) && kinds[name] ? kinds[name] : "value";
}

/* The name of value I, into `text`. */
static void put_value_name(struct naming *x, size_t i)
{
	uint64_t key = x->w->values.m[i].id, value = trace_paje_value_of(key);
	enum trace_paje_name name = trace_paje_name_of(key);
	const char *label = label_of(x, name, value, x->w->labels[i]);

	if (name == TRACE_PAJE_CLASS) {
		put_of_class(x, value, label);
		return;
	}
	if (name == TRACE_PAJE_TEXT) {
		put_text(x, value);
		return;
	}
	if (name == TRACE_PAJE_CLOSED || name == TRACE_PAJE_VIRTUAL)
		jw_put_fmt(&x->text, "%s: ",
			   name == TRACE_PAJE_VIRTUAL ? kind_of(name) : "no longer recorded");
	size_t before = x->text.n;

	if (label)
		trace_put_name(&x->text, jw_span_str(label), TRACE_MAX_LABEL);
	if (x->text.n == before)
		jw_put_fmt(&x->text, "%s %llu", kind_of(name), (unsigned long long)value);
}

/* The type that values of NAME are of. */
static char type_of(enum trace_paje_name name)
{
	static const char types[] = {
		[TRACE_PAJE_METHOD] = 'M',    [TRACE_PAJE_STATE] = 'S',   [TRACE_PAJE_ARROW] = 'A',
		[TRACE_PAJE_OPERATION] = 'U', [TRACE_PAJE_WAIT] = 'U',    [TRACE_PAJE_CLASS] = 'E',
		[TRACE_PAJE_CLOSED] = 'E',    [TRACE_PAJE_VIRTUAL] = 'E', [TRACE_PAJE_TEXT] = 'E',
		[TRACE_PAJE_PAUSE] = 'G',
	};

	return types[name];
}

/* Common states have colours that say what they are, all else a colour of its own name. */
static const char *state_colour(uint64_t key)
{
	static const char *const colours[] = {
		[TRACE_IDLE] = "0.9 0.9 0.9",        [TRACE_RUNNING] = "0.2 0.6 0.3",
		[TRACE_NOT_CREATED] = "1.0 1.0 1.0", [TRACE_SYNCHRONIZATION] = "0.9 0.7 0.2",
		[TRACE_WAIT_ALL] = "0.9 0.6 0.3",    [TRACE_BLOCKED] = "0.8 0.2 0.2",
		[TRACE_IO] = "0.3 0.4 0.8",          [TRACE_DISABLED] = "0.5 0.5 0.5",
		[TRACE_FOR_WORK] = "0.7 0.7 0.8",
	};
	uint64_t state = trace_paje_value_of(key);

	return trace_paje_name_of(key) == TRACE_PAJE_STATE &&
			       state < sizeof(colours) / sizeof(*colours)
		       ? colours[state]
		       : NULL;
}

static enum jw_status put_values(struct naming *x)
{
	for (size_t i = 0; i < x->w->values.n; i++) {
		uint64_t key = x->w->values.m[i].id;
		const char *colour = state_colour(key);

		jw_put_fmt(&x->out, "%d v%zu %c ", TRACE_PAJE_VALUE, i + 1,
			   type_of(trace_paje_name_of(key)));
		put_value_name(x, i);
		uint64_t hash = jw_hash64(jw_buf_span(&x->text), 0);

		put_quoted(x);
		if (colour)
			jw_put_fmt(&x->out, " \"%s\"\n", colour);
		else
			jw_put_fmt(&x->out, " \"0.%u 0.%u 0.%u\"\n", (unsigned)(3 + hash % 7),
				   (unsigned)(3 + hash / 7 % 7), (unsigned)(3 + hash / 49 % 7));
		JW_TRY(send(x, PIECE));
	}
	return JW_OK;
}

static void put_variables(struct naming *x)
{
	static const char *const sums[TRACE_TYPES] = {
		[TRACE_TYPE_BYTES] = "bytes read and written",
		[TRACE_TYPE_CHANNEL_READ] = "bytes read from connections and files",
		[TRACE_TYPE_CHANNEL_WRITTEN] = "bytes written to connections and files",
		[TRACE_TYPE_ALLOC] = "bytes allocated",
		[TRACE_TYPE_THREAD_CPU] = "CPU time of the thread (ns)",
		[TRACE_TYPE_PROCESS_CPU] = "CPU time of the process (ns)",
	};

	for (size_t i = 0; i < x->w->variables.n; i++) {
		uint64_t key = x->w->variables.m[i].id, value = trace_paje_value_of(key);
		enum trace_paje_name name = trace_paje_name_of(key);
		const char *label = name == TRACE_PAJE_SUM ? sums[value]
				    : name == TRACE_PAJE_USER
					    ? trace_user_label(x->names, value)
					    : trace_capture_label(x->names, value);

		jw_put_fmt(&x->out, "%d y%zu T ", TRACE_PAJE_VARIABLE_TYPE, i + 1);
		if (label)
			trace_put_name(&x->text, jw_span_str(label), TRACE_MAX_LABEL);
		if (x->text.n == 0)
			jw_put_fmt(&x->text, "%s %llu",
				   name == TRACE_PAJE_USER ? "event" : "captured",
				   (unsigned long long)value);
		put_quoted(x);
		jw_put_str(&x->out, " \"0.3 0.3 0.7\"\n");
	}
}

/* ---- containers ---- */

/* "4 0.000000000 t1 T p1 ", before a name. */
static void put_container(struct naming *x, char type, size_t number, const char *in, size_t parent)
{
	jw_put_fmt(&x->out, "%d 0.000000000 %c%zu %c %s", TRACE_PAJE_CREATE, type + 'a' - 'A',
		   number + 1, type, in);
	if (strcmp(in, "0") != 0)
		jw_put_fmt(&x->out, "%zu", parent + 1);
	jw_put_u1(&x->out, ' ');
}

/* If there is no host, there is one that has no name. */
static void put_processes(struct naming *x)
{
	const struct trace_scene *s = x->w->scene;

	for (uint32_t i = 0; i < s->host_count || i == 0; i++) {
		const char *name = i < s->host_count && s->hosts[i] ? s->hosts[i] : "";

		put_container(x, 'H', i, "0", 0);
		trace_put_name(&x->text, jw_span_str(name), TRACE_MAX_LABEL);
		if (x->text.n == 0)
			jw_put_str(&x->text, "a host");
		put_quoted(x);
		jw_put_u1(&x->out, '\n');
	}
	for (uint32_t i = 0; i < s->process_count; i++) {
		const struct trace_scene_process *p = &s->processes[i];

		put_container(x, 'P', i, "h", p->host < s->host_count ? p->host : 0);
		/* without commas, by which pj_dump separates */
		trace_put_process(&x->text, s, i, "", true);
		put_quoted(x);
		jw_put_u1(&x->out, '\n');
	}
}

static enum jw_status put_threads(struct naming *x)
{
	const struct trace_scene *s = x->w->scene;

	for (uint32_t i = 0; i < s->thread_count; i++) {
		put_container(x, 'T', i, "p", s->threads[i].process);
		if (x->w->rows[i])
			trace_put_name(&x->text, jw_span_str(x->w->rows[i]), TRACE_MAX_LABEL);
		if (x->text.n == 0)
			trace_put_unnamed(&x->text, s->threads[i].number);
		put_quoted(x);
		jw_put_u1(&x->out, '\n');
		JW_TRY(send(x, PIECE));
	}
	return JW_OK;
}

static void put_class_name(struct naming *x, uint32_t class)
{
	const char *label = class ? x->w->class_labels[class - 1] : NULL;

	if (label)
		trace_put_name(&x->text, jw_span_str(label), TRACE_MAX_LABEL);
	if (x->text.n == 0 && class)
		jw_put_fmt(&x->text, "class %llu",
			   (unsigned long long)x->w->classes.m[class - 1].id);
	if (x->text.n == 0)
		jw_put_str(&x->text, "some class");
}

/* The container of the class of O, which is written if need be; TRACE_NO_METHOD: no memory. */
static uint32_t class_of(struct naming *x, const struct trace_paje_object *o)
{
	size_t before = x->classes.n;
	uint32_t number = trace_methods_number(&x->classes, (uint64_t)o->process << 32 | o->class);

	if (x->classes.n > before) {
		put_container(x, 'C', number, "p", o->process);
		put_class_name(x, o->class);
		put_quoted(x);
		jw_put_u1(&x->out, '\n');
	}
	return number;
}

static enum jw_status put_objects(struct naming *x)
{
	for (size_t i = 0; i < x->w->objects.n; i++) {
		const struct trace_paje_object *o = &x->w->objects.at[i];
		uint32_t class = class_of(x, o);

		if (class == TRACE_NO_METHOD)
			return jw_nomem(x->e);
		put_container(x, 'O', i, "c", class);
		put_class_name(x, o->class);
		/* of a thread its id, else its identity (output.h) */
		if (o->key >> 31)
			jw_put_fmt(&x->text, "@%x", (unsigned)(o->key & 0x7fffffff));
		else
			jw_put_fmt(&x->text, " %u", (unsigned)o->key);
		put_quoted(x);
		jw_put_u1(&x->out, '\n');
		JW_TRY(send(x, PIECE));
	}
	return JW_OK;
}

static enum jw_status put_head(struct naming *x)
{
	put_events(x);
	put_types(x);
	put_variables(x);
	JW_TRY(put_values(x));
	put_processes(x);
	JW_TRY(put_threads(x));
	JW_TRY(put_objects(x));
	return send(x, 0);
}

enum jw_status trace_paje_head(struct trace_paje *w, const struct trace_names *names,
			       struct jw_err *e)
{
	struct naming x = { .w = w, .names = names, .e = e };
	enum jw_status status = JW_OK;

	for (size_t i = 0; names && i < names->text_count && status == JW_OK; i++)
		if (trace_methods_number(&x.texts, names->texts[i].number) == TRACE_NO_METHOD)
			status = jw_nomem(e);
	if (status == JW_OK)
		status = put_head(&x);
	w->class_containers = (uint32_t)x.classes.n;
	trace_methods_free(&x.texts);
	trace_methods_free(&x.classes);
	jw_buf_free(&x.out);
	jw_buf_free(&x.text);
	return status;
}

/* ---- the end ---- */

enum jw_status trace_paje_tail(struct trace_paje *w, struct jw_err *e)
{
	const struct trace_scene *s = w->scene;
	const struct {
		char type;
		size_t n;
	} all[] = {
		{ 'T', s->thread_count },
		{ 'O', w->objects.n },
		{ 'C', w->class_containers },
		{ 'P', s->process_count },
		{ 'H', s->host_count ? s->host_count : 1 },
	};
	struct naming x = { .w = w, .e = e };
	enum jw_status status = JW_OK;

	for (size_t k = 0; k < sizeof(all) / sizeof(*all); k++) {
		for (size_t i = 0; i < all[k].n && status == JW_OK; i++) {
			jw_put_fmt(&x.out, "%d ", TRACE_PAJE_DESTROY);
			trace_paje_put_time(&x.out, w->at);
			jw_put_fmt(&x.out, " %c %c%zu\n", all[k].type, all[k].type + 'a' - 'A',
				   i + 1);
			status = send(&x, PIECE);
		}
	}
	if (status == JW_OK)
		status = send(&x, 0);
	jw_buf_free(&x.out);
	return status;
}
