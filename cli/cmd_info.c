/*
 * cmd_info.c: jweave info FILE: a jar, a recording, or a trace.
 */
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "cfr/class.h"
#include "cli/job_folder.h"
#include "cli/json_out.h"
#include "cli/paths.h"
#include "cli/out.h"
#include "cli/safe_text.h"
#include "trace/report/info.h"
#include "trace/report/job_folder.h"
#include "weaver/archive/woven_mark.h"

#include "base/banned.h"

static void put_item(struct cli *cli, const cJSON *item)
{
	struct jw_buf text = { 0 };

	cli_put_escaped(&text, jw_span_str(item->string ? item->string : ""));
	jw_put_str(&text, ": ");
	if (cJSON_IsString(item))
		cli_put_escaped(&text, jw_span_str(item->valuestring));
	else if (cJSON_IsBool(item))
		jw_put_str(&text, cJSON_IsTrue(item) ? "yes" : "no");
	else if (cJSON_IsNumber(item))
		jw_put_fmt(&text, "%.0f", item->valuedouble);
	else
		jw_put_str(&text, "-");
	jw_put_u1(&text, '\n');
	cli_put_span(cli, jw_buf_span(&text));
	jw_buf_free(&text);
}

/* The marks that weaving left: flat JSON, shown field by field. */
static enum jw_status info_woven(struct cli *cli, const char *path, struct jw_span json,
				 struct jw_err *e)
{
	struct jw_buf out = { 0 };

	if (cli_given(cli, CLI_OPT_json)) {
		jw_put_json_document(&out, json);
		if (!jw_span_ends(json, JW_SPAN_LIT("\n")))
			jw_put_u1(&out, '\n');
		cli_put_span(cli, jw_buf_span(&out));
		enum jw_status status = jw_buf_finish(&out, "woven.json", e);
		jw_buf_free(&out);
		return status;
	}
	cJSON *root = cJSON_ParseWithLength((const char *)json.p, json.n);
	if (!cJSON_IsObject(root)) {
		cJSON_Delete(root);
		return jw_fail(e, JW_INPUT, "%s: its META-INF/jweave/woven.json is damaged", path);
	}
	cli_put(cli, "woven: yes\n");
	for (const cJSON *item = root->child; item; item = item->next)
		if (!cJSON_IsObject(item) && !cJSON_IsArray(item))
			put_item(cli, item);
	cJSON_Delete(root);
	return JW_OK;
}

/* PATH cannot be read as an archive: is it another thing? */
static enum jw_status no_archive(const char *path, enum jw_status status, struct jw_err *e)
{
	struct jw_file file;

	if (status != JW_INPUT || jw_file_open(path, 0, &file, NULL) != JW_OK)
		return status;
	bool archive = file.bytes.n == 0 || jw_span_starts(file.bytes, JW_SPAN_LIT("PK"));
	bool class = cfr_is_class(file.bytes);
	jw_file_close(&file);
	if (archive)
		return status;
	return class ? jw_fail(e, JW_INPUT, "'%s' is a class file: 'jweave dump' shows it", path)
		     : jw_fail(e, JW_INPUT,
			       "'%s' is not an archive, folder of classes, recording (NAME.jwr) or "
			       "trace (NAME.prv)",
			       path);
}

static enum jw_status info_archive(struct cli *cli, const char *path, struct jw_err *e)
{
	struct jw_span json = { 0 };

	if (jw_is_empty_folder(path))
		return jw_fail(e, JW_INPUT, "'%s': the folder is empty", path);
	enum jw_status status = weave_info(path, &cli->arena, &json, e);

	if (status != JW_OK)
		return no_archive(path, status, e);
	if (json.n)
		return info_woven(cli, path, json, e);
	cli_put(cli, "%s\n", cli_given(cli, CLI_OPT_json) ? "{\"woven\":false}" : "woven: no");
	return JW_OK;
}

/* ---- recordings and traces ---- */

static void put_line(struct cli *cli, const char *key, const char *value)
{
	struct jw_buf text = { 0 };

	if (!*value)
		return;
	jw_put_fmt(&text, "%s: ", key);
	cli_put_escaped(&text, jw_span_str(value));
	jw_put_u1(&text, '\n');
	cli_put_span(cli, jw_buf_span(&text));
	jw_buf_free(&text);
}

static void put_count(struct cli *cli, const char *key, uint64_t value)
{
	cli_put(cli, "%s: %llu\n", key, (unsigned long long)value);
}

