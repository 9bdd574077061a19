/*
 * presets.c: see presets.h.
 */
#include <string.h>

#include "base/carried.h"
#include "base/nearest.h"
#include "rules/presets.h"

#include "base/banned.h"

/* X(symbol, "name") */
#define PRESET_LIST(X)                \
	X(exceptions, "exceptions")   \
	X(flink, "flink")             \
	X(hadoop, "hadoop")           \
	X(http, "http")               \
	X(io, "io")                   \
	X(jdbc, "jdbc")               \
	X(jdk_threads, "jdk-threads") \
	X(kafka, "kafka")             \
	X(monitors, "monitors")       \
	X(netty, "netty")             \
	X(otel, "otel")               \
	X(rmi, "rmi")                 \
	X(small, "small")             \
	X(spark, "spark")             \
	X(sql, "sql")                 \
	X(startup, "startup")         \
	X(trivial, "trivial")

#define PRESET_BYTES(symbol, name) JW_CARRY(rules_preset_##symbol, "share/presets/" name ".json");
PRESET_LIST(PRESET_BYTES)
#undef PRESET_BYTES

#define PREFIX "preset:"

static const struct preset {
	const char *full; /* with the prefix */
	struct jw_carried text;
} presets[] = {
#define PRESET_ROW(symbol, name) { PREFIX name, { JW_CARRIED_ENDS(rules_preset_##symbol) } },
	PRESET_LIST(PRESET_ROW)
#undef PRESET_ROW
};
enum { PRESETS = sizeof presets / sizeof *presets };

struct jw_span rules_preset(const char *name)
{
	for (size_t i = 0; i < PRESETS; i++) {
		if (strcmp(rules_preset_name(i), name) == 0)
			return jw_carried(presets[i].text);
	}
	return jw_span(NULL, 0);
}

const char *rules_preset_name(size_t index)
{
	return index < PRESETS ? presets[index].full + strlen(PREFIX) : NULL;
}

const char *rules_preset_meant(const char *word)
{
	const char *names[PRESETS];
	size_t prefix = strncmp(word, PREFIX, strlen(PREFIX)) == 0 ? strlen(PREFIX) : 0;

	for (size_t i = 0; i < PRESETS; i++)
		names[i] = rules_preset_name(i);
	const char *near = strchr(word, '/') ? NULL : jw_nearest(word + prefix, names, PRESETS);
	for (size_t i = 0; i < PRESETS; i++)
		if (near == names[i])
			return presets[i].full;
	return NULL;
}
