/*
 * info.c: see info.h.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "trace/format/fields.h"
#include "trace/names/role.h"
#include "trace/reader/prv_head.h"
#include "trace/reader/reader.h"
#include "trace/report/info.h"

#include "base/banned.h"

#define MAX_PATH 4096

static bool is_there(const char *folder, const char *name)
{
	char path[MAX_PATH];
	struct stat st;
	int n = snprintf(path, sizeof(path), "%s/%s", folder, name);

	return n > 0 && (size_t)n < sizeof(path) && stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

bool trace_is_recording(const char *path)
{
	return is_there(path, "meta") || is_there(path, "data");
}

/* ---- recordings ---- */

static uint64_t since(const struct trace_recording *rec, uint64_t tick, uint64_t origin)
{
	uint32_t hint = 0;
	int64_t from = trace_clock_ns(&rec->clock, origin, &hint);
	int64_t ns = trace_clock_ns(&rec->clock, tick, &hint) - from;

	return ns > 0 ? (uint64_t)ns : 0;
}

static uint64_t origin_of(const struct trace_recording *rec)
{
	uint64_t first = UINT64_MAX;

	if (rec->start_point.mono_ns)
		return rec->start_point.tick;
	for (size_t i = 0; i < rec->thread_count; i++)
		if (rec->threads[i].events && rec->threads[i].first_tick < first)
			first = rec->threads[i].first_tick;
	return first == UINT64_MAX ? 0 : first;
}

static const char *keep(struct jw_arena *arena, const char *text, bool *failed)
{
	const char *copy = jw_arena_str(arena, jw_span_str(text));

	*failed |= !copy;
	return copy;
}

static void copy_facts(const struct trace_recording *rec, struct jw_arena *arena,
		       struct trace_recording_info *out, bool *failed)
{
	*out = (struct trace_recording_info){
		.host = keep(arena, rec->host, failed),
		.command = keep(arena, rec->command, failed),
		.java = keep(arena, rec->java, failed),
		.vm = keep(arena, rec->vm, failed),
		.cwd = keep(arena, rec->cwd, failed),
		.end_reason = keep(arena, rec->end_reason, failed),
		.stop_reason = keep(arena, rec->stop_reason, failed),
		.pid = rec->pid,
		.rank = rec->rank,
		.events = rec->events,
		.lost = rec->lost,
		.bytes = rec->data_size,
		.chunks = rec->piece_count,
		.live_windows = rec->live_windows,
		.began_wall_ns = rec->start_point.wall_ns,
		.closings = rec->closings.count,
		.has_rank = rec->has_rank,
		.clean_end = rec->clean_end,
		.stopped = rec->stopped,
		.is_summary = rec->is_summary,
	};
}

static void copy_role(const struct trace_recording *rec, struct jw_arena *arena,
		      struct trace_recording_info *out, bool *failed)
{
	struct trace_role role = { 0 };
	struct jw_err e = { 0 };

	if (trace_role_of(rec, arena, &role, &e) == JW_OK)
		out->role = keep(arena, role.name, failed);
	else
		*failed = true;
}

static void copy_threads(const struct trace_recording *rec, struct jw_arena *arena,
			 struct trace_recording_info *out, bool *failed)
{
	struct trace_thread_info *threads =
		JW_NEW_ARRAY(arena, struct trace_thread_info, rec->thread_count + 1);
	uint64_t origin = origin_of(rec), end = 0;

