/*
 * entry.c: one entry of an archive or folder: what it is by its name, and what becomes of it.
 *
 * Edits that only make sense in a woven archive (manifest, signatures, module-info) are made before
 * anybody knows whether something will be woven: when nothing is, the whole output is thrown away
 * and the input stands.
 */
#include <libdeflate.h>
#include <string.h>

#include "cfr/class.h"
#include "trace/format/methodmap.h"
#include "weaver/archive/archive_int.h"
#include "weaver/archive/manifest.h"
#include "weaver/archive/runtime_image.h"

#include "base/banned.h"

/* ---- what it is ---- */

enum weave_kind weave_kind(struct jw_span name)
{
	static const char *const archives[] = { ".jar", ".war", ".ear", ".rar" };

	if (weave_is_manifest(name))
		return WEAVE_KIND_MANIFEST;
	if (weave_is_signature(name))
		return WEAVE_KIND_SIGNATURE;
	if (jw_span_eq_str(name, "module-info.class") ||
	    jw_span_ends(name, JW_SPAN_LIT("/module-info.class")))
		return WEAVE_KIND_MODULE;
	if (jw_span_ends(name, JW_SPAN_LIT(".class")))
		return WEAVE_KIND_CLASS;
	for (size_t i = 0; i < sizeof(archives) / sizeof(archives[0]); i++)
		if (jw_span_ends(name, jw_span_str(archives[i])))
			return WEAVE_KIND_ARCHIVE;
	return WEAVE_KIND_OTHER;
}

enum jw_status weave_nested_set(struct weave_nested *nested, const char *text,
				struct jw_arena *arena, struct jw_err *e)
{
	struct weave_nested set = { .none = text && strcmp(text, "none") == 0 };
	struct jw_err why = { 0 };
	enum jw_status status = JW_OK;

	set.some = text && !set.none && strcmp(text, "all") != 0;
	if (set.some)
		status = rules_glob_compile(jw_span_str(text), RULES_GLOB_PATH, arena, &set.glob,
					    NULL, &why);
	if (status == JW_NOMEM)
		return jw_nomem(e);
	if (status != JW_OK)
		return jw_fail(e, JW_USAGE, "--nested=%s: %s", text, why.text);
	*nested = set;
	return JW_OK;
}

bool weave_wants_nested(const struct weave_nested *nested, struct jw_span path)
{
	return !nested->none && (!nested->some || rules_glob_match(&nested->glob, path));
}

/* ---- slots, tools, names ---- */

static void trim(struct jw_buf *b)
{
	if (b->cap > WEAVE_KEEP_BYTES)
		jw_buf_free(b);
	jw_buf_clear(b);
}

enum jw_status weave_slot_reset(struct weave_slot *slot, const struct rules *rules,
				struct jw_err *e)
{
	trim(&slot->bytes);
	trim(&slot->woven);
	trim(&slot->packed);
	jw_arena_reset(&slot->arena);
	slot->fate = WEAVE_COPY;
	slot->content = (struct jw_span){ 0 };
	slot->wove = slot->main_class = slot->has_module = false;
	slot->numbers = (struct weave_numbers){ 0 };
	return weave_tally_open(&slot->tally, &slot->arena, rules, e);
}

void weave_slot_free(struct weave_slot *slot)
{
	jw_buf_free(&slot->bytes);
	jw_buf_free(&slot->woven);
	jw_buf_free(&slot->packed);
	weave_tally_close(&slot->tally);
	jw_arena_free(&slot->arena);
}

/* Packing takes most of the time. Of an archive of some MB that is less than a tenth of a second,
 * and bytes count. In a large one time does: a higher level takes longer for any entry, since its
 * tables are larger, but finds little in a few KB, as most class files are. Of large entries there
 * are few: of jruby-complete 92 in 9,178, which hold a fifth of the packed bytes, and half of what
 * level 5 saves. */
enum { LARGE = 32768, LARGE_ARCHIVE = 16 << 20 };
static const struct levels {
	int small, large;
} levels_of_any = { 7, 7 }, levels_of_large_archives = { 1, 5 };

enum jw_status weave_tools_open(struct weave_tools *tools, int level, uint64_t archive,
				struct jw_err *e)
{
	const struct levels *levels =
		archive < LARGE_ARCHIVE ? &levels_of_any : &levels_of_large_archives;

	tools->inflater = jw_inflater_new();
	tools->small = libdeflate_alloc_compressor(level ? level : levels->small);
	tools->large = libdeflate_alloc_compressor(level ? level : levels->large);
	return tools->inflater && tools->small && tools->large ? JW_OK : jw_nomem(e);
}

