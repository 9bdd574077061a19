/*
 * map_find.c: the method maps in a jar (nested jars too), a class directory, or a file.
 *
 * Nothing that cannot be read is an error: a class path names what is not there, and jars that were
 * never woven. Damage inside a table that is ours is.
 */
#include <dirent.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/zip.h"
#include "base/zip_work.h"
#include "trace/format/methodmap.h"

#include "base/banned.h"

#define MAX_NESTING 3
#define MAX_PATH    4096

static const struct jw_zip_limits limits = { .max_size = UINT64_C(512) << 20,
					     .max_ratio = 1000,
					     .fixed = true };

static const char *const archive_suffixes[] = { ".jar", ".war", ".ear", ".zip" };
/* folders of jars inside an exploded application */
static const char *const library_folders[] = { "WEB-INF/lib", "BOOT-INF/lib" };

struct search {
	struct trace_map *map;
	struct jw_inflater *inflater; /* made when first needed */
	const char *place;            /* the archive or folder that is searched; NULL: a file */
	struct jw_zip_work work;      /* of the file that is searched */
	size_t found;
	struct jw_err *e;
};

static bool ends_with(struct jw_span name, const char *suffix)
{
	size_t n = strlen(suffix);

	return name.n > n && strncasecmp((const char *)name.p + name.n - n, suffix, n) == 0;
}

static bool is_archive_name(struct jw_span name)
{
	for (size_t i = 0; i < sizeof(archive_suffixes) / sizeof(*archive_suffixes); i++)
		if (ends_with(name, archive_suffixes[i]))
			return true;
	return false;
}

static bool is_map_name(struct jw_span name)
{
	return jw_span_starts(name, JW_SPAN_LIT(JWMAP_FOLDER)) &&
	       jw_span_ends(name, JW_SPAN_LIT(JWMAP_SUFFIX));
}

static enum jw_status add_table(struct search *s, struct jw_span text, const char *origin)
{
	JW_TRY(trace_map_add_at(s->map, text, origin, s->place, s->e));
	s->found++;
	return JW_OK;
}

static enum jw_status search_archive(struct search *s, struct jw_span bytes, const char *origin,
				     int depth);

/* Classes are found again in archives that are files, not inside others. */
static enum jw_status search_inside(struct search *s, struct jw_span bytes, const char *origin,
				    int depth)
{
	const char *place = s->place;

	s->place = NULL;
	enum jw_status status = search_archive(s, bytes, origin, depth);
	s->place = place;
	return status;
}

/* Counts ENTRY, called NAME. */
static enum jw_status count(struct search *s, const struct jw_zip_entry *entry, const char *name)
{
	struct jw_err why = { 0 };

	if (entry->size > limits.max_size) /* it will not be unpacked */
		return JW_OK;
	if ((is_map_name(entry->name) ||
	     jw_zip_work_add(&s->work, JW_ZIP_WORK_ARCHIVES, 1, &why) == JW_OK) &&
	    jw_zip_work_add(&s->work, JW_ZIP_WORK_BYTES, entry->size, &why) == JW_OK)
		return JW_OK;
	return jw_fail(s->e, JW_LIMIT, "%s: %s: name its method map alone with --map", name,
		       why.text);
}

/* One entry that is a table or an archive. */
static enum jw_status search_entry(struct search *s, const struct jw_zip *zip,
				   const struct jw_zip_entry *entry, const char *origin, int depth)
{
	struct jw_buf out = { 0 };
	struct jw_err quiet = { 0 };
	char name[MAX_PATH];

	if (!s->inflater)
		s->inflater = jw_inflater_new();
	if (!s->inflater)
		return jw_nomem(s->e);
	snprintf(name, sizeof(name), "%s!/%.*s", origin,
		 (int)(entry->name.n < 500 ? entry->name.n : 500), (const char *)entry->name.p);
	JW_TRY(count(s, entry, name));
	enum jw_status status = jw_zip_unpack(zip, entry, &limits, s->inflater, &out, &quiet);

	if (status == JW_OK && is_map_name(entry->name))
		status = add_table(s, jw_buf_span(&out), name);
	else if (status == JW_OK)
		status = search_inside(s, jw_buf_span(&out), name, depth + 1);
	else if (status != JW_NOMEM && is_map_name(entry->name))
		status = jw_fail(s->e, JW_INPUT, "%s: %s", name, quiet.text);
	else
		status = status == JW_NOMEM ? jw_nomem(s->e) : JW_OK;
	jw_buf_free(&out);
	return status;
}

