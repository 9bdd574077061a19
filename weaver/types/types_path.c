/*
 * types_path.c: types from a class path: of its archives the directories are read, and the classes
 * that are needed.
 */
#include "weaver/types/types_path.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/zip.h"
#include "base/zip_work.h"
#include "weaver/input/class_path.h"
#include "weaver/input/tree.h"

#include "base/banned.h"

struct path_part {
	const char *path;
	bool folder, used;
	struct jw_file file;
	struct jw_zip zip;
	struct class_place {
		uint64_t hash;
		const struct jw_zip_entry *entry;
	} * places; /* of its classes, by hash */
	size_t place_count;
	struct path_part *next;
};

struct class_path {
	struct weave_types *types;
	struct path_part *first, **last;
	struct jw_arena arena, scratch;
	struct jw_buf bytes;
	struct jw_inflater *inflater;
	struct jw_zip_limits limits;
	struct jw_zip_work work; /* of all parts */
	bool no_limits;
};

/* ---- parts ---- */

static int by_hash(const void *a, const void *b)
{
	const struct class_place *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return x->entry < y->entry ? -1 : x->entry > y->entry;
}

static enum jw_status index_part(struct class_path *p, struct path_part *part, struct jw_err *e)
{
	part->places = JW_NEW_ARRAY(&p->arena, struct class_place, part->zip.count + 1);
	if (!part->places)
		return jw_nomem(e);
	for (size_t i = 0; i < part->zip.count; i++) {
		const struct jw_zip_entry *entry = &part->zip.entries[i];

		if (jw_span_ends(entry->name, JW_SPAN_LIT(".class")))
			part->places[part->place_count++] =
				(struct class_place){ jw_hash64(entry->name, 0), entry };
	}
	qsort(part->places, part->place_count, sizeof *part->places, by_hash);
	return JW_OK;
}

/* A part that cannot be read is noted for the user, and no reason to stop. */
static enum jw_status add_part(void *ctx, const char *path, struct jw_err *e)
{
	struct class_path *p = ctx;
	struct path_part *part = JW_NEW(&p->arena, struct path_part);
	struct jw_err why = { 0 };
	enum jw_status status;

	if (!part)
		return jw_nomem(e);
	part->path = path;
	part->folder = weave_is_folder(path);
	*p->last = part;
	p->last = &part->next;
	if (part->folder)
		return JW_OK;
	if (strcmp(path, "-") == 0 || !weave_is_there(path))
		return weave_types_note(p->types, e, "class path: '%s' does not exist", path);
	status = jw_file_open(path, 0, &part->file, &why);
	part->used = status == JW_OK;
	if (status == JW_OK)
		status = jw_zip_open(part->file.bytes, &p->arena, &part->zip, &why);
	p->work.input += part->file.bytes.n;
	if (status == JW_OK)
		return index_part(p, part, e);
	part->zip.count = 0;
	if (status == JW_NOMEM)
		return jw_nomem(e);
	return weave_types_note(p->types, e, "class path: '%s' is left out: %s", path, why.text);
}

/* ---- classes ---- */

static const struct jw_zip_entry *find_entry(const struct path_part *part, struct jw_span name)
{
	uint64_t hash = jw_hash64(name, 0);
	size_t low = 0, high = part->place_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (part->places[middle].hash < hash)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < part->place_count && part->places[low].hash == hash; low++) {
		if (jw_span_eq(part->places[low].entry->name, name))
			return part->places[low].entry;
	}
	return NULL;
}

/* A class that cannot be read is as good as missing: the note about it will name it. */
static enum jw_status from_zip(struct class_path *p, const struct path_part *part, const char *file,
			       bool *found, struct jw_err *e)
{
	const struct jw_zip_entry *entry = find_entry(part, jw_span_str(file));
	enum jw_status status;

	if (!entry)
		return JW_OK;
	if (!p->no_limits && jw_zip_work_add(&p->work, JW_ZIP_WORK_BYTES, entry->size, e) != JW_OK)
		return jw_err_where(e, "%s: %s", part->path, file);
	jw_buf_clear(&p->bytes);
	status = jw_zip_unpack(&part->zip, entry, &p->limits, p->inflater, &p->bytes, e);
	if (status == JW_NOMEM)
		return status;
	*found = status == JW_OK;
	return *found ? weave_types_define_class(p->types, jw_buf_span(&p->bytes), &p->scratch, e)
		      : JW_OK;
}

static enum jw_status from_folder(struct class_path *p, const struct path_part *part,
				  const char *file, bool *found, struct jw_err *e)
{
	struct jw_file in;
	const char *path = jw_arena_fmt(&p->arena, "%s/%s", part->path, file);
	enum jw_status status;

	if (!path)
		return jw_nomem(e);
	if (!weave_is_there(path) || weave_is_folder(path))
		return JW_OK;
	status = jw_file_open(path, 0, &in, e);
	if (status != JW_OK)
		return status == JW_NOMEM ? status : JW_OK;
	*found = true;
	status = weave_types_define_class(p->types, in.bytes, &p->scratch, e);
	jw_file_close(&in);
	return status;
}

/* A name from a class file becomes the name of a file: it must not lead out of the folder. */
static bool is_plain(struct jw_span name)
{
	return name.n > 0 && name.p[0] != '/' && name.p[0] != '[' && !memchr(name.p, '.', name.n) &&
	       !memchr(name.p, 0, name.n);
}

static enum jw_status look_up(struct class_path *p, struct jw_span name, struct jw_err *e)
{
	const char *file;
	bool found = false;

	if (!is_plain(name))
		return JW_OK;
	file = jw_arena_fmt(&p->arena, "%.*s.class", (int)name.n, (const char *)name.p);
	if (!file)
		return jw_nomem(e);
	for (const struct path_part *part = p->first; part && !found; part = part->next)
		JW_TRY(part->folder ? from_folder(p, part, file, &found, e)
				    : from_zip(p, part, file, &found, e));
	return JW_OK;
}

/* What is found names further types, which are appended: the loop reaches them. */
static enum jw_status look_up_all(struct class_path *p, struct jw_err *e)
{
	for (uint32_t i = 1; i < p->types->count; i++) {
		if (!p->types->nodes[i].known)
			JW_TRY(look_up(p, p->types->nodes[i].name, e));
	}
	return JW_OK;
}

enum jw_status weave_types_add_path(struct weave_types *t, const char *path, bool no_limits,
				    struct jw_err *e)
{
	struct class_path p = {
		.types = t, .last = &p.first, .inflater = jw_inflater_new(), .no_limits = no_limits
	};
	enum jw_status status;

	if (!no_limits)
		p.limits = jw_zip_default_limits;
	status = p.inflater ? weave_class_path_parts(path, &p.arena, add_part, &p, e) : jw_nomem(e);
	if (status == JW_OK)
		status = look_up_all(&p, e);
	for (struct path_part *part = p.first; part; part = part->next) {
		if (part->used)
			jw_file_close(&part->file);
	}
	jw_inflater_free(p.inflater);
	jw_buf_free(&p.bytes);
	jw_arena_free(&p.scratch);
	jw_arena_free(&p.arena);
	return status;
}
