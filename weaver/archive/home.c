#include "weaver/archive/home.h"

#include <ctype.h>

#include "weaver/input/kind.h"

#include "base/banned.h"

enum { LONGEST = 120 /* bytes: the name is in each woven class */ };

struct home {
	struct jw_span common; /* folder of all paths that were added */
	bool any;
};

/* META-INF/versions/N/PATH is PATH of a later version (JAR file specification). */
static struct jw_span without_version(struct jw_span path)
{
	struct jw_span versions = JW_SPAN_LIT("META-INF/versions/");

	if (!jw_span_starts(path, versions))
		return path;
	for (size_t i = versions.n; i < path.n; i++)
		if (path.p[i] == '/')
			return jw_span_sub(path, i + 1, path.n);
	return path;
}

/* PATH up to its last slash within N bytes, with that. */
static struct jw_span folder_within(struct jw_span path, size_t n)
{
	n = n < path.n ? n : path.n;
	while (n && path.p[n - 1] != '/')
		n--;
	return jw_span_sub(path, 0, n);
}

static void add(struct home *home, struct jw_span path)
{
	size_t same = 0;

	path = without_version(path);
	struct jw_span folder = folder_within(path, path.n);

	if (!home->any) {
		home->any = true;
		home->common = folder;
		return;
	}
	while (same < folder.n && same < home->common.n && folder.p[same] == home->common.p[same])
		same++;
	home->common = folder_within(home->common, same);
}

/* May C be in a name of a package that compilers make? */
static bool is_of_name(uint8_t c, bool first)
{
	return c >= 0x80 || c == '_' || c == '$' || (first ? isalpha(c) : isalnum(c));
}

static bool is_package(struct jw_span folder)
{
	for (size_t i = 0; i < folder.n; i++) {
		bool first = i == 0 || folder.p[i - 1] == '/';

		if (folder.p[i] == '/' ? first : !is_of_name(folder.p[i], first))
			return false;
	}
	return !jw_span_starts(folder, JW_SPAN_LIT("java/"));
}

static struct jw_span of_all(const struct home *home)
{
	struct jw_span folder = folder_within(home->common, LONGEST);

	return is_package(folder) ? folder : JW_SPAN_LIT("");
}

struct jw_span weave_home_of_zip(const struct jw_zip *zip)
{
	struct home home = { 0 };

	for (size_t i = 0; i < zip->count; i++) {
		enum weave_kind kind = weave_kind(zip->entries[i].name);

		if (kind == WEAVE_KIND_ARCHIVE)
			return JW_SPAN_LIT("");
		if (kind == WEAVE_KIND_CLASS)
			add(&home, zip->entries[i].name);
	}
	return of_all(&home);
}

/* PATH below the class directory that it is in. */
static struct jw_span below_root(const struct weave_roots *roots, struct jw_span path)
{
	for (size_t i = 0; i < roots->count; i++) {
		struct jw_span root = jw_span_str(roots->paths[i]);

		if (root.n && jw_span_starts(path, root) && path.n > root.n &&
		    path.p[root.n] == '/')
			return jw_span_sub(path, root.n + 1, path.n);
	}
	return path;
}

struct jw_span weave_home_of_tree(const struct weave_tree *tree, const struct weave_roots *roots,
				  bool bundle)
{
	struct home home = { 0 };

	for (size_t i = 0; i < tree->count; i++) {
		struct jw_span path = jw_span_str(tree->files[i].path);
		enum weave_kind kind = weave_kind(path);

		if (tree->files[i].type != WEAVE_TREE_FILE)
			continue;
		if (kind == WEAVE_KIND_ARCHIVE && !bundle)
			return JW_SPAN_LIT("");
		if (kind == WEAVE_KIND_CLASS)
			add(&home, below_root(roots, path));
	}
	return of_all(&home);
}
