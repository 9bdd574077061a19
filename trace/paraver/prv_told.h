/*
 * prv_told.h: what the .pcf beside a .prv says of captures, events of the program's own, and names of
 * threads and links, so that an output can be told of them as of recordings.
 *
 *     {0} -> read -> capture, names .. -> free
 *
 * A .prv has captures as events of a type of their own, of which the label ends with the number of the
 * type, " (48121947)", after a mark if they are objects (numbers.h). Others that have no values by
 * name are numbers. Where 0 is TRACE_PCF_NOT_HELD they hold: numbers, if each is called one less than it
 * is, else texts. Older traces have "End" for 0: there texts do not hold, and those that are null are
 * left out.
 */
#ifndef JW_TRACE_PARAVER_PRV_TOLD_H
#define JW_TRACE_PARAVER_PRV_TOLD_H

#include "base/memory.h"
#include "base/operations.h"
#include "base/status.h"
#include "trace/output.h"

struct trace_prv_types;

struct trace_prv_capture {
	struct jw_capture what;
	uint32_t place; /* among those of texts: numbers of texts are of one type each */
	bool has_null;  /* 0 is a value, and not only the end of one */
};

/* What VALUE of the .prv is, as outputs are told it. */
static inline uint64_t trace_prv_captured(const struct trace_prv_capture *c, uint64_t value)
{
	if (c->what.hold && jw_capture_is_number(&c->what))
		return value ? value - 1 : 0;
	return jw_capture_is_text(&c->what) && value ? (uint64_t)c->place << 32 | value : value;
}

struct trace_prv_told {
	struct jw_arena arena;
	struct trace_prv_capture *captures; /* in the arena, by type; so below */
	size_t capture_count;
	struct trace_names names;
};

/* PCF need not live as long. TYPES: those that are no captures and not the program's own. */
enum jw_status JW_MUST_USE trace_prv_told_read(struct trace_prv_told *told, struct jw_span pcf,
					       const struct trace_prv_types *types,
					       struct jw_err *e);
/* LABEL, of TYPE, as the rules or the program have it. */
struct jw_span trace_prv_told_label(struct jw_span label, uint64_t type);
/* NULL: TYPE is no capture. */
const struct trace_prv_capture *trace_prv_told_capture(const struct trace_prv_told *told,
						       uint64_t type);
void trace_prv_told_free(struct trace_prv_told *told);

#endif
