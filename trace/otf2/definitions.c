/*
 * definitions.c: what the numbers of an archive stand for.
 *
 * String 0 is empty; those that events have follow, in their order, then the others as they come.
 */
#include <string.h>

#include "trace/names/label.h"
#include "trace/names/said_names.h"
#include "trace/names/state_names.h"
#include "trace/names/wait_names.h"
#include "trace/otf2/archive.h"

#include "base/banned.h"

#define MAX_TEXT   4096
#define MAX_VALUES 1000 /* bytes of a description */
#define NS         UINT64_C(1000000000)

struct defining {
	struct trace_otf2_archive *a;
	struct trace_otf2 *w;
	OTF2_GlobalDefWriter *writer;
	const struct trace_names *names; /* NULL: of a .prv */
	struct trace_methods texts;      /* owned; the numbers of those of `names`, in order */
	struct jw_buf text;              /* owned; of one name */
	uint32_t strings;                /* how many there are */
};

/* ---- strings ---- */

/* The string of `text`, which is then empty. */
static OTF2_StringRef add_text(struct defining *x)
{
	jw_put_u1(&x->text, 0);
	if (x->text.failed == JW_OK)
		OTF2_GlobalDefWriter_WriteString(x->writer, x->strings, (const char *)x->text.p);
	jw_buf_clear(&x->text);
	return x->strings++;
}

static OTF2_StringRef add(struct defining *x, const char *text)
{
	if (!*text)
		return 0;
	jw_put_str(&x->text, text);
	return add_text(x);
}

static OTF2_StringRef add_span(struct defining *x, struct jw_span text)
{
	if (text.n == 0)
		return 0;
	trace_put_name(&x->text, text, MAX_TEXT); /* of a .pcf it is any bytes */
	return add_text(x);
}

static enum trace_otf2_name name_of(uint64_t key)
{
	return (enum trace_otf2_name)(key >> 56);
}

static uint64_t value_of(uint64_t key)
{
	return key & ((UINT64_C(1) << 56) - 1);
}

static void put_captured_text(struct defining *x, enum trace_otf2_name name, uint64_t number)
{
	uint32_t at = trace_methods_known(&x->texts, number);

	if (!x->names || at == TRACE_NO_METHOD)
		jw_put_fmt(&x->text, "text %llu", (unsigned long long)number);
	else if (name == TRACE_OTF2_CLASS_TEXT)
		trace_put_class(&x->text, jw_span_str(x->names->texts[at].text));
	else
		trace_put_name(&x->text, jw_span_str(x->names->texts[at].text), MAX_TEXT);
}

/* A string that events have: number I of them. */
static void put_string(struct defining *x, size_t i)
{
	static const char *const kinds[] = {
		[TRACE_OTF2_CLASS] = "class",   [TRACE_OTF2_PLACE] = "place",
		[TRACE_OTF2_METHOD] = "method", [TRACE_OTF2_VIRTUAL] = "virtual thread",
		[TRACE_OTF2_WAIT] = "wait",
	};
	enum trace_otf2_name name = name_of(x->w->strings.m[i].id);
	uint64_t value = value_of(x->w->strings.m[i].id);
	const char *label = x->w->string_labels[i];

	if (name == TRACE_OTF2_CLASS_TEXT || name == TRACE_OTF2_TEXT_TEXT) {
		put_captured_text(x, name, value);
		return;
	}
	if (name == TRACE_OTF2_WAIT)
		label = trace_wait_name(value);
	else if (name == TRACE_OTF2_VIRTUAL && x->names && value <= x->names->virtuals.n)
		label = x->names->virtuals.at[value - 1];
	if (label)
		trace_put_name(&x->text, jw_span_str(label), TRACE_MAX_LABEL);
	if (x->text.n == 0)
		jw_put_fmt(&x->text, "%s %llu", kinds[name], (unsigned long long)value);
}

static void define_strings(struct defining *x)
{
	OTF2_GlobalDefWriter_WriteString(x->writer, x->strings++, "");
	for (size_t i = 0; i < x->w->strings.n && trace_otf2_is_well(x->a); i++) {
		put_string(x, i);
		(void)add_text(x);
	}
}

/* ---- who takes part ---- */

static OTF2_StringRef add_process(struct defining *x, uint32_t at)
{
	trace_put_process(&x->text, x->w->scene, at, ",", true);
	return add_text(x);
}

