/* The limits on what the archives of one input make in all. */
#include "base/zip_work.h"

#include <string.h>

#include "tests/tap.h"

#include "base/banned.h"

TEST(a_limit_has_a_fixed_part_and_one_by_the_size_of_the_input)
{
	is_int(jw_zip_work_limit(JW_ZIP_WORK_ARCHIVES, 0), 4096);
	is_int(jw_zip_work_limit(JW_ZIP_WORK_ARCHIVES, 4095), 4096);
	is_int(jw_zip_work_limit(JW_ZIP_WORK_ARCHIVES, 4096), 4097);
	is_int(jw_zip_work_limit(JW_ZIP_WORK_ENTRIES, 16), 131073);
	is_int(jw_zip_work_limit(JW_ZIP_WORK_BYTES, 2), (64 << 20) + 64);
	ok(jw_zip_work_limit(JW_ZIP_WORK_BYTES, UINT64_MAX / 4) == UINT64_MAX);
	ok(jw_zip_work_limit(JW_ZIP_WORK_ENTRIES, UINT64_MAX) > UINT64_MAX / 17);
}

TEST(what_is_over_the_limit_is_refused_and_not_counted)
{
	for (enum jw_zip_work_kind kind = 0; kind < JW_ZIP_WORK_COUNT; kind++) {
		struct jw_zip_work work = { .input = 50000 };
		struct jw_err e = { 0 };
		uint64_t limit = jw_zip_work_limit(kind, work.input);

		is_int(jw_zip_work_add(&work, kind, limit - 1, &e), JW_OK);
		is_int(jw_zip_work_add(&work, kind, 2, &e), JW_LIMIT);
		is_int(jw_zip_work_add(&work, kind, UINT64_MAX, &e), JW_LIMIT);
		is_int(jw_zip_work_add(&work, kind, 1, &e), JW_OK);
		is_int(jw_zip_work_add(&work, kind, 0, &e), JW_OK);
		is_int(jw_zip_work_add(&work, kind, 1, &e), JW_LIMIT);
		ok(work.done[kind] == limit);
	}
}

TEST(the_error_names_the_limit_and_the_option)
{
	struct jw_zip_work work = { .input = 8192 };
	struct jw_err e = { 0 };

	is_int(jw_zip_work_add(&work, JW_ZIP_WORK_ARCHIVES, 5000, &e), JW_LIMIT);
	is_str(e.text, "too many archives inside archives (limit is 4098 for an input of 8192 "
		       "bytes; --no-limits lifts it)");
	is_int(jw_zip_work_add(&work, JW_ZIP_WORK_ENTRIES, 1 << 20, &e), JW_LIMIT);
	ok(strstr(e.text, "too many entries of archives in all (limit is 131584 ") != NULL);
	is_int(jw_zip_work_add(&work, JW_ZIP_WORK_BYTES, UINT64_MAX, &e), JW_LIMIT);
	ok(strstr(e.text, "too many bytes to unpack and to add in all (limit is 67371008 "));
	work.fixed = true;
	is_int(jw_zip_work_add(&work, JW_ZIP_WORK_ARCHIVES, 5000, &e), JW_LIMIT);
	is_str(e.text,
	       "too many archives inside archives (limit is 4098 for an input of 8192 bytes)");
}
