/*
 * pcf.c: the .pcf, in Extrae's block order: options, semantic, states, colours, gradients, types.
 *
 * Readers differ in their tolerance: blank lines are really empty, STATES is directly above its
 * entries (the trace filter wants that), every group of types has its own EVENT_TYPE line.
 */
#include <string.h>

#include "base/operations.h"
#include "trace/format/methodmap.h"
#include "trace/names/label.h"
#include "trace/names/state_names.h"
#include "trace/output.h"
#include "trace/paraver/numbers.h"
#include "trace/paraver/pcf.h"
#include "trace/paraver/pcf_captures.h"
#include "trace/paraver/pcf_types.h"
#include "trace/paraver/pcf_user.h"
#include "trace/paraver/prv.h"

#include "base/banned.h"

/* ORDER: numbers of states. Extrae 5.1.2's colours, and a pale one for waiting for work. */
static const uint8_t colours[TRACE_STATE_NAMES][3] = {
	{ 117, 195, 255 }, { 0, 0, 255 },     { 255, 255, 255 }, { 255, 0, 0 },
	{ 255, 0, 174 },   { 179, 0, 0 },     { 0, 255, 0 },     { 255, 255, 0 },
	{ 235, 0, 0 },     { 0, 162, 0 },     { 255, 0, 255 },   { 100, 100, 177 },
	{ 172, 174, 41 },  { 255, 144, 26 },  { 2, 255, 177 },   { 192, 224, 0 },
	{ 66, 66, 66 },    { 255, 0, 96 },    { 169, 169, 169 }, { 169, 0, 0 },
	{ 0, 109, 255 },   { 200, 61, 68 },   { 200, 66, 0 },    { 0, 41, 0 },
	{ 139, 121, 177 }, { 116, 116, 116 }, { 200, 50, 89 },   { 255, 171, 98 },
	{ 0, 68, 189 },    { 52, 43, 0 },     { 255, 46, 0 },    { 100, 216, 32 },
	{ 118, 185, 0 },   { 80, 185, 160 },  { 176, 196, 222 },
};

#define GRADIENTS 15

