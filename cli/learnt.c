#include "cli/learnt.h"

#include <dirent.h>
#include <string.h>
#include <unistd.h>

#include "base/checksum.h"
#include "base/file.h"
#include "base/json.h"
#include "cli/out.h"
#include "cli/safe_text.h"
#include "cli/starter.h"

#include "base/banned.h"

#define PREFIX ".learnt-"

enum { FILE_MAX = 4 << 20, METHODS_MAX = 20000 };

bool cli_learnt_key(const char *path, uint64_t *key)
{
	struct jw_file file = { 0 };
	struct jw_err ignored = { 0 };

	if (jw_file_open(path, 0, &file, &ignored) != JW_OK)
		return false;
	*key = jw_checksum64(file.bytes, 1);
	jw_file_close(&file);
	return true;
}

/* Can a rule name it? (A line of the file then can, too.) */
static bool is_method(struct trace_small_method m)
{
	return *m.class_name && *m.name && *m.descriptor == '(' &&
	       cli_can_match(m.class_name, "") && cli_can_match(m.name, "<>") &&
	       cli_can_match(m.descriptor, "/;[()");
}

static bool is_same(struct trace_small_method a, struct trace_small_method b)
{
	return strcmp(a.name, b.name) == 0 && strcmp(a.class_name, b.class_name) == 0 &&
	       strcmp(a.descriptor, b.descriptor) == 0;
}

enum jw_status cli_learnt_add(struct cli_learnt *learnt, struct jw_arena *arena,
			      struct trace_small_method method, struct jw_err *e)
{
	if (!is_method(method) || learnt->count == METHODS_MAX)
		return JW_OK;
	for (size_t i = 0; i < learnt->count; i++)
		if (is_same(learnt->methods[i], method))
			return JW_OK;
	if (learnt->count == learnt->cap) {
		size_t cap = learnt->cap ? 2 * learnt->cap : 256;
		struct trace_small_method *more =
			JW_NEW_ARRAY(arena, struct trace_small_method, cap);

		if (!more)
			return jw_nomem(e);
		if (learnt->count)
			memcpy(more, learnt->methods, learnt->count * sizeof(*more));
		learnt->methods = more;
		learnt->cap = cap;
	}
	learnt->methods[learnt->count++] = method;
	learnt->fresh++;
	return JW_OK;
}

/* LINE ends with a null, and is cut up in place. */
static bool read_line(char *line, struct trace_small_method *out)
{
	char *name = strchr(line, '\t'), *descriptor = name ? strchr(name + 1, '\t') : NULL;

	if (!descriptor)
		return false;
	*name = *descriptor = '\0';
	*out = (struct trace_small_method){ line, name + 1, descriptor + 1 };
	return true;
}

enum jw_status cli_learnt_open(struct cli_learnt *learnt, const struct cli_cache *cache,
			       uint64_t key, struct jw_err *e)
{
	struct jw_file file = { 0 };
	struct jw_err ignored = { 0 };

	*learnt = (struct cli_learnt){ 0 };
	learnt->path = jw_arena_fmt(cache->arena, "%s/" PREFIX "%016llx", cache->root,
				    (unsigned long long)key);
	if (!learnt->path)
		return jw_nomem(e);
	if (jw_file_open(learnt->path, FILE_MAX, &file, &ignored) != JW_OK)
		return JW_OK;
	char *text = jw_arena_str(cache->arena, file.bytes), *end;
	enum jw_status status = text ? JW_OK : jw_nomem(e);
	jw_file_close(&file);
	for (; status == JW_OK && (end = strchr(text, '\n')); text = end + 1) {
		struct trace_small_method method;

		*end = '\0';
		if (read_line(text, &method))
			status = cli_learnt_add(learnt, cache->arena, method, e);
	}
	learnt->fresh = 0;
	return status;
}

void cli_learnt_put(const struct cli_learnt *learnt, struct jw_buf *rules)
{
	if (!learnt->count)
		return;
	jw_put_str(rules,
		   "{ \"id\": \"learnt\", \"action\": \"skip\", \"onUnmatched\": \"ignore\", "
		   "\"match\": [");
	for (size_t i = 0; i < learnt->count; i++) {
		const struct trace_small_method *m = &learnt->methods[i];
		struct jw_buf line = { 0 };

		jw_put_fmt(&line, "%s#", m->class_name);
		cli_put_method(&line, jw_span_str(m->name), jw_span_str(m->descriptor));
		jw_put_str(rules, i ? ",\n      " : "\n      ");
		jw_put_json(rules, jw_buf_span(&line));
		if (line.failed != JW_OK)
			rules->failed = line.failed;
		jw_buf_free(&line);
	}
	jw_put_str(rules, " ] }");
}

enum jw_status cli_learnt_save(struct cli_learnt *learnt, struct jw_err *e)
{
	struct jw_buf text = { 0 };

	if (!learnt->path || !learnt->fresh)
		return JW_OK;
	for (size_t i = 0; i < learnt->count; i++)
		jw_put_fmt(&text, "%s\t%s\t%s\n", learnt->methods[i].class_name,
			   learnt->methods[i].name, learnt->methods[i].descriptor);
	enum jw_status status = jw_buf_finish(&text, "learnt methods", e);

	if (status == JW_OK)
		status = cli_write_file(learnt->path, 0600, jw_buf_span(&text), e);
	jw_buf_free(&text);
	if (status == JW_OK)
		learnt->fresh = 0;
	return status;
}

void cli_learnt_forget(struct cli_learnt *learnt)
{
	if (learnt->path)
		unlink(learnt->path);
	learnt->count = learnt->fresh = 0;
}

void cli_learnt_forget_all(const struct cli_cache *cache)
{
	DIR *dir = opendir(cache->root);
	const struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		const char *path = jw_arena_fmt(cache->arena, "%s/%s", cache->root, entry->d_name);

		if (path && strncmp(entry->d_name, PREFIX, strlen(PREFIX)) == 0)
			unlink(path);
	}
	if (dir)
		closedir(dir);
}
