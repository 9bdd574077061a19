/*
 * t_types.c: the graph of types: the JDK's table, circles, long chains, what is missing, no memory.
 */
#include "tests/weaver/make.h"
#include "weaver/types/graph.h"
#include "weaver/types/types.h"

#include "base/banned.h"

static struct weave_types *open_types(const char *class_path)
{
	struct make m = { .code = JW_SPAN_LIT("\xb1") };
	struct jw_buf bytes = make_class(&m);
	const struct weave_types_job job = { .in = "T.class",
					     .bytes = jw_buf_span(&bytes),
					     .class_path = class_path };
	struct weave_types *types = NULL;
	struct jw_err e = { 0 };

	if (!ok(weave_types_open(&job, &types, &e) == JW_OK))
		tap_note("%s", e.text);
	jw_buf_free(&bytes);
	return types;
}

struct seen {
	const char *wanted;
	size_t count, hits;
};

static bool count(void *ctx, struct jw_span name)
{
	struct seen *seen = ctx;

	seen->count++;
	seen->hits += jw_span_eq_str(name, seen->wanted);
	return false;
}

/* How many names a class x/A that extends SUPER has above it and itself; WANTED among them. */
static struct seen above(const struct weave_types *types, const char *super, const char *wanted)
{
	struct cfr_class cls = { .name = JW_SPAN_LIT("x/A"), .super = jw_span_str(super) };
	struct seen seen = { wanted, 0, 0 }, again = seen;
	struct weave_supers kept = { 0 };

	ok(!weave_types_each(types, &cls, &kept, count, &seen));
	ok(!weave_types_each(types, &cls, &kept, count, &again)); /* as kept, or too many for it */
	is_int(again.count, seen.count);
	is_int(again.hits, seen.hits);
	return seen;
}

static void define(struct weave_types *t, const char *name, const char *super)
{
	struct jw_span list[1] = { jw_span_str(super) };
	struct jw_err e;

	ok(weave_types_define(t, jw_span_str(name), list, 1, &e) == JW_OK);
}

static enum jw_status take_note(void *ctx, const char *note, struct jw_err *e)
{
	struct jw_buf *out = ctx;

	(void)e;
	jw_put_fmt(out, "%s\n", note);
	return JW_OK;
}

static bool notes_have(const struct weave_types *types, const char *words)
{
	struct jw_buf text = { 0 };
	struct jw_err e;
	bool found;

	ok(weave_types_notes(types, take_note, &text, &e) == JW_OK);
	jw_put_zeros(&text, 1);
	found = strstr((const char *)text.p, words) != NULL;
	jw_buf_free(&text);
	return found;
}

TEST(types_of_the_jdk)
{
	struct weave_types *t = open_types(NULL);

	is_int(above(t, "java/util/ArrayList", "java/lang/Iterable").hits, 1);
	is_int(above(t, "java/util/ArrayList", "java/util/RandomAccess").hits, 1);
	is_int(above(t, "java/util/ArrayList", "java/lang/Object").hits, 1);
	is_int(above(t, "java/lang/StringBuilder", "java/lang/AbstractStringBuilder").hits, 1);
	is_int(above(t, "java/util/concurrent/ThreadPoolExecutor", "java/lang/AutoCloseable").hits,
	       1);
	is_int(above(t, "java/util/Map$Entry", "java/util/Map").hits, 0);
	is_int(above(t, "java/security/Policy", "java/security/Policy").hits, 1);
	ok(!notes_have(t, "not found"));
	weave_types_close(t);
}

TEST(circles_and_chains_end)
{
	struct weave_types *t = open_types(NULL);
	char name[2][16];

	define(t, "q/A", "q/B");
	define(t, "q/B", "q/A");
	is_int(above(t, "q/A", "q/B").count, 3);
	define(t, "x/A", "x/A");
	is_int(above(t, "x/A", "x/A").count, 2);
	for (int i = 0; i < 2 * WEAVE_SUPERTYPES_MAX; i++) {
		snprintf(name[0], sizeof name[0], "c/C%d", i);
		snprintf(name[1], sizeof name[1], "c/C%d", i + 1);
		define(t, name[0], name[1]);
	}
	is_int(above(t, "c/C0", "c/C1000").hits, 1);
	is_int(above(t, "c/C0", "").count, WEAVE_SUPERTYPES_MAX + 1);
	weave_types_close(t);
}

TEST(the_first_is_believed)
{
	struct weave_types *t = open_types(NULL);

	define(t, "q/A", "q/B");
	define(t, "q/A", "q/C");
	is_int(above(t, "q/A", "q/B").hits, 1);
	is_int(above(t, "q/A", "q/C").hits, 0);
	weave_types_close(t);
}

TEST(what_is_missing_is_named_when_asked_for)
{
	struct weave_types *t = open_types("no/such.jar:tests/tap.h:tests/weaver:no/*");

	ok(notes_have(t, "'no/such.jar' does not exist"));
	ok(notes_have(t, "'tests/tap.h' is left out"));
	ok(notes_have(t, "'no' does not exist"));
	ok(!notes_have(t, "tests/weaver"));
	define(t, "q/A", "q/Gone$In");
	ok(!notes_have(t, "Gone"));
	above(t, "q/A", "");
	ok(notes_have(t, "'q.Gone$In', a supertype of 'q.A', was not found"));
	for (int i = 0; i < 30; i++) {
		char name[2][16];

		snprintf(name[0], sizeof name[0], "m/M%d", i);
		snprintf(name[1], sizeof name[1], "gone/G%d", i);
		define(t, name[0], name[1]);
		above(t, name[0], "");
	}
	ok(notes_have(t, "11 more supertypes were not found"));
	weave_types_close(t);
}

TEST(a_full_graph_grows)
{
	struct weave_types *t = open_types(NULL);
	const struct jw_span over = JW_SPAN_LIT("n/Over");
	uint32_t room = t->room;
	char name[16] = "";

	while (t->count < room) {
		snprintf(name, sizeof name, "n/N%u", t->count);
		if (!weave_types_node(t, jw_span_str(name)))
			break;
	}
	is_int(t->count, room);
	jw_mem_fail_after(0);
	is_int(weave_types_node(t, over), 0);
	jw_mem_fail_after(-1);
	is_int(t->room, room); /* it is as it was */
	is_int(weave_types_node(t, over), room);
	is_int(t->room, 2 * room);
	is_int(weave_types_find(t, jw_span_str(name)), room - 1);
	is_int(above(t, "java/util/ArrayList", "java/lang/Iterable").hits, 1);
	weave_types_close(t);
}

TEST(no_memory)
{
	struct make m = { .code = JW_SPAN_LIT("\xb1") };
	struct jw_buf bytes = make_class(&m);
	const struct weave_types_job job = { .in = "T.class",
					     .bytes = jw_buf_span(&bytes),
					     .class_path = "tests/weaver:no.jar" };
	bool failed = true;

	for (long n = 0; failed; n += 1 + n / 4) {
		struct weave_types *types = NULL;
		struct jw_err e = { 0 };

		jw_mem_fail_after(n);
		enum jw_status status = weave_types_open(&job, &types, &e);
		failed = jw_mem_fail_after(-1);
		is_int(status, failed ? JW_NOMEM : JW_OK);
		weave_types_close(types);
	}
	jw_buf_free(&bytes);
}
