/*
 * pcf.c: the .pcf, in Extrae's block order: options, semantic, states, colours, gradients, types.
 *
 * Readers differ in their tolerance: blank lines are really empty, STATES stands directly above its
 * entries (the trace filter wants that), every group of types has its own EVENT_TYPE line.
 */
#include <string.h>

#include "trace/format/methodmap.h"
#include "trace/names/event_types.h"
#include "trace/names/label.h"
#include "trace/paraver/pcf.h"
#include "trace/paraver/pcf_types.h"
#include "trace/reader/reader.h"
#include "trace/replay/capture_events.h"
#include "trace/replay/class_numbers.h"
#include "trace/replay/method_numbers.h"
#include "trace/replay/replay.h"
#include "trace/replay/user_events.h"
#include "trace/replay/world.h"

#include "base/banned.h"

/* ORDER: the number of a state is its place here. Extrae 5.1.2's names and colours. */
static const struct {
	const char *name;
	uint8_t r, g, b;
} states[] = {
	{ "Idle", 117, 195, 255 },
	{ "Running", 0, 0, 255 },
	{ "Not created", 255, 255, 255 },
	{ "Waiting a message", 255, 0, 0 },
	{ "Blocking Send", 255, 0, 174 },
	{ "Synchronization", 179, 0, 0 },
	{ "Test/Probe", 0, 255, 0 },
	{ "Scheduling and Fork/Join", 255, 255, 0 },
	{ "Wait/WaitAll", 235, 0, 0 },
	{ "Blocked", 0, 162, 0 },
	{ "Immediate Send", 255, 0, 255 },
	{ "Immediate Receive", 100, 100, 177 },
	{ "I/O", 172, 174, 41 },
	{ "Group Communication", 255, 144, 26 },
	{ "Tracing Disabled", 2, 255, 177 },
	{ "Others", 192, 224, 0 },
	{ "Send Receive", 66, 66, 66 },
	{ "Memory transfer", 255, 0, 96 },
	{ "Profiling", 169, 169, 169 },
	{ "On-line analysis", 169, 0, 0 },
	{ "Remote memory access", 0, 109, 255 },
	{ "Atomic memory operation", 200, 61, 68 },
	{ "Memory ordering operation", 200, 66, 0 },
	{ "Distributed locking", 0, 41, 0 },
	{ "Overhead", 139, 121, 177 },
	{ "One-sided op", 116, 116, 116 },
	{ "Startup latency", 200, 50, 89 },
	{ "Waiting links", 255, 171, 98 },
	{ "Data copy", 0, 68, 189 },
	{ "RTT", 52, 43, 0 },
	{ "Allocating memory", 255, 46, 0 },
	{ "Freeing memory", 100, 216, 32 },
	{ "Configuring accelerator", 118, 185, 0 },
	{ "Stream Registration", 80, 185, 160 },
	{ "Waiting for work", 195, 214, 232 }, /* ours: TRACE_FOR_WORK */
};

#define STATES    (sizeof(states) / sizeof(*states))
#define EXTRAES   TRACE_FOR_WORK
#define GRADIENTS 15
#define OUR_TYPES 48100000

/* WAITS: those of natives of the JDK are told. */
static void put_states(struct jw_buf *out, bool waits)
{
	size_t count = waits ? STATES : EXTRAES;

	jw_put_str(out, "STATES\n");
	for (size_t i = 0; i < count; i++)
		jw_put_fmt(out, "%-4zu %s\n", i, states[i].name);
	jw_put_str(out, "\n\nSTATES_COLOR\n");
	for (size_t i = 0; i < count; i++)
		jw_put_fmt(out, "%-4zu {%d,%d,%d}\n", i, states[i].r, states[i].g, states[i].b);
	jw_put_str(out, "\n\n");
}

/* From green to blue, as every Extrae trace has them; readers of today ignore them. */
static void put_gradients(struct jw_buf *out)
{
	jw_put_str(out, "GRADIENT_COLOR\n");
	for (int i = 0; i < GRADIENTS; i++) {
		int step = 255 * i / (GRADIENTS - 1);

		jw_put_fmt(out, "%-4d {0,%d,%d}\n", i, 255 - step, step);
	}
	jw_put_str(out, "\n\nGRADIENT_NAMES\n");
	for (int i = 0; i < GRADIENTS; i++)
		jw_put_fmt(out, "%-4d Gradient %d\n", i, i);
	jw_put_str(out, "\n\n");
}

/* Method I of METHODS, as a value. */
static void put_method(struct jw_buf *out, const struct trace_methods *methods, size_t i,
		       const struct trace_map *map)
{
	uint64_t id = methods->m[i].id;

	jw_put_dec(out, i + 1);
	jw_put_str(out, "      ");
	trace_put_label(out, trace_map_find(map, id), id);
	jw_put_str(out, "\n");
}

static void put_functions(struct trace_pcf *pcf, const struct trace_methods *methods,
			  const struct trace_map *map)
{
	struct jw_buf *out = pcf->out;

	trace_pcf_type(pcf, TRACE_USER_FUNCTION, JW_SPAN_LIT("User function"));
	jw_put_str(out, "VALUES\n0      End\n");
	for (size_t i = 0; i < methods->n; i++)
		put_method(out, methods, i, map);
	jw_put_str(out, "\n\n");
}

