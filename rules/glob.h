/*
 * glob.h: wildcards and regular expressions over names, compiled once.
 *
 *   *   any run of characters inside a segment        ?   one character inside a segment
 *   **  any run of characters, across segments        anything else stands for itself
 *
 * A "**" that fills whole segments at the start or in the middle ("**.Foo", "com.**.Foo") also
 * matches none: Foo, com.Foo. What a segment is, and how patterns are written, depends on the mode:
 *
 *   CLASS    com.acme.Foo$Bar     matched against com/acme/Foo$Bar       (a dot is a separator)
 *   PACKAGE  com.acme.**          matched against com/acme/ (com.acme itself is in com.acme.**)
 *   NAME     get*                 a method name: no separators, * and ** are the same
 *   PATH     lib-*.jar             a path: a slash is the separator, a dot is a dot
 *
 * Cost: a literal, a prefix or a suffix is one memcmp. The rest is a bit-parallel automaton: one
 * state per character of the pattern, all advanced at once, so that N bytes of text cost N * (1 +
 * states / 64) steps, whatever the pattern; there is no backtracking. Patterns have at most
 * RULES_GLOB_MAX bytes. A character beyond U+FFFF is two in class files, so '?' matches half of it.
 */
#ifndef JW_RULES_GLOB_H
#define JW_RULES_GLOB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "base/status.h"

enum { RULES_GLOB_MAX = 1024 };
#define RULES_GLOB_NO_COMMA "one pattern has no ',': several are a list, [ \"a.A\", \"b.B\" ]"

enum rules_glob_mode {
	RULES_GLOB_CLASS,
	RULES_GLOB_PACKAGE,
	RULES_GLOB_NAME,
	RULES_GLOB_PATH,
};

enum rules_glob_shape {
	RULES_GLOB_LITERAL, /* prefix is all of it */
	RULES_GLOB_PREFIX,  /* prefix, then anything */
	RULES_GLOB_SUFFIX,  /* anything, then suffix */
	RULES_GLOB_GENERAL, /* prefix, suffix and inner must be there; the automaton decides */
};

struct rules_glob {
	enum rules_glob_shape shape;
	enum rules_glob_mode mode;
	struct jw_span prefix; /* literal bytes that every match starts with */
	struct jw_span suffix; /* ... ends with */
	struct jw_span inner;  /* GENERAL: the longest literal that every match has inside */
	uint32_t words;        /* 64-bit words of the state set */
	uint32_t last;         /* the accepting state */
	const uint16_t *class; /* per byte: its row in `step` and `stay` */
	const uint64_t *step;  /* row * words: states that this byte advances */
	const uint64_t *stay;  /* row * words: states that it leaves set (stars) */
	const uint64_t *skip;  /* states before a "**" segment: they also set i + 1 and i + 2 */
};

/* Compiles PATTERN (valid UTF-8). JW_RULES with what is wrong, and in *WRONG, unless that is NULL,
 * the offset of the byte of PATTERN that is (all of it: 0). */
enum jw_status JW_MUST_USE rules_glob_compile(struct jw_span pattern, enum rules_glob_mode mode,
					      struct jw_arena *arena, struct rules_glob *out,
					      size_t *wrong, struct jw_err *e);

/* Does all of TEXT match? */
bool rules_glob_match(const struct rules_glob *glob, struct jw_span text);

/* The same, adding the automaton's steps (words advanced) to *STEPS: for the tests of the cost. */
bool rules_glob_match_counted(const struct rules_glob *glob, struct jw_span text, uint64_t *steps);

#endif
