#include "weaver/class/join.h"

#include "base/banned.h"

enum weave_probe weave_probe_of(const struct weave_join *join, enum weave_probe probe)
{
	static const enum weave_probe with_how[] = {
		[WEAVE_PROBE_ENTER] = WEAVE_PROBE_HOW_ENTER,
		[WEAVE_PROBE_EXIT] = WEAVE_PROBE_HOW_EXIT,
		[WEAVE_PROBE_FAIL] = WEAVE_PROBE_HOW_FAIL,
	};
	static const enum weave_probe by_number[] = {
		[WEAVE_PROBE_ENTER] = WEAVE_PROBE_NUMBER_ENTER,
		[WEAVE_PROBE_EXIT] = WEAVE_PROBE_NUMBER_EXIT,
		[WEAVE_PROBE_FAIL] = WEAVE_PROBE_NUMBER_FAIL,
	};

	if (probe > WEAVE_PROBE_FAIL)
		return probe;
	if (join->numbered)
		return by_number[probe];
	return join->how ? with_how[probe] : probe;
}

struct jw_span weave_enter_code(const struct weave_join *join)
{
	return jw_span(join->code, join->enter);
}

struct jw_span weave_exit_code(const struct weave_join *join)
{
	return jw_span(join->code + join->enter, join->exit);
}

struct jw_span weave_instant_code(const struct weave_join *join)
{
	return jw_span(join->code, (size_t)join->enter + join->exit);
}

struct jw_span weave_fail_code(const struct weave_join *join)
{
	return jw_span(join->code + join->enter + join->exit, join->fail);
}
