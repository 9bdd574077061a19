/*
 * facts.h: what is known of a task of an engine, and by which captures (facts.def).
 */
#ifndef JW_TRACE_ENGINE_FACTS_H
#define JW_TRACE_ENGINE_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What names a task; those of a capture of texts are texts. */
enum trace_engine_name {
	TRACE_ENGINE_ID,
	TRACE_ENGINE_STAGE,
	TRACE_ENGINE_PARTITION,
	TRACE_ENGINE_ATTEMPT,
	TRACE_ENGINE_NOTHING, /* it begins a task, and says nothing of it */
	TRACE_ENGINE_FAILED,  /* as the engine says, whose code catches what is thrown; so below */
	TRACE_ENGINE_CANCELLED,
	TRACE_ENGINE_NAMES,
};

/* X(NAME, member of the JSON, head of its column, unit: ns, bytes or a count): what is measured.
 * ORDER: these facts come after those that are names. */
#define TRACE_MEASURE_LIST(X)                                                              \
	X(RUN_NS, "runNs", "run ms", NS) /* as the engine says */                          \
	X(CPU_NS, "cpuNs", "CPU ms", NS)                                                   \
	X(GC_NS, "engineGcNs", "engine GC ms", NS) /* as the engine says */                \
	X(FETCH_NS, "fetchNs", "fetch ms", NS)     /* waiting for what others have made */ \
	X(SPILL_NS, "spillNs", "spill ms", NS)                                             \
	X(WRITE_NS, "writeNs", "write ms", NS) /* what it makes, as the engine says */     \
	X(BYTES_IN, "bytesIn", "bytes in", BYTES)                                          \
	X(RECORDS_IN, "recordsIn", "records in", RECORDS)                                  \
	X(BYTES_OUT, "bytesOut", "bytes out", BYTES)                                       \
	X(RECORDS_OUT, "recordsOut", "records out", RECORDS)                               \
	X(SPILLED, "bytesSpilled", "spilled", BYTES)                                       \
	X(SPILLS, "spills", "spills", RECORDS)

enum trace_measure {
#define TRACE_MEASURE_ENUM(name, key, head, unit) TRACE_MEASURE_##name,
	TRACE_MEASURE_LIST(TRACE_MEASURE_ENUM)
#undef TRACE_MEASURE_ENUM
		TRACE_MEASURES,
};

enum trace_measure_unit { TRACE_MEASURE_NS, TRACE_MEASURE_BYTES, TRACE_MEASURE_RECORDS };

struct trace_measure_kind {
	const char *key, *head;
	enum trace_measure_unit unit;
};
extern const struct trace_measure_kind trace_measure_kinds[TRACE_MEASURES];

enum trace_engine_how {
	TRACE_FACT_BEGIN,
	TRACE_FACT_LAST,
	TRACE_FACT_SUM,
	TRACE_FACT_SPAN,
	TRACE_FACT_HELD,
	TRACE_FACT_COUNT,
	TRACE_FACT_NEXT,
	TRACE_FACT_IS,
};

struct trace_engine_fact {
	const char *label;
	uint8_t fact; /* enum trace_engine_name, or TRACE_ENGINE_NAMES and enum trace_measure */
	enum trace_engine_how how;
	uint32_t factor;
};

extern const struct trace_engine_fact trace_engine_facts[];
extern const size_t trace_engine_fact_count;

enum { TRACE_FACTS_MOST = 64 };

/* The facts that captures of LABEL are, as bits of their places; 0: none. */
uint64_t trace_engine_facts_of(const char *label);
/* Does a capture of LABEL begin a task? */
bool trace_engine_begins(const char *label);

#endif