void weave_tools_close(struct weave_tools *tools)
{
	jw_inflater_free(tools->inflater);
	libdeflate_free_compressor(tools->small);
	libdeflate_free_compressor(tools->large);
	*tools = (struct weave_tools){ 0 };
}

struct libdeflate_compressor *weave_deflater_for(const struct weave_tools *tools, size_t size)
{
	return size < LARGE ? tools->small : tools->large;
}

uint64_t weave_hash_entry(uint64_t hash, struct jw_span name, uint32_t crc, uint64_t size)
{
	uint64_t facts[2] = { crc, size };
	uint8_t bytes[16];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(facts[i / 8] >> 8 * (i % 8));
	return jw_hash64(name, jw_hash64(jw_span(bytes, sizeof(bytes)), hash));
}

bool weave_is_boot_class(struct jw_span path)
{
	return jw_span_eq_str(path, WEAVE_BOOT_CLASS ".class");
}

/* Probes of java.base call a class that does nothing before the VM has booted. */
static enum jw_status name_boot_probes(struct weave_unit *unit, struct jw_err *e)
{
	if (unit->job->runtime == WEAVE_RUNTIME_NONE) {
		unit->boots = false;
		return JW_OK;
	}
	if (unit->job->runtime != WEAVE_RUNTIME_EMBED)
		return jw_fail(e, JW_UNSUPPORTED,
			       "java.base cannot see the runtime on the class path: weave it with "
			       "--runtime=embed");
	const char *name = jw_arena_fmt(unit->arena, "%.*s" WEAVE_RUNTIME_EARLY,
					(int)unit->runtime.n, (const char *)unit->runtime.p);
	if (!name)
		return jw_nomem(e);
	unit->probes = jw_span_str(name);
	return JW_OK;
}

enum jw_status weave_unit_name(struct weave_unit *unit, uint64_t input, bool numbers,
			       struct jw_err *e)
{
	/* a seed that is a hash itself chains them */
	uint64_t hash = jw_hash64(JW_SPAN_LIT("jweave " JW_VERSION), input);

	unit->salt = input;
	jw_runtime_hash(jw_hash64(jw_span_str(rules_digest(unit->job->rules)), hash), unit->hash);
	const char *own =
		jw_arena_fmt(unit->arena, JW_RUNTIME_PACKAGE "%s/" JW_RUNTIME_CLASS, unit->hash);
	if (!own)
		return jw_nomem(e);
	bool carries = weave_carries_class(unit->job);
	unit->own = jw_span_str(carries || numbers ? own : "");
	unit->runtime = carries ? unit->own : JW_SPAN_LIT(WEAVE_RUNTIME_CLASS);
	unit->probes = unit->runtime;
	return unit->boots ? name_boot_probes(unit, e) : JW_OK;
}

/* ---- what becomes of it ---- */

static uint32_t salt_of(const struct weave_unit *unit, struct jw_span name)
{
	for (const struct weave_salt *s = unit->salts; s; s = s->next)
		if (jw_span_eq(s->name, name))
			return s->salt;
	return 0;
}

/* A class of the future may mean more than its known structure says. */
static enum jw_status note_version(struct weave_slot *slot, struct jw_err *e)
{
	unsigned major = jw_span_u2(jw_buf_span(&slot->bytes), 6);

	if (major <= CFR_MAJOR_KNOWN)
		return JW_OK;
	return weave_tally_note(
		&slot->tally, e,
		"classes of version %u (Java %u) were woven, as far as their methods "
		"are understood: this jweave knows versions up to %d (Java %d)",
		major, major - CFR_MAJOR_MIN + 1, CFR_MAJOR_KNOWN,
		CFR_MAJOR_KNOWN - CFR_MAJOR_MIN + 1);
}

/* Classes of java.base run before anything could begin the runtime, if not its launcher's. These
 * packages are of no other module. */
static enum jw_status check_begins(const struct weave_unit *unit, struct jw_span class,
				   struct jw_err *e)
{
	static const char *const packages[] = { "java/io/",   "java/lang/", "java/math/",
						"java/net/",  "java/nio/",  "java/security/",
						"java/text/", "java/time/", "java/util/" };

	if (unit->boots || unit->job->runtime == WEAVE_RUNTIME_NONE)
		return JW_OK;
	for (size_t i = 0; i < sizeof(packages) / sizeof(*packages); i++) {
		struct jw_span package = jw_span_str(packages[i]);

		if (!jw_span_starts(class, package) ||
		    memchr(class.p + package.n, '/', class.n - package.n))
			continue;
		return jw_fail(
			e, JW_UNSUPPORTED,
			"%.*s is of java.base, which is woven as a whole: its runtime begins "
			"in sun/launcher/LauncherHelper, which is not here",
			(int)class.n, (const char *)class.p);
	}
	return JW_OK;
}