	*failed |= !threads;
	for (size_t i = 0; threads && i < rec->thread_count; i++) {
		const struct trace_thread *t = &rec->threads[i];
		uint64_t first = t->start_tick ? t->start_tick : origin;
		uint64_t last = t->last_tick > t->end_tick ? t->last_tick : t->end_tick;

		threads[i] = (struct trace_thread_info){
			.name = keep(arena, t->name, failed),
			.events = rec->is_summary ? 0 : t->events,
			.calls = rec->is_summary ? t->calls : 0,
			.lost = t->lost,
			.start_ns = since(rec, first, origin),
			.end_ns = since(rec, last ? last : first, origin),
			.uid = t->uid,
			.is_daemon = t->is_daemon,
			.is_virtual = t->is_virtual,
			.ended = t->ended,
		};
		end = threads[i].end_ns > end ? threads[i].end_ns : end;
	}
	if (rec->clean_end && since(rec, rec->end_tick, origin) > end)
		end = since(rec, rec->end_tick, origin);
	out->threads = threads;
	out->thread_count = rec->thread_count;
	out->threads_all = rec->thread_count - rec->has_vm;
	out->duration_ns = end;
}

/* ---- virtual threads, pauses ---- */

/* The ids seen so far, each once or more; sorted and each once after tidy(). */
struct ids {
	uint64_t *id; /* owned */
	size_t n, cap;
};

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void tidy(struct ids *ids)
{
	size_t n = 0;

	if (ids->n)
		qsort(ids->id, ids->n, sizeof(*ids->id), by_value);
	for (size_t i = 0; i < ids->n; i++)
		if (n == 0 || ids->id[n - 1] != ids->id[i])
			ids->id[n++] = ids->id[i];
	ids->n = n;
}

/* Room is at most twice what different ids take, however often threads are switched. */
static bool add_id(struct ids *ids, uint64_t id)
{
	if (ids->n == ids->cap) {
		tidy(ids);
		if (ids->n > ids->cap / 2 || ids->cap == 0) {
			uint64_t *grown = trace_grow(ids->id, ids->cap, &ids->cap, sizeof(*grown));

			if (!grown)
				return false;
			ids->id = grown;
		}
	}
	ids->id[ids->n++] = id;
	return true;
}

static bool count_piece(const struct trace_recording *rec, const struct trace_piece *p,
			struct jwr_record *records, struct ids *ids, uint64_t *pauses)
{
	size_t got = trace_piece_read(rec, p, records, p->bytes, p->offset);

	for (size_t i = 0; i < got / sizeof(*records); i++) {
		enum jwr_kind kind = jwr_word_kind(records[i].word);
		uint64_t id = jwr_word_payload(records[i].word);

		*pauses += kind == JWR_GC_BEGIN;
		if (kind == JWR_SWITCH && id && !add_id(ids, id))
			return false;
	}
	return true;
}

/* Reads again what can tell: pieces of carriers, and those of the VM itself. */
static void count_virtuals(const struct trace_recording *rec, struct trace_recording_info *out,
			   bool *failed)
{
	struct jwr_record *records = jw_mem_alloc(JWR_RECORDS_SIZE);
	struct ids ids = { 0 };

	*failed |= !records;
	for (size_t i = 0; i < rec->thread_count && !*failed; i++) {
		const struct trace_thread *t = &rec->threads[i];

		for (size_t j = 0; j < t->piece_count && !*failed; j++) {
			const struct trace_piece *p = &rec->pieces[t->piece + j];

			if (p->switches || (t->is_vm && p->states))
				*failed = !count_piece(rec, p, records, &ids, &out->pauses);
		}
	}
	tidy(&ids);
	out->virtual_count = ids.n;
	jw_mem_free(ids.id);
	jw_mem_free(records);
}

/* What a summary holds. */
static void count_sums(const struct trace_recording *rec, struct trace_recording_info *out,
		       bool *failed)
{
	uint64_t *keys = jw_mem_alloc((rec->sums.n + 1) * sizeof(*keys));
	size_t n = 0;

	*failed |= !keys;
	for (size_t i = 0; keys && i < rec->sums.n; i++) {
		const struct trace_sum *sum = &rec->sums.sums[i];

		if (jwr_word_kind(sum->b) == JWR_GC_BEGIN)
			out->pauses += sum->count;
		if (jwr_word_kind(sum->b) != JWR_ENTER)
			continue;
		out->calls += sum->count;
		keys[n++] = sum->b;
	}
	if (n > 1)
		qsort(keys, n, sizeof(*keys), by_value);
	for (size_t i = 0; i < n; i++)
		out->methods += i == 0 || keys[i] != keys[i - 1];
	out->virtual_count = rec->odds.virtuals;
	jw_mem_free(keys);
}

