/*
 * t_map_plain.c: method maps that leave names to class files: lines r and k, and the classes found
 * again by their hashes, in a folder; line n, and the methods found by what their code begins with.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/out_file.h"
#include "tests/tap.h"
#include "trace/format/methodmap.h"
#include "trace/format/recording.h"

#include "base/banned.h"

static struct jw_err err;

static void put_utf8(struct jw_buf *b, const char *text)
{
	jw_put_u1(b, 1);
	jw_put_u2(b, strlen(text));
	jw_put_str(b, text);
}

/* class a.B of B.java: abstract void x(); int y(long) on line 7 (pc 0), a Long before its names. */
static struct jw_buf make_class(void)
{
	struct jw_buf b = { 0 };

	jw_put_u4(&b, 0xcafebabe);
	jw_put_u4(&b, 52);
	jw_put_u2(&b, 14);
	jw_put_u1(&b, 5), jw_put_u8(&b, 1); /* 1, 2 */
	put_utf8(&b, "a/B");                /* 3 */
	jw_put_u1(&b, 7), jw_put_u2(&b, 3); /* 4 */
	put_utf8(&b, "x");
	put_utf8(&b, "()V");
	put_utf8(&b, "y");
	put_utf8(&b, "(J)I");
	put_utf8(&b, "Code");            /* 9 */
	put_utf8(&b, "LineNumberTable"); /* 10 */
	put_utf8(&b, "SourceFile");
	put_utf8(&b, "B.java"); /* 12 */
	put_utf8(&b, "z");
	jw_put_u2(&b, 0x21), jw_put_u2(&b, 4), jw_put_u2(&b, 0);
	jw_put_u2(&b, 0);
	jw_put_u2(&b, 1); /* one field, without attributes */
	jw_put_u2(&b, 0), jw_put_u2(&b, 13), jw_put_u2(&b, 8), jw_put_u2(&b, 0);
	jw_put_u2(&b, 3);
	jw_put_u2(&b, 0x401), jw_put_u2(&b, 5), jw_put_u2(&b, 6), jw_put_u2(&b, 0);
	for (uint32_t i = 0; i < 2; i++) {
		jw_put_u2(&b, 1 + i), jw_put_u2(&b, i ? 13 : 7), jw_put_u2(&b, 8);
		jw_put_u2(&b, 1), jw_put_u2(&b, 9), jw_put_u4(&b, 2 + 2 + 4 + 2 + 8 + 2 + 2 + 16);
		jw_put_u4(&b, 0), jw_put_u4(&b, 2), jw_put_u2(&b, 0);
		jw_put_u2(&b, 1), jw_put_u8(&b, 0); /* a handler */
		jw_put_u2(&b, 1), jw_put_u2(&b, 10), jw_put_u4(&b, 10);
		jw_put_u2(&b, 2), jw_put_u4(&b, 1 << 16 | 9), jw_put_u4(&b, 7 + i);
	}
	jw_put_u2(&b, 1), jw_put_u2(&b, 11), jw_put_u4(&b, 2), jw_put_u2(&b, 12);
	return b;
}

static void put_file(const char *folder, const char *name, struct jw_span bytes)
{
	struct jw_out out = { .fd = -1 };
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	for (char *c = strchr(path + 1, '/'); c; c = strchr(c + 1, '/')) {
		*c = '\0';
		(void)mkdir(path, 0700);
		*c = '/';
	}
	ok(jw_out_open(path, 0600, &out, &err) == JW_OK);
	ok(jw_out_write(&out, bytes, &err) == JW_OK);
	ok(jw_out_commit(&out, &err) == JW_OK);
}

static void drop_file(const char *folder, const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	for (char *cut = path; cut && strlen(path) >= strlen(folder); cut = strrchr(path, '/')) {
		*cut = cut == path ? *cut : '\0';
		(void)remove(path);
	}
}

