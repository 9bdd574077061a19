/*
 * pcf_types.c: every EVENT_TYPE of a .pcf, and which there are so far.
 */
#include "trace/paraver/pcf_types.h"
#include "trace/replay/method_numbers.h"

#include "base/banned.h"

static bool add(struct trace_methods *set, uint64_t id)
{
	return trace_methods_number(set, id) != TRACE_NO_METHOD;
}

static bool has(const struct trace_methods *set, uint64_t id)
{
	return trace_methods_known(set, id) != TRACE_NO_METHOD;
}

void trace_pcf_type(struct trace_pcf *pcf, uint32_t type, struct jw_span label)
{
	jw_put_fmt(pcf->out, "EVENT_TYPE\n0    %u    ", type);
	jw_put_bytes(pcf->out, label);
	jw_put_str(pcf->out, "\n");
	if (!add(&pcf->types, type) || !add(&pcf->labels, jw_hash64(label, 0)))
		pcf->out->failed = JW_NOMEM;
}

bool trace_pcf_has_type(const struct trace_pcf *pcf, uint32_t type)
{
	return has(&pcf->types, type);
}

bool trace_pcf_has_label(const struct trace_pcf *pcf, struct jw_span label)
{
	return has(&pcf->labels, jw_hash64(label, 0));
}

void trace_pcf_free(struct trace_pcf *pcf)
{
	trace_methods_free(&pcf->types);
	trace_methods_free(&pcf->labels);
}