static const char *const *copy_list(const char *const *list, size_t n, struct jw_arena *arena,
				    bool *failed)
{
	const char **copy = JW_NEW_ARRAY(arena, const char *, n + 1);

	*failed |= !copy;
	for (size_t i = 0; copy && i < n; i++)
		copy[i] = keep(arena, list[i], failed);
	return copy;
}

enum jw_status trace_recording_origin(const char *path, struct jw_arena *arena,
				      struct trace_recording_info *out, struct jw_err *e)
{
	struct trace_recording rec;
	bool failed = false;
	enum jw_status status = trace_recording_facts(path, &rec, e);

	if (status == JW_OK) {
		copy_facts(&rec, arena, out, &failed);
		status = failed ? jw_nomem(e) : JW_OK;
	}
	trace_recording_close(&rec);
	return status;
}

enum jw_status trace_recording_info(const char *path, struct jw_arena *arena,
				    struct trace_recording_info *out, struct jw_err *e)
{
	struct trace_notes notes = { .arena = arena };
	struct trace_recording_info info = { 0 };
	struct trace_recording rec;
	bool failed = false;
	enum jw_status status = trace_recording_open(path, NULL, &rec, &notes, e);

	if (status == JW_OK) {
		copy_facts(&rec, arena, &info, &failed);
		copy_role(&rec, arena, &info, &failed);
		copy_threads(&rec, arena, &info, &failed);
		if (rec.is_summary)
			count_sums(&rec, &info, &failed);
		else
			count_virtuals(&rec, &info, &failed);
		info.maps = copy_list(rec.maps, rec.map_count, arena, &failed);
		info.map_count = rec.map_count;
		info.taps = copy_list(rec.taps, rec.tap_count, arena, &failed);
		info.tap_count = rec.tap_count;
		info.warnings = copy_list(notes.text, notes.n, arena, &failed);
		info.warning_count = notes.n;
		status = failed ? jw_nomem(e) : JW_OK;
	}
	trace_recording_close(&rec);
	trace_notes_free(&notes);
	if (status == JW_OK)
		*out = info;
	return status;
}

/* ---- traces ---- */

static enum jw_status take_header(struct jw_span line, struct jw_arena *arena,
				  struct trace_prv_info *out, struct jw_err *e)
{
	struct trace_prv_head head;
	enum jw_status status = trace_prv_head_read(line, &head, e);

	if (status == JW_OK) {
		out->end_ns = head.end_ns;
		out->nodes = head.nodes;
		out->tasks = head.task_count;
		out->threads = head.thread_count;
		out->date = jw_arena_str(arena, head.date);
		status = out->date ? JW_OK : jw_nomem(e);
	}
	trace_prv_head_free(&head);
	return status;
}

/* Counts the pairs of an event line, after its five numbers. */
static void count_pairs(struct jw_span line, struct trace_prv_info *out)
{
	size_t colons = 0;

	while (line.n && colons < 6) {
		colons += line.p[0] == ':';
		line = jw_span_sub(line, 1, line.n);
	}
	while (line.n) {
		uint64_t type, value;

		(void)trace_take_number(&line, &type);
		line = jw_span_sub(line, 1, line.n);
		(void)trace_take_number(&line, &value);
		line = jw_span_sub(line, 1, line.n);
		out->pairs++;
		out->calls += type == 60000019 && value > 0;
	}
}

