#include "weaver/archive/weave_tally.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "trace/format/methodmap.h"
#include "trace/format/recording.h"

#include "base/banned.h"

enum jw_status weave_tally_open(struct weave_tally *t, struct jw_arena *arena,
				const struct rules *rules, struct jw_err *e)
{
	/* the buffers of the last use keep their memory */
	jw_buf_clear(&t->skipped);
	jw_buf_clear(&t->notes);
	jw_buf_clear(&t->idents);
	jw_buf_clear(&t->map);
	jw_buf_clear(&t->plain);
	t->arena = arena;
	t->r = (struct weave_report){ 0 };
	t->rule_count = rules_count(rules);
	t->matches = JW_NEW_ARRAY(arena, uint64_t, t->rule_count + 1);
	t->used = JW_NEW_ARRAY(arena, bool, t->rule_count + 1);
	return t->matches && t->used ? JW_OK : jw_nomem(e);
}

void weave_tally_close(struct weave_tally *t)
{
	jw_buf_free(&t->skipped);
	jw_buf_free(&t->notes);
	jw_buf_free(&t->idents);
	jw_buf_free(&t->map);
	jw_buf_free(&t->plain);
}

/* ---- lists of structs, kept in buffers ---- */

static size_t count_of(const struct jw_buf *list, size_t size)
{
	return list->n / size;
}

static const void *list_of(const struct jw_buf *list)
{
	return list->p;
}

static enum jw_status append(struct jw_buf *list, const void *item, size_t size, struct jw_err *e)
{
	jw_put_bytes(list, jw_span(item, size));
	return jw_buf_finish(list, "list", e);
}

/* ---- one class ---- */

/* A name of the class file as UTF-8 text in the arena, '/' as '.' when JAVA. NULL: no memory. */
static const char *text_of(struct weave_tally *t, struct jw_span name, struct jw_span more,
			   bool java)
{
	struct jw_buf b = { 0 };
	char *text = NULL;

	trace_put_field(&b, name);
	trace_put_field(&b, more);
	if (b.failed == JW_OK)
		text = jw_arena_str(t->arena, jw_buf_span(&b));
	jw_buf_free(&b);
	return java ? jw_dotted(text) : text;
}

static enum jw_status add_skipped(struct weave_tally *t, const char *entry,
				  const struct weave_class_result *cls,
				  const struct weave_method *method, struct jw_err *e)
{
	struct jw_span none = { 0 };
	struct weave_skipped s = {
		.entry = entry,
		.class_name = text_of(t, cls->name, none, true),
		.method = method ? text_of(t, method->name, method->descriptor, false) : "",
		.skip = method ? method->skip : cls->skip,
		.size = method ? method->size : 0,
		.woven_size = method ? method->woven_size : 0,
	};
	const char *detail = method ? method->detail : cls->detail;

	s.detail = detail ? jw_arena_str(t->arena, jw_span_str(detail)) : "";
	if (!s.class_name || !s.method || !s.detail)
		return jw_nomem(e);
	if ((size_t)s.skip < sizeof(t->r.skips) / sizeof(t->r.skips[0]))
		t->r.skips[s.skip]++;
	return append(&t->skipped, &s, sizeof(s), e);
}

static void put_method(struct weave_tally *t, const struct rules *rules,
		       const struct weave_method *method)
{
	const struct rules_rule *rule = rules_rule(rules, method->rule);
	const struct rules_rule *does = rules_rule(rules, method->operation_rule);
	struct trace_map_method m = {
		.index = (uint16_t)method->id,
		.access = method->access,
		.line = method->line,
		.name = method->name,
		.descriptor = method->descriptor,
		.rule = jw_span_str(rule->id),
		.label = jw_span_str(rule->label),
		.about = { .operation = does->operation,
			   .size = does->size,
			   .captures = method->captures,
			   .capture_count = method->capture_count },
	};

	trace_map_put_method(&t->map, &m);
}

static enum jw_status put_ident(struct weave_tally *t, const struct weave_class_result *cls,
				struct jw_err *e)
{
	struct weave_ident ident = { .hash = cls->class_hash };

	ident.name =
		(struct jw_span){ (const uint8_t *)jw_arena_str(t->arena, cls->name), cls->name.n };
	if (!ident.name.p)
		return jw_nomem(e);
	return append(&t->idents, &ident, sizeof(ident), e);
}

/* What follows has ids of HASH; *LAST: of which hash the class line before it is. */
static void put_class(struct weave_tally *t, const struct weave_class_result *cls, uint64_t hash,
		      uint64_t *last)
{
	if (hash == *last)
		return;
	trace_map_put_class(&t->map, hash, cls->name, cls->source);
	*last = hash;
}

