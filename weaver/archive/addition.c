/*
 * addition.c: what a woven archive or folder gets, and where.
 *
 *     META-INF/jweave/woven.json, META-INF/jweave/xHASH.map     always in the root
 * and with --runtime=embed the class, the library and the map where the program's classes see them:
 *     jar    the root (of Spring Boot's, too: its loader asks its parent, which has the root)
 *     war    WEB-INF/classes; the library also in the root when `java -jar` starts the war, since
 *            the class then comes from the archive itself and looks there
 *     ear    lib/jweave-rt-xHASH.jar, which every module of the ear sees
 *     Quarkus  lib/boot/jweave-rt-xHASH.jar: its loader looks into a jar only for packages that it had when it
 *            was built, and asks its parent for others (folder.c puts the jar on that one's path)
 *     bundle each class directory in it
 * With --runtime=classpath the class goes in, too, where the rules have something to tell it; else
 * a small one, which says whose numbers methods have.
 */
#include "weaver/archive/addition.h"

#include <stdio.h>

#include "base/baked.h"
#include "base/text.h"
#include "trace/format/methodmap.h"
#include "trace/format/recording.h"
#include "weaver/archive/bake.h"
#include "weaver/archive/runtime_image.h"
#include "weaver/archive/woven_map.h"
#include "weaver/archive/woven_mark.h"

#include "base/banned.h"

#define WEB "WEB-INF/classes/"

static enum jw_status add_at(const struct weave_addition *a, const char *folder,
			     struct jw_span path, const char *suffix, struct jw_span bytes,
			     uint16_t method, struct jw_err *e)
{
	struct jw_buf name = { 0 };

	jw_put_str(&name, folder);
	jw_put_bytes(&name, path);
	jw_put_str(&name, suffix);
	enum jw_status status = jw_buf_finish(&name, "name of an added entry", e);
	if (status == JW_OK)
		status = a->add(a->ctx, jw_buf_span(&name), bytes, method, e);
	jw_buf_free(&name);
	return status;
}

static enum jw_status add_libraries(const struct weave_addition *a, const char *folder,
				    struct jw_err *e)
{
	struct weave_library library;

	for (size_t i = 0; weave_runtime_library(i, &library); i++)
		JW_TRY(add_at(a, folder, jw_span_str(library.path), "", library.bytes,
			      WEAVE_LIBRARY_METHOD, e));
	return JW_OK;
}

/* What is baked into the class of JOB's output; empty: nothing. */
static void put_baked(const struct weave_archive_job *job, struct jw_buf *out)
{
	struct jw_span head = JW_SPAN_LIT(JW_BAKED_HEAD), text = rules_baked(job->rules);

	if (text.n == 0 && !job->off)
		return;
	jw_put_bytes(out, head);
	if (job->runtime == WEAVE_RUNTIME_CLASSPATH)
		jw_put_str(out, "library\tclasspath\n");
	if (job->off)
		jw_put_str(out, "tracing\toff\n");
	if (text.n)
		jw_put_bytes(out, jw_span_sub(text, head.n, text.n));
}

/* Bakes what there is into CLASS_FILE, the runtime class of UNIT. */
static enum jw_status bake_unit(const struct weave_unit *unit, struct jw_buf *class_file,
				struct jw_err *e)
{
	struct jw_buf text = { 0 };

	if (unit->first_number)
		JW_TRY(weave_bake_number_base(class_file, jwr_number_base(unit->number_space), e));
	if (!weave_carries_class(unit->job))
		return JW_OK;
	put_baked(unit->job, &text);
	enum jw_status status = jw_buf_finish(&text, "what is baked in", e);
	if (status == JW_OK)
		status = weave_bake(class_file, jw_buf_span(&text), e);
	jw_buf_free(&text);
	return status;
}

