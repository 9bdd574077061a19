#include "weaver/archive/unit.h"

#include "weaver/archive/runtime_image.h"

#include "base/banned.h"

const struct weave_limits *weave_limits_of(const struct weave_unit *unit)
{
	return unit->job->limits ? unit->job->limits : &weave_default_limits;
}

bool weave_carries_class(const struct weave_archive_job *job)
{
	return job->runtime == WEAVE_RUNTIME_EMBED ||
	       (job->runtime == WEAVE_RUNTIME_CLASSPATH && rules_baked(job->rules).n > 0);
}

uint64_t weave_hash_entry(uint64_t hash, struct jw_span name, uint32_t crc, uint64_t size)
{
	uint64_t facts[2] = { crc, size };
	uint8_t bytes[16];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(facts[i / 8] >> 8 * (i % 8));
	return jw_hash64(name, jw_hash64(jw_span(bytes, sizeof(bytes)), hash));
}

bool weave_is_boot_class(struct jw_span path)
{
	return jw_span_eq_str(path, WEAVE_BOOT_CLASS ".class");
}

/* Probes of java.base call a class that does nothing before the VM has booted. */
static enum jw_status name_boot_probes(struct weave_unit *unit, struct jw_err *e)
{
	if (unit->job->runtime == WEAVE_RUNTIME_NONE) {
		unit->boots = false;
		return JW_OK;
	}
	if (unit->job->runtime != WEAVE_RUNTIME_EMBED)
		return jw_fail(e, JW_UNSUPPORTED,
			       "java.base cannot see the runtime on the class path: weave it with "
			       "--runtime=embed");
	const char *name = jw_arena_fmt(unit->arena, "%.*s" WEAVE_RUNTIME_EARLY,
					(int)unit->runtime.n, (const char *)unit->runtime.p);
	if (!name)
		return jw_nomem(e);
	unit->probes = jw_span_str(name);
	return JW_OK;
}

enum jw_status weave_unit_name(struct weave_unit *unit, uint64_t input, struct jw_span home,
			       bool numbers, struct jw_err *e)
{
	/* a seed that is a hash itself chains them */
	uint64_t hash = jw_hash64(JW_SPAN_LIT("jweave " JW_VERSION), input);

	unit->salt = input;
	jw_runtime_hash(jw_hash64(jw_span_str(rules_digest(unit->job->rules)), hash), unit->hash);
	const char *own =
		jw_arena_fmt(unit->arena, "%.*s" JW_RUNTIME_PACKAGE "%s/" JW_RUNTIME_CLASS,
			     (int)home.n, (const char *)home.p, unit->hash);
	if (!own)
		return jw_nomem(e);
	bool carries = weave_carries_class(unit->job);
	unit->own = jw_span_str(carries || numbers ? own : "");
	unit->runtime = carries ? unit->own : JW_SPAN_LIT(WEAVE_RUNTIME_CLASS);
	unit->probes = unit->runtime;
	return unit->boots ? name_boot_probes(unit, e) : JW_OK;
}

struct jw_span weave_whole_name(const struct weave_unit *unit, const char *prefix)
{
	struct jw_span name = jw_span_str(prefix);

	return name.n ? jw_span_sub(name, 0, name.n - (sizeof("!/") - 1))
		      : jw_span_str(unit->job->in);
}
