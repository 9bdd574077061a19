#include "weaver/archive/jar_class_path.h"

#include <string.h>

#include <libdeflate.h>

#include "base/file.h"
#include "base/out_file.h"
#include "base/zip.h"
#include "weaver/archive/manifest.h"
#include "weaver/archive/zip_order.h"
#include "weaver/archive/zip_out.h"
#include "weaver/input/kind.h"

#include "base/banned.h"

enum { MANIFEST_MAX = 64 << 20, LEVEL = 6 };

/* An open jar and what reading it needs. */
struct open_jar {
	struct jw_file file;
	struct jw_arena arena;
	struct jw_zip zip;
	struct jw_buf manifest; /* unpacked */
	size_t manifest_index;  /* zip.count: none */
};

static enum jw_status read_manifest(struct open_jar *jar, struct jw_err *e)
{
	const struct jw_zip_limits limits = { .max_size = MANIFEST_MAX, .fixed = true };
	const struct jw_zip *zip = &jar->zip;
	struct jw_inflater *inflater;

	jar->manifest_index = zip->count;
	for (size_t i = 0; i < zip->count; i++)
		if (weave_is_manifest(zip->entries[i].name))
			jar->manifest_index = i;
	if (jar->manifest_index == zip->count)
		return JW_OK;
	inflater = jw_inflater_new();
	if (!inflater)
		return jw_nomem(e);
	enum jw_status status = jw_zip_unpack(zip, &zip->entries[jar->manifest_index], &limits,
					      inflater, &jar->manifest, e);
	jw_inflater_free(inflater);
	return status;
}

static enum jw_status jar_open(struct open_jar *jar, const char *path, struct jw_err *e)
{
	*jar = (struct open_jar){ 0 };
	JW_TRY(jw_file_open(path, 0, &jar->file, e));
	enum jw_status status = jw_zip_open(jar->file.bytes, &jar->arena, &jar->zip, e);
	if (status == JW_OK)
		status = read_manifest(jar, e);
	return status == JW_OK ? JW_OK : jw_err_where(e, "%s", path);
}

static void jar_close(struct open_jar *jar)
{
	jw_buf_free(&jar->manifest);
	jw_arena_free(&jar->arena);
	jw_file_close(&jar->file);
}

/* The main attribute NAME in ARENA; *OUT stays when there is none. */
static enum jw_status get(const struct open_jar *jar, const char *name, struct jw_arena *arena,
			  const char **out, struct jw_err *e)
{
	struct jw_buf value = { 0 };

	if (!weave_manifest_value(jw_buf_span(&jar->manifest), name, &value))
		return JW_OK;
	enum jw_status status = jw_buf_finish(&value, "manifest", e);
	const char *text = status == JW_OK ? jw_arena_str(arena, jw_buf_span(&value)) : NULL;
	jw_buf_free(&value);
	JW_TRY(status);
	if (!text)
		return jw_nomem(e);
	*out = text;
	return JW_OK;
}

enum jw_status weave_jar_facts(const char *path, struct jw_arena *arena,
			       struct weave_jar_facts *out, struct jw_err *e)
{
	struct weave_jar_facts facts = { 0 };
	const char *access = NULL, *starts = NULL;
	struct open_jar jar;
	enum jw_status status = jar_open(&jar, path, e);

	if (status == JW_OK)
		status = get(&jar, "Class-Path", arena, &facts.class_path, e);
	if (status == JW_OK)
		status = get(&jar, "Main-Class", arena, &facts.main_class, e);
	if (status == JW_OK)
		status = get(&jar, "Start-Class", arena, &facts.main_class, e);
	if (status == JW_OK)
		status = get(&jar, "Premain-Class", arena, &facts.agent, e);
	if (status == JW_OK)
		status = get(&jar, "Enable-Native-Access", arena, &access, e);
	if (status == JW_OK)
		status = get(&jar, "Launcher-Agent-Class", arena, &starts, e);
	facts.native_access = access && strcmp(access, "ALL-UNNAMED") == 0;
	facts.starts_agent = starts != NULL;
	for (size_t i = 0; status == JW_OK && i < jar.zip.count; i++)
		facts.is_signed = facts.is_signed || weave_is_signature(jar.zip.entries[i].name);
	jar_close(&jar);
	if (status == JW_OK)
		*out = facts;
	return status;
}

bool weave_jar_has(const char *path, const char *name)
{
	struct open_jar jar;
	struct jw_err ignored = { 0 };
	bool has = jar_open(&jar, path, &ignored) == JW_OK &&
		   jw_zip_find(&jar.zip, jw_span_str(name)) != NULL;

	jar_close(&jar);
	return has;
}

/* ---- a copy ---- */

/* The writer takes entries in the order of their data. */
static enum jw_status copy_entries(struct weave_zip_out *out, const struct open_jar *jar,
				   const struct weave_zip_data *manifest, bool unsign,
				   struct jw_arena *arena, struct jw_err *e)
{
	size_t *order;

