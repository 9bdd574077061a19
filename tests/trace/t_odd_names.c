/*
 * t_odd_names.c: names that are any bytes, of threads, hosts, classes, methods, files, texts and events: every
 * format of export is valid with them, as it is with nothing at all in a recording.
 *
 * Slow: 15 s, each of thirty names in sixteen choices of formats.
 */
#include "tests/tap.h"

#include <string.h>

#include "tests/trace/check_exports.h"
#include "tests/trace/make_recording.h"
#include "trace/format/fields.h"

#include "base/banned.h"

#define CLASS 0x1234u
#define X10   "xxxxxxxxxx"
#define X100  X10 X10 X10 X10 X10 X10 X10 X10 X10 X10
#define E10   "\xf0\x9f\x98\x80\xf0\x9f\x98\x80\xf0\x9f\x98\x80\xf0\x9f\x98\x80\xf0\x9f\x98\x80"

static const struct {
	const char *what, *name;
} odd[] = {
	{ "nothing", "" },
	{ "a space", " " },
	{ "spaces around it", "  a  b  " },
	{ "quotes", "a \"b\" 'c' `d`" },
	{ "backslashes", "\\ \\\\ \\n \\N \\" },
	{ "what separates", "a;b,c:d\te|f [g] (h) {i}" },
	{ "lines", "one\ntwo\r\nthree\n" },
	{ "control characters", "\x01\x02\x1b[31m\x7f" },
	{ "C1 controls", "\xc2\x85\xc2\x9b" },
	{ "separators of lines of Unicode", "a\xe2\x80\xa8"
					    "b\xe2\x80\xa9"
					    "c" },
	{ "from right to left", "\xd7\x90\xd7\x91\xe2\x80\xae\xd7\x92 abc" },
	{ "an emoji", "\xf0\x9f\x98\x80" },
	{ "an emoji as Java writes it", "\xed\xa0\xbd\xed\xb8\x80" },
	{ "half a pair, the high one", "a\xed\xa0\xbd"
				       "b" },
	{ "half a pair, the low one", "a\xed\xb8\x80" },
	{ "a zero as Java writes it", "a\xc0\x80"
				      "b" },
	{ "no UTF-8", "\xff\xfe\x80" },
	{ "UTF-8 that is cut", "a\xf0\x9f\x98" },
	{ "no character", "\xef\xbf\xbe\xef\xbf\xbf" },
	{ "a mark at the beginning", "\xef\xbb\xbf"
				     "a" },
	{ "300 characters", X100 X100 X100 },
	{ "100 characters of four bytes",
	  E10 E10 E10 E10 E10 E10 E10 E10 E10 E10 E10 E10 E10 E10 E10 E10 E10 E10 E10 E10 },
	{ "a conversion", "%s%n %d" },
	{ "HTML", "</script><b>&amp;" },
	{ "SQL", "'); drop table call; --" },
	{ "numbers", "12 34" },
	{ "what begins a line of Paje", "%EventDef" },
};

static void put_name(struct make *m, const char *before, const char *name)
{
	struct jw_buf field = { 0 };

	trace_put_field(&field, jw_span_str(name));
	fprintf(m->meta, "%s\t%.*s\n", before, (int)field.n, (const char *)field.p);
	jw_buf_free(&field);
}

static const char *map_of(const char *name)
{
	static const struct jw_capture captures[] = {
		{ .what = JW_CAPTURE_ARG, .as = JW_AS_STRING, .type = 5, .label = "" },
		{ .what = JW_CAPTURE_ARG, .as = JW_AS_CLASS, .type = 6, .label = "" },
	};
	const struct trace_map_method method = {
		.line = 7,
		.name = jw_span_str(name),
		.descriptor = JW_SPAN_LIT("()V"),
		.rule = JW_SPAN_LIT("all"),
		.about = { .captures = captures, .capture_count = 2 },
	};
	const char *path = make_path("odd.map");
	struct jw_buf text = { 0 };

	trace_map_put_header(&text);
	trace_map_put_class(&text, CLASS, jw_span_str(name), jw_span_str(name));
	trace_map_put_method(&text, &method);
	make_file(path, jw_buf_span(&text));
	jw_buf_free(&text);
	return path;
}