static enum jw_status search_archive(struct search *s, struct jw_span bytes, const char *origin,
				     int depth)
{
	struct jw_arena arena = { 0 };
	struct jw_err quiet = { 0 };
	struct jw_zip zip;
	enum jw_status status = jw_zip_open(bytes, &arena, &zip, &quiet);

	if (status != JW_OK)
		status = status == JW_NOMEM ? jw_nomem(s->e) : JW_OK;
	else
		for (size_t i = 0; status == JW_OK && i < zip.count; i++)
			if (is_map_name(zip.entries[i].name) ||
			    (depth < MAX_NESTING && is_archive_name(zip.entries[i].name)))
				status = search_entry(s, &zip, &zip.entries[i], origin, depth);
	jw_arena_free(&arena);
	return status;
}

/* BYTES of the archive PATH. */
static enum jw_status search_as(struct search *s, const char *path, struct jw_span bytes)
{
	const char *place = s->place;

	s->place = path;
	s->work = (struct jw_zip_work){ .input = bytes.n, .fixed = true };
	enum jw_status status = search_archive(s, bytes, path, 0);
	s->place = place;
	return status;
}

static enum jw_status search_file(struct search *s, const char *path)
{
	struct jw_file file = { 0 };
	struct jw_err quiet = { 0 };
	enum jw_status status = jw_file_open(path, 0, &file, &quiet);

	if (status != JW_OK)
		return status == JW_NOMEM ? jw_nomem(s->e) : JW_OK;
	if (jw_span_starts(file.bytes, JW_SPAN_LIT("jweave-map\t")))
		status = add_table(s, file.bytes, path);
	else
		status = search_as(s, path, file.bytes);
	jw_file_close(&file);
	return status;
}

/* Every file of FOLDER/SUB whose name WANTED accepts. */
static enum jw_status search_folder(struct search *s, const char *folder, const char *sub,
				    bool (*wanted)(struct jw_span name))
{
	char path[MAX_PATH];
	enum jw_status status = JW_OK;
	int n = snprintf(path, sizeof(path), "%s/%s", folder, sub);
	DIR *dir = n > 0 && (size_t)n < sizeof(path) ? opendir(path) : NULL;

	if (!dir)
		return JW_OK;
	for (struct dirent *d; status == JW_OK && (d = readdir(dir));) {
		n = snprintf(path, sizeof(path), "%s/%s/%s", folder, sub, d->d_name);
		if (n > 0 && (size_t)n < sizeof(path) && wanted(jw_span_str(d->d_name)))
			status = search_file(s, path);
	}
	closedir(dir);
	return status;
}

static bool is_map_file(struct jw_span name)
{
	return jw_span_ends(name, JW_SPAN_LIT(JWMAP_SUFFIX));
}

enum jw_status trace_map_add_path(struct trace_map *map, const char *path, size_t *found,
				  struct jw_err *e)
{
	struct search s = { .map = map, .e = e };
	enum jw_status status = JW_OK;
	struct stat st;

	if (stat(path, &st) != 0) {
		*found = 0;
		return JW_OK;
	}
	if (S_ISREG(st.st_mode))
		status = search_file(&s, path);
	if (S_ISDIR(st.st_mode)) {
		s.place = path;
		status = search_folder(&s, path, JWMAP_FOLDER, is_map_file);
		for (size_t i = 0; i < 2 && status == JW_OK; i++)
			status = search_folder(&s, path, library_folders[i], is_archive_name);
	}
	jw_inflater_free(s.inflater);
	*found = s.found;
	return status;
}
