/*
 * f_map.c: a fuzzed method map, or a fuzzed archive with maps in it, and classes that they leave
 * names to: read or refused; what was read has labels that a .pcf can hold.
 *
 * An archive is an input that begins with "PK", or a byte of 255 and a list (archive_list.h).
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/base/mutate_list.h"
#include "tests/fuzz.h"
#include "tests/trace/make_recording.h"
#include "tests/trace/mutate_lines.h"
#include "trace/format/fields.h"
#include "trace/format/methodmap.h"
#include "trace/format/recording.h"
#include "trace/names/label.h"
#include "trace/names/map_place.h"

#include "base/banned.h"

static void check_label(const struct trace_method *m)
{
	struct jw_buf b = { 0 };

	trace_put_label(&b, m, m->id, TRACE_MAX_METHOD_LABEL);
	if (b.failed != JW_OK || b.n == 0 || b.n > TRACE_MAX_METHOD_LABEL)
		abort();
	for (size_t pos = 0; pos < b.n;) {
		uint32_t c = trace_utf8_next(jw_buf_span(&b), &pos);

		if (c < 0x20 || c == 0x7f)
			abort();
	}
	const uint8_t *bracket = memchr(b.p, '[', b.n);

	if (!bracket || bracket == b.p || bracket[-1] != ' ' || b.p[b.n - 1] != ']')
		abort();
	jw_buf_free(&b);
}

/* DATA as a file on the class path. */
static void add_file(struct trace_map *map, struct jw_span data)
{
	const char *path = make_path("fuzz.jar");
	struct jw_err e = { 0 };
	size_t found = 0;

	make_file(path, data);
	if (trace_map_add_path(map, path, &found, &e) != JW_OK && !e.text[0])
		abort();
}

/* What a trace may hold of the class NAME of PLACE, and of the numbers there. */
static size_t put_ids(const struct trace_map_place *place, const char *name, uint64_t *ids)
{
	uint64_t hash = trace_class_hash(jw_span_str(name), place->salt);
	size_t n = 0;

	for (uint16_t i = 0; i < 4; i++) {
		ids[n++] = jwr_method_id(hash, i);
		ids[n++] = jwr_method_id(place->space, (uint16_t)(i * 9));
	}
	return n;
}

/* Names for all that the places of MAP have. */
static void ask_names(struct trace_map *map)
{
	static const char *const names[] = { "a/A", "a/B", "" };
	uint64_t ids[8 * 3 * 4];
	struct jw_err e = { 0 };
	size_t n = 0;

	for (const struct trace_map_place *p = trace_map_places(map);
	     p && n < sizeof(ids) / sizeof(ids[0]); p = p->next)
		for (size_t i = 0; i < 3; i++)
			n += put_ids(p, names[i], ids + n);
	if (trace_map_name(map, ids, n, &e) != JW_OK && !e.text[0])
		abort();
	for (size_t i = 0; i < n; i++)
		if (trace_map_find(map, ids[i]))
			check_label(trace_map_find(map, ids[i]));
}

static const struct jw_span list_mark = { (const uint8_t *)"\xff", 1 };

static void add_archive(struct trace_map *map, struct jw_span in)
{
	struct jw_buf made = { 0 };

	if (jw_span_starts(in, list_mark))
		list_build(jw_span_sub(in, list_mark.n, SIZE_MAX), 0, 0, &made);
	else
		jw_put_bytes(&made, in);
	add_file(map, jw_buf_span(&made));
	ask_names(map);
	jw_buf_free(&made);
}

static bool is_archive(struct jw_span in)
{
	return jw_span_starts(in, JW_SPAN_LIT("PK")) || jw_span_starts(in, list_mark);
}

