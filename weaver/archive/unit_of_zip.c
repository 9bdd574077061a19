#include "weaver/archive/unit_of_zip.h"

#include "weaver/archive/home.h"
#include "weaver/archive/numbers.h"
#include "weaver/archive/packaging.h"
#include "weaver/input/kind.h"

#include "base/banned.h"

uint64_t weave_hash_of_zip(const struct jw_zip *zip)
{
	uint64_t hash = 0;

	for (size_t i = 0; i < zip->count; i++) {
		const struct jw_zip_entry *entry = &zip->entries[i];

		hash = weave_hash_entry(hash, entry->name, entry->crc, entry->size);
	}
	return hash;
}

/* Numbers are for the program's own classes, in an archive that is no part of another. */
static bool has_numbers(const struct weave_unit *unit, const struct jw_zip *zip)
{
	return unit->depth == 0 && !unit->bundle && !unit->boots &&
	       unit->job->runtime != WEAVE_RUNTIME_NONE &&
	       weave_packaging_of(zip) == WEAVE_PACKAGING_JAR;
}

/* A .jmod file (four bytes, then an archive). What is added would have to be in its sections: jlink
 * refuses a file with anything else. */
static enum jw_status refuse_jmod(const struct jw_zip *zip, struct jw_err *e)
{
	if (!jw_span_starts(zip->bytes, JW_SPAN_LIT("JM\1")) || zip->start != 4)
		return JW_OK;
	return jw_fail(e, JW_UNSUPPORTED,
		       "a .jmod file: weave the modular jar that it was made of, or the folder "
		       "'classes' of 'jmod extract', and give that to 'jmod create --class-path', "
		       "or to jlink");
}

enum jw_status weave_unit_of_zip(struct weave_unit *unit, const struct jw_zip *zip,
				 struct jw_err *e)
{
	bool classes = false;

	unit->boots = false;
	unit->roots = (struct weave_roots){ 0 };
	for (size_t i = 0; i < zip->count; i++) {
		const struct jw_zip_entry *entry = &zip->entries[i];

		unit->boots = unit->boots || weave_is_boot_class(entry->name);
		if (jw_span_eq_str(entry->name, "classes/" WEAVE_BOOT_CLASS ".class"))
			return jw_fail(
				e, JW_UNSUPPORTED,
				"java.base as a .jmod file: --patch-module takes none; weave "
				"the folder 'classes' of 'jmod extract'");
		classes = classes || weave_kind(entry->name) == WEAVE_KIND_CLASS;
	}
	JW_TRY(refuse_jmod(zip, e));
	unit->bundle = weave_may_be_bundle(zip);
	if (unit->bundle && classes) {
		JW_TRY(weave_roots_of_zip(zip, &unit->limits, unit->arena, &unit->roots, e));
		/* one runtime at the top is all that an archive of a thousand programs gets */
		unit->bundle = !weave_roots_hold(&unit->roots, JW_SPAN_LIT("")) &&
			       unit->roots.count <= WEAVE_ROOTS_MAX;
	}
	bool numbers = has_numbers(unit, zip);

	JW_TRY(weave_unit_name(unit, weave_hash_of_zip(zip), weave_home_of_zip(zip), numbers, e));
	unit->first_number = NULL;
	unit->shares = (struct jw_span){ 0 };
	return numbers ? weave_numbers_share(unit, zip, e) : JW_OK;
}
