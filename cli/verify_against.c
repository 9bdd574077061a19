/*
 * verify_against.c: jweave verify --against IN OUT: OUT is IN with woven classes, and nothing else.
 *
 * Two class files, or two archives: entries of IN are in OUT in the same order; those that are no
 * classes are the same bytes (except a manifest, signature files, which lose digests, and nested
 * archives, which are compared in turn); of a class nothing but code has changed. What OUT has in
 * addition is what weaving adds.
 */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cfr/check.h"
#include "cfr/class.h"
#include "cli/paths.h"
#include "cli/verify.h"
#include "weaver/archive/woven_mark.h"
#include "weaver/input/kind.h"

#include "base/banned.h"

enum { NESTED_MAX = 8 };

/* ---- classes against classes ---- */

static bool same_members(const struct cfr_member *a, const struct cfr_member *b, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (a[i].access != b[i].access || !jw_span_eq(a[i].name, b[i].name) ||
		    !jw_span_eq(a[i].descriptor, b[i].descriptor) ||
		    a[i].attrs.count != b[i].attrs.count || !a[i].code.p != !b[i].code.p)
			return false;
	return true;
}

static const char *class_change(const struct cfr_class *a, const struct cfr_class *b)
{
	if (!jw_span_eq(a->name, b->name) || !jw_span_eq(a->super, b->super))
		return "its name or super class has changed";
	if (a->access != b->access || a->major != b->major || a->minor != b->minor)
		return "its access flags or version have changed";
	if (a->interface_count != b->interface_count || a->attrs.count != b->attrs.count)
		return "its interfaces or attributes have changed";
	if (a->field_count != b->field_count || !same_members(a->fields, b->fields, a->field_count))
		return "its fields have changed";
	if (a->method_count != b->method_count ||
	    !same_members(a->methods, b->methods, a->method_count))
		return "its methods have changed in more than their code";
	return NULL;
}

static enum jw_status compare_classes(struct cli_verify *v, struct jw_span path, const char *entry,
				      struct jw_span in, struct jw_span out, struct jw_err *e)
{
	struct jw_arena arena = { 0 };
	struct cfr_class a = { 0 }, b = { 0 };
	enum jw_status status = cfr_class_open(in, &arena, &a, e);

	v->changed++;
	if (status == JW_OK)
		status = cfr_class_open(out, &arena, &b, e);
	if (status == JW_OK) {
		bool module = a.access & CFR_ACC_MODULE; /* its list of packages may have grown */
		const char *change = module ? NULL : class_change(&a, &b);

		if (change)
			cli_verify_finding(v, path, entry, change);
		else
			status = cfr_check(out, in, &arena, e);
	}
	cfr_class_close(&a);
	cfr_class_close(&b);
	jw_arena_free(&arena);
	if (status == JW_OK || status == JW_NOMEM || status == JW_BUG)
		return status;
	cli_verify_finding(v, path, entry, e->text);
	return JW_OK;
}

/* ---- archives against archives ---- */

/* Says where reading failed: in FILE, which is v->in or v->out, and inside it as PATH, which begins
 * with v->out, says. */
static enum jw_status unreadable(const struct cli_verify *v, const char *file, struct jw_span path,
				 struct jw_err *e)
{
	struct jw_span inside = jw_span_sub(path, strlen(v->out), SIZE_MAX);

	return jw_err_where(e, "%s%.*s", file, (int)inside.n, (const char *)inside.p);
}

/* N more of KIND, inside of what PATH names. */
static enum jw_status count(struct cli_verify *v, enum jw_zip_work_kind kind, uint64_t n,
			    struct jw_span path, struct jw_err *e)
{
	enum jw_status status = cli_verify_count(v, kind, n, e);

	return status == JW_OK ? JW_OK : unreadable(v, v->out, path, e);
}

struct named {
	struct jw_span name;
	size_t index;
};

static int by_name(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int order = jw_span_cmp(x->name, y->name);

	return order ? order : x->index < y->index ? -1 : x->index > y->index;
}

static struct named *sort_names(struct jw_arena *arena, const struct cli_zip *zip)
{
	struct named *names = JW_NEW_ARRAY(arena, struct named, zip->count + 1);