static void count_lines(struct jw_span text, struct trace_prv_info *out)
{
	while (text.n) {
		const uint8_t *end = memchr(text.p, '\n', text.n);
		struct jw_span line = jw_span(text.p, end ? (size_t)(end - text.p) : text.n);

		if (line.n && line.p[0] == '1')
			out->states++;
		if (line.n && line.p[0] == '2') {
			out->events++;
			count_pairs(line, out);
		}
		if (line.n && line.p[0] == '3')
			out->comms++;
		text = jw_span_sub(text, line.n + (end != NULL), text.n);
	}
}

/* Opens the file beside PATH with another suffix; false: there is none. */
static bool open_beside(const char *path, const char *suffix, struct jw_file *out)
{
	char name[MAX_PATH];
	struct jw_err quiet = { 0 };
	int n = snprintf(name, sizeof(name), "%.*s%s", (int)strlen(path) - 4, path, suffix);

	if (n < 0 || (size_t)n >= sizeof(name))
		return false;
	return jw_file_open(name, 0, out, &quiet) == JW_OK;
}

static enum jw_status take_row(struct jw_span text, struct jw_arena *arena,
			       struct trace_prv_info *out, struct jw_err *e)
{
	struct jw_span prefix = JW_SPAN_LIT("LEVEL THREAD SIZE "), line = { 0 };
	uint32_t vms = 0;
	uint64_t n;

	while (text.n && !jw_span_starts(line, prefix))
		line = trace_line(&text);
	if (!jw_span_starts(line, prefix) ||
	    !trace_dec(jw_span_sub(line, prefix.n, line.n), out->threads, &n))
		return JW_OK;
	const char **names = JW_NEW_ARRAY(arena, const char *, (size_t)n + 1);

	if (!names)
		return jw_nomem(e);
	for (size_t i = 0; i < n && text.n; i++) {
		names[i] = jw_arena_str(arena, trace_line(&text));
		if (!names[i])
			return jw_nomem(e);
		out->thread_name_count = i + 1;
		vms += strcmp(names[i], "JVM") == 0;
	}
	out->threads -= vms;
	out->thread_names = names;
	return JW_OK;
}

static void take_pcf(struct jw_span text, struct trace_prv_info *out)
{
	bool ours = false, values = false;

	while (text.n) {
		struct jw_span line = trace_line(&text);

		if (jw_span_eq_str(line, "EVENT_TYPE"))
			ours = values = false;
		else if (ours && jw_span_eq_str(line, "VALUES"))
			values = true;
		else if (ours && values && line.n && line.p[0] >= '1' && line.p[0] <= '9')
			out->functions++;
		else if (jw_span_ends(line, JW_SPAN_LIT("60000019    User function")))
			ours = true;
	}
}

static enum jw_status read_beside(const char *path, struct jw_arena *arena,
				  struct trace_prv_info *out, struct jw_err *e)
{
	enum jw_status status = JW_OK;
	struct jw_file file;

	if (open_beside(path, ".row", &file)) {
		status = take_row(file.bytes, arena, out, e);
		jw_file_close(&file);
	}
	if (status == JW_OK && open_beside(path, ".pcf", &file)) {
		take_pcf(file.bytes, out);
		jw_file_close(&file);
	}
	return status;
}

enum jw_status trace_prv_info(const char *path, struct jw_arena *arena, struct trace_prv_info *out,
			      struct jw_err *e)
{
	struct trace_prv_info info = { 0 };
	struct jw_file file = { 0 };

	if (!jw_span_ends(jw_span_str(path), JW_SPAN_LIT(".prv")))
		return jw_fail(e, JW_INPUT, "\"%s\": the name of a trace ends in .prv", path);
	JW_TRY(jw_file_open(path, 0, &file, e));
	struct jw_span text = file.bytes, header = trace_line(&text);
	enum jw_status status = take_header(header, arena, &info, e);

	info.bytes = file.bytes.n;
	if (status == JW_OK)
		count_lines(text, &info);
	jw_file_close(&file);
	if (status != JW_OK)
		return jw_err_where(e, "\"%s\"", path);
	JW_TRY(read_beside(path, arena, &info, e));
	*out = info;
	return JW_OK;
}
