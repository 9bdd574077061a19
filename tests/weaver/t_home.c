/* Below which package the runtime class of an archive is (home.c): by the names of its entries alone. */
#include <stdio.h>
#include <string.h>

#include "base/runtime_class.h"
#include "tests/tap.h"
#include "weaver/archive/home.h"

#include "base/banned.h"

enum { MOST = 8 };

static const char *text(struct jw_span home)
{
	static char out[256];

	snprintf(out, sizeof(out), "%.*s", (int)home.n, (const char *)home.p);
	return out;
}

/* PATHS: NULL ends. */
static const char *of_zip(const char *const *paths)
{
	struct jw_zip_entry entries[MOST] = { 0 };
	struct jw_zip zip = { .entries = entries };

	for (; paths[zip.count]; zip.count++)
		entries[zip.count].name = jw_span_str(paths[zip.count]);
	return text(weave_home_of_zip(&zip));
}
#define OF_ZIP(...) of_zip((const char *const[]){ __VA_ARGS__, NULL })

static const char *of_tree(bool bundle, const char *root, const char *const *paths)
{
	struct weave_tree_file files[MOST] = { 0 };
	struct weave_tree tree = { .files = files };
	struct weave_roots roots = { .paths = &root, .count = bundle };

	for (; paths[tree.count]; tree.count++)
		files[tree.count] = (struct weave_tree_file){ .path = paths[tree.count],
							      .type = WEAVE_TREE_FILE };
	return text(weave_home_of_tree(&tree, &roots, bundle));
}
#define OF_TREE(bundle, root, ...) of_tree(bundle, root, (const char *const[]){ __VA_ARGS__, NULL })

TEST(what_all_classes_are_in)
{
	is_str(OF_ZIP("META-INF/MANIFEST.MF", "com/acme/A.class", "com/acme/b/B.class"),
	       "com/acme/");
	is_str(OF_ZIP("com/acme/A.class"), "com/acme/");
	is_str(OF_ZIP("com/acmes/A.class", "com/acme/B.class"), "com/");
	is_str(OF_ZIP("com/acme/A.class", "org/B.class"), "");
	is_str(OF_ZIP("com/acme/A.class", "Main.class"), "");
	is_str(OF_ZIP("other/text.txt", "com/acme/A.class"), "com/acme/");
	is_str(OF_ZIP("no.class/it"), "");
}

TEST(descriptors_of_modules_and_versions_are_not_in_the_way)
{
	is_str(OF_ZIP("module-info.class", "com/acme/A.class",
		      "META-INF/versions/9/module-info.class"),
	       "com/acme/");
	is_str(OF_ZIP("com/acme/A.class", "META-INF/versions/11/com/acme/A.class"), "com/acme/");
}

TEST(no_package_has_none)
{
	is_str(OF_ZIP("WEB-INF/classes/com/acme/A.class"), "");
	is_str(OF_ZIP("9lives/A.class"), "");
	is_str(OF_ZIP("a//A.class"), "");
	is_str(OF_ZIP("/A.class"), "");
	is_str(OF_ZIP("../A.class"), "");
	is_str(OF_ZIP("a/../b/A.class"), "");
	is_str(OF_ZIP("java/sql/A.class", "java/sql/B.class"), "");
	is_str(OF_ZIP("javax/sql/A.class"), "javax/sql/");
}

TEST(archives_inside_look_where_classes_begin)
{
	is_str(OF_ZIP("com/acme/A.class", "lib/b.jar"), "");
	is_str(OF_TREE(false, "", "com/acme/A.class", "lib/b.jar"), "");
	is_str(OF_TREE(true, "", "com/acme/A.class", "lib/b.jar"), "com/acme/");
}

TEST(a_long_package_is_cut)
{
	char path[300];

	for (size_t i = 0; i < 30; i++)
		memcpy(path + 8 * i, "package/", 8);
	memcpy(path + 240, "A.class", sizeof("A.class"));
	is_int((long long)strlen(OF_ZIP(path)), 120);
}

TEST(of_a_folder_below_its_class_directory)
{
	is_str(OF_TREE(true, "target/classes", "pom.xml", "target/classes/com/acme/A.class",
		       "target/classes/com/acme/B.class"),
	       "com/acme/");
	is_str(OF_TREE(false, "", "com/acme/A.class"), "com/acme/");
}

TEST(what_is_there_is_a_runtime_class)
{
	ok(jw_is_runtime_class(JW_SPAN_LIT("com/acme/jweave/abcdefg/P")));
	ok(jw_is_runtime_class(JW_SPAN_LIT("jweave/abcdefg/P$Fast")));
	ok(!jw_is_runtime_class(JW_SPAN_LIT("com/acmejweave/abcdefg/P")));
	ok(!jw_is_runtime_class(JW_SPAN_LIT("com/acme/jweave/abcdef/P")));
}
