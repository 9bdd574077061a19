#include "tests/tap.h"
#include "tests/trace/make_recording.h"
#include "trace/format/fields.h"
#include "trace/format/methodmap.h"
#include "trace/format/recording.h"
#include "trace/names/label.h"
#include "trace/paraver/paraver.h"

#include <sys/stat.h>

#include "base/banned.h"

static struct jw_err err;

static void is_field(const char *in, size_t n, const char *want)
{
	struct jw_buf b = { 0 };

	trace_put_field(&b, jw_span(in, n));
	is_span(jw_buf_span(&b), jw_span_str(want));
	jw_buf_free(&b);
}

TEST(fields)
{
	is_field("plain", 5, "plain");
	is_field("a\tb\nc\\d\r\x7f", 9, "a\\x09b\\x0ac\\x5cd\\x0d\\x7f");
	is_field("\xc0\x80", 2, "\\x00");                            /* NUL, modified */
	is_field("\xed\xa0\xbd\xed\xb8\x80", 6, "\xf0\x9f\x98\x80"); /* a pair */
	is_field("\xf0\x9f\x98\x80", 4, "\xf0\x9f\x98\x80");
	is_field("\xc3\xa9\xe2\x82\xac", 5, "\xc3\xa9\xe2\x82\xac");
	is_field("\xed\xa0\xbd!", 4, "\xef\xbf\xbd!"); /* half a pair */
	is_field("\xed\xb8\x80", 3, "\xef\xbf\xbd");
	is_field("\xc3", 1, "\xef\xbf\xbd");
	is_field("\xe2\x82", 2, "\xef\xbf\xbd\xef\xbf\xbd");
	is_field("\xc1\x81\x80", 3, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"); /* overlong */
	is_field("\xf4\x90\x80\x80", 4, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
	is_field("\xf0\x9f\x98z", 4, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdz");
	is_field("\xff", 1, "\xef\xbf\xbd");
}

TEST(numbers)
{
	uint64_t v = 7;

	ok(trace_dec(JW_SPAN_LIT("18446744073709551615"), UINT64_MAX, &v) && v == UINT64_MAX);
	ok(!trace_dec(JW_SPAN_LIT("18446744073709551616"), UINT64_MAX, &v));
	ok(!trace_dec(JW_SPAN_LIT(""), 9, &v) && !trace_dec(JW_SPAN_LIT("1a"), 99, &v));
	ok(trace_dec(JW_SPAN_LIT("9"), 9, &v) && !trace_dec(JW_SPAN_LIT("10"), 9, &v) && v == 9);
	ok(trace_hex(JW_SPAN_LIT("fF"), 255, &v) && v == 255 &&
	   !trace_hex(JW_SPAN_LIT("100"), 255, &v));
	ok(!trace_hex(JW_SPAN_LIT("5"), 4, &v));
}

TEST(class_hash)
{
	struct jw_span name = JW_SPAN_LIT("acme/exc/Storm");
	uint64_t h = trace_class_hash(name, 0);

	/* ids are in jars: this value never changes */
	is_int(h, 0x7cd778e576);
	ok(h <= JWR_CLASS_MASK);
	ok(trace_class_hash(name, 1) != h &&
	   trace_class_hash(name, 2) != trace_class_hash(name, 1));
	ok(trace_class_hash(JW_SPAN_LIT("acme/exc/Storn"), 0) != h);
}

static struct trace_map *map_of(const char *text, enum jw_status want)
{
	struct trace_map *map = trace_map_new();

	err = (struct jw_err){ 0 };
	is_int(trace_map_add(map, jw_span_str(text), "t.map", &err), want);
	return map;
}

TEST(round_trip)
{
	struct jw_buf text = { 0 };
	struct trace_map *map = trace_map_new();
	struct trace_map_method m = { .index = 65535,
				      .access = 0x1009,
				      .line = 4000000000u,
				      .name = JW_SPAN_LIT("ta\tb\\"),
				      .descriptor = JW_SPAN_LIT("()V"),
				      .rule = JW_SPAN_LIT("r"),
				      .label = JW_SPAN_LIT("{method}!") };

	trace_map_put_header(&text);
	trace_map_put_class(&text, 0xfedcba9876, JW_SPAN_LIT("a/b$C"), JW_SPAN_LIT("B.kt"));
	trace_map_put_method(&text, &m);
	m.index = 0;
	m.label = JW_SPAN_LIT("");
	trace_map_put_method(&text, &m);
	is_span(jw_buf_span(&text),
		JW_SPAN_LIT("jweave-map\t1\nc\tfedcba9876\ta.b$C\tB.kt\n"
			    "m\t65535\t4000000000\t1009\tta\\x09b\\x5c\t()V\tr\t{method}!\n"
			    "m\t0\t4000000000\t1009\tta\\x09b\\x5c\t()V\tr\n"));
	is_int(trace_map_add(map, jw_buf_span(&text), "x", &err), JW_OK);
	is_int(trace_map_count(map), 2);
	const struct trace_method *got = trace_map_find(map, jwr_method_id(0xfedcba9876, 65535));

	ok(got);
	is_str(got->class_name, "a.b$C");
	is_str(got->source, "B.kt");
	is_str(got->name, "ta\tb\\");
	is_str(got->descriptor, "()V");
	is_str(got->rule, "r");
	is_str(got->label, "{method}!");
	is_int(got->line, 4000000000u);
	is_int(got->access, 0x1009);
	is_str(trace_map_find(map, jwr_method_id(0xfedcba9876, 0))->label, "");
	ok(!trace_map_find(map, 1));
	trace_map_free(map);
	jw_buf_free(&text);
}

TEST(collisions)
{
	struct trace_map *map =
		map_of("jweave-map\t1\nc\t1\ta.A\t\nm\t0\t1\t1\tx\t()V\tr\n", JW_OK);

	is_int(trace_map_add(map,
			     JW_SPAN_LIT("jweave-map\t1\nc\t1\ta.A\t\nm\t0\t9\t1\tx\t()V\tr\n"),
			     "again", &err),
	       JW_OK);
	is_int(trace_map_collisions(map), 0);
	is_int(trace_map_find(map, jwr_method_id(1, 0))->line, 1);
	is_int(trace_map_add(map,
			     JW_SPAN_LIT("jweave-map\t1\nc\t1\tb.B\t\nm\t0\t9\t1\ty\t()I\tr\n"),
			     "other", &err),
	       JW_OK);
	is_int(trace_map_collisions(map), 1);
	is_str(trace_map_collision(map, 0), "a.A.x()V and b.B.y()I");
	ok(!trace_map_collision(map, 1));
	is_str(trace_map_find(map, jwr_method_id(1, 0))->class_name, "a.A");
	trace_map_free(map);
}

TEST(damage_is_named_with_its_line)
{
	static const struct {
		const char *text, *want;
	} bad[] = {
		{ "", "t.map:1: damaged method map: its first line" },
		{ "jweave-map\t2\t0x1\n",
		  "t.map:1: damaged method map: its salt is no hexadecimal number" },
		{ "jweave-map\n", "t.map:1: damaged" },
		{ "jweave-map\tx\n", "t.map:1: damaged" },
		{ "jweave-map\t1\nm\t0\t1\t1\tx\t()V\tr\n",
		  "t.map:2: damaged method map: a method before" },
		{ "jweave-map\t1\nc\tzz\ta.A\t\n", "t.map:2: damaged method map: a class is" },
		{ "jweave-map\t1\nc\t10000000000\ta.A\t\n", "t.map:2: damaged" },
		{ "jweave-map\t1\nc\t1\n", "t.map:2: damaged" },
		{ "jweave-map\t1\nc\t1\ta.A\tA\n\nm\t65536\t1\t1\tx\t()V\tr\n",
		  "t.map:4: damaged" },
		{ "jweave-map\t1\nc\t1\ta.A\tA\nm\t1\t-1\t1\tx\t()V\tr\n", "t.map:3: damaged" },
		{ "jweave-map\t1\nc\t1\ta.A\tA\nm\t1\t1\t1\tx\n", "t.map:3: damaged" },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		trace_map_free(map_of(bad[i].text, JW_INPUT));
		if (!ok(strstr(err.text, bad[i].want) == err.text))
			tap_note("%s", err.text);
	}
	trace_map_free(map_of("jweave-map\t4\n", JW_UNSUPPORTED));
	ok(strstr(err.text, "newer"));
}

/* ---- labels ---- */

static void is_label(const struct trace_method *m, const char *want)
{
	struct jw_buf b = { 0 };

	trace_put_label(&b, m, 0x123, SIZE_MAX);
	is_span(jw_buf_span(&b), jw_span_str(want));
	jw_buf_free(&b);
}

TEST(labels)
{
	struct trace_method m = { .class_name = "a.b.C$D",
				  .name = "<init>",
				  .source = "C.java",
				  .line = 7,
				  .descriptor = "([[J[Lx/Y$Z;ZBCSFDI)Lq/R;",
				  .rule = "r",
				  .label = "" };

	is_label(NULL, "unknown 0x123");
	is_label(&m,
		 "C$D.<init> [a.b.C$D.<init>(long[][], x.Y$Z[], boolean, byte, char, short, float, "
		 "double, int):q.R C.java:7]");
	m.line = 0;
	m.descriptor = "()V";
	is_label(&m, "C$D.<init> [a.b.C$D.<init>():void C.java]");
	m.source = "";
	m.class_name = "Top";
	is_label(&m, "Top.<init> [Top.<init>():void]");
	m.descriptor = "broken";
	is_label(&m, "Top.<init> [Top.<init>broken:]");
	m.descriptor = "(I[Q)V";
	is_label(&m, "Top.<init> [Top.<init>(int, [Q)V):]");
	m.name = " tab\tnew\nline ";
	m.descriptor = "()V";
	is_label(&m, "Top. tab new line [Top. tab new line ():void]");
}

TEST(label_templates)
{
	struct trace_method m = { .class_name = "a.b.C",
				  .name = "m",
				  .source = "C.java",
				  .line = 7,
				  .descriptor = "([I)J",
				  .rule = "kernels",
				  .label = "" };

	m.label = "{class}.{method}";
	is_label(&m, "a.b.C.m [a.b.C.m(int[]):long C.java:7]");
	m.label = "{simpleClass}.{method}{params}:{return}";
	is_label(&m, "C.m(int{}):long [a.b.C.m(int[]):long C.java:7]");
	m.label = "{package}|{source}|{line}|{rule}|{nothing}|{";
	is_label(&m, "a.b|C.java|7|kernels|{nothing}|{ [a.b.C.m(int[]):long C.java:7]");
	m.label = "[x]";
	is_label(&m, "{x} [a.b.C.m(int[]):long C.java:7]");
	m.label = "  ";
	is_label(&m, "? [a.b.C.m(int[]):long C.java:7]");
}

TEST(long_labels_are_cut_between_characters)
{
	char name[2000];
	struct trace_method m = { .class_name = name,
				  .name = "m",
				  .source = name,
				  .line = 7,
				  .descriptor = "()V",
				  .rule = "",
				  .label = "" };

	for (size_t shift = 0; shift < 3; shift++) {
		struct jw_buf b = { 0 };
		size_t n = shift;

		memset(name, 'x', shift);
		for (; n + 4 < sizeof(name); n += 3)
			memcpy(name + n, "\xe2\x82\xac", 3);
		name[n] = '\0';
		trace_put_label(&b, &m, 1, TRACE_MAX_METHOD_LABEL);
		ok(b.n <= TRACE_MAX_METHOD_LABEL && b.n > TRACE_MAX_METHOD_LABEL - 30);
		for (size_t pos = 0; pos < b.n;)
			if (!ok(trace_utf8_next(jw_buf_span(&b), &pos) != 0xfffd))
				break;
		ok(b.p[b.n - 1] == ']' && b.p[b.n - 2] == '7');
		jw_buf_free(&b);
	}
}

/* ---- where maps are found ---- */

static void put_le(struct jw_buf *b, size_t a, size_t n)
{
	for (; n > 0; n--, a >>= 8)
		jw_put_u1(b, a & 0xff);
}

static uint32_t crc_of(struct jw_span s)
{
	uint32_t c = ~0u;

	for (size_t i = 0; i < s.n; i++) {
		c ^= s.p[i];
		for (int k = 0; k < 8; k++)
			c = c >> 1 ^ (c & 1 ? 0xedb88320u : 0);
	}
	return ~c;
}

/* A zip archive of one stored entry. */
static void put_zip(struct jw_buf *b, const char *name, struct jw_span data)
{
	size_t start = b->n, central, n = strlen(name);

	for (int c = 0; c < 2; c++) {
		central = b->n;
		jw_put_str(b, c ? "PK\x01\x02" : "PK\x03\x04");
		if (c)
			put_le(b, 20, 2);
		put_le(b, 20, 2);
		put_le(b, 0, 8); /* flags, method, time, date */
		put_le(b, crc_of(data), 4);
		put_le(b, data.n, 4);
		put_le(b, data.n, 4);
		put_le(b, n, 2);
		put_le(b, 0, c ? 16 : 2);
		jw_put_str(b, name);
		if (!c)
			jw_put_bytes(b, data);
	}
	size_t size = b->n - central;

	jw_put_str(b, "PK\x05\x06");
	put_le(b, 0, 4);
	put_le(b, 1, 2);
	put_le(b, 1, 2);
	put_le(b, size, 4);
	put_le(b, central - start, 4);
	put_le(b, 0, 2);
}

static void write_file(const char *path, struct jw_span s)
{
	FILE *f = fopen(path, "wb");

	ok(f && fwrite(s.p, 1, s.n, f) == s.n && fclose(f) == 0);
}

static const char table[] = "jweave-map\t1\nc\t1\ta.A\tA.java\nm\t0\t1\t1\tx\t()V\tr\n";

static void finds(const char *path, size_t tables, size_t methods)
{
	struct trace_map *map = trace_map_new();
	size_t found = 99;

	err = (struct jw_err){ 0 };
	is_int(trace_map_add_path(map, path, &found, &err), JW_OK);
	is_str(err.text, "");
	is_int(found, tables);
	is_int(trace_map_count(map), methods);
	trace_map_free(map);
}

TEST(places_of_maps)
{
	struct jw_buf jar = { 0 }, war = { 0 }, bad = { 0 };

	put_zip(&jar, "META-INF/jweave/x.map", JW_SPAN_LIT(table));
	put_zip(&war, "WEB-INF/lib/y.jar", jw_buf_span(&jar));
	write_file(make_path("y.jar"), jw_buf_span(&jar));
	write_file(make_path("y.war"), jw_buf_span(&war));
	write_file(make_path("y.map"), JW_SPAN_LIT(table));
	write_file(make_path("no.zip"), JW_SPAN_LIT("hello"));
	finds(make_path("y.jar"), 1, 1);
	finds(make_path("y.war"), 1, 1);
	finds(make_path("y.map"), 1, 1);
	finds(make_path("no.zip"), 0, 0);
	finds(make_path("missing"), 0, 0);
	finds(make_folder(), 0, 0);
	mkdir(make_path("classes"), 0777);
	mkdir(make_path("classes/META-INF"), 0777);
	mkdir(make_path("classes/META-INF/jweave"), 0777);
	write_file(make_path("classes/META-INF/jweave/a.map"), JW_SPAN_LIT(table));
	write_file(make_path("classes/META-INF/jweave/a.txt"), JW_SPAN_LIT("no"));
	finds(make_path("classes"), 1, 1);
	mkdir(make_path("app"), 0777);
	mkdir(make_path("app/WEB-INF"), 0777);
	mkdir(make_path("app/WEB-INF/lib"), 0777);
	write_file(make_path("app/WEB-INF/lib/y.jar"), jw_buf_span(&jar));
	finds(make_path("app"), 1, 1);

	put_zip(&bad, "META-INF/jweave/x.map", JW_SPAN_LIT("nonsense"));
	write_file(make_path("bad.jar"), jw_buf_span(&bad));
	struct trace_map *map = trace_map_new();
	size_t found;

	is_int(trace_map_add_path(map, make_path("bad.jar"), &found, &err), JW_INPUT);
	ok(strstr(err.text, "bad.jar!/META-INF/jweave/x.map:1: damaged"));
	trace_map_free(map);
	jw_buf_free(&jar);
	jw_buf_free(&war);
	jw_buf_free(&bad);
}

/* What a recording points at, in all the ways in which JVMs write it. */
TEST(places_in_recordings)
{
	struct jw_buf jar = { 0 };
	const char *folder = make_folder(), *path;
	static const char *const forms[] = {
		"map|%s/sp ace.jar",
		"map|file:%s/sp%%20ace.jar",
		"map|%s/sp%%20ace.jar",
		"map|jar:file:%s/sp%%20ace.jar!/BOOT-INF/classes!/",
		"map|file:///%s/sp%%20ace.jar",
		"map|jar:nested:%s/sp%%20ace.jar/!BOOT-INF/lib/x.jar!/",
		"cwd|%s\nmap|sp ace.jar",
		"map|/nowhere.jar:%s/sp ace.jar",
		"map|%s/shop/WEB-INF/classes/",
		"map|file:%s/shop/WEB-INF/lib/z.jar",
	};

	put_zip(&jar, "META-INF/jweave/x.map", JW_SPAN_LIT(table));
	write_file(make_path("sp ace.jar"), jw_buf_span(&jar));
	jw_buf_free(&jar);
	mkdir(make_path("shop"), 0777);
	mkdir(make_path("shop/META-INF"), 0777);
	mkdir(make_path("shop/META-INF/jweave"), 0777);
	write_file(make_path("shop/META-INF/jweave/a.map"), JW_SPAN_LIT(table));
	for (size_t i = 0; i <= sizeof(forms) / sizeof(*forms); i++) {
		struct make m = make_begin("places");
		struct jw_arena arena = { 0 };
		struct trace_summary sum;
		char line[1000];

		path = m.path;
		if (i < sizeof(forms) / sizeof(*forms)) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
			snprintf(line, sizeof(line), forms[i], folder);
#pragma GCC diagnostic pop
			make_meta(&m, "%s", line);
		}
		make_meta(&m, "map|jrt:/java.base\nmap|http://x/y.jar\nmap|");
		make_event(&m, 1, MAKE_START + 10, JWR_ENTER, jwr_method_id(1, 0));
		make_finish(&m, true);
		is_int(make_convert(&path, 1, "places", NULL, &arena, &sum, &err), JW_OK);
		if (!is_int(sum.unnamed, i == sizeof(forms) / sizeof(*forms)))
			tap_note("%s", line);
		jw_arena_free(&arena);
	}
}

/* ---- call sites ---- */

static void put_site(struct jw_buf *text, uint16_t index, uint32_t line, const char *name)
{
	struct trace_map_site s = { .index = index,
				    .line = line,
				    .state = 5,
				    .owner = JW_SPAN_LIT("java/lang/Thread"),
				    .name = jw_span_str(name),
				    .descriptor = JW_SPAN_LIT("(J)V"),
				    .method = JW_SPAN_LIT("run"),
				    .method_descriptor = JW_SPAN_LIT("()V"),
				    .rule = JW_SPAN_LIT("r") };

	trace_map_put_site(text, &s);
}

/* clone() of an array: its class is written as Java does. */
TEST(calls_of_arrays)
{
	static const struct {
		const char *owner, *class_name, *label;
	} cases[] = {
		{ "[I", "int[]", "int{}.clone [int[].clone():void]" },
		{ "[[Lp/T$E;", "p.T$E[][]", "T$E{}{}.clone [p.T$E[][].clone():void]" },
		{ "[", "[", "{.clone [[.clone():void]" },
		{ "[Q", "[Q", "{Q.clone [[Q.clone():void]" },
		{ "", "", ".clone [.clone():void]" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct trace_map *map = trace_map_new();
		struct jw_buf text = { 0 }, label = { 0 };
		struct trace_map_site s = { .index = 32768,
					    .owner = jw_span_str(cases[i].owner),
					    .name = JW_SPAN_LIT("clone"),
					    .descriptor = JW_SPAN_LIT("()V"),
					    .method = JW_SPAN_LIT("run"),
					    .method_descriptor = JW_SPAN_LIT("()V"),
					    .rule = JW_SPAN_LIT("r") };

		trace_map_put_header(&text);
		trace_map_put_class(&text, 1, JW_SPAN_LIT("a/B"), JW_SPAN_LIT("B.java"));
		trace_map_put_site(&text, &s);
		is_int(trace_map_add(map, jw_buf_span(&text), "x", &err), JW_OK);
		const struct trace_method *m = trace_map_find(map, jwr_method_id(1, 32768));

		if (ok(m != NULL)) {
			is_str(m->class_name, cases[i].class_name);
			trace_put_label(&label, m, m->id, SIZE_MAX);
			is_span(jw_buf_span(&label), jw_span_str(cases[i].label));
		}
		trace_map_free(map);
		jw_buf_free(&text);
		jw_buf_free(&label);
	}
}

TEST(calls_of_one_method_are_shown_as_one)
{
	struct trace_map *map = trace_map_new();
	struct jw_buf text = { 0 }, label = { 0 };

	trace_map_put_header(&text);
	trace_map_put_class(&text, 1, JW_SPAN_LIT("a/B"), JW_SPAN_LIT("B.java"));
	put_site(&text, 32768, 7, "sleep");
	put_site(&text, 32769, 9, "sleep");
	put_site(&text, 32770, 9, "join");
	trace_map_put_class(&text, 2, JW_SPAN_LIT("a/C"), JW_SPAN_LIT("C.java"));
	put_site(&text, 32768, 1, "sleep");
	is_int(trace_map_add(map, jw_buf_span(&text), "x", &err), JW_OK);
	is_int(trace_map_count(map), 4);
	const struct trace_method *m = trace_map_find(map, jwr_method_id(2, 32768));

	ok(m && m->call);
	is_int(m->line, 1);
	is_int(m->state, 5);
	is_str(m->class_name, "java.lang.Thread");
	is_str(m->in_class, "a.C");
	is_str(m->in_method, "run");
	is_int((long long)trace_map_same(map, m->id), (long long)jwr_method_id(1, 32768));
	is_int((long long)trace_map_same(map, jwr_method_id(1, 32769)),
	       (long long)jwr_method_id(1, 32768));
	is_int((long long)trace_map_same(map, jwr_method_id(1, 32770)),
	       (long long)jwr_method_id(1, 32770));
	is_int((long long)trace_map_same(map, 77), 77);
	trace_put_label(&label, m, m->id, SIZE_MAX);
	is_span(jw_buf_span(&label),
		JW_SPAN_LIT("Thread.sleep [java.lang.Thread.sleep(long):void]"));
	trace_map_free(map);
	jw_buf_free(&text);
	jw_buf_free(&label);
}

TEST(many_methods_called)
{
	struct trace_map *map = trace_map_new();
	struct jw_buf text = { 0 };
	char name[16];

	trace_map_put_header(&text);
	for (int c = 1; c <= 2; c++) {
		trace_map_put_class(&text, (uint64_t)c, JW_SPAN_LIT("a/B"), JW_SPAN_LIT(""));
		for (uint16_t i = 0; i < 2000; i++) {
			snprintf(name, sizeof(name), "m%u", i);
			put_site(&text, (uint16_t)(32768 + i), i, name);
		}
	}
	is_int(trace_map_add(map, jw_buf_span(&text), "x", &err), JW_OK);
	for (uint16_t i = 0; i < 2000; i += 7)
		is_int((long long)trace_map_same(map, jwr_method_id(2, (uint16_t)(32768 + i))),
		       (long long)jwr_method_id(1, (uint16_t)(32768 + i)));
	trace_map_free(map);
	jw_buf_free(&text);
}

TEST(damaged_call_sites)
{
	static const char *const lines[] = {
		"s\t32768\t1\t5\ta.B\tm\t()V\tr\t()V\tid\n",
		"c\t0000000001\ta.B\t\ns\t32768\t1\t5\ta.B\tm\t()V\tr\t()V\n",
		"c\t0000000001\ta.B\t\ns\t65536\t1\t5\ta.B\tm\t()V\tr\t()V\tid\n",
		"c\t0000000001\ta.B\t\ns\t32768\t1\tx\ta.B\tm\t()V\tr\t()V\tid\n",
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		struct trace_map *map = trace_map_new();
		struct jw_buf text = { 0 };

		trace_map_put_header(&text);
		jw_put_str(&text, lines[i]);
		is_int(trace_map_add(map, jw_buf_span(&text), "x", &err), JW_INPUT);
		trace_map_free(map);
		jw_buf_free(&text);
	}
}