/* Those that were closed. */
static void put_closed(struct jw_buf *out, const struct trace_frames *frames,
		       const struct trace_world *w, const struct trace_map *map)
{
	jw_put_str(out, "0      None\n");
	for (size_t i = 0; i < frames->methods.n; i++)
		if (trace_was_closed(w, frames->methods.m[i].id))
			put_method(out, &frames->methods, i, map);
}

static const struct {
	uint32_t number;
	const char *label, *values;
} types[] = {
#define TYPE(name, number, label, values) { number, label, values },
	TRACE_TYPE_LIST(TYPE)
#undef TYPE
};

/* The names of virtual threads that were told. */
static void put_virtuals(struct jw_buf *out, const struct trace_frames *frames,
			 const struct trace_world *w)
{
	jw_put_str(out, "0      End\n");
	for (size_t i = 0; i < frames->owners.n; i++) {
		uint64_t key = frames->owners.m[i].id;
		const struct trace_recording *rec = &w->tasks[(key >> 32) - 1].rec;

		jw_put_fmt(out, "%-6zu ", i + 1);
		size_t before = out->n;
		trace_put_plain(out, jw_span_str(rec->virtuals[(uint32_t)key].name),
				TRACE_MAX_LABEL);
		jw_put_str(out, out->n == before ? "(no name)\n" : "\n");
	}
}

/* Of call sites by method id, in order of appearance. */
static void put_sites(struct jw_buf *out, const struct trace_frames *frames,
		      const struct trace_map *map)
{
	jw_put_str(out, "0      End\n");
	for (size_t i = 0; i < frames->sites.n; i++) {
		uint64_t id = frames->sites.m[i].id;

		jw_put_fmt(out, "%-6zu ", i + 1);
		trace_put_site(out, trace_map_find(map, id), id);
		jw_put_str(out, "\n");
	}
}

/* Those that were written and are Extrae's, or ours. */
static void put_types(struct trace_pcf *pcf, const struct trace_frames *frames,
		      const struct trace_world *world, const struct trace_map *map, bool ours)
{
	/* who reads the trace knows by these two that it would tell */
	unsigned used = frames->types | 1u << TRACE_TYPE_FAILED | 1u << TRACE_TYPE_SITE;
	struct jw_buf *out = pcf->out;

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		if (!(used >> i & 1) || (types[i].number >= OUR_TYPES) != ours)
			continue;
		trace_pcf_type(pcf, types[i].number, jw_span_str(types[i].label));
		if (types[i].values[0])
			jw_put_str(out, "VALUES\n");
		if (strcmp(types[i].values, TRACE_VIRTUALS) == 0)
			put_virtuals(out, frames, world);
		else if (strcmp(types[i].values, TRACE_METHODS) == 0)
			put_closed(out, frames, world, map);
		else if (strcmp(types[i].values, TRACE_CLASSES) == 0)
			trace_put_texts(out, &frames->classes);
		else if (strcmp(types[i].values, TRACE_THREADS) == 0)
			trace_put_texts(out, &frames->names);
		else if (strcmp(types[i].values, TRACE_PLACES) == 0)
			trace_put_texts(out, &frames->places);
		else if (strcmp(types[i].values, TRACE_SITES) == 0)
			put_sites(out, frames, map);
		else
			jw_put_str(out, types[i].values);
		jw_put_str(out, "\n\n");
	}
}

static void put_operation(struct trace_pcf *pcf, enum jw_operation_type type)
{
	const struct jw_operation_kind *kind = &jw_operation_kinds[type];
	struct jw_buf *out = pcf->out;

	trace_pcf_type(pcf, kind->event, jw_span_str(kind->label));
	jw_put_str(out, "VALUES\n0      End\n");
	for (const struct jw_operation *op = jw_operations; op->word; op++)
		if (op->type == type)
			jw_put_fmt(out, "%-6u %s\n", op->number, op->label);
	jw_put_str(out, "\n\n");
}

void trace_put_pcf(struct jw_buf *out, struct trace_frames *frames, const struct trace_world *world,
		   const struct trace_map *map)
{
	struct trace_pcf pcf = { .out = out };

	jw_put_str(out, "DEFAULT_OPTIONS\n\n"
			"LEVEL               THREAD\n"
			"UNITS               NANOSEC\n"
			"LOOK_BACK           100\n"
			"SPEED               1\n"
			"FLAG_ICONS          ENABLED\n"
			"NUM_OF_STATE_COLORS 1000\n"
			"YMAX_SCALE          37\n\n\n"
			"DEFAULT_SEMANTIC\n\n"
			"THREAD_FUNC         State As Is\n\n\n");
	put_states(out, frames->types >> TRACE_TYPE_WAIT & 1);
	put_types(&pcf, frames, world, map, false);
	put_gradients(out);
	put_functions(&pcf, &frames->methods, map);
	put_types(&pcf, frames, world, map, true);
	for (int type = 0; type < JW_OPERATION_TYPES; type++)
		if (frames->operations >> type & 1)
			put_operation(&pcf, (enum jw_operation_type)type);
	trace_put_captured_types(&pcf, frames, world);
	trace_put_user_types(&pcf, &frames->seen, world);
	trace_pcf_free(&pcf);
}
