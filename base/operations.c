/*
 * operations.c: the tables of operations.def.
 */
#include "base/operations.h"

#include <stdio.h>
#include <string.h>

#include "base/banned.h"

const struct jw_operation_kind jw_operation_kinds[JW_OPERATION_TYPES] = {
#define OPERATION_TYPE(TYPE, word, event, label) { word, event, label },
#include "base/operations.def"
};

const struct jw_operation jw_operations[] = {
#define OPERATION(TYPE, word, number, label, state, object, role) \
	{ word, label, JW_OPERATIONS_##TYPE, number, state, JW_OBJECT_##object, JW_ROLE_##role },
#include "base/operations.def"
	{ NULL, NULL, JW_OPERATION_TYPES, 0, 0, JW_OBJECT_NONE, JW_ROLE_NONE },
};

bool jw_operation_heeds_interrupts(const struct jw_operation *op)
{
	switch (op->role) {
	case JW_ROLE_JOIN:
	case JW_ROLE_WAIT:
	case JW_ROLE_TAKE:
	case JW_ROLE_PASS:
	case JW_ROLE_MEET:
	case JW_ROLE_PAIR:
	case JW_ROLE_GET:
		return true;
	case JW_ROLE_LOCK:
		return op->type == JW_OPERATIONS_LOCK;
	case JW_ROLE_GIVE: /* put, but not release */
		return op->type == JW_OPERATIONS_QUEUE;
	case JW_ROLE_WOKEN: /* sleep; park returns */
		return op->type == JW_OPERATIONS_THREAD;
	case JW_ROLE_NONE: /* waits for any task, or all */
		return op->type == JW_OPERATIONS_TASK;
	default:
		return false;
	}
}

const struct jw_operation *jw_operation_find(struct jw_span text)
{
	for (const struct jw_operation *op = jw_operations; op->word; op++) {
		size_t n = strlen(jw_operation_kinds[op->type].word);

		if (text.n > n && text.p[n] == '/' &&
		    jw_span_eq_str(jw_span_sub(text, 0, n), jw_operation_kinds[op->type].word) &&
		    jw_span_eq_str(jw_span_sub(text, n + 1, text.n - n - 1), op->word))
			return op;
	}
	return NULL;
}

/* ---- captures ---- */

static const struct {
	const char *word;
	bool numbered;
} whats[] = {
#define WHAT_WORD(name, word, numbered) [JW_CAPTURE_##name] = { word, numbered },
	JW_CAPTURE_WHAT_LIST(WHAT_WORD)
#undef WHAT_WORD
};
enum { WHATS = sizeof whats / sizeof *whats };

const char *const jw_capture_as_words[] = {
#define AS_WORD(name, word, object) word,
	JW_CAPTURE_AS_LIST(AS_WORD)
#undef AS_WORD
		NULL,
};

const char *const jw_link_ends[] = { "send", "receive", "both", NULL }; /* ORDER: jw_link_end */

/* The number of an arg in digits: no sign, no leading zero, below JW_CAPTURE_ARGS. */
static bool arg_number(struct jw_span digits, uint8_t *out)
{
	unsigned n = 0;

	if (digits.n == 0 || digits.n > 3 || (digits.n > 1 && digits.p[0] == '0'))
		return false;
	for (size_t i = 0; i < digits.n; i++) {
		if (digits.p[i] < '0' || digits.p[i] > '9')
			return false;
		n = n * 10 + (digits.p[i] - '0');
	}
	if (n >= JW_CAPTURE_ARGS)
		return false;
	*out = (uint8_t)n;
	return true;
}

bool jw_capture_of(struct jw_span text, struct jw_capture *out)
{
	for (int i = 0; i < WHATS; i++) {
		struct jw_span word = jw_span_str(whats[i].word);
		uint8_t arg = 0;

		if (!jw_span_starts(text, word))
			continue;
		struct jw_span rest = jw_span_sub(text, word.n, text.n - word.n);
		if (whats[i].numbered ? !arg_number(rest, &arg) : rest.n != 0)
			continue;
		out->what = (enum jw_capture_what)i;
		out->arg = arg;
		return true;
	}
	return false;
}

const char *jw_capture_what_text(const struct jw_capture *capture, char text[JW_CAPTURE_WHAT_ROOM])
{
	const char *word = whats[capture->what].word;

	if (whats[capture->what].numbered)
		snprintf(text, JW_CAPTURE_WHAT_ROOM, "%s%u", word, capture->arg);
	else
		snprintf(text, JW_CAPTURE_WHAT_ROOM, "%s", word);
	return text;
}

bool jw_capture_is_early(const struct jw_capture *capture)
{
	return capture->what <= JW_CAPTURE_TASK;
}

bool jw_capture_is_late(const struct jw_capture *capture, bool failed)
{
	if (capture->what == JW_CAPTURE_TASK)
		return true;
	return !jw_capture_is_early(capture) && (capture->what == JW_CAPTURE_EXCEPTION) == failed;
}

uint64_t jw_body_key(struct jw_span owner, struct jw_span name, struct jw_span descriptor)
{
	/* a name has neither dot nor parenthesis, so the parts cannot be confused */
	uint64_t key = jw_hash64(JW_SPAN_LIT("."), jw_hash64(owner, 0));

	return jw_hash64(descriptor, jw_hash64(name, key));
}