	for (size_t i = 0; names && i < zip->count; i++)
		names[i] = (struct named){ zip->entries[i].header.name, i };
	if (names)
		qsort(names, zip->count, sizeof(*names), by_name);
	return names;
}

static enum jw_status compare_zips(struct cli_verify *v, struct jw_span path, struct jw_span in,
				   struct jw_span out, unsigned depth, struct jw_err *e);

/* Two archives, an entry of each, and their name as text: up to a 0, which a name may hold. */
struct both {
	const struct cli_zip *in, *out;
	size_t a, b;
	const char *text;
};

/* Two entries whose unpacked bytes differ. */
static enum jw_status compare_changed(struct cli_verify *v, struct jw_span path,
				      const struct both *both, struct jw_span in,
				      struct jw_span out, unsigned depth, struct jw_err *e)
{
	enum weave_kind kind = weave_kind(both->in->entries[both->a].header.name);

	if (kind == WEAVE_KIND_CLASS || kind == WEAVE_KIND_MODULE)
		return compare_classes(v, path, both->text, in, out, e);
	if (kind == WEAVE_KIND_ARCHIVE) {
		struct jw_buf inner = { 0 };

		jw_put_bytes(&inner, path);
		jw_put_fmt(&inner, "!%s", both->text);
		enum jw_status status = compare_zips(v, jw_buf_span(&inner), in, out, depth + 1, e);
		jw_buf_free(&inner);
		return status;
	}
	if (kind != WEAVE_KIND_MANIFEST)
		cli_verify_finding(v, path, both->text, "differs, and is not a class");
	return JW_OK;
}

static enum jw_status compare_unpacked(struct cli_verify *v, struct jw_span path,
				       const struct both *both, unsigned depth, struct jw_err *e)
{
	struct jw_buf a = { 0 }, b = { 0 };
	const char *file = v->in;

	JW_TRY(count(v, JW_ZIP_WORK_BYTES, both->in->entries[both->a].size, path, e));
	JW_TRY(count(v, JW_ZIP_WORK_BYTES, both->out->entries[both->b].size, path, e));
	enum jw_status status = cli_zip_unpack(both->in, both->a, &v->limits, &a, e);

	if (status == JW_OK) {
		file = v->out;
		status = cli_zip_unpack(both->out, both->b, &v->limits, &b, e);
	}
	if (status != JW_OK)
		(void)unreadable(v, file, path, e);
	else if (!jw_span_eq(jw_buf_span(&a), jw_buf_span(&b)))
		status = compare_changed(v, path, both, jw_buf_span(&a), jw_buf_span(&b), depth, e);
	jw_buf_free(&a);
	jw_buf_free(&b);
	return status;
}

static enum jw_status compare_entries(struct cli_verify *v, struct jw_span path,
				      const struct both *both, unsigned depth, struct jw_err *e)
{
	const struct cli_zip_entry *a = &both->in->entries[both->a],
				   *b = &both->out->entries[both->b];
	const struct cli_zip *failed = NULL;
	bool same = false;

	if (!cli_zip_same_metadata(&a->header, &b->header))
		cli_verify_finding(v, path, both->text, "its time or attributes have changed");
	bool may_be_same = a->method == b->method && a->crc == b->crc && a->packed == b->packed;

	if (may_be_same &&
	    cli_zip_same_data(both->in, both->a, both->out, both->b, &same, &failed, e) != JW_OK)
		return unreadable(v, failed == both->in ? v->in : v->out, path, e);
	if (same)
		return JW_OK;
	return compare_unpacked(v, path, both, depth, e);
}

/* For each entry of IN its place in OUT (the same occurrence of the same name), which must rise. */
static enum jw_status compare_all(struct cli_verify *v, struct jw_span path, struct both *both,
				  struct jw_arena *arena, unsigned depth, struct jw_err *e)
{
	struct named *in = sort_names(arena, both->in), *out = sort_names(arena, both->out);
	size_t *places = JW_NEW_ARRAY(arena, size_t, both->in->count + 1);
	size_t i = 0, j = 0, next = 0;

