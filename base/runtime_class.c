#include "base/runtime_class.h"

#include "base/banned.h"

/* Letters first: no part of a package begins with a digit. */
static const char digits[] = "abcdefghijklmnopqrstuvwxyz0123456789";
enum { LETTERS = 26, DIGITS = sizeof(digits) - 1 };

void jw_runtime_hash(uint64_t hash, char text[JW_RUNTIME_HASH + 1])
{
	unsigned base = LETTERS;

	for (size_t i = 0; i < JW_RUNTIME_HASH; i++) {
		text[i] = digits[hash % base];
		hash /= base;
		base = DIGITS;
	}
	text[JW_RUNTIME_HASH] = '\0';
}

static bool is_letter(uint8_t c)
{
	return c >= 'a' && c <= 'z';
}

/* Does NAME begin with the part that comes after HOME? */
static bool is_below_home(struct jw_span name)
{
	enum { BEFORE = sizeof(JW_RUNTIME_PACKAGE) - 1, AFTER = BEFORE + JW_RUNTIME_HASH };

	if (!jw_span_starts(name, JW_SPAN_LIT(JW_RUNTIME_PACKAGE)) || name.n <= AFTER ||
	    name.p[AFTER] != '/' || !is_letter(name.p[BEFORE]))
		return false;
	for (size_t i = BEFORE; i < AFTER; i++)
		if (!is_letter(name.p[i]) && (name.p[i] < '0' || name.p[i] > '9'))
			return false;
	return true;
}

bool jw_is_runtime_class(struct jw_span name)
{
	if (jw_span_starts(name, JW_SPAN_LIT(JW_RUNTIME_SHARED)))
		return true;
	for (size_t at = 0; at < name.n; at++)
		if ((at == 0 || name.p[at - 1] == '/') &&
		    is_below_home(jw_span_sub(name, at, name.n - at)))
			return true;
	return false;
}
