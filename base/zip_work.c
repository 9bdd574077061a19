#include "base/zip_work.h"

#include "base/banned.h"

static const struct {
	uint64_t any, per, more;
	const char *text;
} kinds[JW_ZIP_WORK_COUNT] = {
#define JW_ZIP_WORK_ROW(name, any, per, more, text) { any, per, more, text },
	JW_ZIP_WORK_LIST(JW_ZIP_WORK_ROW)
#undef JW_ZIP_WORK_ROW
};

uint64_t jw_zip_work_limit(enum jw_zip_work_kind kind, uint64_t input)
{
	uint64_t parts = input / kinds[kind].per;

	return parts > (UINT64_MAX - kinds[kind].any) / kinds[kind].more
		       ? UINT64_MAX
		       : kinds[kind].any + parts * kinds[kind].more;
}

enum jw_status jw_zip_work_add(struct jw_zip_work *work, enum jw_zip_work_kind kind, uint64_t n,
			       struct jw_err *e)
{
	uint64_t limit = jw_zip_work_limit(kind, work->input);

	if (n > limit - work->done[kind])
		return jw_fail(e, JW_LIMIT,
			       "too many %s (limit is %llu for an input of %llu bytes%s)",
			       kinds[kind].text, (unsigned long long)limit,
			       (unsigned long long)work->input,
			       work->fixed ? "" : "; --no-limits lifts it");
	work->done[kind] += n;
	return JW_OK;
}