/* Node 0 is all machines, node 1 + H is host H; if there is none, one that has no name. */
static void define_hosts(struct defining *x)
{
	const struct trace_scene *s = x->w->scene;
	OTF2_StringRef node = add(x, "node"), all = add(x, "machine");

	OTF2_GlobalDefWriter_WriteSystemTreeNode(x->writer, 0, add(x, "all hosts"), all,
						 OTF2_UNDEFINED_SYSTEM_TREE_NODE);
	for (uint32_t i = 0; i < s->host_count || i == 0; i++) {
		const char *name = i < s->host_count && s->hosts[i] ? s->hosts[i] : "";

		trace_put_name(&x->text, jw_span_str(name), TRACE_MAX_LABEL);
		if (x->text.n == 0)
			jw_put_str(&x->text, "a host");
		OTF2_GlobalDefWriter_WriteSystemTreeNode(x->writer, i + 1, add_text(x), node, 0);
		OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(
			x->writer, i + 1, OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY);
	}
}

static void define_threads(struct defining *x)
{
	const struct trace_scene *s = x->w->scene;

	for (uint32_t i = 0; i < s->process_count; i++) {
		uint32_t host = s->processes[i].host < s->host_count ? s->processes[i].host : 0;

		OTF2_GlobalDefWriter_WriteLocationGroup(x->writer, i, add_process(x, i),
							OTF2_LOCATION_GROUP_TYPE_PROCESS, host + 1,
							OTF2_UNDEFINED_LOCATION_GROUP);
	}
	for (uint32_t i = 0; i < s->thread_count && trace_otf2_is_well(x->a); i++) {
		const char *name = x->w->rows[i];

		if (name)
			trace_put_name(&x->text, jw_span_str(name), TRACE_MAX_LABEL);
		if (x->text.n == 0)
			trace_put_unnamed(&x->text, s->threads[i].number);
		OTF2_GlobalDefWriter_WriteLocation(x->writer, i, add_text(x),
						   OTF2_LOCATION_TYPE_CPU_THREAD, x->a->events[i],
						   s->threads[i].process);
	}
}

