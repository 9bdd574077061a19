#include "weaver/class/body.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/banned.h"

enum { DETAIL_MAX = 256 };

enum jw_status weave_leave(struct weave_body *b, enum weave_skip reason, struct jw_err *e,
			   const char *fmt, ...)
{
	char text[DETAIL_MAX] = "";
	va_list ap;

	if (fmt) {
		va_start(ap, fmt);
		vsnprintf(text, sizeof(text), fmt, ap);
		va_end(ap);
		b->detail = jw_arena_str(b->arena, jw_span_str(text));
		if (!b->detail)
			return jw_nomem(e);
	}
	b->skip = reason;
	return JW_UNSUPPORTED;
}

enum jw_status weave_blame(struct weave_body *b, enum weave_skip reason, enum jw_status status,
			   struct jw_err *e)
{
	if (status == JW_OK || status == JW_NOMEM || status == JW_BUG)
		return status;
	return weave_leave(b, reason, e, "%s", e->text);
}
