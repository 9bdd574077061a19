/*
 * many.c: jweave -r RULES -o OUTDIR IN...: many inputs, or whole trees of archives.
 *
 * An input keeps its name: OUTDIR/NAME. A folder without a class file outside of archives is a
 * tree: each archive in it is an input of its own, and keeps its path: OUTDIR/FOLDER/PATH. Other
 * files of a tree are not copied. Links to files are followed, links to folders are not.
 *
 * Types that an input lacks are looked for in the others, too.
 *
 * One input that fails does not stop the others; the first failure is the status. Whether a rule
 * decides nothing is asked of all inputs together; where that can refuse, everything is woven once
 * into nowhere first, so that a refusal leaves nothing behind.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/weave.h"

#include "base/banned.h"

#define DEPTH_MAX 64

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

struct walk {
	struct many *m;
	const char *to;   /* output folder of the tree, NULL: nowhere */
	bool has_classes; /* then it is one input */
	size_t start;     /* pairs before it */
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

static enum jw_status walk_folder(struct walk *walk, const char *path, const char *relative,
				  unsigned depth, struct jw_err *e);

static enum jw_status walk_entry(struct walk *walk, const char *path, const char *relative,
				 unsigned depth, struct jw_err *e)
{
	struct many *m = walk->m;
	struct stat st;

	if (lstat(path, &st) != 0)
		return jw_fail_errno(e, errno, "cannot inspect '%s'", path);
	if (S_ISDIR(st.st_mode)) {
		if (m->folder && jw_same_file(path, m->folder))
			return JW_OK; /* what an earlier run wrote is no input */
		return walk_folder(walk, path, relative, depth + 1, e);
	}
	if (S_ISLNK(st.st_mode) && stat(path, &st) != 0)
		return JW_OK; /* a link to nothing */
	if (!S_ISREG(st.st_mode))
		return JW_OK;
	if (cli_ends(path, ".class"))
		walk->has_classes = true;
	if (!cli_is_archive_name(path))
		return JW_OK;
	const char *out = walk->to ? jw_arena_fmt(m->arena, "%s/%s", walk->to, relative) : NULL;
	if (walk->to && !out)
		return jw_nomem(e);
	return add_pair(m, path, out, e);
}

static enum jw_status walk_names(struct walk *walk, const char *path, const char *relative,
				 unsigned depth, struct dirent **names, int count, struct jw_err *e)
{
	struct jw_arena *arena = walk->m->arena;

	for (int i = 0; i < count; i++) {
		const char *name = names[i]->d_name;

		if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
			continue;
		const char *child = jw_arena_fmt(arena, "%s/%s", path, name);
		const char *below = *relative ? jw_arena_fmt(arena, "%s/%s", relative, name)
					      : jw_arena_fmt(arena, "%s", name);
		if (!child || !below)
			return jw_nomem(e);
		JW_TRY(walk_entry(walk, child, below, depth, e));
	}
	return JW_OK;
}

/* Byte order, whatever the locale. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static enum jw_status walk_folder(struct walk *walk, const char *path, const char *relative,
				  unsigned depth, struct jw_err *e)
{
	struct dirent **names = NULL;

	if (depth > DEPTH_MAX)
		return jw_fail(e, JW_LIMIT, "'%s': folders nest too deep (limit is %d)", path,
			       DEPTH_MAX);
	int count = scandir(path, &names, NULL, by_name);
	if (count < 0)
		return jw_fail_errno(e, errno, "cannot read the folder '%s'", path);
	enum jw_status status = walk_names(walk, path, relative, depth, names, count, e);
	for (int i = 0; i < count; i++)
		(free)(names[i]); /* from libc, back to libc */
	(free)(names);
	return status;
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
	struct walk walk = { .m = m, .to = out, .start = m->count };
	JW_TRY(walk_folder(&walk, in, "", 0, e));
	if (!walk.has_classes && m->count > walk.start)
		return JW_OK;
	m->count = walk.start; /* one input: a class directory, with what lies in it */
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
	char *copy = jw_arena_str(arena, jw_span_str(path));

	if (!copy)
		return jw_nomem(e);
	for (char *slash = strchr(copy + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(copy, 0777) != 0 && errno != EEXIST)
			return jw_fail_errno(e, errno, "cannot make the folder '%s'", copy);
		if (!cli_is_folder(copy))
			return jw_fail(e, JW_IO, "'%s' is not a folder", copy);
		*slash = '/';
	}
	return JW_OK;
}

/* ---- the run ---- */

/* What one input lacks, another one may have: where rules ask for supertypes, all of them stand
 * behind the class path that was given. A name with a colon would be taken for two. */
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
			w->matches[r] += report.rule_matches ? report.rule_matches[r] : 0;
		jw_arena_free(&arena);
		JW_TRY(status);
	}
	JW_TRY(cli_weave_judge(w, w->matches, "all inputs", true, e));
	memset(w->matches, 0, rules_count(w->rules) * sizeof(*w->matches));
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
	JW_TRY(cli_weave_judge(w, w->matches, "all inputs", false, e));
	JW_TRY(list_deps(&m, e));
	return cli_side_commit(w, w->deps, e);
}
