/*
 * archive.c: see archive.h: is the input a folder, a class or an archive, and does the output appear.
 *
 * When nothing was woven the output is a copy of the input, byte for byte: whatever was written
 * until then is thrown away.
 */
#include "weaver/archive/archive.h"

#include <string.h>

#include "base/text.h"
#include "cfr/class.h"
#include "trace/format/methodmap.h"
#include "weaver/archive/folder.h"
#include "weaver/archive/idents.h"
#include "weaver/archive/jar.h"
#include "weaver/archive/runtime_image.h"
#include "weaver/archive/unit_of_zip.h"
#include "weaver/input/tree.h"
#include "weaver/input/work_limit.h"
#include "weaver/types/types.h"

#include "base/banned.h"

struct run {
	const struct weave_archive_job *job;
	struct weave_unit unit;
	struct weave_tally tally;
	struct jw_file in;
	struct jw_out out, map; /* map: next to a single class */
	struct jw_arena scratch;
	struct weave_types *types;
};

/* ---- the output ---- */

static enum jw_status open_out(struct run *r, struct jw_err *e)
{
	if (!r->job->out)
		return JW_OK;
	return jw_out_open(r->job->out, r->in.mode, &r->out, e);
}

static enum jw_status note(void *ctx, const char *text, struct jw_err *e)
{
	return weave_tally_note(ctx, e, "%s", text);
}

/* The hierarchy of types, when a rule asks for it. */
static enum jw_status open_types(struct run *r, struct jw_err *e)
{
	const struct weave_types_job job = { .in = r->job->in,
					     .bytes = r->in.bytes,
					     .class_path = r->job->class_path,
					     .no_limits = r->job->no_limits };

	if (!rules_needs_supertypes(r->job->rules))
		return JW_OK;
	JW_TRY(weave_types_open(&job, &r->types, e));
	r->unit.types = r->types;
	return JW_OK;
}

/* The numbers and lists of the report are final, the output is about to appear. */
static enum jw_status close_report(struct run *r, struct weave_report *report, uint64_t in_bytes,
				   uint64_t out_bytes, struct jw_err *e)
{
	const char *in = r->job->in, *out = r->job->out;

	if (r->types)
		JW_TRY(weave_types_notes(r->types, note, &r->tally, e));
	JW_TRY(weave_tally_finish(&r->tally, e));
	*report = r->tally.r;
	report->in = in;
	report->out = out;
	report->in_bytes = in_bytes;
	report->out_bytes = out_bytes;
	if (report->woven + report->calls > 0) {
		report->runtime_class = jw_dotted(jw_arena_str(r->tally.arena, r->unit.runtime));
		if (!report->runtime_class)
			return jw_nomem(e);
	}
	if (r->job->strict && report->skipped_count) {
		const struct weave_skipped *s = &report->skipped[0];

		return jw_fail(e, JW_INPUT, "--strict: %s%s%s: %s%s%s (%zu not woven in all)",
			       s->entry, *s->method ? " " : "", s->method, weave_skip_text(s->skip),
			       *s->detail ? ": " : "", s->detail, report->skipped_count);
	}
	if (r->job->before_commit)
		return r->job->before_commit(r->job->before_commit_ctx, report, e);
	return JW_OK;
}

/* ---- an archive ---- */

/* One run of the unit; what it wrote stays in r->out. */
static enum jw_status run_archive(struct run *r, const struct jw_zip *zip,
				  struct weave_level *level, struct jw_err *e)
{
	jw_out_abort(&r->out);
	JW_TRY(open_out(r, e));
	JW_TRY(weave_tally_open(&r->tally, r->unit.arena, r->job->rules, e));
	*level = (struct weave_level){
		.zip = zip,
		.file = &r->in,
		.prefix = "",
		.sink = { .file = r->job->out ? &r->out : NULL },
		.tally = &r->tally,
	};
	return weave_jar_unit(&r->unit, level, r->job->threads, e);
}

