/*
 * map_classes.c: the names that method maps leave to class files: finds the files of the classes
 * that a recording has met, and adds what they say to the map.
 *
 * A class is found by its hash, which is that of the name which its place in the archive gives it,
 * with the archive's salt: an archive's directory is read once and only the classes that are wanted
 * are unpacked. The class of a number is found by its place in the directory; but what counts is
 * the number in its code, so that archives that were packed again are searched class by class.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/zip.h"
#include "base/zip_work.h"
#include "trace/format/methodmap.h"
#include "trace/format/recording.h"
#include "trace/names/map_class.h"
#include "trace/names/map_place.h"

#include "base/banned.h"

#define MAX_PATH  4096
#define MAX_DEPTH 64 /* folders inside folders */

static const struct jw_zip_limits limits = { .max_size = UINT64_C(64) << 20,
					     .max_ratio = 1000,
					     .fixed = true };
enum { SUFFIX = sizeof(".class") - 1 };

/* A class that ids were met of: IDS[0..n) of the naming's list. */
struct wanted {
	uint64_t hash;
	const uint64_t *ids;
	size_t n;
	bool done;
};

/* A class of the place whose methods have other rules than the first. */
struct ruled {
	uint64_t hash;
	const struct trace_map_class *class;
};

struct naming {
	struct trace_map *map;
	uint64_t *ids;         /* owned; sorted */
	struct wanted *wanted; /* owned; by rising hash */
	size_t count, left;
	const struct trace_map_place *place;
	struct ruled *ruled; /* owned; by rising hash */
	size_t ruled_count;
	struct wanted *numbers; /* its numbers; NULL: none is wanted */
	size_t numbers_left;
	uint8_t seen[(UINT16_MAX + 1) / 8]; /* numbers that have been found: bits */
	const struct wanted *at;            /* the class at hand */
	const struct trace_map_class *runs; /* its rules; NULL: all by the place's first rule */
	struct jw_inflater *inflater;
	struct jw_zip_work work; /* of the archive at hand */
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

/* ---- rules of a place ---- */

static int by_ruled_hash(const void *a, const void *b)
{
	uint64_t x = ((const struct ruled *)a)->hash, y = ((const struct ruled *)b)->hash;

	return (x > y) - (x < y);
}

static enum jw_status sort_ruled(struct naming *n)
{
	size_t count = 0;

	for (const struct trace_map_class *c = n->place->classes; c; c = c->next)
		count++;
	jw_mem_free(n->ruled);
	n->ruled = jw_mem_zalloc(count + 1, sizeof(*n->ruled));
	n->ruled_count = 0;
	if (!n->ruled)
		return jw_nomem(n->e);
	for (const struct trace_map_class *c = n->place->classes; c; c = c->next)
		n->ruled[n->ruled_count++] = (struct ruled){ c->hash, c };
	if (count > 1)
		qsort(n->ruled, count, sizeof(*n->ruled), by_ruled_hash);
	return JW_OK;
}

static const struct trace_map_class *find_ruled(const struct naming *n, uint64_t hash)
{
	const struct ruled key = { .hash = hash };
	const struct ruled *found = n->ruled_count ? bsearch(&key, n->ruled, n->ruled_count,
							     sizeof(*n->ruled), by_ruled_hash)
						   : NULL;

	return found ? found->class : NULL;
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

	for (size_t i = 0; n->runs && i < n->runs->run_count; i++)
		if (i == 0 || n->runs->runs[i].index <= index)
			number = n->runs->runs[i].rule;
	for (; number > 0 && rule->next; number--)
		rule = rule->next;
	return rule;
}

static void take_class(struct naming *n, struct wanted *wanted, struct jw_span bytes)
{
	const struct trace_map_lines lines = { is_wanted, rule_of, n, NULL };

	n->at = wanted;
	n->runs = find_ruled(n, wanted->hash);
	if (!trace_map_put_class_file(&n->text, wanted->hash, bytes, &lines))
		return;
	wanted->done = true;
	n->left--;
}

static bool is_class(struct jw_span path)
{
	return jw_span_ends(path, JW_SPAN_LIT(".class"));
}

/* The hash of the class that is at PATH ("a/B.class"). */
static uint64_t hash_at(const struct naming *n, struct jw_span path)
{
	return trace_class_hash(jw_span_sub(path, 0, path.n - SUFFIX), n->place->salt);
}

/* The class that is at PATH, if it is wanted and not there yet. */
static struct wanted *wants(const struct naming *n, struct jw_span path)
{
	struct wanted *w = is_class(path) ? find(n, hash_at(n, path)) : NULL;

	return w && !w->done ? w : NULL;
}

/* ---- numbers ---- */

/* The first of the wanted numbers of the place that is NUMBER or above; NULL: there is none. */
static const uint64_t *number_from(const struct naming *n, uint32_t number)
{
	uint64_t from = jwr_method_id(n->place->space, 0) + number;
	size_t low = 0, high = n->numbers->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (n->numbers->ids[middle] < from)
			low = middle + 1;
		else
			high = middle;
	}
	return low < n->numbers->n ? &n->numbers->ids[low] : NULL;
}

