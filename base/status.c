#include "base/status.h"

#include <stdio.h>
#include <string.h>

#include "base/banned.h"

static void cut_mark(char *text, size_t size, int wanted)
{
	if (wanted >= 0 && (size_t)wanted >= size)
		memcpy(text + size - 4, "...", 4);
}

JW_PRINTF(3, 0)
static enum jw_status fail_v(struct jw_err *e, enum jw_status status, const char *fmt, va_list ap)
{
	if (e) {
		e->status = status;
		cut_mark(e->text, sizeof(e->text), vsnprintf(e->text, sizeof(e->text), fmt, ap));
	}
	return status;
}

enum jw_status jw_fail(struct jw_err *e, enum jw_status status, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fail_v(e, status, fmt, ap);
	va_end(ap);
	return status;
}

enum jw_status jw_fail_errno(struct jw_err *e, int errnum, const char *fmt, ...)
{
	char reason[128];
	va_list ap;

	if (!e)
		return JW_IO;
	va_start(ap, fmt);
	fail_v(e, JW_IO, fmt, ap);
	va_end(ap);
	size_t used = strlen(e->text), room = sizeof(e->text) - used;
	if (strerror_r(errnum, reason, sizeof(reason)) != 0)
		snprintf(reason, sizeof(reason), "error %d", errnum);
	cut_mark(e->text, sizeof(e->text),
		 (int)used + snprintf(e->text + used, room, ": %s", reason));
	return JW_IO;
}

enum jw_status jw_err_where(struct jw_err *e, const char *fmt, ...)
{
	char message[JW_ERR_TEXT];
	va_list ap;

	if (!e)
		return JW_BUG;
	memcpy(message, e->text, sizeof(message));
	va_start(ap, fmt);
	int place = vsnprintf(e->text, sizeof(e->text), fmt, ap);
	va_end(ap);
	if (place < 0 || (size_t)place >= sizeof(e->text) / 2)
		place = (int)strlen(e->text) < JW_ERR_TEXT / 2 ? (int)strlen(e->text)
							       : JW_ERR_TEXT / 2;
	cut_mark(e->text, sizeof(e->text),
		 place + snprintf(e->text + place, sizeof(e->text) - (size_t)place, ": %s",
				  message));
	return e->status;
}

enum jw_status jw_nomem(struct jw_err *e)
{
	return jw_fail(e, JW_NOMEM, "out of memory");
}

const char *jw_status_name(enum jw_status status)
{
	static const char *const names[] = {
#define JW_STATUS_NAME(name, exit_status, text) #name,
		JW_STATUS_LIST(JW_STATUS_NAME)
#undef JW_STATUS_NAME
	};

	return (size_t)status < sizeof(names) / sizeof(names[0]) ? names[status] : "?";
}

int jw_status_exit(enum jw_status status)
{
	static const int exits[] = {
#define JW_STATUS_EXIT(name, exit_status, text) exit_status,
		JW_STATUS_LIST(JW_STATUS_EXIT)
#undef JW_STATUS_EXIT
	};

	return (size_t)status < sizeof(exits) / sizeof(exits[0]) ? exits[status] : 1;
}
