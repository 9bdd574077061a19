/*
 * paraver.c: the conversion as a whole.
 *
 * All three files are written under temporary names, unless somebody takes the trace in their
 * place; only when all their bytes are on disk do they get their own, .prv last: a conversion that
 * is killed or fails leaves no plausible half trace.
 */
#include <string.h>
#include <unistd.h>

#include "trace/format/methodmap.h"
#include "trace/paraver/paraver.h"
#include "trace/paraver/pcf.h"
#include "trace/paraver/profile.h"
#include "trace/paraver/prv.h"
#include "trace/paraver/row.h"
#include "trace/reader/reader.h"
#include "trace/replay/class_numbers.h"
#include "trace/replay/merge.h"
#include "trace/replay/method_names.h"
#include "trace/replay/method_numbers.h"
#include "trace/replay/replay.h"
#include "trace/replay/world.h"

#include "base/banned.h"

enum { PCF, ROW, PRV, FILES };
static const char *const suffixes[FILES] = { ".pcf", ".row", ".prv" };

struct conversion {
	const struct trace_paraver_job *job;
	struct trace_world world;
	struct trace_frames frames;
	struct trace_prv prv;
	struct trace_map *map;
	struct jw_out out[FILES];
	struct trace_notes notes;
	struct jw_err *e;
};

static enum jw_status open_files(struct conversion *c)
{
	for (int i = 0; i < FILES && !c->job->taker; i++) {
		struct jw_buf path = { 0 };

		jw_put_str(&path, c->job->out_base);
		jw_put_str(&path, suffixes[i]);
		if (i == PRV && c->job->pack)
			jw_put_str(&path, c->job->pack->suffix);
		jw_put_u1(&path, 0);
		enum jw_status status = jw_buf_finish(&path, "path of the trace", c->e);

		if (status == JW_OK)
			status = jw_out_open((const char *)path.p, 0644, &c->out[i], c->e);
		jw_buf_free(&path);
		JW_TRY(status);
	}
	return JW_OK;
}

static enum jw_status write_prv(struct conversion *c)
{
	const struct trace_taker *taker = c->job->taker;
	struct trace_pack pack = { .suffix = "" };
	struct trace_paraver_job job = *c->job;

	if (taker) {
		pack.write = taker->prv;
		pack.ctx = taker->ctx;
		job.pack = &pack;
	}
	c->frames.prv = &c->prv;
	enum jw_status status = trace_prv_open(&c->prv, &c->out[PRV], &job, &c->world, c->e);

	if (status == JW_OK)
		status = trace_merge(&c->world, &c->frames, &c->notes, c->e);
	if (status == JW_OK)
		status = c->prv.status;
	trace_prv_close(&c->prv);
	return status;
}

static enum jw_status write_names(struct conversion *c)
{
	const struct trace_taker *taker = c->job->taker;
	struct jw_buf pcf = { 0 }, row = { 0 };

	trace_put_pcf(&pcf, &c->frames, &c->world, c->map);
	trace_put_rows(&row, &c->world);
	enum jw_status status = jw_buf_finish(&pcf, "names of the trace", c->e);

	if (status == JW_OK)
		status = jw_buf_finish(&row, "names of the trace", c->e);
	if (status == JW_OK && taker)
		status = taker->names(taker->ctx, jw_buf_span(&pcf), jw_buf_span(&row), c->e);
	if (status == JW_OK && !taker)
		status = jw_out_write(&c->out[PCF], jw_buf_span(&pcf), c->e);
	if (status == JW_OK && !taker)
		status = jw_out_write(&c->out[ROW], jw_buf_span(&row), c->e);
	jw_buf_free(&pcf);
	jw_buf_free(&row);
	return status;
}

static enum jw_status commit(struct conversion *c)
{
	char *written[FILES] = { 0 };
	enum jw_status status = JW_OK;