/* Where the runtime is on the class path. */
static enum jw_status add_numbered(const struct weave_addition *a, const char *folder,
				   struct jw_buf *bytes, struct jw_err *e)
{
	jw_buf_clear(bytes);
	JW_TRY(weave_runtime_numbered(a->unit->own, bytes, e));
	JW_TRY(bake_unit(a->unit, bytes, e));
	return add_at(a, folder, a->unit->own, ".class", jw_buf_span(bytes), JW_ZIP_DEFLATED, e);
}

static enum jw_status add_classes(const struct weave_addition *a, const char *folder,
				  struct jw_buf *bytes, struct jw_err *e)
{
	char suffix[32];

	if (!weave_carries_class(a->unit->job))
		return add_numbered(a, folder, bytes, e);
	for (size_t i = 0; weave_runtime_suffix(i); i++) {
		jw_buf_clear(bytes);
		JW_TRY(weave_runtime_class(i, a->unit->runtime, bytes, e));
		if (i == 0)
			JW_TRY(bake_unit(a->unit, bytes, e));
		snprintf(suffix, sizeof(suffix), "%s.class", weave_runtime_suffix(i));
		JW_TRY(add_at(a, folder, a->unit->runtime, suffix, jw_buf_span(bytes),
			      JW_ZIP_DEFLATED, e));
	}
	if (!a->unit->boots)
		return JW_OK;
	jw_buf_clear(bytes);
	JW_TRY(weave_runtime_early(a->unit->runtime, bytes, e));
	return add_at(a, folder, a->unit->probes, ".class", jw_buf_span(bytes), JW_ZIP_DEFLATED, e);
}

/* The class and the library where the class path begins: at ROOT, "" or with a slash at its end; and
 * the map, which is otherwise only in the root. */
static enum jw_status add_at_root(const struct weave_addition *a, const char *root,
				  struct jw_span map_name, struct jw_span map, struct jw_buf *bytes,
				  struct jw_err *e)
{
	struct jw_buf folder = { 0 };

	JW_TRY(add_classes(a, root, bytes, e));
	if (a->unit->job->runtime == WEAVE_RUNTIME_EMBED)
		JW_TRY(add_libraries(a, root, e));
	if (!*root)
		return JW_OK;
	jw_put_fmt(&folder, "%s" JWMAP_FOLDER "%c", root, 0);
	enum jw_status status = jw_buf_finish(&folder, "folder of the map", e);
	if (status == JW_OK)
		status = add_at(a, (const char *)folder.p, map_name, "", map, JW_ZIP_DEFLATED, e);
	jw_buf_free(&folder);
	return status;
}

/* To each class directory of a bundle, if classes were woven that are in no archive of it. */
static enum jw_status add_at_roots(const struct weave_addition *a, struct jw_span map_name,
				   struct jw_span map, struct jw_buf *bytes, struct jw_err *e)
{
	const struct weave_roots *roots = &a->unit->roots;
	struct jw_buf root = { 0 };
	enum jw_status status = JW_OK;

	if (a->tally->idents.n == 0)
		return JW_OK;
	if (roots->count == 0)
		return add_at_root(a, "", map_name, map, bytes, e);
	for (size_t i = 0; i < roots->count && status == JW_OK; i++) {
		jw_buf_clear(&root);
		jw_put_fmt(&root, "%s%s%c", roots->paths[i], *roots->paths[i] ? "/" : "", 0);
		status = jw_buf_finish(&root, "class directory", e);
		if (status == JW_OK)
			status = add_at_root(a, (const char *)root.p, map_name, map, bytes, e);
	}
	jw_buf_free(&root);
	return status;
}

/* As a jar in FOLDER. */
static enum jw_status add_jar(const struct weave_addition *a, const char *folder,
			      struct jw_span map_name, struct jw_span map, struct jw_buf *bytes,
			      struct jw_err *e)
{
	struct jw_buf path = { 0 };

	JW_TRY(weave_runtime_jar(a->unit->runtime, map_name, map, rules_baked(a->unit->job->rules),
				 a->dos_time, bytes, e));
	jw_put_fmt(&path, WEAVE_EAR_JAR "%s.jar", a->unit->hash);
	enum jw_status status = jw_buf_finish(&path, "name of the runtime's jar", e);
	if (status == JW_OK)
		status = add_at(a, folder, jw_buf_span(&path), "", jw_buf_span(bytes),
				JW_ZIP_DEFLATED, e);
	jw_buf_free(&path);
	return status;
}