/* The map of a folder with class a.B and a table of TEXT, asked for the ids of a.B. */
static struct trace_map *named(const char *text, size_t *found)
{
	uint64_t hash = trace_class_hash(JW_SPAN_LIT("a/B"), 0);
	const uint64_t ids[] = { jwr_method_id(hash, 2), 12345, jwr_method_id(hash, 1),
				 jwr_method_id(hash, 0) };
	char folder[] = "/tmp/jweave-map-XXXXXX";
	struct trace_map *map = trace_map_new();
	struct jw_buf cls = make_class();

	ok(mkdtemp(folder) != NULL);
	put_file(folder, "a/B.class", jw_buf_span(&cls));
	put_file(folder, "META-INF/jweave/x.map", jw_span_str(text));
	is_int(trace_map_add_path(map, folder, found, &err), JW_OK);
	is_int(trace_map_name(map, ids, 4, &err), JW_OK);
	/* a second time changes nothing */
	is_int(trace_map_name(map, ids, 4, &err), JW_OK);
	drop_file(folder, "a/B.class");
	drop_file(folder, "META-INF/jweave/x.map");
	jw_buf_free(&cls);
	return map;
}

static const struct trace_method *method(const struct trace_map *map, uint16_t index)
{
	uint64_t hash = trace_class_hash(JW_SPAN_LIT("a/B"), 0);

	return trace_map_find(map, jwr_method_id(hash, index));
}

TEST(names_stand_in_the_class)
{
	size_t found = 0;
	struct trace_map *map = named("jweave-map\t2\nr\tmost\t{method}!\n", &found);
	const struct trace_method *m = method(map, 1);

	is_int(found, 1);
	ok(!trace_map_is_alone(map));
	ok(!method(map, 0)); /* abstract: nobody has woven it */
	if (ok(m != NULL)) {
		is_str(m->class_name, "a.B");
		is_str(m->source, "B.java");
		is_str(m->name, "y");
		is_str(m->descriptor, "(J)I");
		is_str(m->rule, "most");
		is_str(m->label, "{method}!");
		is_int(m->line, 7);
		is_int(m->access, 1);
	}
	ok(method(map, 2) && method(map, 2)->line == 8);
	ok(!trace_map_find(map, 12345));
	trace_map_free(map);
}

TEST(classes_with_other_rules)
{
	char text[128];
	size_t found;

	snprintf(text, sizeof(text), "jweave-map\t2\nr\tmost\nr\tother\tL\nk\t%010llx\t1:1\t2:0\n",
		 (unsigned long long)trace_class_hash(JW_SPAN_LIT("a/B"), 0));
	struct trace_map *map = named(text, &found);

	if (ok(method(map, 1) && method(map, 2))) {
		is_str(method(map, 1)->rule, "other");
		is_str(method(map, 1)->label, "L");
		is_str(method(map, 2)->rule, "most");
		is_str(method(map, 2)->label, "");
	}
	trace_map_free(map);
}

TEST(another_version_of_the_class_has_no_names_here)
{
	size_t found;
	struct trace_map *map = named("jweave-map\t2\t0000000000000007\nr\tmost\n", &found);

	ok(!method(map, 1) && !method(map, 2));
	trace_map_free(map);
}

TEST(what_the_table_names_itself_stays)
{
	char text[128];
	size_t found;

	snprintf(text, sizeof(text),
		 "jweave-map\t2\nr\tmost\nc\t%010llx\tq.Q\t\nm\t1\t5\t1\tn\t()V\tr\n",
		 (unsigned long long)trace_class_hash(JW_SPAN_LIT("a/B"), 0));
	struct trace_map *map = named(text, &found);

	ok(method(map, 1) && strcmp(method(map, 1)->name, "n") == 0);
	ok(method(map, 2) && strcmp(method(map, 2)->name, "z") == 0);
	trace_map_free(map);
}

TEST(a_table_alone_has_no_names)
{
	struct trace_map *map = trace_map_new();
	uint64_t id = 77;

	is_int(trace_map_add(map, JW_SPAN_LIT("jweave-map\t2\nr\tmost\n"), "x", &err), JW_OK);
	ok(trace_map_is_alone(map));
	is_int(trace_map_name(map, &id, 1, &err), JW_OK);
	ok(!trace_map_find(map, id));
	trace_map_free(map);
}