static bool is_wanted_number(void *ctx, uint16_t number)
{
	struct naming *n = ctx;
	const uint64_t *id = number_from(n, number);
	uint8_t *seen = &n->seen[number / 8], bit = (uint8_t)(1 << number % 8);

	if (!id || *id != jwr_method_id(n->place->space, number) || *seen & bit)
		return false;
	*seen |= bit;
	n->numbers_left--;
	return true;
}

/* Is a number wanted of those that the class at AT in the directory has a share of, with others? */
static bool wants_share(const struct naming *n, size_t at)
{
	size_t share = at / TRACE_MAP_TOGETHER;

	if (!n->numbers || share >= n->place->share_count)
		return false;
	const uint64_t *id = number_from(n, n->place->first[share]);

	return id && *id < jwr_method_id(n->place->space, 0) + n->place->first[share + 1];
}

/* The class that is at PATH, for the numbers in it. */
static void take_numbers(struct naming *n, struct jw_span path, struct jw_span bytes)
{
	const struct trace_map_lines lines = { is_wanted_number, rule_of, n, n->place->numbered };

	n->runs = find_ruled(n, hash_at(n, path));
	trace_map_put_class_file(&n->text, n->place->space, bytes, &lines);
	if (n->numbers_left > 0)
		return;
	n->numbers->done = true;
	n->numbers = NULL;
	n->left--;
}

/* The numbers of the place that are wanted and not there yet. */
static void open_numbers(struct naming *n)
{
	struct wanted *w = n->place->numbered ? find(n, n->place->space) : NULL;

	n->numbers = w && !w->done ? w : NULL;
	if (!n->numbers)
		return;
	n->numbers_left = w->n;
	memset(n->seen, 0, sizeof(n->seen));
}

/* ---- places ---- */

/* The class that is at PATH: BYTES, for WANTED (NULL: for none), and for its NUMBERS. */
static void take(struct naming *n, struct jw_span path, struct jw_span bytes, struct wanted *wanted,
		 bool numbers)
{
	if (wanted)
		take_class(n, wanted, bytes);
	if (numbers)
		take_numbers(n, path, bytes);
}

/* Unpacks what is wanted of ZIP; ALL: any class may have the numbers that are. */
static enum jw_status read_entries(struct naming *n, const struct jw_zip *zip, bool all,
				   struct jw_buf *out)
{
	struct jw_err quiet = { 0 };
	size_t at = 0;

	for (size_t i = 0; i < zip->count && n->left > 0; i++) {
		struct jw_span path = zip->entries[i].name;

		if (!is_class(path))
			continue;
		struct wanted *w = wants(n, path);
		bool numbers = wants_share(n, at++) || (all && n->numbers);
		if (!w && !numbers)
			continue;
		/* an archive that is an attack has names for nothing */
		if (jw_zip_work_add(&n->work, JW_ZIP_WORK_BYTES, zip->entries[i].size, &quiet))
			return JW_OK;
		jw_buf_clear(out);
		enum jw_status status =
			jw_zip_unpack(zip, &zip->entries[i], &limits, n->inflater, out, &quiet);
		if (status == JW_NOMEM)
			return status;
		if (status == JW_OK) /* a class that cannot be read has no names */
			take(n, path, jw_buf_span(out), w, numbers);
	}
	return JW_OK;
}

static enum jw_status read_archive(struct naming *n, struct jw_span bytes)
{
	struct jw_arena arena = { 0 };
	struct jw_buf out = { 0 };
	struct jw_err quiet = { 0 };
	struct jw_zip zip = { 0 };
	enum jw_status status = jw_zip_open(bytes, &arena, &zip, &quiet);

	n->work = (struct jw_zip_work){ .input = bytes.n };
	if (status == JW_OK)
		status = read_entries(n, &zip, false, &out);
	if (status == JW_OK && n->numbers)
		status = read_entries(n, &zip, true, &out);
	jw_buf_free(&out);
	jw_arena_free(&arena);
	return status == JW_NOMEM ? jw_nomem(n->e) : JW_OK;
}

/* The archive PATH, or the class NAME in it: for WANTED, and for its numbers. */
static enum jw_status read_file(struct naming *n, const char *path, const char *name,
				struct wanted *wanted)
{
	struct jw_file file = { 0 };
	struct jw_err quiet = { 0 };
	enum jw_status status = jw_file_open(path, 0, &file, &quiet);

	if (status != JW_OK)
		return status == JW_NOMEM ? jw_nomem(n->e) : JW_OK;
	if (name)
		take(n, jw_span_str(name), file.bytes, wanted, n->numbers != NULL);
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
		struct jw_span name = jw_span_str(path + root);
		struct wanted *w = wants(n, name);

		if (w || (n->numbers && is_class(name)))
			status = read_file(n, path, path + root, w);
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
	JW_TRY(sort_ruled(n));
	open_numbers(n);
	if (S_ISREG(st.st_mode))
		return read_file(n, place->path, NULL, NULL);
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
	jw_mem_free(n.ruled);
	return status;
}
