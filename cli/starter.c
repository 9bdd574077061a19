#include "cli/starter.h"

#include <ctype.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "cli/safe_text.h"
#include "trace/format/fields.h"

#include "base/banned.h"

bool cli_can_match(const char *name, const char *also)
{
	for (; *name; name++)
		if (!rules_is_literal((unsigned char)*name) && !strchr(also, *name))
			return false;
	return true;
}

/* PACKAGE as part of a pattern. What patterns, JSON or terminals take for something else, or cannot
 * say, is any character there. */
static void put_pattern(struct jw_buf *out, struct jw_span package)
{
	for (size_t pos = 0; pos < package.n;) {
		uint32_t c = trace_utf8_next(package, &pos);
		bool odd = !rules_is_literal(c) || jw_harmful(c) || c == TRACE_REPLACEMENT;

		jw_put_utf8(out, odd ? '?' : c);
	}
}

/* Can PACKAGE be the id of a rule, and is none of another one ("rule-7": the seventh, when it has
 * no id)? */
static bool is_id(struct jw_span package)
{
	if (package.n == 0 || jw_span_eq_str(package, "unnamed") ||
	    jw_span_eq_str(package, "boring") || jw_span_eq_str(package, "foreign") ||
	    jw_span_eq_str(package, "relocated"))
		return false;
	for (size_t i = 0; i < package.n; i++) {
		uint8_t c = package.p[i];

		if (i == 0 ? !isalpha(c) : !isalnum(c) && c != '_' && c != '.')
			return false;
	}
	return true;
}

void cli_starter_rule(struct jw_span package, bool deeper, struct jw_buf *out)
{
	const char *all = package.n == 0 ? "*" : deeper ? ".**" : ".*";

	jw_put_str(out, "{ ");
	if (package.n == 0 || is_id(package)) {
		jw_put_str(out, "\"id\": \"");
		jw_put_bytes(out, package.n ? package : JW_SPAN_LIT("unnamed"));
		jw_put_str(out, "\", ");
	}
	jw_put_str(out, "\"match\": \"");
	put_pattern(out, package);
	jw_put_fmt(out, "%s\" }", all);
}

void cli_starter_relocated(struct cli_counted_root *const *roots, struct jw_buf *out)
{
	jw_put_str(out,
		   "{ \"id\": \"relocated\", \"action\": \"skip\", \"onUnmatched\": \"ignore\",\n"
		   "      \"match\": [");
	for (size_t i = 0; roots[i]; i++) {
		jw_put_str(out, i ? ", \"" : "\"");
		put_pattern(out, jw_span_str(roots[i]->name));
		jw_put_str(out, ".**\"");
	}
	jw_put_str(out, "] }");
}

void cli_starter_notify(struct jw_span within, struct jw_buf *out)
{
	static const struct {
		const char *id, *method;
	} ends[] = { { "notify-one", "notify" }, { "notify-all", "notifyAll" } };

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		jw_put_fmt(out, "%s{ ", i ? ",\n    " : "");
		if (!within.n) /* there may be more of the others */
			jw_put_fmt(out, "\"id\": \"%s\", ", ends[i].id);
		jw_put_str(out, "\"on\": \"call\", \"onUnmatched\": \"ignore\",\n      ");
		if (within.n) {
			jw_put_str(out, "\"within\": ");
			jw_put_json(out, within);
			jw_put_str(out, ",\n      ");
		}
		jw_put_fmt(out,
			   "\"select\": { \"method\": \"%s\", \"returns\": \"void\", "
			   "\"params\": [] },\n"
			   "      \"event\": { \"type\": \"monitor\", \"value\": \"%s\" } }",
			   ends[i].method, ends[i].method);
	}
}