static void put_threads(struct cli *cli, const struct trace_recording_info *r)
{
	struct jw_buf name = { 0 };

	for (size_t i = 0; i < r->thread_count; i++) {
		const struct trace_thread_info *t = &r->threads[i];

		jw_buf_clear(&name);
		cli_put_escaped(&name, jw_span_str(t->name));
		cli_put(cli, "  %5u  %12llu %s  %9.3f s .. %9.3f s  %.*s%s%s", t->uid,
			(unsigned long long)(r->is_summary ? t->calls : t->events),
			r->is_summary ? "calls" : "events", (double)t->start_ns / 1e9,
			(double)t->end_ns / 1e9, (int)name.n, name.n ? (const char *)name.p : "",
			t->is_daemon ? " (daemon)" : "", t->is_virtual ? " (virtual)" : "");
		if (t->lost)
			cli_put(cli, ", %llu lost", (unsigned long long)t->lost);
		cli_put(cli, "\n");
	}
	jw_buf_free(&name);
}

static void recording_text(struct cli *cli, const struct trace_recording_info *r)
{
	put_line(cli, "host", r->host);
	put_count(cli, "pid", r->pid);
	if (r->has_rank)
		put_count(cli, "rank", r->rank);
	put_line(cli, "command", r->command);
	put_line(cli, "java", r->java);
	put_line(cli, "vm", r->vm);
	put_line(cli, "folder", r->cwd);
	cli_put(cli, "duration: %.3f s\n", (double)r->duration_ns / 1e9);
	put_line(cli, "mode", r->is_summary ? "summary: sums alone, no events" : "");
	if (r->is_summary) {
		put_count(cli, "calls", r->calls);
		put_count(cli, "methods", r->methods);
	} else {
		put_count(cli, "events", r->events);
	}
	put_count(cli, "lost", r->lost);
	put_count(cli, "virtual threads", r->virtual_count);
	put_count(cli, "GC pauses", r->pauses);
	put_count(cli, "bytes", r->bytes);
	put_line(cli, "clean end", r->clean_end ? "yes" : "no");
	put_line(cli, "ended by",
		 strcmp(r->end_reason, "vm-death") == 0 ? "the end of the JVM" : r->end_reason);
	put_line(cli, "stopped", r->stopped ? r->stop_reason : "");
	for (size_t i = 0; i < r->map_count; i++)
		put_line(cli, "map", r->maps[i]);
	for (size_t i = 0; i < r->tap_count; i++)
		put_line(cli, "waits in", r->taps[i]);
	put_count(cli, "threads", r->threads_all);
	put_threads(cli, r);
}

static void put_json_thread(struct cli_json *json, const struct trace_recording_info *r,
			    const struct trace_thread_info *t)
{
	cJSON *thread = cli_json_object(json, NULL, NULL);

	cli_json_number(json, thread, "uid", t->uid);
	cli_json_text(json, thread, "name", t->name);
	if (r->is_summary)
		cli_json_number(json, thread, "calls", t->calls);
	cli_json_number(json, thread, "events", t->events);
	cli_json_number(json, thread, "lost", t->lost);
	cli_json_number(json, thread, "startNs", t->start_ns);
	cli_json_number(json, thread, "endNs", t->end_ns);
	cli_json_element(json, thread);
}

static void put_json_taps(struct cli_json *json, const struct trace_recording_info *r)
{
	cJSON *line = cli_json_object(json, NULL, NULL);
	cJSON *taps = cli_json_array(json, line, "taps");

	for (size_t i = 0; i < r->tap_count; i++)
		cli_json_text(json, taps, NULL, r->taps[i]);
	cli_json_line(json, line);
}

static enum jw_status recording_json(struct cli *cli, const struct trace_recording_info *r,
				     struct jw_err *e)
{
	struct cli_json json;

