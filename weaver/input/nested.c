#include "weaver/input/nested.h"

#include <string.h>

#include "base/banned.h"

enum jw_status weave_nested_set(struct weave_nested *nested, const char *text,
				struct jw_arena *arena, struct jw_err *e)
{
	struct weave_nested set = { .none = text && strcmp(text, "none") == 0 };
	struct jw_err why = { 0 };
	enum jw_status status = JW_OK;

	set.some = text && !set.none && strcmp(text, "all") != 0;
	if (set.some)
		status = rules_glob_compile(jw_span_str(text), RULES_GLOB_PATH, arena, &set.glob,
					    NULL, &why);
	if (status == JW_NOMEM)
		return jw_nomem(e);
	if (status != JW_OK)
		return jw_fail(e, JW_USAGE, "--nested=%s: %s", text, why.text);
	*nested = set;
	return JW_OK;
}

bool weave_wants_nested(const struct weave_nested *nested, struct jw_span path)
{
	return !nested->none && (!nested->some || rules_glob_match(&nested->glob, path));
}

enum jw_status weave_err_inside(const char *prefix, struct jw_err *e)
{
	size_t n = strlen(prefix);

	return n ? jw_err_where(e, "%.*s", (int)(n - (sizeof("!/") - 1)), prefix) : e->status;
}

bool weave_is_about_input(enum jw_status status)
{
	return status == JW_INPUT || status == JW_LIMIT || status == JW_UNSUPPORTED ||
	       status == JW_BUG;
}