static void export_all(const char *recording, const char *map)
{
	for (unsigned choice = 0; choice < 16 * 16; choice += 16)
		check_exports(recording, map, choice);
	make_remove(recording);
}

static void export_odd(const char *name)
{
	struct make m = make_begin("odd");

	make_thread(&m, 1, 0, name);
	make_thread(&m, 2, 0, name);
	put_name(&m, "host", name);
	put_name(&m, "event-label\t1000", name);
	put_name(&m, "event-value\t1000\t2", name);
	put_name(&m, "event-label\t5", name);
	put_name(&m, "text\t1", name);
	put_name(&m, "class\t7", name);
	put_name(&m, "file\t9", name);
	for (uint64_t i = 0; i < 2; i++) {
		uint64_t t = MAKE_START + 10000 * (i + 1);

		make_event(&m, 1, t, JWR_ENTER, jwr_method_id(CLASS, 0));
		make_event(&m, 1, t + 2, JWR_VALUE, 1);
		make_event(&m, 1, t + 4, JWR_VALUE, 1);
		make_event(&m, 1, t + 6, JWR_CONTENDED, jwr_object(7, 7));
		make_event(&m, 1, t + 2000, JWR_ENTERED, jwr_object(7, 7));
		make_event(&m, 1, t + 3000, JWR_AWAIT, jwr_await(JWR_AWAIT_READ, 9));
		make_event(&m, 1, t + 4000, JWR_AWAITED, jwr_awaited(JWR_AWAIT_READ, 10, 77));
		make_event(&m, 1, t + 5000, JWR_EXIT, jwr_method_id(CLASS, 0));
		make_event(&m, 2, t + 20, JWR_ENTER, jwr_method_id(CLASS, 1));
		make_event(&m, 2, t + 40, JWR_EXIT, jwr_method_id(CLASS, 1));
	}
	make_finish(&m, true);
	export_all(m.path, map_of(name));
}

TEST(every_format_is_valid_with_odd_names)
{
	for (size_t i = 0; i < sizeof(odd) / sizeof(*odd); i++) {
		tap_note("%s", odd[i].what);
		export_odd(odd[i].name);
		ok(true);
	}
}

TEST(every_format_is_valid_of_nothing)
{
	struct make m = make_begin("odd");

	make_finish(&m, true);
	export_all(m.path, NULL);
	m = make_begin("odd");
	make_thread(&m, 1, 0, "main");
	make_finish(&m, true);
	export_all(m.path, NULL);
	ok(true);
}

/* In a .prv and the texts beside it a name ends with its line; else it is any bytes, too. */
TEST(every_format_is_valid_of_a_trace_with_odd_names)
{
	static const char prv[] = "#Paraver (1/1/2025 at 0:00):1000_ns:0:1:1(2:0),0\n"
				  "1:0:1:1:1:0:500:1\n1:0:1:1:2:100:300:40\n"
				  "3:0:1:1:1:10:10:0:1:1:2:20:20:0:101\n"
				  "2:0:1:1:1:10:60000019:1\n2:0:1:1:1:20:48100006:1:77:5\n"
				  "2:0:1:1:1:30:60000019:0\n";

	for (size_t i = 0; i < sizeof(odd) / sizeof(*odd); i++) {
		struct jw_buf pcf = { 0 }, row = { 0 };

		if (strchr(odd[i].name, '\n'))
			continue;
		jw_put_fmt(&pcf, "STATES\n1 %s\n40 %s\n", odd[i].name, odd[i].name);
		jw_put_fmt(&pcf, "EVENT_TYPE\n0 60000019 %s\nVALUES\n0 End\n1 %s\n", odd[i].name,
			   odd[i].name);
		jw_put_fmt(&pcf, "EVENT_TYPE\n0 48100006 Java exception thrown\nVALUES\n1 %s\n",
			   odd[i].name);
		jw_put_fmt(&row, "LEVEL THREAD SIZE 2\n%s\n%s\n", odd[i].name, odd[i].name);
		tap_note("%s", odd[i].what);
		for (unsigned choice = 0; choice < 16 * 16; choice += 16)
			check_exports_of_prv(jw_span_str(prv), jw_buf_span(&pcf), jw_buf_span(&row),
					     choice);
		ok(true);
		jw_buf_free(&pcf);
		jw_buf_free(&row);
	}
}
