/*
 * each_class.h: looks at every class of an input, in the order of the archive (names in order in a
 * folder), and writes nothing. An input that is too much work is refused first (work_limit.h).
 */
#ifndef JW_WEAVER_EACH_CLASS_H
#define JW_WEAVER_EACH_CLASS_H

#include <stdbool.h>

#include "base/bytes.h"
#include "base/status.h"

struct weave_input {
	const char *path;            /* an archive, a folder, a class; "-": standard input */
	const struct jw_span *bytes; /* of that file when it is open already, or NULL */
	const char *nested;          /* archives inside: see weave_nested_set() */
	bool no_limits;
};

/* Takes the BYTES of the class that is called ENTRY in the input; another status than JW_OK ends the
 * look and comes back. */
typedef enum jw_status weave_take_class(void *ctx, struct jw_span entry, struct jw_span bytes,
					struct jw_err *e);

enum jw_status JW_MUST_USE weave_each_class_of(const struct weave_input *in, weave_take_class *take,
					       void *ctx, struct jw_err *e);

/* The same of PATH, with all archives inside. */
enum jw_status JW_MUST_USE weave_each_class(const char *path, bool no_limits,
					    weave_take_class *take, void *ctx, struct jw_err *e);

#endif
