/*
 * alike.c: see alike.h.
 */
#include "cli/alike.h"

#include <string.h>

#include "base/bytes.h"

#include "base/banned.h"

enum { LEAST = 8 /* characters that say something */ };

/* What TEXT says of a recording: what comes after its name. NULL: nothing. */
static const char *said_of_recording(const char *text)
{
	const char *said = NULL;

	for (const char *at = text; (at = strstr(at, ".jwr")); said = at)
		at += strlen(".jwr");
	return said && strlen(said) >= LEAST ? said : NULL;
}

static const char *past_digits(const char *at)
{
	return at + strspn(at, "0123456789");
}

static bool is_alike(const char *a, const char *b)
{
	for (a = past_digits(a), b = past_digits(b); *a && *a == *b;)
		a = past_digits(a + 1), b = past_digits(b + 1);
	return *a == *b;
}

static struct cli_alike_kind *find(struct cli_alike *alike, const char *said)
{
	for (size_t i = 0; i < alike->n; i++)
		if (is_alike(said_of_recording(alike->kinds[i].text), said))
			return &alike->kinds[i];
	return NULL;
}

bool cli_alike_waits(struct cli_alike *alike, struct jw_arena *arena, const char *text)
{
	const char *said = said_of_recording(text);
	struct cli_alike_kind *kind = said ? find(alike, said) : NULL;

	if (!said || (!kind && alike->n == CLI_ALIKE_KINDS))
		return false;
	bool waits = kind && kind->told == CLI_ALIKE_TOLD;
	const char *kept = !kind || (waits && !kind->waiting)
				   ? jw_arena_str(arena, jw_span_str(text))
				   : kind->text;

	if (!kept)
		return false;
	kind = kind ? kind : &alike->kinds[alike->n++];
	kind->text = kept;
	kind->told += !waits;
	kind->waiting += waits;
	alike->waiting += waits;
	return waits;
}

bool cli_alike_next(struct cli_alike *alike, const char **text, size_t *more)
{
	for (size_t i = 0; alike->waiting && i < alike->n; i++) {
		struct cli_alike_kind *kind = &alike->kinds[i];

		if (!kind->waiting)
			continue;
		*text = kind->text;
		*more = kind->waiting - 1;
		alike->waiting -= kind->waiting;
		kind->waiting = 0;
		return true;
	}
	return false;
}