	for (int i = 0; i < FILES && status == JW_OK; i++) /* gathered bytes reach the disk */
		status = jw_out_patch(&c->out[i], 0, (struct jw_span){ 0 }, c->e);
	for (int i = 0; i < FILES && status == JW_OK; i++) {
		struct jw_buf path = { 0 };

		jw_put_str(&path, c->out[i].path);
		jw_put_u1(&path, 0);
		written[i] = (char *)path.p; /* NULL when there was no memory: then it stays */
		status = jw_out_commit(&c->out[i], c->e);
	}
	for (int i = 0; i < FILES; i++) {
		if (status != JW_OK && written[i] && i != PRV)
			unlink(written[i]);
		jw_mem_free(written[i]);
	}
	return status;
}

static void tell_names(struct conversion *c, const struct trace_summary *out)
{
	const char *collision;

	if (out->unnamed)
		trace_note(&c->notes,
			   "%llu of %u methods %s no name (shown as \"unknown 0x...\"): name the "
			   "woven jar with --map%s",
			   (unsigned long long)out->unnamed, out->methods,
			   out->unnamed == 1 ? "has" : "have",
			   trace_map_is_alone(c->map)
				   ? " (its .map alone has them when woven with --full-map)"
				   : "");
	for (size_t i = 0; (collision = trace_map_collision(c->map, i)); i++)
		trace_note(&c->notes, "one id stands for two methods, the first is shown: %s",
			   collision);
}

static enum jw_status copy_notes(struct conversion *c, struct jw_arena *arena,
				 struct trace_summary *out)
{
	const char **text = JW_NEW_ARRAY(arena, const char *, c->notes.n + 1);

	if (!text || c->notes.failed)
		return jw_nomem(c->e);
	if (c->notes.n)
		memcpy(text, c->notes.text, c->notes.n * sizeof(*text));
	out->warnings = text;
	out->warning_count = c->notes.n;
	return JW_OK;
}

/* Everything that is to be read, and the map that names it. */
static enum jw_status prepare(struct conversion *c)
{
	JW_TRY(trace_world_open(c->job, &c->world, &c->notes, c->e));
	JW_TRY(open_files(c));
	c->map = trace_map_new();
	if (!c->map)
		return jw_nomem(c->e);
	JW_TRY(trace_world_find_maps(&c->world, c->job, c->map, &c->notes, c->e));
	JW_TRY(trace_world_read(&c->world, c->map, &c->notes, c->e));
	c->frames.map = c->map;
	c->frames.methods.limit = c->job->methods;
	return JW_OK;
}

static enum jw_status convert(struct conversion *c, struct jw_arena *arena,
			      struct trace_summary *out)
{
	JW_TRY(prepare(c));
	JW_TRY(write_prv(c));
	JW_TRY(trace_methods_name(&c->frames.methods, c->map, c->e));
	JW_TRY(write_names(c));
	JW_TRY(trace_profile(&c->world, &c->frames, c->map, arena, out, c->e));
	tell_names(c, out);
	JW_TRY(copy_notes(c, arena, out));
	return c->job->taker ? JW_OK : commit(c);
}

enum jw_status trace_to_paraver(const struct trace_paraver_job *job, struct jw_arena *arena,
				struct trace_summary *out, struct jw_err *e)
{
	struct conversion c = { .job = job, .notes = { .arena = arena }, .e = e };
	struct trace_summary summary = { 0 };
	enum jw_status status = convert(&c, arena, &summary);

	for (int i = 0; i < FILES; i++)
		jw_out_abort(&c.out[i]);
	trace_map_free(c.map);
	trace_methods_free(&c.frames.methods);
	trace_methods_free(&c.frames.seen);
	trace_methods_free(&c.frames.owners);
	trace_methods_free(&c.frames.parks);
	trace_classes_free(&c.frames.names);
	jw_mem_free(c.frames.captured);
	trace_classes_free(&c.frames.classes);
	trace_classes_free(&c.frames.places);
	trace_methods_free(&c.frames.sites);
	double all = c.world.progress.all;

	trace_world_close(&c.world);
	trace_notes_free(&c.notes);
	if (status == JW_OK)
		*out = summary;
	if (status == JW_OK && job->progress)
		job->progress(job->progress_ctx, all, all);
	return status;
}