/* The call sites in method I of CLS, from *AT on: they are in order. */
static void put_sites(struct weave_tally *t, const struct rules *rules,
		      const struct weave_class_result *cls, size_t i, size_t *at, uint64_t *last)
{
	for (; *at < cls->site_count && cls->sites[*at].method <= i; ++*at) {
		const struct weave_site *site = &cls->sites[*at];
		const struct rules_rule *rule = rules_rule(rules, site->rule);
		const struct rules_rule *does = rules_rule(rules, site->operation_rule);
		struct trace_map_site s = {
			.index = site->index,
			.line = site->line,
			.state = rule->state_said ? rule->state : does->state,
			.owner = site->owner,
			.name = site->name,
			.descriptor = site->descriptor,
			.method = cls->methods[i].name,
			.method_descriptor = cls->methods[i].descriptor,
			.rule = jw_span_str(rule->id),
			.label = jw_span_str(rule->label),
			.about = { .operation = does->operation,
				   .size = does->size,
				   .captures = site->captures,
				   .capture_count = site->capture_count },
		};

		if (site->method != i || site->refused)
			continue;
		put_class(t, cls, cls->class_hash, last);
		trace_map_put_site(&t->map, &s);
	}
}

/* Is there nothing to say about the methods of CLS, except which rule had them woven? */
static bool is_plain(const struct rules *rules, const struct weave_class_result *cls)
{
	for (size_t i = 0; i < cls->method_count; i++)
		if (cls->methods[i].calls_only || cls->methods[i].capture_count ||
		    cls->methods[i].context || rules_rule(rules, cls->methods[i].rule)->operation ||
		    rules_samples(&rules_rule(rules, cls->methods[i].rule)->sampling))
			return false;
	return cls->site_count == 0;
}

static bool was_last(const struct weave_tally *t, uint32_t rule)
{
	const struct trace_map_plain *runs = list_of(&t->plain);
	size_t n = count_of(&t->plain, sizeof(*runs));

	return n > 0 && runs[n - 1].rule == rule;
}

/* METHOD, where the rule is not that of the method before it; FIRST: there is none. */
static void put_plain(struct weave_tally *t, const struct weave_class_result *cls,
		      const struct weave_method *method, bool first)
{
	struct trace_map_plain run = { .class_hash = cls->class_hash,
				       .index = method->index,
				       .rule = (uint32_t)method->rule };

	if (first || !was_last(t, run.rule))
		jw_put_bytes(&t->plain, jw_span(&run, sizeof(run)));
}

/* Adds the counts of CLS. */
static void count_class(struct weave_tally *t, const struct weave_class_result *cls)
{
	t->r.classes++;
	t->r.woven_classes += cls->woven + cls->sites_woven + cls->creations + cls->exceptions > 0;
	t->r.methods += cls->total;
	t->r.calls += cls->changed ? cls->sites_woven : 0;
	t->r.creations += cls->changed ? cls->creations : 0;
	t->r.exceptions += cls->exceptions;
	for (size_t i = 0; i < cls->method_count; i++)
		t->r.chosen += !cls->methods[i].calls_only;
	t->r.woven += cls->woven;
	t->r.guarded += cls->guarded;
	for (size_t i = 0; i < cls->site_count; i++)
		if (cls->sites[i].rule < t->rule_count)
			t->matches[cls->sites[i].rule]++;
	for (size_t i = 0; i < cls->refused_count; i++)
		if (cls->refused[i] < t->rule_count)
			t->matches[cls->refused[i]]++;
	for (size_t i = 0; cls->used && i < t->rule_count; i++)
		t->used[i] |= cls->used[i];
}

/* The lines of CLS for the map, which says PLAINLY which rule decided, or all there is to say. */
static enum jw_status map_class(struct weave_tally *t, const struct rules *rules,
				const struct weave_class_result *cls, bool plainly,
				struct jw_err *e)
{
	uint64_t last = UINT64_MAX;
	bool mapped = false;
	size_t site = 0;

	for (size_t i = 0; i < cls->method_count; i++) {
		const struct weave_method *method = &cls->methods[i];

		if (method->skip != WEAVE_SKIP_NOT)
			continue;
		if (plainly)
			put_plain(t, cls, method, !mapped);
		mapped = true;
		if (plainly)
			continue;
		if (!method->calls_only) {
			put_class(t, cls, method->id >> JWR_INDEX_BITS, &last);
			put_method(t, rules, method);
		}
		put_sites(t, rules, cls, i, &site, &last);
	}
	if (mapped)
		JW_TRY(put_ident(t, cls, e));
	JW_TRY(jw_buf_finish(&t->plain, "method map", e));
	return jw_buf_finish(&t->map, "method map", e);
}

enum jw_status weave_tally_class(struct weave_tally *t, const struct rules *rules,
				 const char *entry, const struct weave_class_result *cls,
				 bool plain, struct jw_err *e)
{
	count_class(t, cls);
	if (cls->skip != WEAVE_SKIP_NOT)
		JW_TRY(add_skipped(t, entry, cls, NULL, e));
	for (size_t i = 0; i < cls->method_count; i++) {
		const struct weave_method *method = &cls->methods[i];

		if (!method->calls_only && method->rule < t->rule_count)
			t->matches[method->rule]++;
		if (method->exceptions_rule < t->rule_count)
			t->matches[method->exceptions_rule]++;
		if (method->skip != WEAVE_SKIP_NOT && cls->skip == WEAVE_SKIP_NOT)
			JW_TRY(add_skipped(t, entry, cls, method, e));
	}
	return cls->changed ? map_class(t, rules, cls, plain && is_plain(rules, cls), e) : JW_OK;
}