TEST(damaged_lines)
{
	static const char *const bad[] = {
		"r\n",
		"k\t1\t0:0\n", /* before any rule */
		"r\tx\nk\t\n",
		"r\tx\nk\tzz\t0:0\n",
		"r\tx\nk\t1\n",
		"r\tx\nk\t1\t0:1\n", /* there is no rule 1 */
		"r\tx\nk\t1\t65536:0\n",
		"r\tx\nk\t1\t0:0\t\n",
		"r\tx\nk\t1\t0\n",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct trace_map *map = trace_map_new();
		char text[64];

		snprintf(text, sizeof(text), "jweave-map\t2\n%s", bad[i]);
		is_int(trace_map_add(map, jw_span_str(text), "x", &err), JW_INPUT);
		ok(strstr(err.text, "damaged method map") != NULL);
		trace_map_free(map);
	}
}

TEST(classes_that_are_broken_have_no_names)
{
	struct jw_buf cls = make_class();
	const uint64_t id = jwr_method_id(trace_class_hash(JW_SPAN_LIT("B"), 0), 1);

	/* cut everywhere: never a crash */
	for (size_t n = 0; n < cls.n; n += 3) {
		char folder[] = "/tmp/jweave-map-XXXXXX";
		struct trace_map *map = trace_map_new();
		size_t found;

		ok(mkdtemp(folder) != NULL);
		put_file(folder, "B.class", jw_span_sub(jw_buf_span(&cls), 0, n));
		put_file(folder, "META-INF/jweave/x.map", JW_SPAN_LIT("jweave-map\t2\nr\tr\n"));
		is_int(trace_map_add_path(map, folder, &found, &err), JW_OK);
		is_int(trace_map_name(map, &id, 1, &err), JW_OK);
		ok(!trace_map_find(map, id));
		drop_file(folder, "B.class");
		drop_file(folder, "META-INF/jweave/x.map");
		trace_map_free(map);
	}
	jw_buf_free(&cls);
}

/* ---- numbers ---- */

#define SPACE UINT64_C(0x123456789a)
#define OWNER "jweave/a000000/P"

/* void NAME() { sipush NUMBER; invokestatic #CALLED }, of 5: "m", 6: "()V", 7: "Code" */
static void put_method(struct jw_buf *b, uint16_t number, uint16_t called)
{
	jw_put_u2(b, 1), jw_put_u2(b, 5), jw_put_u2(b, 6), jw_put_u2(b, 1);
	jw_put_u2(b, 7), jw_put_u4(b, 2 + 2 + 4 + 6 + 2 + 2);
	jw_put_u4(b, 0), jw_put_u4(b, 6);
	jw_put_u1(b, 0x11), jw_put_u2(b, number ^ 0x8000u);
	jw_put_u1(b, 0xb8), jw_put_u2(b, called);
	jw_put_u4(b, 0);
}

/* class a.B: four methods m(): number 7 handed to OWNER, 8 to another class, 9 to OWNER, and 10 to
 * what is no method. */
static struct jw_buf make_numbered(void)
{
	struct jw_buf b = { 0 };

	jw_put_u4(&b, 0xcafebabe);
	jw_put_u4(&b, 52);
	jw_put_u2(&b, 14);
	put_utf8(&b, "a/B");                                    /* 1 */
	jw_put_u1(&b, 7), jw_put_u2(&b, 1);                     /* 2 */
	put_utf8(&b, OWNER);                                    /* 3 */
	jw_put_u1(&b, 7), jw_put_u2(&b, 3);                     /* 4 */
	put_utf8(&b, "m");                                      /* 5 */
	put_utf8(&b, "()V");                                    /* 6 */
	put_utf8(&b, "Code");                                   /* 7 */
	put_utf8(&b, "(I)V");                                   /* 8 */
	jw_put_u1(&b, 12), jw_put_u2(&b, 7), jw_put_u2(&b, 8);  /* 9 */
	jw_put_u1(&b, 10), jw_put_u2(&b, 4), jw_put_u2(&b, 9);  /* 10: OWNER.Code(I)V */
	jw_put_u1(&b, 10), jw_put_u2(&b, 2), jw_put_u2(&b, 9);  /* 11: a/B.Code(I)V */
	jw_put_u1(&b, 9), jw_put_u2(&b, 4), jw_put_u2(&b, 9);   /* 12 */
	jw_put_u1(&b, 10), jw_put_u2(&b, 99), jw_put_u2(&b, 9); /* 13: of nothing */
	jw_put_u2(&b, 0x21), jw_put_u2(&b, 2), jw_put_u2(&b, 0), jw_put_u2(&b, 0);
	jw_put_u2(&b, 0);
	jw_put_u2(&b, 5);
	put_method(&b, 7, 10);
	put_method(&b, 8, 11);
	put_method(&b, 9, 10);
	put_method(&b, 10, 12);
	put_method(&b, 11, 13);
	jw_put_u2(&b, 0);
	return b;
}

