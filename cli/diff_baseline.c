/*
 * diff_baseline.c: a side of a comparison as a file that can be checked in: see diff.h.
 *
 * { kind: "jweave-baseline", version: 1, jweave, runs, incomplete, durationNs, calls,
 *   methods: [{ label, class, name, descriptor, place, [spared,] [atLeast,] calls, exceptions, self,
 *               total, cpu, longest }],
 *   waits, roles, locks, operations, requests, exceptions, gc: [{ label, [littleElse,] and their columns }] }
 *
 * A figure is a list of as many numbers as there are runs, one number that all of them have, or
 * null: unknown. Times are in ns. An item a line, so that a new baseline has a readable diff. Keys
 * that are not known are passed over: a later version of jweave may write more.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/diff.h"
#include "cli/json_out.h"
#include "cli/out.h"
#include "cli/paths.h"
#include "rules/json.h"

#include "base/banned.h"

#define VERSION 1

/* ---- writing ---- */

/* A part of the text, which cJSON prints; without its first and last CUT characters. */
static void put_part(struct jw_buf *out, cJSON *part, size_t cut)
{
	char *text = cJSON_PrintBuffered(part, 1024, false);
	size_t n = text ? strlen(text) : 0;

	if (n >= 2 * cut && text)
		jw_put_bytes(out, jw_span_sub(jw_span_str(text), cut, n - 2 * cut));
	else
		out->failed = JW_NOMEM;
	cJSON_free(text);
	cJSON_Delete(part);
}

static void put_figure(struct cli_json *json, cJSON *parent, const char *key, double value)
{
	if (value == TRACE_DIFF_UNKNOWN)
		cli_json_null(json, parent, key);
	else
		cli_json_decimal(json, parent, key, value, 0);
}

/* The N figures of every STEP from FIRST on. */
static void put_figures(struct cli_json *json, cJSON *parent, const char *key, const double *first,
			size_t step, size_t n)
{
	bool same = true;

	for (size_t i = 1; i < n; i++)
		same &= first[i * step] == first[0];
	if (same) {
		put_figure(json, parent, key, first[0]);
		return;
	}
	cJSON *list = cli_json_array(json, parent, key);

	for (size_t i = 0; i < n; i++)
		put_figure(json, list, NULL, first[i * step]);
}

static void put_text(struct cli_json *json, cJSON *parent, const char *key, const char *text)
{
	if (*text)
		cli_json_text(json, parent, key, text);
}

static cJSON *make_item(struct cli_json *json, const struct trace_diff_side *side,
			const struct trace_diff_item *item)
{
	const struct trace_diff_column *columns = trace_diff_kinds[item->kind].columns;
	cJSON *part = cli_json_object(json, NULL, NULL);

	cli_json_text(json, part, "label", item->label);
	put_text(json, part, "class", item->class_name);
	if (item->class_name[0]) {
		put_text(json, part, "name", item->name);
		put_text(json, part, "descriptor", item->descriptor);
	}
	put_text(json, part, "place", item->place);
	put_text(json, part, "spared", item->spared);
	if (item->at_least)
		cli_json_bool(json, part, "atLeast", true);
	if (item->little_else)
		cli_json_bool(json, part, "littleElse", true);
	for (size_t c = 0; c < TRACE_DIFF_COLUMNS && columns[c].word; c++)
		if (!columns[c].follows)
			put_figures(json, part, columns[c].word, item->values + c,
				    TRACE_DIFF_COLUMNS, side->runs);
	return part;
}

static cJSON *make_head(struct cli_json *json, const struct trace_diff_side *side)
{
	cJSON *head = cli_json_object(json, NULL, NULL);

	cli_json_number(json, head, "version", VERSION);
	cli_json_text(json, head, "jweave", JW_VERSION);
	cli_json_number(json, head, "runs", side->runs);
	if (side->incomplete)
		cli_json_bool(json, head, "incomplete", true);
	put_figures(json, head, "durationNs", side->duration_ns, 1, side->runs);
	put_figures(json, head, "calls", side->calls, 1, side->runs);
	return head;
}

static void put_all(struct jw_buf *out, const struct trace_diff_side *side)
{
	struct cli_json json = { 0 };

	jw_put_str(out, CLI_BASELINE_BEGIN);
	put_part(out, make_head(&json, side), 1);
	for (enum trace_diff_kind kind = 0; kind < TRACE_DIFF_KINDS; kind++) {
		const char *before = "\n";

		jw_put_fmt(out, ",\n\"%s\":[", trace_diff_kinds[kind].list);
		for (size_t i = 0; i < side->items.n; i++) {
			if (side->items.at[i].kind != kind)
				continue;
			jw_put_str(out, before);
			put_part(out, make_item(&json, side, &side->items.at[i]), 0);
			before = ",\n";
		}
		jw_put_str(out, "\n]");
	}
	jw_put_str(out, "\n}\n");
	if (json.failed || json.text.failed != JW_OK)
		out->failed = JW_NOMEM;
	jw_buf_free(&json.text);
}

