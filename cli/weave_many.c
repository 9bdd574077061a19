/*
 * weave_many.c: jweave -r RULES -o OUTDIR IN...: many inputs, or whole trees of archives.
 *
 * An input keeps its name: OUTDIR/NAME. A folder that is neither a class directory nor an archive
 * unpacked is a tree: each archive and each class directory in it is an input of its own, and keeps
 * its path: OUTDIR/FOLDER/PATH. Other files of a tree are not copied. Links to files are followed,
 * links to folders are not.
 *
 * Types that an input lacks are looked for in the others, too.
 *
 * One input that fails does not stop the others; the first failure is the status. Whether a rule
 * decides nothing is asked of all inputs together; where that can refuse, everything is woven once
 * into nowhere first, so that a refusal leaves no output.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/args.h"
#include "cli/cmd_weave.h"
#include "cli/paths.h"
#include "cli/out.h"
#include "cli/safe_text.h"
#include "weaver/archive/roots.h"

#include "base/banned.h"

struct pair {
	const char *in, *out; /* out NULL: nowhere */
};

struct many {
	struct cli_weave *w;
	struct jw_arena *arena;
	const char *folder;
	struct pair *pairs;
	size_t count, room;
};

/* A folder of inputs. */
struct forest {
	struct many *m;
	const char *in, *out; /* OUT NULL: nowhere */
	struct weave_tree tree;
	struct weave_roots roots;
	const char *own; /* of the tree, what an earlier run wrote; NULL: nothing */
};

static enum jw_status add_pair(struct many *m, const char *in, const char *out, struct jw_err *e)
{
	if (m->count == m->room) {
		size_t room = m->room ? 2 * m->room : 64;
		struct pair *pairs = JW_NEW_ARRAY(m->arena, struct pair, room);

		if (!pairs)
			return jw_nomem(e);
		if (m->count)
			memcpy(pairs, m->pairs, m->count * sizeof(*pairs));
		m->pairs = pairs;
		m->room = room;
	}
	m->pairs[m->count++] = (struct pair){ in, out };
	return JW_OK;
}

/* ---- trees ---- */

static bool has_classes(const struct weave_tree *tree)
{
	for (size_t i = 0; i < tree->count; i++)
		if (tree->files[i].type == WEAVE_TREE_FILE &&
		    cli_ends(tree->files[i].path, ".class"))
			return true;
	return false;
}

/* Is it one input, with all that is in it? */
static bool is_whole(const struct forest *f)
{
	if (!has_classes(&f->tree))
		return false;
	return f->roots.count == 0 || weave_roots_hold(&f->roots, JW_SPAN_LIT("")) ||
	       weave_tree_is_archive(&f->tree);
}

/* Is PATH what an earlier run wrote, or in that, or in a class directory, which is an input? */
static bool is_no_input(const struct forest *f, const char *path)
{
	for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		struct jw_span above = jw_span(path, (size_t)(slash - path));

		if (weave_roots_hold(&f->roots, above) || (f->own && jw_span_eq_str(above, f->own)))
			return true;
	}
	return f->own && strcmp(path, f->own) == 0;
}

static enum jw_status add_file(struct forest *f, const struct weave_tree_file *file,
			       struct jw_err *e)
{
	struct many *m = f->m;
	const char *in = jw_arena_fmt(m->arena, "%s/%s", f->in, file->path);
	const char *out = f->out ? jw_arena_fmt(m->arena, "%s/%s", f->out, file->path) : NULL;
	bool is_input;
	struct stat st;

	if (!in || (f->out && !out))
		return jw_nomem(e);
	if (file->type == WEAVE_TREE_FOLDER && m->folder && jw_same_file(in, m->folder))
		f->own = file->path;
	if (is_no_input(f, file->path))
		return JW_OK;
	if (file->type == WEAVE_TREE_FOLDER)
		is_input = weave_roots_hold(&f->roots, jw_span_str(file->path));
	else
		is_input = cli_is_archive_name(file->path) && stat(in, &st) == 0 &&
			   S_ISREG(st.st_mode);
	return is_input ? add_pair(m, in, out, e) : JW_OK;
}

/* The pairs of the folder IN, whose output is OUT (NULL: nowhere); none: it is an input itself. */
static enum jw_status add_tree(struct many *m, const char *in, const char *out, struct jw_err *e)
{
	struct forest f = { .m = m, .in = in, .out = out };

