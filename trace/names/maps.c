/*
 * maps.c: the method maps that a recording points at.
 *
 * The recorder notes where classes came from, as the JVM said it: class path elements (relative to
 * the working directory then), and code sources as URLs:
 *     lib/app.jar    file:/srv/app.jar    jar:file:/srv/app.jar!/BOOT-INF/classes!/
 *     jar:nested:/srv/app.jar/!BOOT-INF/lib/x.jar!/    file:/srv/webapps/shop/WEB-INF/classes/
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "trace/format/fields.h"
#include "trace/format/methodmap.h"
#include "trace/format/recording.h"
#include "trace/names/maps.h"
#include "trace/reader/reader.h"

#include "base/banned.h"

#define MAX_PLACES 16384 /* paths, and files under them */
#define SLOTS      ((size_t)MAX_PLACES * 2)
#define MAX_PATH   4096

struct places {
	struct trace_map *map;
	struct trace_notes *notes;
	struct jw_arena arena;
	uint64_t *seen; /* owned; hashes of paths, open addressing, SLOTS of them */
	size_t count;
	struct jw_err *e;
};

/* Is PATH new here? Two paths with one 64-bit hash would be a coincidence worth a map. */
static bool is_new(struct places *p, const char *path)
{
	uint64_t hash = jw_hash64(jw_span_str(path), 0) | 1;
	size_t at = (size_t)(hash >> 20) % SLOTS;

	for (; p->seen[at]; at = (at + 1) % SLOTS)
		if (p->seen[at] == hash)
			return false;
	if (p->count == MAX_PLACES)
		return false;
	p->seen[at] = hash;
	p->count++;
	return true;
}

/* The same for the file that is there under whatever name: the recorder links archives. */
static bool is_new_file(struct places *p, const char *path)
{
	char text[48];
	struct stat st;

	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return true;
	snprintf(text, sizeof(text), "\t%llx %llx", (unsigned long long)st.st_dev,
		 (unsigned long long)st.st_ino);
	return is_new(p, text);
}

static enum jw_status look_at(struct places *p, const char *path)
{
	struct jw_err why = { 0 };
	size_t found;

	if (!is_new(p, path) || !is_new_file(p, path))
		return JW_OK;
	enum jw_status status = trace_map_add_path(p->map, path, &found, &why);

	if (status == JW_NOMEM)
		return jw_nomem(p->e);
	if (status != JW_OK)
		trace_note(p->notes, "%s", why.text);
	return JW_OK;
}

/* Undoes %HH of a URL in place. */
static void decode_url(char *s)
{
	char *to = s;

	for (char *from = s; *from;) {
		uint64_t byte;

		if (from[0] == '%' && from[1] && from[2] &&
		    trace_hex(jw_span(from + 1, 2), 255, &byte) && byte != 0) {
			*to++ = (char)byte;
			from += 3;
		} else {
			*to++ = *from++;
		}
	}
	*to = '\0';
}

static bool strip(char **s, const char *prefix)
{
	size_t n = strlen(prefix);

	if (strncmp(*s, prefix, n) != 0)
		return false;
	*s += n;
	return true;
}

/* Does S begin with a scheme: "jar:file:...", "jrt:/..."? */
static bool is_url(const char *s)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
	size_t n = strspn(s, letters);

	return n > 0 && s[n] == ':' &&
	       (s[n + 1] == '/' || strncmp(s, "jar:", 4) == 0 || strncmp(s, "file:", 5) == 0 ||
		strncmp(s, "nested:", 7) == 0);
}

/* The file that the URL or path S (changed) names; NULL: it is none. */
static char *file_of(char *s)
{
	static const char *const schemes[] = { "jar:", "nested:", "file:" }; /* outermost first */
	static const char *const inner[] = { "!/", "/!" };
	bool url = false;

	for (size_t i = 0; i < sizeof(schemes) / sizeof(*schemes); i++)
		if (strip(&s, schemes[i]))
			url = true;
	if (!url)
		return is_url(s) ? NULL : s; /* jrt:/java.base, http://... */
	while (s[0] == '/' && s[1] == '/')
		s++;
	for (size_t i = 0; i < 2; i++) {
		char *cut = strstr(s, inner[i]);

		if (cut)
			*cut = '\0';
	}
	decode_url(s);
	return s;
}

