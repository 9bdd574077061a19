/*
 * f_map_class.c: any bytes as the class file that a method map leaves names to: nothing, or lines
 * that a map may hold.
 */
#include <stdlib.h>

#include "tests/fuzz.h"
#include "trace/format/methodmap.h"
#include "trace/names/map_class.h"
#include "trace/names/map_place.h"

#include "base/banned.h"

static bool every_third_not(void *ctx, uint16_t index)
{
	(void)ctx;
	return index % 3 != 2;
}

static const struct trace_map_rule *one_rule(void *ctx, uint16_t index)
{
	(void)index;
	return ctx;
}

/* NUMBERED: the class that ids are handed to by number, or NULL. */
static void read_class(struct jw_span bytes, const char *numbered)
{
	struct trace_map_rule rule = { .rule = "all", .label = "" };
	struct trace_map_lines lines = { every_third_not, one_rule, &rule, numbered };
	struct trace_map *map = trace_map_new();
	struct jw_buf text = { 0 };
	struct jw_err e = { 0 };

	trace_map_put_header(&text);
	if (map && trace_map_put_class_file(&text, 7, bytes, &lines) &&
	    trace_map_add(map, jw_buf_span(&text), "fuzz", &e) != JW_OK)
		abort();
	jw_buf_free(&text);
	trace_map_free(map);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	read_class(jw_span(data, size), NULL);
	read_class(jw_span(data, size), "jweave/a000000/P");
	return 0;
}