static enum jw_status weave_one(const struct weave_where *where, const char *path,
				struct weave_slot *slot, struct jw_err *e)
{
	const struct weave_unit *unit = where->unit;
	struct weave_class_job job = {
		.rules = unit->job->rules,
		.limits = weave_limits_of(unit),
		.runtime = unit->probes,
		.numbers = slot->numbers,
		.boots = unit->boots,
		.entry = jw_span_str(path),
		.types = unit->types,
		.salt = where->salt,
		.home = weave_home(where, jw_span_str(path)),
	};
	struct jw_arena *scratch = slot->scratch ? slot->scratch : &slot->arena;
	struct weave_class_result cls = { 0 };

	JW_TRY(weave_class(&job, jw_buf_span(&slot->bytes), scratch, &slot->woven, &cls, e));
	if (cls.changed)
		JW_TRY(check_begins(unit, cls.name, e));
	uint32_t salt = unit->salts && cls.changed ? salt_of(unit, cls.name) : 0;
	if (salt) {
		job.salt += salt;
		cls = (struct weave_class_result){ 0 };
		JW_TRY(weave_class(&job, jw_buf_span(&slot->bytes), scratch, &slot->woven, &cls,
				   e));
	}
	JW_TRY(weave_tally_class(&slot->tally, unit->job->rules, path, &cls,
				 !salt && cls.name.n > 0 && jw_span_eq(cls.name, job.home), e));
	if (!cls.changed)
		return JW_OK;
	JW_TRY(note_version(slot, e));
	slot->wove = true;
	slot->fate = WEAVE_CHANGE;
	slot->content = jw_buf_span(&slot->woven);
	return JW_OK;
}

static void extend_bundle_path(struct jw_buf *manifest)
{
	struct jw_buf extended = { 0 };

	if (weave_manifest_bundle(jw_buf_span(manifest), &extended)) {
		jw_buf_free(manifest);
		*manifest = extended;
	}
}

static enum jw_status edit_manifest(const struct weave_where *where, struct weave_slot *slot,
				    struct jw_err *e)
{
	const struct weave_manifest_edit edit = {
		.strip_digests = true,
		.native_access =
			where->depth == 0 && where->unit->job->runtime == WEAVE_RUNTIME_EMBED,
	};
	struct weave_manifest_facts facts;
	struct jw_span text = jw_buf_span(&slot->bytes);

	weave_manifest_edit(text, &edit, &slot->woven, &facts);
	if (edit.native_access)
		extend_bundle_path(&slot->woven);
	JW_TRY(jw_buf_finish(&slot->woven, "manifest", e));
	slot->main_class = facts.main_class;
	slot->tally.r.agent = facts.agent && where->depth == 0;
	if (jw_span_eq(text, jw_buf_span(&slot->woven)))
		return JW_OK;
	slot->fate = WEAVE_CHANGE;
	slot->content = jw_buf_span(&slot->woven);
	return JW_OK;
}

static enum jw_status edit_module(const struct weave_where *where, struct weave_slot *slot,
				  struct jw_err *e)
{
	struct jw_span own = where->unit->own;
	bool changed = false;

	slot->tally.r.classes++;
	slot->has_module = true;
	if (where->depth > 0 || own.n == 0)
		return JW_OK;
	struct jw_span package = jw_span_sub(own, 0, own.n - (sizeof("/" JW_RUNTIME_CLASS) - 1));
	JW_TRY(weave_module_add_package(jw_buf_span(&slot->bytes), package, &slot->arena,
					&slot->woven, &changed, e));
	if (changed) {
		slot->fate = WEAVE_CHANGE;
		slot->content = jw_buf_span(&slot->woven);
	}
	return JW_OK;
}

/* An archive in a plain zip of archives: a unit of its own. */
static enum jw_status weave_bundled(const struct weave_where *where, struct weave_level *level,
				    struct weave_slot *slot, struct jw_err *e)
{
	struct weave_unit unit = *where->unit;

