/*
 * status.h: how a function of jweave says that it failed.
 *
 * A fallible function returns `enum jw_status` and takes a `struct jw_err *` as its last argument.
 * JW_OK is zero. On any other value the error holds one message, written where most is known; the
 * callers above add where it happened: jw_err_where() prepends "FILE!ENTRY: " and the like. Outputs
 * are written on success only.
 *
 * Messages: lower case, no full stop, the subject in quotes, a limit with its number
 * ("too many constants (limit is 65535)"), and, where there is something to do, what to do.
 */
#ifndef JW_BASE_STATUS_H
#define JW_BASE_STATUS_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* X(name, process exit status, what it is) : the exit statuses are those of the command line. */
#define JW_STATUS_LIST(X)                                \
	X(OK, 0, "no error")                             \
	X(NOMEM, 1, "out of memory")                     \
	X(IO, 1, "input or output failed")               \
	X(USAGE, 2, "wrong use of the command line")     \
	X(RULES, 3, "wrong rules file")                  \
	X(INPUT, 4, "input not usable")                  \
	X(LIMIT, 4, "a limit of the format was reached") \
	X(UNSUPPORTED, 4, "not supported")               \
	X(POLICY, 5, "refused by an option of the user") \
	X(BUG, 1, "a bug in jweave")

enum jw_status {
#define JW_STATUS_ENUM(name, exit_status, text) JW_##name,
	JW_STATUS_LIST(JW_STATUS_ENUM)
#undef JW_STATUS_ENUM
};

#define JW_MUST_USE          __attribute__((warn_unused_result))
#define JW_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

/* The plural ending of a word after N: "%zu byte%s". */
static inline const char *jw_s(unsigned long long n)
{
	return n == 1 ? "" : "s";
}

#define JW_ERR_TEXT 1024

/* One error: the latest message, after its places. Zero-initialise it ({0}). */
struct jw_err {
	enum jw_status status;
	bool no_reader;         /* a write to standard output failed since its reader is gone */
	char text[JW_ERR_TEXT]; /* always terminated; what is longer loses its middle ("...") */
};

/* Sets E to STATUS and the message of FMT, and returns STATUS. E may be NULL. */
enum jw_status jw_fail(struct jw_err *e, enum jw_status status, const char *fmt, ...)
	JW_PRINTF(3, 4);

/* jw_fail() with JW_IO and ": strerror(errnum)" after the message. */
enum jw_status jw_fail_errno(struct jw_err *e, int errnum, const char *fmt, ...) JW_PRINTF(3, 4);

/* jw_fail_errno() for a write to standard output. */
enum jw_status jw_fail_stdout(struct jw_err *e, int errnum, const char *fmt, ...) JW_PRINTF(3, 4);

/* Puts the place of FMT and ": " before E's message. Returns E's status (for `return`). */
enum jw_status jw_err_where(struct jw_err *e, const char *fmt, ...) JW_PRINTF(2, 3);

/* jw_fail(JW_NOMEM): what every failed allocation returns. */
enum jw_status jw_nomem(struct jw_err *e);

#ifdef __clang_analyzer__ /* clang-tidy: a failure is never JW_OK */
static inline enum jw_status jw_failed(enum jw_status status)
{
	if (status == JW_OK)
		__builtin_unreachable();
	return status;
}
#define jw_fail(...)        jw_failed((jw_fail)(__VA_ARGS__))
#define jw_fail_errno(...)  jw_failed((jw_fail_errno)(__VA_ARGS__))
#define jw_fail_stdout(...) jw_failed((jw_fail_stdout)(__VA_ARGS__))
#define jw_nomem(e)         jw_failed((jw_nomem)(e))
#endif

/* A state that is impossible: returned like any error, so that one class or jar fails, not the run.
 */
#define jw_bug(e, what) \
	jw_fail((e), JW_BUG, "bug: %s (%s:%d), please report", (what), __FILE__, __LINE__)

/* The name ("INPUT") and the process exit status of STATUS. */
const char *jw_status_name(enum jw_status status);
int jw_status_exit(enum jw_status status);

/* Returns the status of EXPR from the calling function unless it is JW_OK. */
#define JW_TRY(expr)                                    \
	do {                                            \
		enum jw_status jw_try_status_ = (expr); \
		if (jw_try_status_ != JW_OK)            \
			return jw_try_status_;          \
	} while (0)

#endif
