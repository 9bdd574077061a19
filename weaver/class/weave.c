#include "weaver/class/weave.h"

#include "trace/format/methodmap.h"

#include "base/banned.h"

const struct weave_limits weave_default_limits = {
	.branch = 32767,
	.code = 65535,
	.compiled = 8000,
};

uint64_t weave_class_hash(struct jw_span name, uint64_t salt, const struct weave_limits *limits)
{
	return trace_class_hash(name, salt) >> limits->hash_cut;
}

static const struct {
	const char *name, *text;
} skips[] = {
#define SKIP_ROW(name, text) { #name, text },
	WEAVE_SKIP_LIST(SKIP_ROW)
#undef SKIP_ROW
};

const char *weave_skip_name(enum weave_skip skip)
{
	return skips[skip].name;
}

const char *weave_skip_text(enum weave_skip skip)
{
	return skips[skip].text;
}