/* Communicator NUMBER of all threads: arrows (ORDER: events.c, COMM), and what starts threads. */
static void define_comm(struct defining *x, uint32_t number, OTF2_Paradigm paradigm,
			OTF2_ParadigmClass class, const char *name, const uint64_t *members)
{
	uint32_t n = x->w->scene->thread_count;
	OTF2_StringRef called = add(x, name);

	OTF2_GlobalDefWriter_WriteParadigm(x->writer, paradigm, called, class);
	OTF2_GlobalDefWriter_WriteGroup(x->writer, 2 * number, called,
					OTF2_GROUP_TYPE_COMM_LOCATIONS, paradigm,
					OTF2_GROUP_FLAG_NONE, n, members);
	OTF2_GlobalDefWriter_WriteGroup(x->writer, 2 * number + 1, called,
					OTF2_GROUP_TYPE_COMM_GROUP, paradigm, OTF2_GROUP_FLAG_NONE,
					n, members);
	OTF2_GlobalDefWriter_WriteComm(x->writer, number, called, 2 * number + 1,
				       OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
}

static enum jw_status define_comms(struct defining *x, struct jw_err *e)
{
	uint32_t n = x->w->scene->thread_count;
	uint64_t *members = jw_mem_zalloc((size_t)n + 1, sizeof(*members));

	if (!members)
		return jw_nomem(e);
	for (uint32_t i = 0; i < n; i++)
		members[i] = i;
	define_comm(x, 0, OTF2_PARADIGM_MPI, OTF2_PARADIGM_CLASS_PROCESS, "arrows", members);
	define_comm(x, 1, OTF2_PARADIGM_PTHREAD, OTF2_PARADIGM_CLASS_THREAD_CREATE_WAIT,
		    "Java threads", members);
	jw_mem_free(members);
	return JW_OK;
}

/* ---- regions ---- */

/* What a call that does something is to those who know roles. */
static OTF2_RegionRole role_of(const struct trace_method *method)
{
	static const OTF2_RegionRole roles[JW_OPERATION_TYPES] = {
		[JW_OPERATIONS_MONITOR] = OTF2_REGION_ROLE_CRITICAL,
		[JW_OPERATIONS_LOCK] = OTF2_REGION_ROLE_CRITICAL,
		[JW_OPERATIONS_SYNC] = OTF2_REGION_ROLE_BARRIER,
		[JW_OPERATIONS_IO] = OTF2_REGION_ROLE_FILE_IO,
	};
	const struct jw_operation *op = method ? method->about.operation : NULL;

	if (op && op->role == JW_ROLE_START)
		return OTF2_REGION_ROLE_THREAD_CREATE;
	if (op && op->role == JW_ROLE_JOIN)
		return OTF2_REGION_ROLE_THREAD_WAIT;
	return op && roles[op->type] ? roles[op->type] : OTF2_REGION_ROLE_FUNCTION;
}

static void define_region(struct defining *x, uint32_t region)
{
	const char *label = x->w->method_labels[region];
	uint64_t number = x->w->methods.m[region].id;
	bool known = x->names && number <= x->names->method_count;
	struct trace_label_parts l = trace_label_split(label ? label : "");

	trace_put_name(&x->text, l.name, MAX_TEXT);
	if (x->text.n == 0)
		jw_put_fmt(&x->text, "method %llu", (unsigned long long)number);
	OTF2_StringRef name = add_text(x);
	OTF2_StringRef full = l.full.n ? add_span(x, l.full) : name;

	OTF2_GlobalDefWriter_WriteRegion(
		x->writer, region, name, full, 0,
		role_of(known ? x->names->methods[number - 1].method : NULL), OTF2_PARADIGM_USER,
		OTF2_REGION_FLAG_NONE, add_span(x, l.file), (uint32_t)l.line, 0);
}

/* ---- metrics and parameters ---- */

static const char *const event_labels[TRACE_TYPES] = {
	[TRACE_TYPE_GC] = "GC pause",
	[TRACE_TYPE_THREAD_CPU] = "CPU time of the thread",
	[TRACE_TYPE_PROCESS_CPU] = "CPU time of the process",
	[TRACE_TYPE_MONITOR] = "wait",
	[TRACE_TYPE_OBJECT] = "object waited for",
	[TRACE_TYPE_MONITOR_CLASS] = "class waited for",
	[TRACE_TYPE_MONITOR_PLACE] = "place of the wait",
	[TRACE_TYPE_THROWN] = "exception thrown",
	[TRACE_TYPE_RETHROWN] = "exception thrown again",
	[TRACE_TYPE_CAUGHT] = "exception caught",
	[TRACE_TYPE_ALLOC_CLASS] = "allocation",
	[TRACE_TYPE_CREATED] = "object created",
	[TRACE_TYPE_LENGTH] = "length of the array",
	[TRACE_TYPE_VIRTUAL_NAME] = "virtual thread",
	[TRACE_TYPE_CLOSED] = "no longer recorded",
	[TRACE_TYPE_UNPARK] = "thread unparked",
	[TRACE_TYPE_START] = "thread started",
	[TRACE_TYPE_WAKE] = "selector woken",
	[TRACE_TYPE_INTERRUPT] = "thread interrupted",
};

static const char *const sum_labels[TRACE_OTF2_SUMS] = {
	[TRACE_OTF2_BYTES_READ] = "bytes read",
	[TRACE_OTF2_BYTES_WRITTEN] = "bytes written",
	[TRACE_OTF2_CHANNEL_READ] = "bytes read from connections and files",
	[TRACE_OTF2_CHANNEL_WRITTEN] = "bytes written to connections and files",
	[TRACE_OTF2_CHARS_READ] = "characters read",
	[TRACE_OTF2_CHARS_WRITTEN] = "characters written",
	[TRACE_OTF2_ALLOCATED] = "bytes allocated",
};

/* What a metric or parameter with the KEY is called; LABEL: what names told, or NULL. */
static OTF2_StringRef add_called(struct defining *x, uint64_t key, const char *label)
{
	static const char *const kinds[] = {
		[TRACE_OTF2_STATE] = "state",      [TRACE_OTF2_EVENT] = "event",
		[TRACE_OTF2_SUM] = "sum",          [TRACE_OTF2_USER] = "event",
		[TRACE_OTF2_CAPTURE] = "captured", [TRACE_OTF2_TEXT_OF] = "captured",
	};
	enum trace_otf2_name name = name_of(key);
	uint64_t value = value_of(key);

	if (name == TRACE_OTF2_EVENT)
		label = event_labels[value];
	else if (name == TRACE_OTF2_SUM)
		label = sum_labels[value];
	else if (name == TRACE_OTF2_USER)
		label = trace_user_label(x->names, value);
	else if (name == TRACE_OTF2_CAPTURE || name == TRACE_OTF2_TEXT_OF)
		label = trace_capture_label(x->names, value);
	else if (!label)
		label = trace_state_name(value);
	if (label)
		trace_put_name(&x->text, jw_span_str(label), TRACE_MAX_LABEL);
	if (x->text.n == 0)
		jw_put_fmt(&x->text, "%s %llu", kinds[name], (unsigned long long)value);
	return add_text(x);
}

/* "0 none, 1 begun": what the program calls the values of TYPE. */
static OTF2_StringRef add_values(struct defining *x, uint64_t type)
{
	const struct trace_names *names = x->names;

	for (size_t i = 0; names && i < names->user_count && x->text.n < MAX_VALUES; i++) {
		const struct trace_user_name *u = &names->user[i];
		const char *label = u->is_type ? u->zero : u->label;

		if (u->type != type || !*label)
			continue;
		jw_put_fmt(&x->text, "%s%u ", x->text.n ? ", " : "", u->is_type ? 0 : u->value);
		trace_put_name(&x->text, jw_span_str(label), TRACE_MAX_LABEL);
	}
	return x->text.n ? add_text(x) : 0;
}

static void define_metrics(struct defining *x)
{
	const struct trace_methods *metrics = &x->w->metrics;
	OTF2_StringRef ns = add(x, "ns"), bytes = add(x, "B"), count = add(x, "#");
	OTF2_StringRef state = add(x, "state of the thread: 1 as long as it lasts");

	for (uint32_t i = 0; i < metrics->n && trace_otf2_is_well(x->a); i++) {
		enum trace_otf2_name name = name_of(metrics->m[i].id);
		uint64_t value = value_of(metrics->m[i].id);
		bool is_time = name == TRACE_OTF2_EVENT && value != TRACE_TYPE_GC;
		bool is_text = name == TRACE_OTF2_SUM && (value == TRACE_OTF2_CHARS_READ ||
							  value == TRACE_OTF2_CHARS_WRITTEN);
		OTF2_StringRef unit = is_time                              ? ns
				      : name == TRACE_OTF2_SUM && !is_text ? bytes
									   : count;
		OTF2_StringRef about = name == TRACE_OTF2_STATE  ? state
				       : name == TRACE_OTF2_USER ? add_values(x, value)
								 : 0;

		OTF2_GlobalDefWriter_WriteMetricMember(
			x->writer, i, add_called(x, metrics->m[i].id, x->w->metric_labels[i]),
			about,
			name == TRACE_OTF2_USER ? OTF2_METRIC_TYPE_USER : OTF2_METRIC_TYPE_OTHER,
			is_time || name == TRACE_OTF2_SUM ? OTF2_METRIC_ACCUMULATED_START
							  : OTF2_METRIC_ABSOLUTE_NEXT,
			OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, 0, unit);
		OTF2_GlobalDefWriter_WriteMetricClass(x->writer, i, 1, &i, OTF2_METRIC_ASYNCHRONOUS,
						      OTF2_RECORDER_KIND_CPU);
	}
}

static void define_parameters(struct defining *x)
{
	const struct trace_methods *parameters = &x->w->parameters;
	const OTF2_StringRef failed = add(x, "ended by an exception");

	OTF2_GlobalDefWriter_WriteAttribute(x->writer, 0, failed, 0, OTF2_TYPE_UINT8);
	for (uint32_t i = 0; i < parameters->n && trace_otf2_is_well(x->a); i++) {
		uint64_t key = parameters->m[i].id;
		enum trace_type type = (enum trace_type)value_of(key);
		bool is_number = name_of(key) == TRACE_OTF2_CAPTURE ||
				 (name_of(key) == TRACE_OTF2_EVENT &&
				  (type == TRACE_TYPE_OBJECT || type == TRACE_TYPE_LENGTH ||
				   type == TRACE_TYPE_UNPARK || type == TRACE_TYPE_START ||
				   type == TRACE_TYPE_WAKE || type == TRACE_TYPE_INTERRUPT));

		OTF2_GlobalDefWriter_WriteParameter(x->writer, i, add_called(x, key, NULL),
						    is_number ? OTF2_PARAMETER_TYPE_UINT64
							      : OTF2_PARAMETER_TYPE_STRING);
	}
}

/* ---- files ---- */

/* Each object that reads or writes is a handle, which is open all the time. */
static void define_handles(struct defining *x)
{
	const struct trace_otf2 *w = x->w;

	if (w->handles.n)
		OTF2_GlobalDefWriter_WriteIoParadigm(
			x->writer, 0, add(x, "JAVA"), add(x, "Java I/O"),
			OTF2_IO_PARADIGM_CLASS_SERIAL, OTF2_IO_PARADIGM_FLAG_NONE, 0, NULL, NULL,
			NULL);
	for (uint32_t i = 0; i < w->handles.n && trace_otf2_is_well(x->a); i++) {
		uint64_t class = i < w->handle_classes.n ? w->handle_classes.at[i] : 0;

		if (class)
			put_string(x, class - 1);
		else
			jw_put_str(&x->text, "object");
		jw_put_fmt(&x->text, " %u", i + 1);
		OTF2_GlobalDefWriter_WriteIoHandle(x->writer, i, add_text(x),
						   OTF2_UNDEFINED_IO_FILE, 0,
						   OTF2_IO_HANDLE_FLAG_PRE_CREATED,
						   OTF2_UNDEFINED_COMM, OTF2_UNDEFINED_IO_HANDLE);
		OTF2_GlobalDefWriter_WriteIoPreCreatedHandleState(
			x->writer, i, OTF2_IO_ACCESS_MODE_READ_WRITE, OTF2_IO_STATUS_FLAG_NONE);
	}
}

/* ---- all of it ---- */

/* Readers want a file of each location, though it has nothing to say. */
static void define_locally(struct defining *x)
{
	OTF2_Archive_OpenDefFiles(x->a->archive);
	for (uint32_t i = 0; i < x->w->scene->thread_count && trace_otf2_is_well(x->a); i++) {
		OTF2_DefWriter *writer = OTF2_Archive_GetDefWriter(x->a->archive, i);

		if (writer && trace_otf2_is_well(x->a))
			OTF2_Archive_CloseDefWriter(x->a->archive, writer);
	}
	if (trace_otf2_is_well(x->a))
		OTF2_Archive_CloseDefFiles(x->a->archive);
}

static void define_clock(struct defining *x)
{
	int64_t wall = x->w->scene->wall_start;
	uint64_t end = x->w->end > x->a->last ? x->w->end : x->a->last;

	OTF2_GlobalDefWriter_WriteClockProperties(
		x->writer, NS, 0, end, wall > 0 ? (uint64_t)wall : OTF2_UNDEFINED_TIMESTAMP);
}

static enum jw_status define_all(struct defining *x, struct jw_err *e)
{
	define_locally(x);
	if (!trace_otf2_is_well(x->a))
		return x->a->why.status;
	x->writer = OTF2_Archive_GetGlobalDefWriter(x->a->archive);
	if (!x->writer)
		return trace_otf2_is_well(x->a) ? jw_nomem(e) : x->a->why.status;
	define_clock(x);
	define_strings(x);
	if (trace_otf2_is_well(x->a))
		define_hosts(x);
	if (trace_otf2_is_well(x->a))
		define_threads(x);
	for (uint32_t i = 0; i < x->w->methods.n && trace_otf2_is_well(x->a); i++)
		define_region(x, i);
	if (trace_otf2_is_well(x->a))
		define_metrics(x);
	if (trace_otf2_is_well(x->a))
		define_parameters(x);
	if (trace_otf2_is_well(x->a))
		define_handles(x);
	if (trace_otf2_is_well(x->a))
		JW_TRY(define_comms(x, e));
	return jw_buf_finish(&x->text, "names of the trace", e);
}

enum jw_status trace_otf2_define(struct trace_otf2_archive *a, struct trace_otf2 *w,
				 const struct trace_names *names, struct jw_err *e)
{
	struct defining x = { .a = a, .w = w, .names = names };
	enum jw_status status = JW_OK;

	for (size_t i = 0; names && i < names->text_count && status == JW_OK; i++)
		if (trace_methods_number(&x.texts, names->texts[i].number) == TRACE_NO_METHOD)
			status = jw_nomem(e);
	if (status == JW_OK)
		status = define_all(&x, e);
	trace_methods_free(&x.texts);
	jw_buf_free(&x.text);
	return status;
}
