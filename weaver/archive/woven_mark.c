#include "weaver/archive/woven_mark.h"

#include "base/file.h"
#include "base/runtime_class.h"
#include "base/zip.h"
#include "trace/format/methodmap.h"
#include "weaver/input/tree.h"

#include "base/banned.h"

bool weave_is_added(struct jw_span name)
{
	if (jw_span_starts(name, JW_SPAN_LIT(WEAVE_EAR_FOLDER WEAVE_EAR_JAR)))
		return jw_span_ends(name, JW_SPAN_LIT(".jar"));
	/* it may be in any class directory */
	for (size_t at = 0; at < name.n; at++) {
		struct jw_span rest = jw_span_sub(name, at, name.n);

		if (at && name.p[at - 1] != '/')
			continue;
		if (jw_span_starts(rest, JW_SPAN_LIT(JW_RUNTIME_SHARED)) ||
		    jw_span_starts(rest, JW_SPAN_LIT(JWMAP_FOLDER)))
			return true;
	}
	return jw_is_runtime_class(name);
}

static enum jw_status keep(struct jw_span bytes, struct jw_arena *arena, struct jw_span *out,
			   struct jw_err *e)
{
	const char *copy = jw_arena_str(arena, bytes);

	if (!copy)
		return jw_nomem(e);
	*out = jw_span(copy, bytes.n);
	return JW_OK;
}

static enum jw_status info_of_zip(struct jw_span bytes, struct jw_arena *arena,
				  struct jw_span *json, struct jw_err *e)
{
	const struct jw_zip_limits limits = { .max_size = 1 << 20, .fixed = true };
	struct jw_arena index = { 0 };
	struct jw_buf text = { 0 };
	struct jw_zip zip;
	enum jw_status status = jw_zip_open(bytes, &index, &zip, e);
	const struct jw_zip_entry *mark = NULL;

	if (status == JW_OK)
		mark = jw_zip_find(&zip, JW_SPAN_LIT(WEAVE_MARK));
	if (mark) {
		struct jw_inflater *inflater = jw_inflater_new();

		status = inflater ? jw_zip_unpack(&zip, mark, &limits, inflater, &text, e)
				  : jw_nomem(e);
		jw_inflater_free(inflater);
		if (status == JW_OK)
			status = keep(jw_buf_span(&text), arena, json, e);
	}
	jw_buf_free(&text);
	jw_arena_free(&index);
	return status;
}

enum jw_status weave_info(const char *path, struct jw_arena *arena, struct jw_span *json,
			  struct jw_err *e)
{
	struct jw_file file;
	enum jw_status status;

	*json = (struct jw_span){ 0 };
	if (weave_is_folder(path)) {
		const char *mark = jw_arena_fmt(arena, "%s/%s", path, WEAVE_MARK);

		if (!mark)
			return jw_nomem(e);
		if (!weave_is_there(mark))
			return JW_OK;
		JW_TRY(jw_file_open(mark, 1 << 20, &file, e));
		status = keep(file.bytes, arena, json, e);
		jw_file_close(&file);
		return status;
	}
	JW_TRY(jw_file_open(path, 0, &file, e));
	status = info_of_zip(file.bytes, arena, json, e);
	jw_file_close(&file);
	if (status == JW_INPUT)
		return jw_err_where(e, "%s", path);
	return status;
}