	if (!in || !out || !places)
		return jw_nomem(e);
	while (i < both->in->count || j < both->out->count) {
		int order = i == both->in->count    ? 1
			    : j == both->out->count ? -1
						    : jw_span_cmp(in[i].name, out[j].name);
		struct jw_span name = order > 0 ? out[j].name : in[i].name;
		const char *text = jw_arena_str(arena, name);

		if (!text)
			return jw_nomem(e);
		if (order < 0 && weave_kind(name) != WEAVE_KIND_SIGNATURE)
			cli_verify_finding(v, path, text, "is missing");
		if (order > 0 && !weave_is_added(name))
			cli_verify_finding(v, path, text, "was added");
		if (order == 0) {
			places[in[i].index] = out[j].index + 1;
			both->a = in[i].index;
			both->b = out[j].index;
			both->text = text;
			JW_TRY(compare_entries(v, path, both, depth, e));
		}
		i += order <= 0;
		j += order >= 0;
	}
	for (i = 0; i < both->in->count; i++) {
		if (places[i] && places[i] < next)
			cli_verify_finding(v, path, "", "the order of its entries has changed");
		if (places[i] && places[i] < next)
			break;
		next = places[i] ? places[i] : next;
	}
	return JW_OK;
}

/* An archive that libzip has open; it reads from the directory. */
struct opened {
	struct cli_zip_directory directory;
	struct cli_zip zip;
};

/* Opens FILE's archive in BYTES, if the entries of all that PATH leads to are not too many. */
static enum jw_status open_zip(struct cli_verify *v, const char *file, struct jw_span path,
			       struct jw_span bytes, struct jw_arena *arena, struct opened *out,
			       struct jw_err *e)
{
	enum jw_status status = cli_zip_find_directory(bytes, &out->directory, e);

	if (status == JW_OK)
		status = cli_verify_count(v, JW_ZIP_WORK_ENTRIES, out->directory.count, e);
	if (status == JW_OK)
		status = cli_zip_open(&out->directory, arena, &out->zip, e);
	return status == JW_OK ? JW_OK : unreadable(v, file, path, e);
}

static enum jw_status compare_zips(struct cli_verify *v, struct jw_span path, struct jw_span in,
				   struct jw_span out, unsigned depth, struct jw_err *e)
{
	struct jw_arena arena = { 0 };
	struct opened a = { 0 }, b = { 0 };
	struct both both = { .in = &a.zip, .out = &b.zip };

	if (depth > NESTED_MAX)
		return jw_fail(e, JW_LIMIT, "%.*s: archives nest too deep (limit is %d)",
			       (int)path.n, (const char *)path.p, NESTED_MAX);
	if (depth > 0)
		JW_TRY(count(v, JW_ZIP_WORK_ARCHIVES, 1, path, e));
	enum jw_status status = open_zip(v, v->in, path, in, &arena, &a, e);
	if (status == JW_OK)
		status = open_zip(v, v->out, path, out, &arena, &b, e);
	if (status == JW_OK)
		status = compare_all(v, path, &both, &arena, depth, e);
	cli_zip_close(&a.zip);
	cli_zip_close(&b.zip);
	jw_arena_free(&arena);
	return status;
}

/* Their content says what they are, as when they are woven. */
static enum jw_status compare_bytes(struct cli_verify *v, struct jw_span in, struct jw_span out,
				    struct jw_err *e)
{
	bool class = cfr_is_class(in);

	if (class != cfr_is_class(out))
		return jw_fail(e, JW_INPUT, "%s is a class file, %s is not: nothing to compare",
			       class ? v->in : v->out, class ? v->out : v->in);
	if (!class)
		return compare_zips(v, jw_span_str(v->out), in, out, 0, e);
	return jw_span_eq(in, out) ? JW_OK
				   : compare_classes(v, jw_span_str(v->out), "", in, out, e);
}

enum jw_status cli_verify_against(struct cli_verify *v, struct jw_err *e)
{
	struct jw_file a = { 0 }, b = { 0 };

	if (cli_is_folder(v->in) || cli_is_folder(v->out))
		return jw_fail(e, JW_USAGE,
			       "--against compares two archives or two class files, not "
			       "folders");
	JW_TRY(jw_file_open(v->in, 0, &a, e));
	enum jw_status status = jw_file_open(v->out, 0, &b, e);
	v->work.input = a.bytes.n + b.bytes.n;
	if (status == JW_OK)
		status = compare_bytes(v, a.bytes, b.bytes, e);
	jw_file_close(&a);
	jw_file_close(&b);
	return status;
}
