/*
 * entry.c: one entry of an archive or folder: what it is by its name, and what becomes of it.
 *
 * Edits that only make sense in a woven archive (manifest, signatures, module-info) are made before it
 * is known whether something will be woven: when nothing is, the whole output is thrown away and the
 * input is copied.
 */
#include "weaver/archive/entry.h"

#include <string.h>

#include "cfr/class.h"
#include "weaver/archive/homes.h"
#include "weaver/archive/manifest.h"
#include "weaver/archive/module_info.h"
#include "weaver/class/class_weave.h"

#include "base/banned.h"

/* ---- slots ---- */

enum { KEEP_BYTES = 4 << 20 }; /* a buffer over this is given back after each entry */

static void trim(struct jw_buf *b)
{
	if (b->cap > KEEP_BYTES)
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

/* Classes of java.base run before anything but its launcher could begin the runtime. These packages
 * are in no other module. */
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

static enum jw_status change_class(const struct weave_where *where, const char *path,
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
		.home = weave_home(unit, where->depth, jw_span_str(path)),
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

enum jw_status weave_entry(const struct weave_where *where, enum weave_kind kind, const char *path,
			   struct weave_slot *slot, struct jw_err *e)
{
	switch (kind) {
	case WEAVE_KIND_CLASS:
		return change_class(where, path, slot, e);
	case WEAVE_KIND_MODULE:
		return edit_module(where, slot, e);
	case WEAVE_KIND_MANIFEST:
		return edit_manifest(where, slot, e);
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
			"what may load the recorder: give JDK 24 and later "
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
