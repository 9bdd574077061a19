/*
 * untraced.h: methods that a trace names though nobody traced them: those in which threads waited, or made a
 * call that is traced. Who asks for one by name is told so.
 */
#ifndef JW_TRACE_NAMES_UNTRACED_H
#define JW_TRACE_NAMES_UNTRACED_H

#include "base/bytes.h"
#include "base/memory.h"

/* Is METHOD ("Short.method") one that PATTERN may mean, which is a match line ("com.acme.Short#method(int)"), or
 * as reports print methods? Packages and types are not compared. */
bool trace_untraced_is(const char *pattern, const char *method);
/* The method in LABEL of a place ("Short.method (File.java:1)") or a call site ("call in Short.method (..)"), in ARENA,
 * if PATTERN may mean it; NULL: it does not, or there is no memory. */
const char *trace_untraced(struct jw_arena *arena, const char *pattern, struct jw_span label);
/* What is said of it: a format of one name. */
#define TRACE_UNTRACED                                                                       \
	"%s was seen only where threads waited, or made a call: the rules did not trace it " \
	"(jweave run -r 'match:CLASS#METHOD')"

#endif
