/*
 * f_packaged.c: any bytes as the .cfg of a program that jpackage has packed: words are made of it or not, none of
 * them missing, and they are understood as a command of java.
 */
#include <stdlib.h>

#include "cli/java.h"
#include "cli/packaged.h"
#include "tests/fuzz.h"

#include "base/banned.h"

static void must(bool holds)
{
	if (!holds)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct jw_arena arena = { 0 };
	struct cli_words words = { .arena = &arena };
	struct cli_java java = { 0 };
	struct jw_err e = { 0 };

	must(cli_packaged_words(jw_span(data, size), "/opt/shop", "/opt/shop/bin/shop", &words,
				&e) == JW_OK);
	for (size_t i = 0; i < words.count; i++)
		must(words.items[i]);
	must(words.count == 0 || words.count >= 2);
	if (words.count) {
		/* (an argument file among the options may not be there) */
		enum jw_status status =
			cli_java_parse_words(words.count, words.items, &arena, &java, &e);

		must(status != JW_OK || (java.launcher == 0 && java.main < java.count));
	}
	jw_arena_free(&arena);
	return 0;
}