	JW_TRY(weave_tree_list_inputs(in, m->arena, &f.tree, e));
	JW_TRY(weave_roots_find(in, &f.tree, m->arena, &f.roots, e));
	if (is_whole(&f))
		return JW_OK;
	for (size_t i = 0; i < f.tree.count; i++)
		JW_TRY(add_file(&f, &f.tree.files[i], e));
	return JW_OK;
}

static const char *join(struct many *m, const char *name)
{
	bool slash = cli_ends(m->folder, "/");

	return jw_arena_fmt(m->arena, "%s%s%s", m->folder, slash ? "" : "/", name);
}

/* The pairs of one operand. */
static enum jw_status add_input(struct many *m, const char *in, struct jw_err *e)
{
	const char *name = cli_base_name(m->arena, in), *out = NULL;

	if (!name)
		return jw_nomem(e);
	if (strcmp(in, "-") == 0)
		return jw_fail(e, JW_USAGE,
			       "standard input has no name to write to: use "
			       "jweave - RULES OUT");
	bool nameless = strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || strcmp(name, "/") == 0;
	if (m->folder)
		out = nameless ? m->folder : join(m, name);
	if (m->folder && !out)
		return jw_nomem(e);
	if (!cli_is_folder(in))
		return add_pair(m, in, out, e);
	size_t before = m->count;
	JW_TRY(add_tree(m, in, out, e));
	if (m->count > before)
		return JW_OK;
	if (nameless)
		return jw_fail(e, JW_USAGE, "'%s' has no name of its own: write the folder's name",
			       in);
	return add_pair(m, in, out, e);
}

/* ---- outputs ---- */

static int by_out(const void *a, const void *b)
{
	return strcmp(((const struct pair *)a)->out, ((const struct pair *)b)->out);
}

static enum jw_status check_distinct(struct many *m, struct jw_err *e)
{
	struct pair *sorted = JW_NEW_ARRAY(m->arena, struct pair, m->count + 1);

	if (!sorted)
		return jw_nomem(e);
	if (m->count)
		memcpy(sorted, m->pairs, m->count * sizeof(*sorted));
	qsort(sorted, m->count, sizeof(*sorted), by_out);
	for (size_t i = 1; i < m->count; i++)
		if (strcmp(sorted[i - 1].out, sorted[i].out) == 0)
			return jw_fail(e, JW_USAGE, "'%s' and '%s' would both be written to '%s'",
				       sorted[i - 1].in, sorted[i].in, sorted[i].out);
	return JW_OK;
}

/* Makes the folders above PATH (and PATH itself, if it ends in a slash). */
static enum jw_status make_folders(struct jw_arena *arena, const char *path, struct jw_err *e)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return JW_OK;
	const char *folder = jw_arena_str(arena, jw_span(path, (size_t)(slash - path)));
	if (!folder)
		return jw_nomem(e);
	if (!jw_make_folders(folder, 0777, NULL))
		return jw_fail_errno(e, errno, "cannot make the folder '%s'", folder);
	return JW_OK;
}

/* ---- the run ---- */

/* What one input lacks, another one may have: where rules ask for supertypes, all of them come
 * after the class path that was given. A name with a colon would be taken for two. */
static enum jw_status look_in_all(struct many *m, struct jw_err *e)
{
	struct weave_archive_job *job = &m->w->job;
	struct jw_buf path = { 0 };

	if (m->count < 2 || !rules_needs_supertypes(m->w->rules))
		return JW_OK;
	if (job->class_path)
		jw_put_str(&path, job->class_path);
	for (size_t i = 0; i < m->count; i++) {
		if (strchr(m->pairs[i].in, ':'))
			continue;
		if (path.n > 0)
			jw_put_u1(&path, ':');
		jw_put_str(&path, m->pairs[i].in);
	}
	enum jw_status status = jw_buf_finish(&path, "class path", e);
	if (status == JW_OK && path.n > 0) {
		job->class_path = jw_arena_str(m->arena, jw_buf_span(&path));
		status = job->class_path ? JW_OK : jw_nomem(e);
	}
	jw_buf_free(&path);
	return status;
}

/* Weaves everything into nowhere and lets rules refuse. */
static enum jw_status rehearse(struct many *m, struct jw_err *e)
{
	struct cli_weave *w = m->w;