static enum jw_status add_runtime(const struct weave_addition *a, struct jw_span map_name,
				  struct jw_span map, struct jw_buf *bytes, struct jw_err *e)
{
	switch (a->packaging) {
	case WEAVE_PACKAGING_EAR:
		return add_jar(a, WEAVE_EAR_FOLDER, map_name, map, bytes, e);
	case WEAVE_PACKAGING_QUARKUS:
		return add_jar(a, WEAVE_QUARKUS_FOLDER, map_name, map, bytes, e);
	case WEAVE_PACKAGING_WAR:
		if (a->main_class && a->unit->job->runtime == WEAVE_RUNTIME_EMBED)
			JW_TRY(add_libraries(a, "", e));
		return add_at_root(a, WEB, map_name, map, bytes, e);
	default:
		return a->unit->bundle ? add_at_roots(a, map_name, map, bytes, e)
				       : add_at_root(a, "", map_name, map, bytes, e);
	}
}

static void put_mark(const struct weave_addition *a, struct jw_span map_name, struct jw_buf *out)
{
	static const char *const modes[] = { "embed", "classpath", "none" };
	const struct weave_report *r = &a->tally->r;
	const struct weave_archive_job *job = a->unit->job;

	jw_put_fmt(out, "{\n  \"format\": 1,\n  \"jweave\": \"%s\",\n", JW_VERSION);
	jw_put_fmt(out, "  \"rules\": \"%s\",\n", rules_digest(job->rules));
	jw_put_fmt(out, "  \"runtime\": \"%s\",\n", modes[job->runtime]);
	jw_put_str(out, "  \"runtimeClass\": \"");
	jw_put_dotted(out, a->unit->runtime);
	jw_put_fmt(out, "\",\n  \"map\": \"%s%.*s\",\n", JWMAP_FOLDER, (int)map_name.n,
		   (const char *)map_name.p);
	jw_put_fmt(out, "  \"classes\": %llu,\n  \"wovenClasses\": %llu,\n",
		   (unsigned long long)r->classes, (unsigned long long)r->woven_classes);
	jw_put_fmt(out, "  \"methods\": %llu,\n  \"chosen\": %llu,\n  \"woven\": %llu\n}\n",
		   (unsigned long long)r->methods, (unsigned long long)r->chosen,
		   (unsigned long long)r->woven);
}

static enum jw_status add_texts(const struct weave_addition *a, struct jw_span map_name,
				struct jw_buf *map, struct jw_buf *bytes, struct jw_err *e)
{
	JW_TRY(weave_put_map(a->unit, a->tally, map, e));
	put_mark(a, map_name, bytes);
	JW_TRY(jw_buf_finish(bytes, "woven.json", e));
	JW_TRY(a->add(a->ctx, JW_SPAN_LIT(WEAVE_MARK), jw_buf_span(bytes), JW_ZIP_DEFLATED, e));
	JW_TRY(add_at(a, JWMAP_FOLDER, map_name, "", jw_buf_span(map), JW_ZIP_DEFLATED, e));
	jw_buf_clear(bytes);
	if (a->unit->own.n > 0)
		JW_TRY(add_runtime(a, map_name, jw_buf_span(map), bytes, e));
	return JW_OK;
}

enum jw_status weave_add_all(const struct weave_addition *a, struct jw_err *e)
{
	struct jw_buf map = { 0 }, bytes = { 0 }, name = { 0 };

	jw_put_fmt(&name, "x%s" JWMAP_SUFFIX, a->unit->hash);
	enum jw_status status = jw_buf_finish(&name, "name of the map", e);
	if (status == JW_OK)
		status = add_texts(a, jw_buf_span(&name), &map, &bytes, e);
	jw_buf_free(&name);
	jw_buf_free(&map);
	jw_buf_free(&bytes);
	return status;
}
