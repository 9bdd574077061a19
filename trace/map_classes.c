/*
 * map_classes.c: the names that method maps leave to class files: finds the files of the classes
 * that a recording has met, and adds what they say to the map.
 *
 * A class is found by its hash, which is that of the name which its place in the archive gives it,
 * with the archive's salt: an archive's directory is read once and only the classes that are wanted
 * are unpacked.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/zip.h"
#include "trace/map_int.h"
#include "trace/recording.h"

#include "base/banned.h"

#define MAX_PATH  4096
#define MAX_DEPTH 64 /* folders inside folders */

static const struct jw_zip_limits limits = { .max_size = UINT64_C(64) << 20, .max_ratio = 1000 };
enum { SUFFIX = sizeof(".class") - 1 };

/* A class that ids were met of: IDS[0..n) of the naming's list. */
struct wanted {
	uint64_t hash;
	const uint64_t *ids;
	size_t n;
	bool done;
	const struct trace_map_class *runs; /* in the place at hand; NULL: all by its first rule */
};

struct naming {
	struct trace_map *map;
	uint64_t *ids;         /* owned; sorted */
	struct wanted *wanted; /* owned; by rising hash */
	size_t count, left;
	const struct trace_map_place *place;
	const struct wanted *at; /* the class at hand */
	struct jw_inflater *inflater;
	struct jw_buf text;
	struct jw_err *e;
};

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* The ids of IDS that the map does not know, by class. */
static enum jw_status gather(struct naming *n, const uint64_t *ids, size_t count)
{
	size_t known = 0;

	n->ids = jw_mem_zalloc(count + 1, sizeof(*n->ids));
	n->wanted = jw_mem_zalloc(count + 1, sizeof(*n->wanted));
	if (!n->ids || !n->wanted)
		return jw_nomem(n->e);
	for (size_t i = 0; i < count; i++)
		if (!trace_map_find(n->map, ids[i]))
			n->ids[known++] = ids[i];
	if (known > 1)
		qsort(n->ids, known, sizeof(*n->ids), by_value);
	for (size_t i = 0; i < known; i++) {
		uint64_t hash = n->ids[i] >> JWR_INDEX_BITS;

		if (n->count == 0 || n->wanted[n->count - 1].hash != hash)
			n->wanted[n->count++] = (struct wanted){ .hash = hash, .ids = &n->ids[i] };
		n->wanted[n->count - 1].n++;
	}
	n->left = n->count;
	return JW_OK;
}

static int by_hash(const void *key, const void *item)
{
	uint64_t x = *(const uint64_t *)key, y = ((const struct wanted *)item)->hash;

	return (x > y) - (x < y);
}

static struct wanted *find(const struct naming *n, uint64_t hash)
{
	return n->count ? bsearch(&hash, n->wanted, n->count, sizeof(*n->wanted), by_hash) : NULL;
}

/* ---- one class ---- */

static bool is_wanted(void *ctx, uint16_t index)
{
	const struct naming *n = ctx;
	uint64_t id = jwr_method_id(n->at->hash, index);

	return bsearch(&id, n->at->ids, n->at->n, sizeof(id), by_value) != NULL;
}

static const struct trace_map_rule *rule_of(void *ctx, uint16_t index)
{
	const struct naming *n = ctx;
	const struct trace_map_rule *rule = n->place->rules;
	uint32_t number = 0;

	for (size_t i = 0; n->at->runs && i < n->at->runs->run_count; i++)
		if (i == 0 || n->at->runs->runs[i].index <= index)
			number = n->at->runs->runs[i].rule;
	for (; number > 0 && rule->next; number--)
		rule = rule->next;
	return rule;
}

static void take_class(struct naming *n, struct wanted *wanted, struct jw_span bytes)
{
	const struct trace_map_lines lines = { is_wanted, rule_of, n };

	n->at = wanted;
	if (!trace_map_put_class_file(&n->text, wanted->hash, bytes, &lines))
		return;
	wanted->done = true;
	n->left--;
}

/* The class that lies at PATH ("a/B.class"), if it is wanted and not there yet. */
static struct wanted *wants(const struct naming *n, struct jw_span path)
{
	if (!jw_span_ends(path, JW_SPAN_LIT(".class")))
		return NULL;
	struct jw_span name = jw_span_sub(path, 0, path.n - SUFFIX);
	struct wanted *w = find(n, trace_class_hash(name, n->place->salt));

	return w && !w->done ? w : NULL;
}

