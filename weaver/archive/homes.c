#include "weaver/archive/homes.h"

#include <stdlib.h>
#include <string.h>

#include "base/banned.h"

static int by_name(const void *a, const void *b)
{
	return jw_span_cmp(*(const struct jw_span *)a, *(const struct jw_span *)b);
}

static int by_hash(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* "a/B.class" of "META-INF/versions/9/a/B.class"; else empty. */
static struct jw_span base_of(struct jw_span name)
{
	struct jw_span versions = JW_SPAN_LIT("META-INF/versions/"), none = { 0 };

	if (!jw_span_starts(name, versions))
		return none;
	struct jw_span rest = jw_span_sub(name, versions.n, name.n);
	const uint8_t *slash = rest.n ? memchr(rest.p, '/', rest.n) : NULL;
	return slash ? jw_span_sub(rest, (size_t)(slash - rest.p) + 1, rest.n) : none;
}

enum jw_status weave_plain_map(struct weave_unit *unit, const struct jw_zip *zip, struct jw_err *e)
{
	struct jw_span suffix = JW_SPAN_LIT(".class");
	struct jw_span *names = JW_NEW_ARRAY(unit->arena, struct jw_span, zip->count + 1);
	uint64_t *hashes = jw_mem_zalloc(zip->count + 1, sizeof(*hashes));
	size_t count = 0;

	unit->versioned = names;
	unit->versioned_count = 0;
	for (size_t i = 0; names && hashes && i < zip->count; i++) {
		struct jw_span name = zip->entries[i].name, base = base_of(name);

		if (!jw_span_ends(name, suffix))
			continue;
		if (base.n > 0)
			names[unit->versioned_count++] = base;
		else
			hashes[count++] = weave_class_hash(jw_span_sub(name, 0, name.n - suffix.n),
							   unit->salt, weave_limits_of(unit));
	}
	if (unit->versioned_count > 1)
		qsort(names, unit->versioned_count, sizeof(*names), by_name);
	if (count > 1)
		qsort(hashes, count, sizeof(*hashes), by_hash);
	for (size_t i = 1; i < count; i++)
		unit->plain_map = unit->plain_map && hashes[i] != hashes[i - 1];
	bool failed = !names || !hashes;
	jw_mem_free(hashes);
	return failed ? jw_nomem(e) : JW_OK;
}

struct jw_span weave_home(const struct weave_unit *unit, unsigned depth, struct jw_span path)
{
	struct jw_span suffix = JW_SPAN_LIT(".class"), none = { 0 };

	if (!unit->plain_map || depth > 0 || !jw_span_ends(path, suffix))
		return none;
	if (unit->versioned_count > 0 &&
	    bsearch(&path, unit->versioned, unit->versioned_count, sizeof(path), by_name))
		return none;
	return jw_span_sub(path, 0, path.n - suffix.n);
}