enum jw_status cli_baseline_put(struct jw_buf *out, const struct trace_diff_side *side,
				struct jw_err *e)
{
	struct jw_arena arena = { 0 };
	struct trace_diff_side again = { 0 };

	put_all(out, side);
	JW_TRY(jw_buf_finish(out, "baseline", e));
	/* now, and not when a build fails because of it */
	enum jw_status status = cli_baseline_read(jw_buf_span(out), "baseline", &arena, &again, e);

	trace_diff_side_close(&again);
	jw_arena_free(&arena);
	if (status == JW_INPUT)
		return jw_fail(e, JW_LIMIT, "too much for a baseline: %s", e->text);
	return status;
}

enum jw_status cli_baseline_save(const char *path, const struct trace_diff_side *side,
				 struct jw_err *e)
{
	struct jw_buf text = { 0 };

	JW_TRY(cli_check_place(path, JW_SPAN_LIT(CLI_BASELINE_BEGIN), 1, "diff --save", e));
	enum jw_status status = cli_baseline_put(&text, side, e);

	if (status == JW_OK)
		status = cli_write_file(path, 0644, jw_buf_span(&text), e);
	jw_buf_free(&text);
	return status;
}

/* ---- reading ---- */

#define FIGURE_MAX ((int64_t)1 << 53) /* beyond, a double is no longer exact */

static enum jw_status take_figure(const struct rules_json *json, double *out, struct jw_err *e)
{
	if (json->type == RULES_JSON_NULL) {
		*out = TRACE_DIFF_UNKNOWN;
		return JW_OK;
	}
	if (json->type != RULES_JSON_NUMBER || !json->is_integer || json->integer < 0 ||
	    json->integer > FIGURE_MAX)
		return rules_json_fail(e, json, false, NULL,
				       "must be a whole number from 0 to 2^53, or null");
	*out = (double)json->integer;
	return JW_OK;
}

/* RUNS figures to every STEP from FIRST on; JSON NULL: unknown. */
static enum jw_status take_figures(const struct rules_json *json, size_t runs, double *first,
				   size_t step, struct jw_err *e)
{
	const struct rules_json *each = json;

	if (json && json->type == RULES_JSON_ARRAY) {
		if (json->count != runs)
			return rules_json_fail(e, json, false, NULL,
					       "must have a number for each run: %zu, not %zu",
					       runs, json->count);
		each = json->first;
	}
	for (size_t i = 0; i < runs; i++) {
		first[i * step] = TRACE_DIFF_UNKNOWN;
		if (each)
			JW_TRY(take_figure(each, &first[i * step], e));
		if (each && each != json)
			each = each->next;
	}
	return JW_OK;
}

/* The text KEY of OBJECT, "" where there is none. */
static enum jw_status take_text(const struct rules_json *object, const char *key,
				struct jw_arena *arena, const char **out, struct jw_err *e)
{
	const struct rules_json *json = rules_json_get(object, key);

	*out = "";
	if (!json)
		return JW_OK;
	if (json->type != RULES_JSON_STRING)
		return rules_json_fail(e, json, false, NULL, "must be a string");
	*out = jw_arena_str(arena, json->text);
	return *out ? JW_OK : jw_nomem(e);
}

static enum jw_status take_flag(const struct rules_json *object, const char *key, bool *out,
				struct jw_err *e)
{
	const struct rules_json *json = rules_json_get(object, key);

	*out = json && json->boolean;
	return !json || json->type == RULES_JSON_BOOL
		       ? JW_OK
		       : rules_json_fail(e, json, false, NULL, "must be true or false");
}

/* What an item is called; a method has all parts of its name, or none. */
static enum jw_status take_names(const struct rules_json *json, struct jw_arena *arena,
				 struct trace_diff_item *item, struct jw_err *e)
{
	JW_TRY(take_text(json, "label", arena, &item->label, e));
	JW_TRY(take_text(json, "class", arena, &item->class_name, e));
	JW_TRY(take_text(json, "name", arena, &item->name, e));
	JW_TRY(take_text(json, "descriptor", arena, &item->descriptor, e));
	JW_TRY(take_text(json, "place", arena, &item->place, e));
	JW_TRY(take_text(json, "spared", arena, &item->spared, e));
	JW_TRY(take_flag(json, "atLeast", &item->at_least, e));
	JW_TRY(take_flag(json, "littleElse", &item->little_else, e));
	if (!item->label[0])
		return rules_json_fail(e, json, false, NULL, "has no \"label\"");
	if (item->kind != TRACE_DIFF_METHOD)
		item->class_name = "";
	item->little_else &= item->kind == TRACE_DIFF_WAIT;
	if (item->class_name[0] && (!item->name[0] || !item->descriptor[0]))
		return rules_json_fail(e, json, false, NULL,
				       "has a \"class\", but no \"name\" or \"descriptor\"");
	return JW_OK;
}