	unit.arena = &slot->arena;
	unit.salts = NULL;
	unit.depth++;
	JW_TRY(weave_unit_of_zip(&unit, level->zip, e));
	for (int run = 0; run < WEAVE_RESTARTS_MAX; run++) {
		struct weave_tally own = { 0 };
		enum jw_status status = weave_tally_open(&own, &slot->arena, unit.job->rules, e);

		unit.collided = false;
		jw_buf_clear(&slot->woven);
		level->sink = (struct weave_sink){ .memory = &slot->woven };
		level->tally = &own;
		if (status == JW_OK)
			status = weave_jar_unit(&unit, level, 1, e);
		level->tally = &slot->tally;
		if (status == JW_OK && !unit.collided) {
			/* its map stands in it, and its ids are no others' concern */
			jw_buf_clear(&own.map);
			jw_buf_clear(&own.plain);
			jw_buf_clear(&own.idents);
			status = weave_tally_merge(&slot->tally, &own, e);
		}
		weave_tally_close(&own);
		if (status != JW_OK || !unit.collided)
			return status;
	}
	return jw_bug(e, "class hashes collide for ever");
}

static enum jw_status weave_inner(const struct weave_where *where, const char *path,
				  struct weave_slot *slot, const struct weave_tools *tools,
				  struct jw_err *e)
{
	struct jw_err why = { 0 };
	enum jw_status status;
	struct jw_zip zip;

	if (where->unit->depth + where->depth + 1 >= WEAVE_DEPTH_MAX)
		return weave_tally_note(&slot->tally, e,
					"%s was not looked into: it lies %d archives deep", path,
					WEAVE_DEPTH_MAX);
	/* test data and the like is often named .jar: what is none is left as it is */
	status = jw_zip_open(jw_buf_span(&slot->bytes), &slot->arena, &zip, &why);
	if (status == JW_INPUT)
		return weave_tally_note(&slot->tally, e, "%s was left as it is: %s", path,
					why.text);
	if (status != JW_OK) {
		*e = why;
		return status;
	}
	const char *prefix = jw_arena_fmt(&slot->arena, "%s!/", path);
	if (!prefix)
		return jw_nomem(e);
	struct weave_level level = {
		.zip = &zip,
		.prefix = prefix,
		.depth = where->depth + 1,
		.sink = { .memory = &slot->woven },
		.tally = &slot->tally,
	};
	if (where->unit->bundle && where->depth == 0)
		status = weave_bundled(where, &level, slot, e);
	else
		status = weave_jar_inside(where->unit, &level, tools, e);
	JW_TRY(status);
	if (!level.wove)
		return JW_OK;
	JW_TRY(jw_buf_finish(&slot->woven, "nested archive", e));
	slot->wove = true;
	slot->fate = WEAVE_CHANGE;
	slot->content = jw_buf_span(&slot->woven);
	return JW_OK;
}

enum jw_status weave_entry(const struct weave_where *where, enum weave_kind kind,
			   struct jw_span name, struct weave_slot *slot,
			   const struct weave_tools *tools, struct jw_err *e)
{
	const char *path = jw_arena_fmt(&slot->arena, "%s%.*s", where->prefix, (int)name.n,
					(const char *)name.p);

	if (!path)
		return jw_nomem(e);
	switch (kind) {
	case WEAVE_KIND_CLASS:
		return weave_one(where, path, slot, e);
	case WEAVE_KIND_MODULE:
		return edit_module(where, slot, e);
	case WEAVE_KIND_MANIFEST:
		return edit_manifest(where, slot, e);
	case WEAVE_KIND_ARCHIVE:
		if (weave_wants_nested(&where->unit->nested, jw_span_str(path)))
			return weave_inner(where, path, slot, tools, e);
		return JW_OK;
	case WEAVE_KIND_SIGNATURE:
		slot->fate = WEAVE_DROP;
		return JW_OK;
	default:
		return JW_OK;
	}
}

enum jw_status weave_note_whole(const struct weave_where *where, bool has_module,
				struct weave_tally *tally, struct jw_err *e)
{
	struct jw_span whole = weave_whole_name(where->unit, where->prefix);

	if (where->is_signed) {
		tally->r.signature_removed = true;
		JW_TRY(weave_tally_note(
			tally, e,
			"%.*s: the signature was removed, since woven classes do not "
			"match it",
			(int)whole.n, (const char *)whole.p));
	}
	if (tally->r.agent && where->depth == 0)
		JW_TRY(weave_tally_note(
			tally, e,
			"%.*s is an agent, which runs before main(), and so before the JDK reads "
			"who may load the recorder: give JDK 24 and later "
			"--enable-native-access=ALL-UNNAMED, or they warn",
			(int)whole.n, (const char *)whole.p));
	if (has_module && where->depth == 0 && !weave_carries_class(where->unit->job))
		return weave_tally_note(
			tally, e,
			"%.*s is a named module, which cannot see the runtime on the class "
			"path: start it with -cp, or weave with --runtime=embed",
			(int)whole.n, (const char *)whole.p);
	return JW_OK;
}