/* Copies the input, which need not be in memory all at once. */
static enum jw_status copy_archive(struct run *r, struct jw_err *e)
{
	for (size_t at = 0; at < r->in.bytes.n; at += WEAVE_LET_GO) {
		JW_TRY(jw_out_write(&r->out, jw_span_sub(r->in.bytes, at, WEAVE_LET_GO), e));
		jw_file_let_go(&r->in, at, at + WEAVE_LET_GO);
	}
	return JW_OK;
}

static enum jw_status archive_file(struct run *r, struct weave_report *report, struct jw_err *e)
{
	struct weave_level level = { 0 };
	struct jw_zip zip;

	JW_TRY(jw_zip_open(r->in.bytes, &r->scratch, &zip, e));
	JW_TRY(weave_unit_of_zip(&r->unit, &zip, e));
	int runs = 0;
	do {
		JW_TRY(weave_begin_run(&r->unit, &runs, e));
		JW_TRY(run_archive(r, &zip, &level, e));
	} while (r->unit.collided);
	if (!level.wove && r->job->out) {
		jw_out_abort(&r->out);
		JW_TRY(open_out(r, e));
		JW_TRY(copy_archive(r, e));
	}
	return close_report(r, report, r->in.bytes.n, r->job->out ? r->out.n : 0, e);
}

/* ---- a single class ---- */

static enum jw_status write_map(struct run *r, struct jw_err *e)
{
	struct jw_buf text = { 0 };

	if (!r->job->out)
		return JW_OK;
	if (strcmp(r->job->out, "-") == 0)
		return weave_tally_note(
			&r->tally, e,
			"the names of methods have no place next to standard output: "
			"the trace will show ids");
	const char *path = jw_arena_fmt(&r->scratch, "%s" JWMAP_SUFFIX, r->job->out);
	if (!path)
		return jw_nomem(e);
	trace_map_put_header(&text);
	jw_put_bytes(&text, jw_buf_span(&r->tally.map));
	enum jw_status status = jw_buf_finish(&text, "method map", e);
	if (status == JW_OK)
		status = jw_out_open(path, 0666, &r->map, e);
	if (status == JW_OK)
		status = jw_out_write(&r->map, jw_buf_span(&text), e);
	jw_buf_free(&text);
	return status;
}

/* In an archive, a class that cannot be read is left as it is; alone, it is refused. */
static enum jw_status refuse_unread(const struct weave_tally *tally, struct jw_err *e)
{
	const struct weave_skipped *list =
		(const struct weave_skipped *)(const void *)tally->skipped.p;

	if (!tally->skipped.n || *list->method)
		return JW_OK;
	return jw_fail(e, JW_INPUT, "%s%s%s: nothing was written", weave_skip_text(list->skip),
		       *list->detail ? ": " : "", list->detail);
}

static enum jw_status class_file(struct run *r, struct weave_report *report, struct jw_err *e)
{
	struct weave_where where = { .unit = &r->unit,
				     .prefix = "",
				     .salt = jw_hash64(r->in.bytes, 0) };
	const char *name = strrchr(r->job->in, '/');
	struct weave_slot slot = { 0 };

	JW_TRY(weave_tally_open(&r->tally, r->unit.arena, r->job->rules, e));
	r->unit.runtime = r->unit.probes = JW_SPAN_LIT(WEAVE_RUNTIME_CLASS);
	name = name ? name + 1 : r->job->in;
	enum jw_status status = weave_slot_reset(&slot, r->job->rules, e);
	slot.tally.r.entries = 1;
	jw_put_bytes(&slot.bytes, r->in.bytes);
	if (status == JW_OK)
		status = jw_buf_finish(&slot.bytes, "class", e);
	if (status == JW_OK)
		status = weave_entry(&where, WEAVE_KIND_CLASS, name, &slot, e);
	if (status == JW_OK)
		status = refuse_unread(&slot.tally, e);
	if (status == JW_OK)
		status = weave_tally_merge(&r->tally, &slot.tally, e);
	if (status == JW_OK && slot.wove && r->job->runtime == WEAVE_RUNTIME_EMBED)
		status = weave_tally_note(
			&r->tally, e,
			"a single class cannot carry the runtime: put jweave-rt.jar "
			"on the class path");
	if (status == JW_OK && slot.wove)
		status = write_map(r, e);
	if (status == JW_OK)
		status = open_out(r, e);
	struct jw_span bytes = slot.wove ? slot.content : r->in.bytes;
	if (status == JW_OK && r->job->out)
		status = jw_out_write(&r->out, bytes, e);
	if (status == JW_OK)
		status = close_report(r, report, r->in.bytes.n, r->job->out ? bytes.n : 0, e);
	weave_slot_free(&slot);
	return status;
}