/* What was not written, since it follows from the others. */
static void put_means(const struct trace_diff_side *side, struct trace_diff_item *item)
{
	for (size_t run = 0; run < side->runs; run++) {
		double *v = item->values + run * TRACE_DIFF_COLUMNS;
		double calls = v[TRACE_DIFF_CALLS], total = v[TRACE_DIFF_TOTAL];

		v[TRACE_DIFF_MEAN] = calls == TRACE_DIFF_UNKNOWN || total == TRACE_DIFF_UNKNOWN
					     ? TRACE_DIFF_UNKNOWN
				     : calls > 0 ? total / calls
						 : 0;
	}
}

static enum jw_status take_item(const struct rules_json *json, enum trace_diff_kind kind,
				struct trace_diff_side *side, struct jw_err *e)
{
	const struct trace_diff_column *columns = trace_diff_kinds[kind].columns;
	struct trace_diff_item like = { .kind = kind }, *item = NULL;

	if (json->type != RULES_JSON_OBJECT)
		return rules_json_fail(e, json, false, NULL, "must be an object");
	JW_TRY(take_names(json, side->arena, &like, e));
	if (trace_diff_side_find(side, &like))
		return rules_json_fail(e, json, false, NULL, "is there twice");
	JW_TRY(trace_diff_side_put(side, &like, &item, e));
	for (size_t c = 0; c < TRACE_DIFF_COLUMNS && columns[c].word; c++)
		JW_TRY(take_figures(rules_json_get(json, columns[c].word), side->runs,
				    item->values + c, TRACE_DIFF_COLUMNS, e));
	if (kind == TRACE_DIFF_METHOD)
		put_means(side, item);
	return JW_OK;
}

static enum jw_status take_head(const struct rules_json *root, struct jw_arena *arena,
				struct trace_diff_side *out, struct jw_err *e)
{
	const struct rules_json *version, *runs;
	const char *kind = "";

	if (root->type != RULES_JSON_OBJECT)
		return rules_json_fail(e, root, false, NULL, "is no baseline: no object");
	JW_TRY(take_text(root, "kind", arena, &kind, e));
	if (strcmp(kind, "jweave-baseline") != 0)
		return rules_json_fail(e, root, false, NULL,
				       "is no baseline: \"kind\" is not \"jweave-baseline\" "
				       "('jweave diff --save FILE A' writes one)");
	version = rules_json_get(root, "version");
	if (!version || !version->is_integer || version->integer != VERSION)
		return rules_json_fail(e, version ? version : root, false, NULL,
				       "\"version\" must be %d: this is a baseline of another "
				       "version of jweave; save it anew",
				       VERSION);
	runs = rules_json_get(root, "runs");
	if (!runs || !runs->is_integer || runs->integer < 1 || runs->integer > TRACE_DIFF_MAX_RUNS)
		return rules_json_fail(e, runs ? runs : root, false, NULL,
				       "\"runs\" must be a number from 1 to %d",
				       TRACE_DIFF_MAX_RUNS);
	JW_TRY(trace_diff_side_open(out, arena, (size_t)runs->integer, e));
	JW_TRY(take_flag(root, "incomplete", &out->incomplete, e));
	JW_TRY(take_figures(rules_json_get(root, "durationNs"), out->runs, out->duration_ns, 1, e));
	JW_TRY(take_figures(rules_json_get(root, "calls"), out->runs, out->calls, 1, e));
	for (size_t run = 0; run < out->runs; run++)
		if (out->duration_ns[run] == TRACE_DIFF_UNKNOWN ||
		    out->calls[run] == TRACE_DIFF_UNKNOWN)
			return rules_json_fail(e, root, false, NULL,
					       "\"durationNs\" and \"calls\" must be known");
	out->known = out->runs;
	return JW_OK;
}

static enum jw_status take_all(const struct rules_json *root, struct jw_arena *arena,
			       struct trace_diff_side *out, struct jw_err *e)
{
	JW_TRY(take_head(root, arena, out, e));
	for (enum trace_diff_kind kind = 0; kind < TRACE_DIFF_KINDS; kind++) {
		const struct rules_json *list = rules_json_get(root, trace_diff_kinds[kind].list);

		if (!list) { /* a baseline of a version that did not know it */
			for (size_t run = 0; run < out->runs; run++)
				trace_diff_side_unknown(out, run, kind);
			continue;
		}
		if (list->type != RULES_JSON_ARRAY)
			return rules_json_fail(e, list, false, NULL, "must be an array");
		for (const struct rules_json *j = list->first; j; j = j->next)
			JW_TRY(take_item(j, kind, out, e));
	}
	for (size_t run = 0; run < out->runs; run++)
		trace_diff_side_settle(out, run);
	return JW_OK;
}

enum jw_status cli_baseline_read(struct jw_span text, const char *name, struct jw_arena *arena,
				 struct trace_diff_side *out, struct jw_err *e)
{
	struct jw_arena tree = { 0 };
	struct rules_json *root = NULL;
	enum jw_status status = rules_json_parse(text, name, &tree, &root, e);

	if (status == JW_OK)
		status = take_all(root, arena, out, e);
	jw_arena_free(&tree);
	if (status == JW_RULES) /* no rules file: an input like any other */
		status = e->status = JW_INPUT;
	return status;
}
