/*
 * t_untraced.c: methods that a trace names, though nobody traced them (trace/names/untraced.h).
 */
#include "base/bytes.h"
#include "base/memory.h"
#include "tests/tap.h"
#include "trace/names/untraced.h"

#include "base/banned.h"

TEST(which_method_a_pattern_means)
{
	static const struct {
		const char *pattern, *label, *method;
	} all[] = {
		{ "Rw.get", "Rw.get (Rw.java:4)", "Rw.get" },
		{ "Rw#get", "Rw.get (Rw.java:4)", "Rw.get" },
		{ "com.acme.Rw#get(int)", "Rw.get (Rw.java:4)", "Rw.get" },
		{ "com.acme.Rw.get", "Rw.get", "Rw.get" },
		{ "com.acme.Rw", "Rw.get (Rw.java:4)", "Rw.get" },
		{ "**.Rw#*", "Rw.get, which loads a class (Rw.java:4)", "Rw.get" },
		{ "**#g*", "Thread.sleep in Rw.get (Rw.java:5) (thread/sleep)", "Rw.get" },
		{ "acme.Out$In#<init>", "Out$In.<init> (Out.java:5)", "Out$In.<init>" },
		{ "**", "Rw.get", "Rw.get" },
		{ "Rw.put", "Rw.get (Rw.java:4)", NULL },
		{ "Thread.sleep", "Thread.sleep in Rw.get (Rw.java:5)", NULL },
		{ "W#get", "Rw.get (Rw.java:4)", NULL },
		{ "**get", "Rw.get (Rw.java:4)", NULL },
		{ "**", "nothing", NULL },
		{ "Rw#", "Rw.get", NULL },
		{ "", "Rw.get", NULL },
		{ "**", "", NULL },
	};
	struct jw_arena arena = { 0 };

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		is_str(trace_untraced(&arena, all[i].pattern, jw_span_str(all[i].label)),
		       all[i].method);
	jw_arena_free(&arena);
}