/* ---- notes, merging ---- */

static enum jw_status keep_note(struct weave_tally *t, const char *text, struct jw_err *e)
{
	const char *const *notes = list_of(&t->notes);

	for (size_t i = 0; i < count_of(&t->notes, sizeof(text)); i++)
		if (strcmp(notes[i], text) == 0)
			return JW_OK;
	const char *copy = jw_arena_str(t->arena, jw_span_str(text));
	return copy ? append(&t->notes, &copy, sizeof(copy), e) : jw_nomem(e);
}

enum jw_status weave_tally_note(struct weave_tally *t, struct jw_err *e, const char *fmt, ...)
{
	char text[JW_ERR_TEXT];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return keep_note(t, text, e);
}

static enum jw_status merge_skipped(struct weave_tally *t, const struct weave_tally *from,
				    struct jw_err *e)
{
	const struct weave_skipped *list = list_of(&from->skipped);

	for (size_t i = 0; i < count_of(&from->skipped, sizeof(*list)); i++) {
		struct weave_skipped s = list[i];

		s.entry = jw_arena_str(t->arena, jw_span_str(s.entry));
		s.class_name = jw_arena_str(t->arena, jw_span_str(s.class_name));
		s.method = jw_arena_str(t->arena, jw_span_str(s.method));
		s.detail = jw_arena_str(t->arena, jw_span_str(s.detail));
		if (!s.entry || !s.class_name || !s.method || !s.detail)
			return jw_nomem(e);
		JW_TRY(append(&t->skipped, &s, sizeof(s), e));
	}
	return JW_OK;
}

static enum jw_status merge_idents(struct weave_tally *t, const struct weave_tally *from,
				   struct jw_err *e)
{
	const struct weave_ident *list = list_of(&from->idents);

	for (size_t i = 0; i < count_of(&from->idents, sizeof(*list)); i++) {
		struct weave_ident ident = list[i];
		const char *copy = jw_arena_str(t->arena, ident.name);

		if (!copy)
			return jw_nomem(e);
		ident.name = jw_span(copy, ident.name.n);
		JW_TRY(append(&t->idents, &ident, sizeof(ident), e));
	}
	return JW_OK;
}

enum jw_status weave_tally_merge(struct weave_tally *t, const struct weave_tally *from,
				 struct jw_err *e)
{
	const char *const *notes = list_of(&from->notes);

	t->r.entries += from->r.entries;
	t->r.classes += from->r.classes;
	t->r.woven_classes += from->r.woven_classes;
	t->r.methods += from->r.methods;
	t->r.chosen += from->r.chosen;
	t->r.woven += from->r.woven;
	t->r.calls += from->r.calls;
	t->r.creations += from->r.creations;
	t->r.exceptions += from->r.exceptions;
	t->r.guarded += from->r.guarded;
	t->r.agent = t->r.agent || from->r.agent;
	t->r.signature_removed = t->r.signature_removed || from->r.signature_removed;
	for (size_t i = 0; i < sizeof(t->r.skips) / sizeof(t->r.skips[0]); i++)
		t->r.skips[i] += from->r.skips[i];
	for (size_t i = 0; i < t->rule_count; i++)
		t->matches[i] += from->matches[i], t->used[i] |= from->used[i];
	for (size_t i = 0; i < count_of(&from->notes, sizeof(*notes)); i++)
		JW_TRY(keep_note(t, notes[i], e));
	JW_TRY(merge_skipped(t, from, e));
	JW_TRY(merge_idents(t, from, e));
	jw_put_bytes(&t->plain, jw_buf_span(&from->plain));
	JW_TRY(jw_buf_finish(&t->plain, "method map", e));
	jw_put_bytes(&t->map, jw_buf_span(&from->map));
	return jw_buf_finish(&t->map, "method map", e);
}

/* A copy of the bytes of LIST in the arena. */
static void *keep_list(struct weave_tally *t, const struct jw_buf *list)
{
	void *copy = jw_arena_alloc(t->arena, list->n + 1, 1);

	if (copy && list->n)
		memcpy(copy, list->p, list->n);
	return copy;
}

enum jw_status weave_tally_finish(struct weave_tally *t, struct jw_err *e)
{
	t->r.skipped = keep_list(t, &t->skipped);
	t->r.skipped_count = count_of(&t->skipped, sizeof(struct weave_skipped));
	t->r.notes = keep_list(t, &t->notes);
	t->r.note_count = count_of(&t->notes, sizeof(char *));
	for (size_t i = 0; i < t->rule_count; i++)
		t->used[i] |= t->matches[i] > 0;
	t->r.rule_matches = t->matches;
	t->r.rule_used = t->used;
	return t->r.skipped && t->r.notes ? JW_OK : jw_nomem(e);
}
