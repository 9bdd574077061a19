/*
 * numbers.c: ids of two bytes, for the methods of an archive's own classes.
 *
 * An id of eight bytes is a constant of its own for each method, which compresses badly. A number
 * is in the code, and only the archive's own runtime class knows which archive it belongs to.
 *
 * Which method has which number depends on the archive alone, not on rules, threads or options:
 * each class has a share of them by its size in the archive's directory, and in that order; a method
 * has the number at its index in the share of its class. Methods for which a share is too small, and
 * those of archives inside, have ids by the hash of their class.
 */
#include "weaver/archive/numbers.h"

#include "trace/format/methodmap.h"

#include "base/banned.h"

enum {
	NUMBERS = 1 << 16,
	METHOD_BYTES = 32,        /* the shortest method that a small archive has a number for */
	CLASS_BYTES_MAX = 1 << 24 /* a directory may claim any size */
};

/* As methodmap.h says: the reader of the map counts them in the same way. */
static bool has_share(const struct jw_zip_entry *entry)
{
	return jw_span_ends(entry->name, JW_SPAN_LIT(".class"));
}

static uint64_t bytes_of(const struct jw_zip_entry *entry)
{
	if (!has_share(entry))
		return 0;
	return entry->size < CLASS_BYTES_MAX ? entry->size : CLASS_BYTES_MAX;
}

static void put_shares(const struct weave_unit *unit, const struct jw_zip *zip, struct jw_buf *out)
{
	const uint32_t *first = unit->first_number;
	uint32_t from = 0, classes = 0;

	trace_map_put_numbers(out, unit->number_space, unit->own);
	for (size_t i = 0; i < zip->count; i++) {
		if (!has_share(&zip->entries[i]) || ++classes % TRACE_MAP_TOGETHER != 0)
			continue;
		trace_map_put_share(out, first[i + 1] - from);
		from = first[i + 1];
	}
	trace_map_put_share(out, first[zip->count] - from);
	jw_put_str(out, "\n");
}

enum jw_status weave_numbers_share(struct weave_unit *unit, const struct jw_zip *zip,
				   struct jw_err *e)
{
	uint32_t *first = JW_NEW_ARRAY(unit->arena, uint32_t, zip->count + 1);
	uint64_t total = 0, before = 0, step;
	struct jw_buf line = { 0 };

	if (!first)
		return jw_nomem(e);
	for (size_t i = 0; i < zip->count; i++)
		total += bytes_of(&zip->entries[i]);
	step = total / NUMBERS + 1;
	step = step < METHOD_BYTES ? METHOD_BYTES : step;
	for (size_t i = 0; i < zip->count; i++) {
		first[i] = (uint32_t)(before / step);
		before += bytes_of(&zip->entries[i]);
	}
	first[zip->count] = (uint32_t)(before / step);
	unit->first_number = first;
	/* of the input alone, as the numbers are; and the hash of no real class */
	unit->number_space = weave_class_hash(JW_SPAN_LIT(JW_RUNTIME_SHARED "numbers"), unit->salt,
					      weave_limits_of(unit));
	put_shares(unit, zip, &line);
	enum jw_status status = jw_buf_finish(&line, "shares of numbers", e);
	const char *copy = jw_arena_str(unit->arena, jw_buf_span(&line));
	unit->shares = jw_span(copy, copy ? line.n : 0);
	jw_buf_free(&line);
	return status == JW_OK && !copy ? jw_nomem(e) : status;
}

struct weave_numbers weave_numbers_of(const struct weave_unit *unit, size_t entry)
{
	const uint32_t *first = unit->first_number;

	if (!first)
		return (struct weave_numbers){ 0 };
	return (struct weave_numbers){ .first = (uint16_t)first[entry],
				       .count = first[entry + 1] - first[entry],
				       .space = unit->number_space,
				       .owner = unit->own };
}