	JW_TRY(weave_zip_order(&jar->zip, arena, &order, e));
	for (size_t i = 0; i < jar->zip.count; i++) {
		if (order[i] == jar->manifest_index)
			JW_TRY(weave_zip_change(out, order[i], manifest, e));
		else if (unsign && weave_is_signature(jar->zip.entries[order[i]].name))
			JW_TRY(weave_zip_drop(out, order[i], e));
		else
			JW_TRY(weave_zip_copy(out, order[i], e));
	}
	return weave_zip_finish(out, e);
}

static enum jw_status write_jar(const struct open_jar *jar, const struct weave_zip_data *manifest,
				bool unsign, const char *path, struct jw_err *e)
{
	struct jw_arena arena = { 0 };
	struct weave_zip_out zip = { 0 };
	struct jw_out out = { 0 };

	JW_TRY(jw_out_open(path, jar->file.mode, &out, e));
	enum jw_status status =
		weave_zip_out_open(&zip, &jar->zip, (struct weave_sink){ .file = &out }, &arena, e);
	if (status == JW_OK)
		status = copy_entries(&zip, jar, manifest, unsign, &arena, e);
	weave_zip_out_close(&zip);
	if (status == JW_OK)
		status = jw_out_commit(&out, e);
	jw_out_abort(&out);
	jw_arena_free(&arena);
	return status;
}

static enum jw_status pack_and_write(const struct open_jar *jar, struct jw_span text, bool unsign,
				     const char *path, struct jw_err *e)
{
	struct libdeflate_compressor *deflater = libdeflate_alloc_compressor(LEVEL);
	struct weave_zip_data data;
	struct jw_buf packed = { 0 };

	if (!deflater)
		return jw_nomem(e);
	enum jw_status status = weave_zip_pack(
		deflater, text, jar->zip.entries[jar->manifest_index].method, &packed, &data, e);
	libdeflate_free_compressor(deflater);
	if (status == JW_OK)
		status = write_jar(jar, &data, unsign, path, e);
	jw_buf_free(&packed);
	return status;
}

/* The manifest of JAR with CLASS_PATH. */
static enum jw_status put_class_path(const struct open_jar *jar, const char *path,
				     struct jw_span class_path, struct jw_buf *out,
				     struct jw_err *e)
{
	if (jar->manifest_index == jar->zip.count)
		return jw_fail(e, JW_INPUT, "%s: has no manifest", path);
	weave_manifest_set(jw_buf_span(&jar->manifest), "Class-Path", class_path, out);
	return jw_buf_finish(out, "manifest", e);
}

enum jw_status weave_jar_set_class_path(const char *in, const char *out, const char *class_path,
					struct jw_err *e)
{
	struct jw_buf text = { 0 };
	struct open_jar jar;
	enum jw_status status = jar_open(&jar, in, e);

	if (status == JW_OK)
		status = put_class_path(&jar, in, jw_span_str(class_path), &text, e);
	if (status == JW_OK)
		status = pack_and_write(&jar, jw_buf_span(&text), false, out, e);
	jw_buf_free(&text);
	jar_close(&jar);
	return status;
}

enum jw_status weave_jar_unsign(const char *in, const char *out, struct jw_err *e)
{
	const struct weave_manifest_edit edit = { .strip_digests = true };
	struct weave_manifest_facts ignored;
	struct jw_buf text = { 0 };
	struct open_jar jar;
	enum jw_status status = jar_open(&jar, in, e);

	if (status == JW_OK && jar.manifest_index == jar.zip.count)
		status = jw_fail(e, JW_INPUT, "%s: has no manifest", in);
	if (status == JW_OK) {
		weave_manifest_edit(jw_buf_span(&jar.manifest), &edit, &text, &ignored);
		status = jw_buf_finish(&text, "manifest", e);
	}
	if (status == JW_OK)
		status = pack_and_write(&jar, jw_buf_span(&text), true, out, e);
	jw_buf_free(&text);
	jar_close(&jar);
	return status;
}

enum jw_status weave_jar_add_to_class_path(const char *path, const char *word, struct jw_err *e)
{
	const struct weave_manifest_edit edit = { .native_access = true };
	struct weave_manifest_facts ignored;
	struct jw_buf value = { 0 }, text = { 0 }, edited = { 0 };
	struct open_jar jar;
	enum jw_status status = jar_open(&jar, path, e);

	if (status == JW_OK &&
	    !weave_manifest_value(jw_buf_span(&jar.manifest), "Class-Path", &value))
		status = jw_fail(e, JW_INPUT, "%s: its manifest has no Class-Path", path);
	if (status == JW_OK) {
		jw_put_fmt(&value, " %s", word);
		status = put_class_path(&jar, path, jw_buf_span(&value), &text, e);
	}
	if (status == JW_OK) {
		weave_manifest_edit(jw_buf_span(&text), &edit, &edited, &ignored);
		status = jw_buf_finish(&edited, "manifest", e);
	}
	if (status == JW_OK)
		status = pack_and_write(&jar, jw_buf_span(&edited), false, path, e);
	jw_buf_free(&edited);
	jw_buf_free(&text);
	jw_buf_free(&value);
	jar_close(&jar);
	return status;
}
