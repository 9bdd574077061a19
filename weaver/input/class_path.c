#include "weaver/input/class_path.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/banned.h"

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool is_jar(const char *name)
{
	size_t n = strlen(name);

	return n > 4 && (strcmp(name + n - 4, ".jar") == 0 || strcmp(name + n - 4, ".JAR") == 0);
}

struct path_parts {
	struct jw_arena *arena;
	enum jw_status (*each)(void *ctx, const char *path, struct jw_err *e);
	void *ctx;
};

/* Every jar in FOLDER. */
static enum jw_status each_jar(const struct path_parts *p, const char *folder, struct jw_err *e)
{
	struct jw_buf names = { 0 };
	enum jw_status status;
	DIR *dir = folder ? opendir(folder) : NULL;
	const char **list;

	if (!folder)
		return jw_nomem(e);
	if (!dir)
		return p->each(p->ctx, folder, e);
	for (struct dirent *d = readdir(dir); d; d = readdir(dir)) {
		const char *path = is_jar(d->d_name)
					   ? jw_arena_fmt(p->arena, "%s/%s", folder, d->d_name)
					   : NULL;

		if (path)
			jw_put_bytes(&names, jw_span(&path, sizeof path));
	}
	closedir(dir);
	status = jw_buf_finish(&names, "class path", e);
	list = (const char **)(void *)names.p;
	if (status == JW_OK && names.n > 0)
		qsort(list, names.n / sizeof *list, sizeof *list, by_name);
	for (size_t i = 0; status == JW_OK && i < names.n / sizeof *list; i++)
		status = p->each(p->ctx, list[i], e);
	jw_buf_free(&names);
	return status;
}

enum jw_status weave_class_path_parts(const char *text, struct jw_arena *arena,
				      enum jw_status (*each)(void *ctx, const char *path,
							     struct jw_err *e),
				      void *ctx, struct jw_err *e)
{
	const struct path_parts p = { arena, each, ctx };

	for (;;) {
		size_t n = strcspn(text, ":");
		const char *part = n ? jw_arena_str(arena, jw_span(text, n)) : ".";

		if (!part)
			return jw_nomem(e);
		if (strcmp(part, "*") == 0)
			JW_TRY(each_jar(&p, ".", e));
		else if (n > 1 && strcmp(part + n - 2, "/*") == 0)
			JW_TRY(each_jar(&p, jw_arena_fmt(arena, "%.*s", (int)n - 2, part), e));
		else
			JW_TRY(each(ctx, part, e));
		if (!text[n])
			return JW_OK;
		text += n + 1;
	}
}
