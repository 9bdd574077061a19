/*
 * facts.c: see facts.h.
 */
#include "trace/engine/facts.h"

#include <string.h>

#include "base/banned.h"

/* Names and measures are numbered together. */
enum {
	FACT_ID = TRACE_ENGINE_ID,
	FACT_STAGE = TRACE_ENGINE_STAGE,
	FACT_PARTITION = TRACE_ENGINE_PARTITION,
	FACT_ATTEMPT = TRACE_ENGINE_ATTEMPT,
	FACT_NOTHING = TRACE_ENGINE_NOTHING,
	FACT_FAILED = TRACE_ENGINE_FAILED,
	FACT_CANCELLED = TRACE_ENGINE_CANCELLED,
#define FACT_ENUM(name, key, head, unit) FACT_##name = TRACE_ENGINE_NAMES + TRACE_MEASURE_##name,
	TRACE_MEASURE_LIST(FACT_ENUM)
#undef FACT_ENUM
};

const struct trace_measure_kind trace_measure_kinds[TRACE_MEASURES] = {
#define MEASURE_ROW(name, key, head, unit) { key, head, TRACE_MEASURE_##unit },
	TRACE_MEASURE_LIST(MEASURE_ROW)
#undef MEASURE_ROW
};

const struct trace_engine_fact trace_engine_facts[] = {
#define TRACE_FACT(label, fact, how, factor) { label, FACT_##fact, TRACE_FACT_##how, factor },
#include "trace/engine/facts.def"
};

const size_t trace_engine_fact_count = sizeof(trace_engine_facts) / sizeof(*trace_engine_facts);

_Static_assert(sizeof(trace_engine_facts) / sizeof(*trace_engine_facts) <= TRACE_FACTS_MOST,
	       "facts are bits");

uint64_t trace_engine_facts_of(const char *label)
{
	uint64_t bits = 0;

	for (size_t i = 0; label && i < trace_engine_fact_count; i++)
		if (strcmp(trace_engine_facts[i].label, label) == 0)
			bits |= UINT64_C(1) << i;
	return bits;
}

bool trace_engine_begins(const char *label)
{
	uint64_t facts = trace_engine_facts_of(label);

	for (size_t i = 0; i < trace_engine_fact_count; i++)
		if (facts >> i & 1 && trace_engine_facts[i].how == TRACE_FACT_BEGIN)
			return true;
	return false;
}