/* ---- the front door ---- */

/* The rules of JOB have something to tell the runtime, and the output (ARCHIVE, or a single class)
 * has no place for it: JW_RULES. */
static enum jw_status check_baked(const struct weave_archive_job *job, bool archive,
				  struct jw_err *e)
{
	if (rules_baked(job->rules).n == 0)
		return JW_OK;
	if (!archive)
		return jw_fail(e, JW_RULES,
			       "a single class cannot carry what the rules say about the run time "
			       "(%s): weave its folder or archive",
			       rules_baked_key(job->rules));
	if (job->runtime == WEAVE_RUNTIME_NONE)
		return jw_fail(
			e, JW_RULES,
			"--runtime=none leaves no place for what the rules say about the run "
			"time (%s): weave with --runtime=embed or classpath",
			rules_baked_key(job->rules));
	return JW_OK;
}

static enum jw_status one_file(struct run *r, struct weave_report *report, struct jw_err *e)
{
	const char *in = strcmp(r->job->in, "-") == 0 ? "standard input" : r->job->in;
	enum jw_status status;

	JW_TRY(jw_file_open(r->job->in, 0, &r->in, e));
	status = check_baked(r->job, !cfr_is_class(r->in.bytes), e);
	if (status == JW_OK && !r->job->no_limits && !cfr_is_class(r->in.bytes))
		status = weave_check_work(r->in.bytes, &r->unit.nested, e);
	if (status == JW_OK)
		status = open_types(r, e);
	if (status == JW_OK)
		status = cfr_is_class(r->in.bytes) ? class_file(r, report, e)
						   : archive_file(r, report, e);
	if (weave_is_about_input(status))
		return jw_err_where(e, "%s", in);
	JW_TRY(status);
	if (r->map.open)
		JW_TRY(jw_out_commit(&r->map, e));
	return r->job->out ? jw_out_commit(&r->out, e) : JW_OK;
}

static enum jw_status folder(struct run *r, struct weave_report *report, struct jw_err *e)
{
	const char *made;

	JW_TRY(check_baked(r->job, true, e));
	JW_TRY(open_types(r, e));
	enum jw_status status = weave_folder(&r->unit, &r->tally, &made, e);

	if (status == JW_OK)
		status = close_report(r, report, r->tally.r.in_bytes, r->tally.r.out_bytes, e);
	if (status == JW_OK)
		status = weave_folder_commit(&r->unit, made, e);
	if (status != JW_OK)
		weave_folder_discard(made);
	return status;
}

enum jw_status weave_archive(const struct weave_archive_job *job, struct jw_arena *arena,
			     struct weave_report *report, struct jw_err *e)
{
	struct run r = {
		.job = job,
		.unit = { .job = job, .arena = arena },
		.out = { .fd = -1 },
		.map = { .fd = -1 },
	};
	struct weave_report made = { 0 };

	if (!job->no_limits)
		r.unit.limits = jw_zip_default_limits;
	if (job->out && strcmp(job->in, "-") != 0 && jw_same_file(job->in, job->out))
		return jw_fail(e, JW_INPUT, "%s: the output is the input (give it another name)",
			       job->in);
	enum jw_status status = weave_nested_set(&r.unit.nested, job->nested, &r.scratch, e);
	if (status == JW_OK)
		status = weave_is_folder(job->in) ? folder(&r, &made, e) : one_file(&r, &made, e);
	jw_out_abort(&r.out);
	jw_out_abort(&r.map);
	jw_file_close(&r.in);
	weave_tally_close(&r.tally);
	weave_types_close(r.types);
	jw_arena_free(&r.scratch);
	if (status == JW_OK)
		*report = made;
	return status;
}
