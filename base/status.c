#include "base/status.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/banned.h"

/* as macros they are for clang-tidy alone */
#undef jw_fail
#undef jw_fail_errno
#undef jw_fail_stdout
#undef jw_nomem

enum { WHOLE = 6144 }; /* a path of PATH_MAX and a message about it */

static void cut_mark(char *text, size_t size, int wanted)
{
	if (wanted >= 0 && (size_t)wanted >= size)
		memcpy(text + size - 4, "...", 4);
}

/* WHOLE into TEXT; if it is too long it loses its middle, since it begins with where and ends with
 * why. */
static void fit(char text[JW_ERR_TEXT], const char *whole)
{
	const size_t head = JW_ERR_TEXT / 3, tail = JW_ERR_TEXT - 1 - 3 - head;
	size_t n = strlen(whole);

	if (n < JW_ERR_TEXT) {
		memcpy(text, whole, n + 1);
		return;
	}
	memcpy(text, whole, head);
	memset(text + head, '.', 3);
	memcpy(text + head + 3, whole + n - tail, tail + 1);
}

/* Makes the message of FMT that of E and, unless it is NULL, ": TAIL"; TAIL may be E's own text. */
JW_PRINTF(3, 0)
static void say(struct jw_err *e, const char *tail, const char *fmt, va_list ap)
{
	char whole[WHOLE + JW_ERR_TEXT + 2];

	cut_mark(whole, WHOLE, vsnprintf(whole, WHOLE, fmt, ap));
	if (tail) {
		size_t used = strlen(whole);

		snprintf(whole + used, sizeof(whole) - used, ": %s", tail);
	}
	fit(e->text, whole);
}

enum jw_status jw_fail(struct jw_err *e, enum jw_status status, const char *fmt, ...)
{
	va_list ap;

	if (!e)
		return status;
	va_start(ap, fmt);
	say(e, NULL, fmt, ap);
	va_end(ap);
	e->status = status;
	e->no_reader = false;
	return status;
}

JW_PRINTF(3, 0)
static enum jw_status fail_errno(struct jw_err *e, int errnum, const char *fmt, va_list ap)
{
	char reason[128];

	if (!e)
		return JW_IO;
	if (strerror_r(errnum, reason, sizeof(reason)) != 0)
		snprintf(reason, sizeof(reason), "error %d", errnum);
	say(e, reason, fmt, ap);
	e->status = JW_IO;
	e->no_reader = false;
	return JW_IO;
}

enum jw_status jw_fail_errno(struct jw_err *e, int errnum, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	enum jw_status status = fail_errno(e, errnum, fmt, ap);
	va_end(ap);
	return status;
}

enum jw_status jw_fail_stdout(struct jw_err *e, int errnum, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	enum jw_status status = fail_errno(e, errnum, fmt, ap);
	va_end(ap);
	if (e)
		e->no_reader = errnum == EPIPE;
	return status;
}

enum jw_status jw_err_where(struct jw_err *e, const char *fmt, ...)
{
	va_list ap;

	if (!e)
		return JW_BUG;
	va_start(ap, fmt);
	say(e, e->text, fmt, ap);
	va_end(ap);
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
