/*
 * carried.h: files that a program carries in its read-only data, put there by the assembler.
 *
 *     JW_CARRY(words, "share/words.txt");
 *     struct jw_span text = JW_CARRIED(words);
 */

#ifndef BASE_CARRIED_H
#define BASE_CARRIED_H

#include "base/bytes.h"

/*
 * Carries the file PATH, a string literal, as SYMBOL and SYMBOL_end, names that the program has once. For file scope. The
 * path is seen from the root of the project, where the build runs; the Makefile makes the object depend on the file.
 * A 0 follows the bytes, so that a text is a string.
 */
#define JW_CARRY(symbol, path)                                         \
	extern const uint8_t symbol[], symbol##_end[];                 \
	__asm__(".pushsection .rodata\n"                               \
		".balign 16\n"                                         \
		".globl " #symbol ", " #symbol "_end\n"                \
		".hidden " #symbol ", " #symbol "_end\n" #symbol ":\n" \
		".incbin \"" path "\"\n" #symbol "_end:\n"             \
		".byte 0\n"                                            \
		".popsection\n")

/* Its bytes, without the 0 that follows. */
#define JW_CARRIED(symbol) jw_span(symbol, (size_t)(symbol##_end - symbol))

/* One of many, in a constant table: { JW_CARRIED_ENDS(words) }. */
struct jw_carried {
	const uint8_t *start, *end;
};

#define JW_CARRIED_ENDS(symbol) symbol, symbol##_end

static inline struct jw_span jw_carried(struct jw_carried c)
{
	return jw_span(c.start, (size_t)(c.end - c.start));
}

#endif
