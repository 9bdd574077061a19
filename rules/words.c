/*
 * words.c: see words.h.
 */
#include "rules/words.h"

#include <stddef.h>

#include "rules/rules.h"

#include "base/banned.h"

const struct rules_modifier rules_modifiers[] = {
	{ "public", 0x0001, true, true },
	{ "protected", 0x0004, true, false },
	{ "private", 0x0002, true, false },
	{ "package", RULES_BIT_PACKAGE, true, true },
	{ "static", 0x0008, true, false },
	{ "final", 0x0010, true, true },
	{ "abstract", 0x0400, true, true },
	{ "synchronized", 0x0020, true, false },
	{ "native", 0x0100, true, false },
	{ "varargs", 0x0080, true, false },
	{ "strictfp", 0x0800, true, false },
	{ "interface", 0x0200, false, true },
	{ "annotation", 0x2000, false, true },
	{ "enum", 0x4000, false, true },
	{ "record", RULES_BIT_RECORD, false, true },
	{ NULL, 0, false, false },
};

const struct rules_modifier *rules_modifier_of(struct jw_span word)
{
	for (const struct rules_modifier *m = rules_modifiers; m->text; m++) {
		if (jw_span_eq_str(word, m->text))
			return m;
	}
	return NULL;
}

const char *const rules_kind_names[] = {
#define KIND_NAME(name, text) text,
	RULES_KIND_LIST(KIND_NAME)
#undef KIND_NAME
		NULL,
};

/* Numbers are those of Extrae's states. */
#define STATE_LIST(X)                \
	X("none", RULES_NO_STATE)    \
	X("idle", 0)                 \
	X("running", 1)              \
	X("waiting-message", 3)      \
	X("blocking-send", 4)        \
	X("synchronization", 5)      \
	X("probe", 6)                \
	X("scheduling", 7)           \
	X("wait", 8)                 \
	X("blocked", 9)              \
	X("immediate-send", 10)      \
	X("immediate-receive", 11)   \
	X("io", 12)                  \
	X("group-communication", 13) \
	X("tracing-disabled", 14)    \
	X("others", 15)

const char *const rules_state_names[] = {
#define STATE_NAME(word, number) word,
	STATE_LIST(STATE_NAME)
#undef STATE_NAME
		NULL,
};

int rules_state_number(size_t word)
{
	static const int numbers[] = {
#define STATE_NUMBER(word, number) number,
		STATE_LIST(STATE_NUMBER)
#undef STATE_NUMBER
	};

	return numbers[word];
}
