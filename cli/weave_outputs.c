/*
 * weave_outputs.c: what a weave writes beside its output: --report, --depfile.
 */
#include <string.h>

#include "base/file.h"
#include "cli/cli.h"
#include "cli/cmd_weave.h"
#include "cli/inputs.h"
#include "cli/safe_text.h"
#include "cli/weave_json.h"
#include "weaver/input/class_path.h"
#include "weaver/input/tree.h"

#include "base/banned.h"

#define SIDE_MODE 0666

static enum jw_status open_side(struct cli *cli, enum cli_option_id id, struct jw_out *out,
				struct jw_err *e)
{
	if (!cli_given(cli, id))
		return JW_OK;
	JW_TRY(cli_check_output(cli, id, 0, e));
	return jw_out_open(cli_value(cli, id, NULL), SIDE_MODE, out, e);
}

enum jw_status cli_side_open(struct cli_weave *w, struct jw_err *e)
{
	JW_TRY(open_side(w->cli, CLI_OPT_report, &w->report, e));
	return open_side(w->cli, CLI_OPT_depfile, &w->depfile, e);
}

enum jw_status cli_side_add(struct cli_weave *w, const struct weave_report *report,
			    struct jw_err *e)
{
	if (!cli_given(w->cli, CLI_OPT_report) && !cli_given(w->cli, CLI_OPT_json))
		return JW_OK;
	if (w->reports.n > 1)
		jw_put_str(&w->reports, ",\n");
	return cli_weave_json(report, w->rules, &w->reports, e);
}

/* A file name in a make rule: what make would take apart is escaped. */
static void put_make_name(struct jw_buf *out, const char *name)
{
	for (; *name; name++) {
		if (*name == '$')
			jw_put_str(out, "$");
		else if (strchr(" \t#\\", *name))
			jw_put_str(out, "\\");
		jw_put_u1(out, (uint8_t)*name);
	}
}

/* The files that a weave reads beside its input and the rules file. */
struct reads {
	struct jw_arena arena;
	struct jw_buf names; /* const char * each */
};

static enum jw_status add_read(struct reads *r, const char *name, struct jw_err *e)
{
	if (!name)
		return jw_nomem(e);
	jw_put_bytes(&r->names, jw_span(&name, sizeof name));
	return jw_buf_finish(&r->names, "the depfile", e);
}

static bool has_suffix(const char *name, const char *suffix)
{
	return !suffix || cli_ends(name, suffix);
}

/* The files below FOLDER whose names end in SUFFIX (NULL: all). */
static enum jw_status add_folder(struct reads *r, const char *folder, const char *suffix,
				 struct jw_err *e)
{
	struct weave_tree tree = { 0 };

	JW_TRY(weave_tree_list_inputs(folder, &r->arena, &tree, e));
	for (size_t i = 0; i < tree.count; i++)
		if (tree.files[i].type == WEAVE_TREE_FILE && has_suffix(tree.files[i].path, suffix))
			JW_TRY(add_read(r,
					jw_arena_fmt(&r->arena, "%s%s%s", folder,
						     cli_ends(folder, "/") ? "" : "/",
						     tree.files[i].path),
					e));
	return JW_OK;
}

static enum jw_status add_part(void *ctx, const char *path, struct jw_err *e)
{
	if (weave_is_folder(path))
		return add_folder(ctx, path, ".class", e);
	return weave_is_there(path) ? add_read(ctx, path, e) : JW_OK;
}

/* Included rules files, and the class path where rules ask for supertypes. */
static enum jw_status find_reads(struct cli_weave *w, struct reads *r, struct jw_err *e)
{
	const char *class_path = w->job.class_path;

	for (size_t i = 1; i < rules_file_count(w->rules); i++)
		JW_TRY(add_read(r, rules_file(w->rules, i), e));
	return class_path && rules_needs_supertypes(w->rules)
		       ? weave_class_path_parts(class_path, &r->arena, add_part, r, e)
		       : JW_OK;
}

static void put_reads(struct jw_buf *out, const struct reads *r, size_t from, const char *before,
		      const char *after)
{
	const char *const *names = (const char *const *)(const void *)r->names.p;

	for (size_t i = from; i < r->names.n / sizeof *names; i++) {
		jw_put_str(out, before);
		put_make_name(out, names[i]);
		jw_put_str(out, after);
	}
}

/* A rule for each output; then one without a command for each file that may go, so that make does
 * not stop where it has gone. */
static enum jw_status put_depfile(struct cli_weave *w, const char *const *deps, struct reads *r,
				  struct jw_buf *out, struct jw_err *e)
{
	JW_TRY(find_reads(w, r, e));
	size_t shared = r->names.n, start = shared / sizeof(const char *);
	const char *rules = rules_file(w->rules, 0); /* NULL: preset:NAME */

	for (; deps && deps[0]; deps += 2) {
		r->names.n = shared;
		if (weave_is_folder(deps[1]))
			JW_TRY(add_folder(r, deps[1], NULL, e));
		put_make_name(out, deps[0]);
		jw_put_str(out, ": ");
		put_make_name(out, deps[1]);
		if (rules) {
			jw_put_str(out, " \\\n  ");
			put_make_name(out, rules);
		}
		put_reads(out, r, 0, " \\\n  ", "");
		jw_put_str(out, "\n");
		put_reads(out, r, start, "", ":\n");
	}
	r->names.n = shared;
	put_reads(out, r, 0, "", ":\n");
	return jw_buf_finish(out, "the depfile", e);
}

enum jw_status cli_side_commit(struct cli_weave *w, const char *const *deps, struct jw_err *e)
{
	struct jw_buf rule = { 0 };
	struct reads reads = { 0 };

	JW_TRY(jw_buf_finish(&w->reports, "the report", e));
	if (w->report.open) {
		JW_TRY(jw_out_write(&w->report, jw_buf_span(&w->reports), e));
		JW_TRY(jw_out_commit(&w->report, e));
	}
	if (!w->depfile.open)
		return JW_OK;
	enum jw_status status = put_depfile(w, deps, &reads, &rule, e);
	if (status == JW_OK)
		status = jw_out_write(&w->depfile, jw_buf_span(&rule), e);
	jw_buf_free(&rule);
	jw_buf_free(&reads.names);
	jw_arena_free(&reads.arena);
	return status == JW_OK ? jw_out_commit(&w->depfile, e) : status;
}