/* A file of an exploded application: the application's own folder has the map. */
static enum jw_status look_at_application(struct places *p, char *path)
{
	static const char *const inside[] = { "/WEB-INF/", "/BOOT-INF/" };

	for (size_t i = 0; i < 2; i++) {
		char *cut = strstr(path, inside[i]);

		if (!cut || cut == path)
			continue;
		*cut = '\0';
		enum jw_status status = look_at(p, path);

		*cut = '/';
		JW_TRY(status);
	}
	return JW_OK;
}

static enum jw_status look_at_place(struct places *p, const char *place, const char *cwd)
{
	char *copy = jw_arena_str(&p->arena, jw_span_str(place));
	char *file = copy ? file_of(copy) : NULL;

	if (!copy)
		return jw_nomem(p->e);
	if (!file || !file[0])
		return JW_OK;
	char *path = file[0] == '/' || !cwd[0] ? file : jw_arena_fmt(&p->arena, "%s/%s", cwd, file);

	if (!path)
		return jw_nomem(p->e);
	struct stat st;

	/* the path of a URL, without its scheme */
	if (stat(path, &st) != 0)
		decode_url(path);
	JW_TRY(look_at(p, path));
	return look_at_application(p, path);
}

/* A class path in one piece, where the recorder wrote it so. */
static enum jw_status look_at_path(struct places *p, const char *place, const char *cwd)
{
	struct jw_span rest = jw_span_str(place);
	struct stat st;

	if (!strchr(place, ':') || is_url(place) || stat(place, &st) == 0)
		return look_at_place(p, place, cwd);
	while (rest.n) {
		const uint8_t *end = memchr(rest.p, ':', rest.n);
		size_t n = end ? (size_t)(end - rest.p) : rest.n;
		char *one = jw_arena_str(&p->arena, jw_span_sub(rest, 0, n));

		if (!one)
			return jw_nomem(p->e);
		JW_TRY(look_at_place(p, one, cwd));
		rest = jw_span_sub(rest, n + (end != NULL), rest.n);
	}
	return JW_OK;
}

/* Archives as they were when the program ran; numbered, without gaps. */
static enum jw_status look_at_links(struct places *p, const struct trace_recording *rec)
{
	for (unsigned i = 1; i <= MAX_PLACES; i++) {
		char *path = jw_arena_fmt(&p->arena, "%s/" JWR_ARCHIVES "/%u", rec->path, i);
		struct stat st;

		if (!path)
			return jw_nomem(p->e);
		if (lstat(path, &st) != 0)
			break;
		if (S_ISREG(st.st_mode))
			JW_TRY(look_at(p, path));
	}
	return JW_OK;
}

static enum jw_status look_everywhere(struct places *p, const struct trace_recording *rec)
{
	char *regions = jw_arena_fmt(&p->arena, "%s/" JWR_REGIONS, rec->path);

	if (!regions)
		return jw_nomem(p->e);
	JW_TRY(look_at(p, regions));
	JW_TRY(look_at_links(p, rec));
	for (size_t i = 0; i < rec->map_count; i++)
		JW_TRY(look_at_path(p, rec->maps[i], rec->cwd));
	return JW_OK;
}

/* The maps that the user named: one that holds none is told. */
static enum jw_status look_at_named(struct trace_map *map, const char *const *paths, size_t n,
				    struct trace_notes *notes, struct jw_err *e)
{
	for (size_t i = 0; i < n; i++) {
		size_t found;

		JW_TRY(trace_map_add_path(map, paths[i], &found, e));
		if (found == 0)
			trace_note(notes, "%s: no method map in it", paths[i]);
	}
	return JW_OK;
}

enum jw_status trace_maps_find(struct trace_map *map, const char *const *named, size_t named_n,
			       const struct trace_recording *const *recordings, size_t n,
			       struct trace_notes *notes, struct jw_err *e)
{
	struct places p = { .map = map, .notes = notes, .e = e };
	enum jw_status status = look_at_named(map, named, named_n, notes, e);

	p.seen = jw_mem_zalloc(SLOTS, sizeof(*p.seen));
	if (!p.seen && status == JW_OK)
		status = jw_nomem(e);
	for (size_t i = 0; i < n && status == JW_OK; i++)
		status = look_everywhere(&p, recordings[i]);
	jw_mem_free(p.seen);
	jw_arena_free(&p.arena);
	return status;
}