static void change_table(struct jw_span in, struct jw_buf *out, uint32_t *state)
{
	static const char *const lines[] = {
		"jweave-map\t1",
		"jweave-map\t2\t00000000000000ff",
		"jweave-map\t3\t0000000000000001",
		"c\t0000000001\ta.B\tA.java",
		"c\t00000000ff\ta.B$C\t",
		"m\t#\t#\t1\tf\t()V\tr",
		"m\t#\t#\t1009\t<init>\t(I[Ljava/lang/String;)V\tr\t{class}.{method}{params} "
		"{rule}",
		"m\t#\t#\t8\tg\t(JD)I\tr\t{simpleClass} {package} {return}\tthread/start",
		"m\t#\t#\tffff\th\t()J\tr\t{source}:{line}\tio/"
		"read*#\tthis:identity\targ#:value:#:#:n",
		"m\t#\t#\t1\th\t()J\tr\t\t\treturn:string:48200001:#:a b",
		"s\t#\t#\t-\ta.C\tg\t()V\tf\t()V\tr",
		"s\t#\t#\t#\ta.C\tg\t(I)V\tf\t()V\tr\tx\tsync/lock\tthis:identity",
		"s\t#\t#\t12\ta.C\t<init>\t()V\tf\t()V\tr\t\tio/write*arg#\targ2:value:#:#",
		"a\tr\t#\t#\t#",
		"r\tr",
		"r\tr\t{class}",
		"k\t0000000001\t#:#\t#:#",
		"k\t00000000ff\t#:#",
		"n\t0000000001\tjweave/a000001/P\t# # # #",
		"\\x0",
		""
	};

	jw_put_bytes(out, in);
	mutate_lines(out, lines, sizeof(lines) / sizeof(lines[0]), state);
}

static void change_entry(const struct list_entry *entry, struct jw_buf *out, uint32_t *state)
{
	if (jw_span_starts(entry->content, JW_SPAN_LIT("jweave-map"))) {
		change_table(entry->content, out, state);
		return;
	}
	jw_put_bytes(out, entry->content);
	mutate_bytes(out, state);
}

static void change(struct jw_span in, struct jw_buf *out, uint32_t *state)
{
	if (jw_span_starts(in, list_mark)) {
		jw_put_bytes(out, list_mark);
		mutate_list(jw_span_sub(in, list_mark.n, SIZE_MAX), 0, change_entry, out, state);
	} else if (!is_archive(in)) {
		change_table(in, out, state);
	}
}

JW_MUTATES_BY(change)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char head[] = "jweave-map\t1\nc\t1\ta.A\tA.java\nm\t0\t1\t1\t";
	struct trace_map *map = trace_map_new();
	struct jw_buf text = { 0 };
	struct jw_err e = { 0 };

	if (!map)
		return 0;
	if (is_archive(jw_span(data, size)))
		add_archive(map, jw_span(data, size));
	else if (trace_map_add(map, jw_span(data, size), "fuzz", &e) != JW_OK && !e.text[0])
		abort();
	jw_put_str(&text, head);
	jw_put_bytes(&text, jw_span(data, size));
	if (trace_map_add(map, jw_buf_span(&text), "fuzz", &e) != JW_OK && !e.text[0])
		abort();
	for (uint32_t index = 0; index < 100; index++) {
		uint64_t id = jwr_method_id(1, (uint16_t)index);
		const struct trace_method *m = trace_map_find(map, id),
					  *telling = trace_map_telling(map, id);

		if (m)
			check_label(m);
		if (trace_map_same(map, id) != (m ? m->same : id) || (telling && telling != m))
			abort();
	}
	for (size_t i = 0; i < trace_map_collisions(map); i++)
		if (trace_map_collision(map, i) && !*trace_map_collision(map, i))
			abort();
	jw_buf_clear(&text);
	trace_put_field(&text, jw_span(data, size));
	for (size_t i = 0; i < text.n; i++)
		if (text.p[i] < 0x20 || text.p[i] == 0x7f)
			abort();
	jw_buf_free(&text);
	trace_map_free(map);
	return 0;
}