/* WAITS: those of natives of the JDK are told. */
static void put_states(struct jw_buf *out, bool waits)
{
	size_t count = waits ? TRACE_STATE_NAMES : TRACE_FOR_WORK;

	jw_put_str(out, "STATES\n");
	for (size_t i = 0; i < count; i++)
		jw_put_fmt(out, "%-4zu %s\n", i, trace_state_name(i));
	jw_put_str(out, "\n\nSTATES_COLOR\n");
	for (size_t i = 0; i < count; i++)
		jw_put_fmt(out, "%-4zu {%d,%d,%d}\n", i, colours[i][0], colours[i][1],
			   colours[i][2]);
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

static void put_method(struct jw_buf *out, const struct trace_names *names, size_t i)
{
	jw_put_dec(out, i + 1);
	jw_put_str(out, "      ");
	trace_put_label(out, names->methods[i].method, names->methods[i].id,
			TRACE_MAX_METHOD_LABEL);
	jw_put_str(out, "\n");
}

static void put_functions(struct trace_pcf *pcf, const struct trace_names *names)
{
	struct jw_buf *out = pcf->out;

	trace_pcf_type(pcf, TRACE_PRV_FUNCTION, JW_SPAN_LIT("User function"));
	jw_put_str(out, "VALUES\n0      End\n");
	for (size_t i = 0; i < names->method_count; i++)
		put_method(out, names, i);
	jw_put_str(out, "\n\n");
}

/* ---- values of types ---- */

static void put_closed(struct jw_buf *out, const struct trace_names *names)
{
	jw_put_str(out, "0      None\n");
	for (size_t i = 0; i < names->method_count; i++)
		if (names->methods[i].closed)
			put_method(out, names, i);
}

static void put_texts(struct jw_buf *out, const struct trace_texts *texts)
{
	jw_put_str(out, "0      End\n");
	for (size_t i = 0; i < texts->n; i++) {
		jw_put_fmt(out, "%-6zu ", i + 1);
		trace_put_listed(out, jw_span_str(texts->at[i]));
		jw_put_str(out, "\n");
	}
}

static void put_classes(struct jw_buf *out, const struct trace_names *names)
{
	put_texts(out, &names->classes);
}

static void put_threads(struct jw_buf *out, const struct trace_names *names)
{
	put_texts(out, &names->threads);
}

static void put_places(struct jw_buf *out, const struct trace_names *names)
{
	put_texts(out, &names->places);
}

static void put_channels(struct jw_buf *out, const struct trace_names *names)
{
	put_texts(out, &names->channels);
}

static void put_links(struct jw_buf *out, const struct trace_names *names)
{
	jw_put_str(out, "0      End\n");
	for (size_t i = 0; i < names->link_count; i++) {
		jw_put_fmt(out, "%-6zu ", i + 1);
		trace_put_listed(out, jw_span_str(names->links[i].name));
		jw_put_str(out, "\n");
	}
}

static void put_virtuals(struct jw_buf *out, const struct trace_names *names)
{
	put_texts(out, &names->virtuals);
}

/* In order of appearance. */
static void put_sites(struct jw_buf *out, const struct trace_names *names)
{
	jw_put_str(out, "0      End\n");
	for (size_t i = 0; i < names->site_count; i++) {
		jw_put_fmt(out, "%-6zu ", i + 1);
		trace_put_site(out, names->sites[i].method, names->sites[i].id);
		jw_put_str(out, "\n");
	}
}

/* Those that are told in the end. */
static const struct {
	const char *values;
	void (*put)(struct jw_buf *out, const struct trace_names *names);
} told[] = {
	{ TRACE_PCF_CLASSES, put_classes },   { TRACE_PCF_VIRTUALS, put_virtuals },
	{ TRACE_PCF_SITES, put_sites },       { TRACE_PCF_PLACES, put_places },
	{ TRACE_PCF_THREADS, put_threads },   { TRACE_PCF_METHODS, put_closed },
	{ TRACE_PCF_CHANNELS, put_channels }, { TRACE_PCF_LINKS, put_links },
};

static void put_values(struct jw_buf *out, const char *values, const struct trace_names *names)
{
	if (values[0])
		jw_put_str(out, "VALUES\n");
	for (size_t i = 0; i < sizeof(told) / sizeof(*told); i++) {
		if (strcmp(values, told[i].values) == 0) {
			told[i].put(out, names);
			return;
		}
	}
	jw_put_str(out, values);
}

/* Those that are USED and are Extrae's, or ours. */
static void put_types(struct trace_pcf *pcf, uint64_t used, const struct trace_names *names,
		      bool ours)
{
	/* who reads the trace knows by these two that it would tell */
	used |= UINT64_C(1) << TRACE_PRV_FAILED | UINT64_C(1) << TRACE_PRV_SITE;
	for (size_t i = 0; i < TRACE_PRV_TYPES; i++) {
		const struct trace_prv_kind *kind = &trace_prv_kinds[i];

		if (!(used >> i & 1) || (kind->number >= TRACE_PRV_OURS) != ours)
			continue;
		trace_pcf_type(pcf, kind->number, jw_span_str(kind->label));
		put_values(pcf->out, kind->values, names);
		jw_put_str(pcf->out, "\n\n");
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

void trace_put_pcf(struct jw_buf *out, const struct trace_prv *prv, const struct trace_names *names)
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
	put_states(out, prv->used >> TRACE_PRV_WAIT & 1);
	put_types(&pcf, prv->used, names, false);
	put_gradients(out);
	put_functions(&pcf, names);
	put_types(&pcf, prv->used, names, true);
	for (int type = 0; type < JW_OPERATION_TYPES; type++)
		if (prv->operations >> type & 1)
			put_operation(&pcf, (enum jw_operation_type)type);
	trace_put_captured_types(&pcf, prv, names);
	trace_put_user_types(&pcf, names);
	trace_pcf_free(&pcf);
}
