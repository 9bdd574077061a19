#include "weaver/archive/entries.h"

#include "base/file.h"
#include "base/zip.h"

#include "base/banned.h"

#define ROOM     (UINT64_C(1) << 30)   /* of all jars inside, unpacked */
#define ROOM_ONE (UINT64_C(128) << 20) /* of one */

enum { MAX_RATIO = 1000 };

struct look {
	weave_each_entry *each;
	void *ctx;
	struct jw_inflater *inflater;
	uint64_t room; /* bytes that may still be unpacked */
};

static enum jw_status give(const struct look *look, const struct jw_zip *zip, struct jw_span inside,
			   struct jw_err *e)
{
	for (size_t i = 0; i < zip->count; i++)
		JW_TRY(look->each(look->ctx, inside, zip->entries[i].name, e));
	return JW_OK;
}

/* The jar ENTRY of ZIP. Weaving says what is wrong with it. */
static enum jw_status look_inside(struct look *look, const struct jw_zip *zip,
				  const struct jw_zip_entry *entry, struct jw_err *e)
{
	const struct jw_zip_limits limits = { .max_size = ROOM_ONE, .max_ratio = MAX_RATIO };
	struct jw_buf bytes = { 0 };
	struct jw_arena arena = { 0 };
	struct jw_err ignored = { 0 };
	struct jw_zip inner;
	enum jw_status status =
		jw_zip_unpack(zip, entry, &limits, look->inflater, &bytes, &ignored);

	if (status == JW_OK) {
		look->room -= bytes.n < look->room ? bytes.n : look->room;
		status = jw_zip_open(jw_buf_span(&bytes), &arena, &inner, &ignored);
	}
	if (status == JW_OK)
		status = give(look, &inner, entry->name, e);
	else
		status = status == JW_NOMEM ? jw_nomem(e) : JW_OK;
	jw_arena_free(&arena);
	jw_buf_free(&bytes);
	return status;
}

static enum jw_status look_at(struct look *look, const struct jw_zip *zip, struct jw_err *e)
{
	JW_TRY(give(look, zip, jw_span(NULL, 0), e));
	for (size_t i = 0; i < zip->count; i++) {
		const struct jw_zip_entry *entry = &zip->entries[i];

		if (jw_span_ends(entry->name, JW_SPAN_LIT(".jar")) && entry->size <= ROOM_ONE &&
		    entry->size <= look->room)
			JW_TRY(look_inside(look, zip, entry, e));
	}
	return JW_OK;
}

enum jw_status weave_jar_entries(const char *path, weave_each_entry *each, void *ctx,
				 struct jw_err *e)
{
	struct look look = { .each = each, .ctx = ctx, .room = ROOM };
	struct jw_file file = { 0 };
	struct jw_arena arena = { 0 };
	struct jw_zip zip;

	JW_TRY(jw_file_open(path, 0, &file, e));
	look.inflater = jw_inflater_new();
	enum jw_status status =
		look.inflater ? jw_zip_open(file.bytes, &arena, &zip, e) : jw_nomem(e);
	if (status == JW_OK)
		status = look_at(&look, &zip, e);
	jw_inflater_free(look.inflater);
	jw_arena_free(&arena);
	jw_file_close(&file);
	return status;
}