/* ---- places ---- */

static enum jw_status read_archive(struct naming *n, struct jw_span bytes)
{
	struct jw_arena arena = { 0 };
	struct jw_buf out = { 0 };
	struct jw_err quiet = { 0 };
	struct jw_zip zip = { 0 };
	enum jw_status status = jw_zip_open(bytes, &arena, &zip, &quiet);

	for (size_t i = 0; status == JW_OK && i < zip.count && n->left > 0; i++) {
		struct wanted *w = wants(n, zip.entries[i].name);

		if (!w)
			continue;
		jw_buf_clear(&out);
		status = jw_zip_unpack(&zip, &zip.entries[i], &limits, n->inflater, &out, &quiet);
		if (status == JW_OK)
			take_class(n, w, jw_buf_span(&out));
		if (status != JW_NOMEM)
			status = JW_OK; /* a class that cannot be read has no names */
	}
	jw_buf_free(&out);
	jw_arena_free(&arena);
	return status == JW_NOMEM ? jw_nomem(n->e) : JW_OK;
}

static enum jw_status read_file(struct naming *n, const char *path, struct wanted *wanted)
{
	struct jw_file file = { 0 };
	struct jw_err quiet = { 0 };
	enum jw_status status = jw_file_open(path, 0, &file, &quiet);

	if (status != JW_OK)
		return status == JW_NOMEM ? jw_nomem(n->e) : JW_OK;
	if (wanted)
		take_class(n, wanted, file.bytes);
	else
		status = read_archive(n, file.bytes);
	jw_file_close(&file);
	return status;
}

/* The classes below PATH, whose first ROOT bytes are no part of their names. PATH is a buffer of
 * MAX_PATH that is changed and restored. */
static enum jw_status read_folder(struct naming *n, char *path, size_t root, int depth)
{
	size_t length = strlen(path);
	enum jw_status status = JW_OK;
	DIR *dir = opendir(path);

	if (!dir)
		return JW_OK;
	for (struct dirent *d; status == JW_OK && n->left > 0 && (d = readdir(dir));) {
		struct stat st;

		if (d->d_name[0] == '.' || length + strlen(d->d_name) + 2 > MAX_PATH)
			continue;
		snprintf(path + length, MAX_PATH - length, "/%s", d->d_name);
		struct wanted *w = wants(n, jw_span_str(path + root));

		if (w)
			status = read_file(n, path, w);
		else if (depth < MAX_DEPTH && !strchr(d->d_name, '.') && stat(path, &st) == 0 &&
			 S_ISDIR(st.st_mode))
			status = read_folder(n, path, root, depth + 1);
		path[length] = '\0';
	}
	closedir(dir);
	return status;
}

static enum jw_status read_place(struct naming *n, const struct trace_map_place *place)
{
	char path[MAX_PATH];
	struct stat st;

	if (!place->path || stat(place->path, &st) != 0)
		return JW_OK;
	n->place = place;
	for (size_t i = 0; i < n->count; i++)
		n->wanted[i].runs = NULL;
	for (const struct trace_map_class *c = place->classes; c; c = c->next) {
		struct wanted *w = find(n, c->hash);

		if (w)
			w->runs = c;
	}
	if (S_ISREG(st.st_mode))
		return read_file(n, place->path, NULL);
	snprintf(path, sizeof(path), "%s", place->path);
	return read_folder(n, path, strlen(path) + 1, 0);
}

static enum jw_status read_places(struct naming *n)
{
	n->inflater = jw_inflater_new();
	if (!n->inflater)
		return jw_nomem(n->e);
	trace_map_put_header(&n->text);
	for (const struct trace_map_place *p = trace_map_places(n->map); p && n->left > 0;
	     p = p->next)
		JW_TRY(read_place(n, p));
	JW_TRY(jw_buf_finish(&n->text, "names of methods", n->e));
	return trace_map_add(n->map, jw_buf_span(&n->text), "classes", n->e);
}

enum jw_status trace_map_name(struct trace_map *map, const uint64_t *ids, size_t count,
			      struct jw_err *e)
{
	struct naming n = { .map = map, .e = e };
	enum jw_status status = trace_map_places(map) ? gather(&n, ids, count) : JW_OK;

	if (status == JW_OK && n.count > 0)
		status = read_places(&n);
	jw_inflater_free(n.inflater);
	jw_buf_free(&n.text);
	jw_mem_free(n.ids);
	jw_mem_free(n.wanted);
	return status;
}
