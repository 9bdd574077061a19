/*
 * types_jdk.c: what the types of the JDK extend and implement, from a table that the program
 * carries.
 *
 * share/jdk-types.txt is made by share/JdkTypes.java from two releases of the JDK. A line that ends
 * in a slash names an exported package; the lines after it are types of it with their supertypes,
 * those of the same package written without it:
 *
 *     java/util/
 *     AbstractList AbstractCollection List
 *
 * A type of these packages that has no line extends java.lang.Object alone.
 */
#include "weaver/types/types_jdk.h"

#include <string.h>

#include "base/carried.h"

#include "base/banned.h"

enum { SUPERS_MAX = 64, NAME_MAX_BYTES = 512 };

JW_CARRY(weave_jdk_types, "share/jdk-types.txt");

/* The next piece of TEXT up to END, which is taken off with it. */
static struct jw_span take(struct jw_span *text, char end)
{
	const uint8_t *at = text->n > 0 ? memchr(text->p, end, text->n) : NULL;
	size_t n = at ? (size_t)(at - text->p) : text->n;
	struct jw_span piece = jw_span_sub(*text, 0, n);

	*text = jw_span_sub(*text, n + (at != NULL), text->n - n - (at != NULL));
	return piece;
}

/* WORD with its package, in TEXT when it has none. */
static struct jw_span full_name(struct jw_span package, struct jw_span word, char *text)
{
	if (package.n == 0 || word.n == 0 || memchr(word.p, '/', word.n) ||
	    package.n + word.n > NAME_MAX_BYTES)
		return word;
	memcpy(text, package.p, package.n);
	memcpy(text + package.n, word.p, word.n);
	return jw_span(text, package.n + word.n);
}

static enum jw_status define_line(struct weave_types *t, struct jw_span package,
				  struct jw_span line, struct jw_err *e)
{
	const struct jw_span object = JW_SPAN_LIT("java/lang/Object");
	char texts[SUPERS_MAX][NAME_MAX_BYTES], own[NAME_MAX_BYTES];
	struct jw_span supers[SUPERS_MAX], name = full_name(package, take(&line, ' '), own);
	size_t n = 0;

	while (line.n > 0 && n < SUPERS_MAX - 1) {
		supers[n] = full_name(package, take(&line, ' '), texts[n]);
		n++;
	}
	supers[n++] = object;
	return weave_types_define(t, name, supers, n, e);
}

/* What is still not known, but is in a package of the JDK. */
static enum jw_status define_plain(struct weave_types *t, struct jw_err *e)
{
	const struct jw_span object = JW_SPAN_LIT("java/lang/Object");

	for (uint32_t i = 1; i < t->count; i++) {
		struct jw_span name = t->nodes[i].name, package = name;
		uint32_t node;

		while (package.n > 0 && package.p[package.n - 1] != '/')
			package.n--;
		if (t->nodes[i].known || package.n == 0 || package.n == name.n)
			continue;
		node = weave_types_find(t, package);
		if (node && t->nodes[node].known)
			JW_TRY(weave_types_define(t, name, &object, !jw_span_eq(name, object), e));
	}
	return JW_OK;
}

enum jw_status weave_types_add_jdk(struct weave_types *t, struct jw_err *e)
{
	struct jw_span text = JW_CARRIED(weave_jdk_types);
	struct jw_span package = { 0 };

	while (text.n > 0) {
		struct jw_span line = take(&text, '\n');

		if (line.n == 0)
			continue;
		if (line.p[line.n - 1] != '/') {
			JW_TRY(define_line(t, package, line, e));
			continue;
		}
		package = line; /* a node marks it; no class has such a name */
		JW_TRY(weave_types_define(t, package, NULL, 0, e));
	}
	return define_plain(t, e);
}