	for (size_t i = 0; i < m->count; i++) {
		struct jw_arena arena = { 0 };
		struct weave_report report = { 0 };

		w->job.in = m->pairs[i].in;
		w->job.out = NULL;
		w->progress = cli_progress_begin(w->cli, "looking", true);
		enum jw_status status = weave_archive(&w->job, &arena, &report, e);
		cli_progress_end(&w->progress);
		for (size_t r = 0; status == JW_OK && r < rules_count(w->rules); r++)
			w->used[r] |= report.rule_used && report.rule_used[r];
		jw_arena_free(&arena);
		JW_TRY(status);
	}
	JW_TRY(cli_weave_judge(w, w->used, "all inputs", true, e));
	memset(w->used, 0, rules_count(w->rules) * sizeof(*w->used));
	return JW_OK;
}

static bool may_refuse(const struct cli_weave *w)
{
	for (size_t i = 0; i < rules_count(w->rules); i++)
		if (rules_rule(w->rules, i)->on_unmatched == RULES_UNMATCHED_ERROR)
			return true;
	return cli_given(w->cli, CLI_OPT_fail_on_unmatched);
}

static enum jw_status weave_pair(struct many *m, const struct pair *pair, struct jw_err *e)
{
	if (pair->out)
		JW_TRY(make_folders(m->arena, pair->out, e));
	return cli_weave_one(m->w, pair->in, pair->out, e);
}

static enum jw_status weave_all(struct many *m, struct jw_err *e)
{
	enum jw_status first = JW_OK;
	size_t failed = 0;

	for (size_t i = 0; i < m->count; i++) {
		enum jw_status status = weave_pair(m, &m->pairs[i], e);

		if (status == JW_OK)
			continue;
		cli_error(m->w->cli, e->text);
		first = first == JW_OK ? status : first;
		failed++;
	}
	e->text[0] = '\0';
	if (failed && m->count > 1)
		(void)jw_fail(e, first, "%zu of %s failed", failed,
			      cli_plural(m->arena, m->count, "input", "inputs"));
	e->status = first;
	return first;
}

static enum jw_status list_deps(struct many *m, struct jw_err *e)
{
	const char **deps = JW_NEW_ARRAY(m->arena, const char *, 2 * m->count + 1);

	if (!deps)
		return jw_nomem(e);
	for (size_t i = 0; m->folder && i < m->count; i++) {
		deps[2 * i] = m->pairs[i].out;
		deps[2 * i + 1] = m->pairs[i].in;
	}
	m->w->deps = deps;
	return JW_OK;
}

static enum jw_status check_folder(const char *folder, struct jw_err *e)
{
	if (strcmp(folder, "-") == 0)
		return jw_fail(e, JW_USAGE, "-o needs a folder, not standard output");
	if (cli_exists(folder) && !cli_is_folder(folder))
		return jw_fail(e, JW_USAGE, "-o needs a folder: '%s' is a file", folder);
	if (cli_is_archive_name(folder) && !cli_exists(folder))
		return jw_fail(e, JW_USAGE,
			       "-o needs a folder, and '%s' is an archive's name: for one input, "
			       "jweave IN RULES OUT",
			       folder);
	return JW_OK;
}

/* The inputs of the command line, with an output each. */
static enum jw_status gather(struct many *m, struct jw_err *e)
{
	const struct cli_args *args = &m->w->cli->args;

	if (m->folder)
		JW_TRY(check_folder(m->folder, e));
	for (size_t i = 0; i < args->operand_count; i++)
		JW_TRY(add_input(m, args->operands[i], e));
	return m->folder ? check_distinct(m, e) : JW_OK;
}

enum jw_status cli_weave_many(struct cli_weave *w, const char *folder, struct jw_err *e)
{
	struct many m = { .w = w, .arena = &w->cli->arena, .folder = folder };

	JW_TRY(gather(&m, e));
	JW_TRY(cli_weave_begin(w, e));
	JW_TRY(look_in_all(&m, e));
	bool judged = may_refuse(w);
	if (judged)
		JW_TRY(rehearse(&m, e));
	jw_put_str(&w->reports, "[");
	JW_TRY(weave_all(&m, e));
	jw_put_str(&w->reports, "]\n");
	JW_TRY(cli_weave_judge(w, w->used, "all inputs", false, e));
	JW_TRY(list_deps(&m, e));
	return cli_side_commit(w, w->deps, e);
}