	cli_json_open(&json, cli, '{');
	cli_json_line_text(&json, "kind", "recording");
	cli_json_line_text(&json, "role", r->role);
	cli_json_line_text(&json, "host", r->host);
	cli_json_line_number(&json, "pid", r->pid);
	cli_json_line_text(&json, "command", r->command);
	cli_json_line_text(&json, "java", r->java);
	cli_json_line_text(&json, "vm", r->vm);
	cli_json_line_number(&json, "durationNs", r->duration_ns);
	cli_json_line_bool(&json, "summary", r->is_summary);
	if (r->is_summary) {
		cli_json_line_number(&json, "calls", r->calls);
		cli_json_line_number(&json, "methods", r->methods);
	}
	cli_json_line_number(&json, "events", r->events);
	cli_json_line_number(&json, "lost", r->lost);
	cli_json_line_number(&json, "virtualThreads", r->virtual_count);
	cli_json_line_number(&json, "gcPauses", r->pauses);
	cli_json_line_number(&json, "bytes", r->bytes);
	cli_json_line_bool(&json, "cleanEnd", r->clean_end);
	put_json_taps(&json, r);
	cli_json_list(&json, "threads");
	for (size_t i = 0; i < r->thread_count; i++)
		put_json_thread(&json, r, &r->threads[i]);
	cli_json_list_end(&json);
	return cli_json_close(&json, e);
}

static enum jw_status info_recording(struct cli *cli, const char *path, struct jw_err *e)
{
	struct trace_recording_info info = { 0 };

	JW_TRY(trace_recording_info(path, &cli->arena, &info, e));
	for (size_t i = 0; i < info.warning_count; i++)
		cli_warn(cli, "%s", info.warnings[i]);
	if (cli_given(cli, CLI_OPT_json))
		return recording_json(cli, &info, e);
	recording_text(cli, &info);
	return JW_OK;
}

static void prv_text(struct cli *cli, const struct trace_prv_info *t)
{
	put_line(cli, "date", t->date);
	cli_put(cli, "duration: %.3f s\n", (double)t->end_ns / 1e9);
	put_count(cli, "nodes", t->nodes);
	put_count(cli, "tasks", t->tasks);
	put_count(cli, "states", t->states);
	put_count(cli, "event lines", t->events);
	put_count(cli, "events", t->pairs);
	put_count(cli, "communications", t->comms);
	put_count(cli, "calls", t->calls);
	put_count(cli, "methods", t->functions);
	put_count(cli, "bytes", t->bytes);
	put_count(cli, "threads", t->threads);
	for (size_t i = 0; i < t->thread_name_count; i++)
		put_line(cli, "  thread", t->thread_names[i]);
}

static enum jw_status prv_json(struct cli *cli, const struct trace_prv_info *t, struct jw_err *e)
{
	struct cli_json json;

	cli_json_open(&json, cli, '{');
	cli_json_line_text(&json, "kind", "trace");
	cli_json_line_text(&json, "date", t->date);
	cli_json_line_number(&json, "durationNs", t->end_ns);
	cli_json_line_number(&json, "nodes", t->nodes);
	cli_json_line_number(&json, "tasks", t->tasks);
	cli_json_line_number(&json, "threads", t->threads);
	cli_json_line_number(&json, "states", t->states);
	cli_json_line_number(&json, "eventLines", t->events);
	cli_json_line_number(&json, "events", t->pairs);
	cli_json_line_number(&json, "communications", t->comms);
	cli_json_line_number(&json, "calls", t->calls);
	cli_json_line_number(&json, "methods", t->functions);
	cli_json_line_number(&json, "bytes", t->bytes);
	cli_json_list(&json, "threadNames");
	for (size_t i = 0; i < t->thread_name_count; i++)
		cli_json_element(&json, cli_json_string(&json, t->thread_names[i]));
	cli_json_list_end(&json);
	return cli_json_close(&json, e);
}

static enum jw_status info_trace(struct cli *cli, const char *path, struct jw_err *e)
{
	struct trace_prv_info info = { 0 };

	JW_TRY(trace_prv_info(path, &cli->arena, &info, e));
	if (cli_given(cli, CLI_OPT_json))
		return prv_json(cli, &info, e);
	prv_text(cli, &info);
	return JW_OK;
}

/* A recording is known by what is in its folder, a trace by its name. */
enum jw_status cli_run_info(struct cli *cli, struct jw_err *e)
{
	const char *path = cli->args.operands[0];

	if (trace_is_recording(path))
		return info_recording(cli, path, e);
	if (cli_is_folder(path) && trace_has_recordings(path))
		return cli_info_folder(cli, path, e);
	if (cli_ends(path, ".prv.gz"))
		return jw_fail(e, JW_INPUT,
			       "'%s' is compressed: info reads traces as NAME.prv alone (gzip -dk "
			       "unpacks it); 'jweave report' reads it as it is",
			       path);
	return cli_ends(path, ".prv") ? info_trace(cli, path, e) : info_archive(cli, path, e);
}
