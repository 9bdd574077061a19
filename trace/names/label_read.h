/*
 * label_read.h: from a label back to the class, name and descriptor of a method.
 */
#ifndef JW_TRACE_LABEL_READ_H
#define JW_TRACE_LABEL_READ_H

#include <stdbool.h>

#include "base/memory.h"

struct trace_method_words {
	const char *class_name, *name, *descriptor; /* "" each where unknown; the class with dots */
};

/* Those of what has such a LABEL: all "" where it does not say the class and the name, the descriptor
 * where its types are cut. False: no memory. */
bool trace_label_read(struct jw_arena *arena, const char *label, struct trace_method_words *out);

#endif
