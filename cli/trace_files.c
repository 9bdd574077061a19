/*
 * trace_files.c: see trace_files.h.
 */
#include <string.h>

#include "cli/out.h"
#include "cli/safe_text.h"
#include "cli/trace_files.h"
#include "trace/report/info.h"

#include "base/banned.h"

#define MAX_BESIDE ((size_t)1 << 30) /* bytes of a .pcf or .row */

bool cli_is_trace_name(const char *path)
{
	return cli_ends(path, ".prv") || cli_ends(path, ".prv.gz");
}

bool cli_is_trace(const char *path)
{
	return cli_is_trace_name(path) && !trace_is_recording(path);
}

const char *cli_bare_name(struct jw_arena *arena, const char *path)
{
	static const char *const ends[] = { ".prv.gz", ".prv", ".jwr" };
	struct jw_span name = jw_span_str(path);

	while (name.n > 1 && name.p[name.n - 1] == '/')
		name.n--;
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		struct jw_span end = jw_span_str(ends[i]);

		if (name.n > end.n && jw_span_ends(name, end))
			return jw_arena_str(arena, jw_span_sub(name, 0, name.n - end.n));
	}
	return jw_arena_str(arena, name);
}

/* WHY: what is wrong where there is none; JW_OK: nothing. */
static enum jw_status open_beside(struct cli *cli, const char *path, const char *suffix,
				  struct jw_file *out, struct jw_err *why, struct jw_err *e)
{
	struct jw_span base = jw_span_str(path);

	base.n -= strlen(cli_ends(path, ".gz") ? ".prv.gz" : ".prv");
	const char *name =
		jw_arena_fmt(&cli->arena, "%.*s%s", (int)base.n, (const char *)base.p, suffix);

	*why = (struct jw_err){ 0 };
	if (!name)
		return jw_nomem(e);
	if (jw_file_open(name, MAX_BESIDE, out, why) != JW_OK)
		*out = (struct jw_file){ 0 };
	return JW_OK;
}

enum jw_status cli_open_beside_quietly(struct cli *cli, const char *path, const char *suffix,
				       struct jw_file *out, struct jw_err *e)
{
	struct jw_err why;

	return open_beside(cli, path, suffix, out, &why, e);
}

enum jw_status cli_open_beside(struct cli *cli, const char *path, const char *suffix,
			       struct jw_file *out, struct jw_err *e)
{
	struct jw_err why;

	JW_TRY(open_beside(cli, path, suffix, out, &why, e));
	if (why.status != JW_OK)
		cli_warn(cli, "%s: names are shown as numbers", why.text);
	return JW_OK;
}
