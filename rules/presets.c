/*
 * presets.c: see presets.h.
 */
#include <string.h>

#include "base/carried.h"
#include "base/nearest.h"
#include "rules/json.h"
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

/* Is the character there a full stop with a blank, or nothing, after it? */
static bool end_of_sentence(struct jw_span text, size_t at)
{
	return text.p[at] == '.' && (at + 1 == text.n || text.p[at + 1] == ' ');
}

enum jw_status rules_preset_line(const char *name, struct jw_arena *arena, struct jw_span *line,
				 struct jw_err *e)
{
	struct rules_json *root;
	const struct rules_json *text;
	size_t n = 0;

	JW_TRY(rules_json_parse(rules_preset(name), name, arena, &root, e));
	text = rules_json_get(root, "description");
	*line = jw_span(NULL, 0);
	if (!text || text->type != RULES_JSON_STRING)
		return JW_OK;
	while (n < text->text.n && !end_of_sentence(text->text, n))
		n++;
	*line = jw_span(text->text.p, n);
	return JW_OK;
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