static uint64_t id_of(uint16_t number)
{
	return jwr_method_id(SPACE, number);
}

TEST(methods_are_found_by_what_their_code_begins_with)
{
	const uint64_t ids[] = { id_of(7), id_of(8), id_of(9), id_of(10), id_of(11), id_of(1) };
	char folder[] = "/tmp/jweave-map-XXXXXX";
	struct trace_map *map = trace_map_new();
	struct jw_buf cls = make_numbered();
	size_t found = 0;

	ok(mkdtemp(folder) != NULL);
	put_file(folder, "B.class", jw_buf_span(&cls));
	put_file(folder, "META-INF/jweave/x.map",
		 JW_SPAN_LIT("jweave-map\t3\t0000000000000000\nr\tmost\tL\nr\tother\n"
			     "n\t123456789a\t" OWNER "\t5 3 \n"));
	is_int(trace_map_add_path(map, folder, &found, &err), JW_OK);
	for (int again = 0; again < 2; again++)
		is_int(trace_map_name(map, ids, 6, &err), JW_OK);
	is_int(found, 1);
	const struct trace_method *m = trace_map_find(map, id_of(7));
	if (ok(m != NULL)) {
		is_str(m->class_name, "a.B");
		is_str(m->name, "m");
		is_str(m->rule, "most");
		is_str(m->label, "L");
	}
	ok(trace_map_find(map, id_of(9)) != NULL);
	for (uint16_t number = 0; number < 16; number++)
		ok((trace_map_find(map, id_of(number)) != NULL) == (number == 7 || number == 9));
	trace_map_free(map);
	jw_buf_free(&cls);
	drop_file(folder, "B.class");
	drop_file(folder, "META-INF/jweave/x.map");
}

static enum jw_status add(const char *line)
{
	struct trace_map *map = trace_map_new();
	char text[256];

	snprintf(text, sizeof(text), "jweave-map\t3\t0000000000000001\n%s", line);
	enum jw_status status = trace_map_add(map, jw_span_str(text), "x", &err);
	trace_map_free(map);
	return status;
}

TEST(damaged_shares)
{
	static const char *const bad[] = {
		"n\t1\tP\t1 \n", /* before any rule */
		"r\tx\nn\t\n",
		"r\tx\nn\tzz\tP\t1 \n",
		"r\tx\nn\t10000000000\tP\t1 \n",
		"r\tx\nn\t1\n",
		"r\tx\nn\t1\tP\n",
		"r\tx\nn\t1\tP\t65537 \n",
		"r\tx\nn\t1\tP\t65000 537 \n",
		"r\tx\nn\t1\tP\t-1 \n",
		"r\tx\nn\t1\tP\t1  \n",
		"r\tx\nn\t1\tP\ta \n",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (!is_int(add(bad[i]), JW_INPUT))
			tap_note("%s", bad[i]);
		ok(strstr(err.text, "damaged method map: numbers are \"n SPACE CLASS SHARE...\", "
				    "after the rules") != NULL);
	}
	is_int(add("r\tx\nn\t1\tP\t65536 \n"), JW_OK);
	is_int(add("r\tx\nn\t1\tP\t65000 536 0 0 \n"), JW_OK);
	is_int(add("r\tx\nn\t1\tP\t\n"), JW_OK);
}
