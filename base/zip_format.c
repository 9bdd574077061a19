#include "base/zip_format.h"

#include "base/banned.h"

bool jw_zip_take_local(struct jw_cur *c, struct jw_zip_local *out)
{
	*out = (struct jw_zip_local){ .fixed = jw_cur_take(c, JW_ZIP_LOCAL_BYTES) };
	if (!jw_cur_ok(c))
		return false;
	out->name = jw_cur_take(c, jw_span_le2(out->fixed, JW_ZIP_LOCAL_NAME_LENGTH));
	out->extra = jw_cur_take(c, jw_span_le2(out->fixed, JW_ZIP_LOCAL_EXTRA_LENGTH));
	return jw_cur_ok(c);
}

bool jw_zip_take_central(struct jw_cur *c, struct jw_zip_central *out)
{
	*out = (struct jw_zip_central){ .fixed = jw_cur_take(c, JW_ZIP_CENTRAL_BYTES) };
	if (!jw_cur_ok(c))
		return false;
	out->name = jw_cur_take(c, jw_span_le2(out->fixed, JW_ZIP_CENTRAL_NAME_LENGTH));
	out->extra = jw_cur_take(c, jw_span_le2(out->fixed, JW_ZIP_CENTRAL_EXTRA_LENGTH));
	out->comment = jw_cur_take(c, jw_span_le2(out->fixed, JW_ZIP_CENTRAL_COMMENT_LENGTH));
	return jw_cur_ok(c);
}
