/*
 * load.c: files and their includes -> a set.
 *
 * Included files are spliced in before the file that includes them, in order; each file is read
 * once, where it is first met. A file that includes itself, directly or not, is an error.
 */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "rules/bake.h"
#include "rules/digest.h"
#include "rules/index.h"
#include "rules/keys.h"
#include "rules/presets.h"
#include "rules/regex.h"
#include "rules/rule.h"
#include "rules/select.h"
#include "rules/set.h"
#include "rules/source.h"

#include "base/banned.h"

enum { MAX_NESTING = 16, MAX_FILES = 1000 };

struct loader {
	struct rules_building b;
	struct rules *set;
	struct jw_err *e;
	unsigned depth;
};

static enum jw_status load_text(struct loader *l, struct jw_span text, struct rules_source *source);

/* ---- the format's version ---- */

static enum jw_status check_version(struct loader *l, const struct rules_json *root)
{
	const struct rules_json *v;

	JW_TRY(rules_want(&l->b.reading, root, RULES_JSON_OBJECT));
	v = rules_json_get(root, "jweave");
	if (!v) /* it may be there, misspelt */
		JW_TRY(rules_check_keys(&l->b.reading, root, rules_file_keys));
	if (!v)
		return rules_json_fail(
			l->e, root, false, NULL,
			"\"jweave\": 1 is missing: it says that this is a rules file "
			"of format 1");
	JW_TRY(rules_want(&l->b.reading, v, RULES_JSON_NUMBER));
	if (!v->is_integer || v->integer != 1)
		return rules_json_fail(
			l->e, v, false, NULL,
			"rules format %.20s is not known to this jweave, which reads "
			"format 1: use a newer jweave, or write \"jweave\": 1 and the "
			"keys of format 1",
			rules_json_str(v));
	return rules_check_keys(&l->b.reading, root, rules_file_keys);
}

/* ---- names of files ---- */

/* PATH, relative to the folder of the file NAME. */
static char *resolve(struct loader *l, const char *name, const char *path)
{
	const char *slash = strrchr(name, '/');
	int folder = slash ? (int)(slash - name + 1) : 0;

	if (path[0] == '/')
		folder = 0;
	return jw_arena_fmt(&l->set->arena, "%.*s%s%s", folder, name,
			    !folder && path[0] == '-' ? "./" : "", path);
}

static struct rules_source *find_source(const struct loader *l, const char *name, bool in_memory)
{
	for (struct rules_source *s = l->set->sources; s; s = s->next) {
		if (s->in_memory == in_memory && strcmp(s->name, name) == 0)
			return s;
		if (!in_memory && !s->in_memory && jw_same_file(s->name, name))
			return s;
	}
	return NULL;
}

static struct rules_source *new_source(struct loader *l, const char *name, bool in_memory)
{
	struct rules_source *s = JW_NEW(&l->set->arena, struct rules_source);

	if (!s)
		return NULL;
	s->name = name;
	s->in_memory = in_memory;
	*l->set->last_source = s;
	l->set->last_source = &s->next;
	l->set->source_count++;
	return s;
}

/* ---- includes ---- */

static enum jw_status read_preset(struct loader *l, const struct rules_json *json,
				  struct rules_source *source)
{
	const char *name = rules_json_str(json) + strlen("preset:");

	if (rules_preset(name).n > 0)
		return load_text(l, rules_preset(name), source);
	return rules_json_fail_in(
		l->e, json, jw_span_str(name), rules_preset_meant(name),
		"this version of jweave has no preset \"%.60s\": see `jweave presets`", name);
}

/* The file of SOURCE, which JSON (may be NULL) includes, cannot be read: says where, and which
 * preset may have been meant. */
static enum jw_status no_file(struct loader *l, const struct rules_json *json,
			      const struct rules_source *source)
{
	const char *meant = rules_preset_meant(json ? rules_json_str(json) : source->name);
	char pointer[64] = "";

	if (meant)
		(void)jw_fail(l->e, l->e->status, "%s (did you mean \"%s\"?)", l->e->text, meant);
	if (!json)
		return l->e->status;
	l->e->status = JW_RULES; /* of the file that includes it */
	if (!json->key)
		(void)snprintf(pointer, sizeof pointer, "/%zu", json->index);
	return jw_err_where(l->e, "%s:%u:%u: /include%s", json->file, json->line, json->column,
			    pointer);
}

static enum jw_status read_file(struct loader *l, const struct rules_json *json,
				struct rules_source *source)
{
	struct jw_file file;
	enum jw_status status = jw_file_open(source->name, RULES_JSON_MAX_SIZE, &file, l->e);

	if (status != JW_OK)
		return l->e && status != JW_NOMEM ? no_file(l, json, source) : status;
	status = load_text(l, file.bytes, source);
	jw_file_close(&file);
	return status;
}

static enum jw_status include_one(struct loader *l, struct rules_source *into,
				  const struct rules_json *json)
{
	bool preset = jw_span_starts(json->text, JW_SPAN_LIT("preset:"));
	const char *name =
		preset ? rules_json_str(json) : resolve(l, into->name, rules_json_str(json));
	struct rules_source *source = name ? find_source(l, name, preset) : NULL;

	if (!name)
		return jw_nomem(l->e);
	if (source && source->open)
		return rules_json_fail(l->e, json, false, NULL, "\"%.200s\" includes itself",
				       rules_json_str(json));
	if (source) {
		into->includes[into->include_count++] = source;
		return JW_OK;
	}
	if (l->depth == MAX_NESTING)
		return rules_json_fail(l->e, json, false, NULL,
				       "includes nested too deep (limit is %d)", MAX_NESTING);
	if (l->set->source_count == MAX_FILES)
		return rules_json_fail(l->e, json, false, NULL, "too many files (limit is %d)",
				       MAX_FILES);
	source = new_source(l, name, preset);
	if (!source)
		return jw_nomem(l->e);
	JW_TRY(preset ? read_preset(l, json, source) : read_file(l, json, source));
	into->includes[into->include_count++] = source;
	return JW_OK;
}

static enum jw_status load_includes(struct loader *l, struct rules_source *source)
{
	const struct rules_json *json = rules_json_get(source->json, "include");
	size_t count;

	if (!json)
		return JW_OK;
	if (json->type == RULES_JSON_ARRAY && json->count == 0)
		return JW_OK;
	JW_TRY(rules_strings(&l->b.reading, json, &count));
	source->includes = JW_NEW_ARRAY(&l->set->arena, struct rules_source *, count);
	if (!source->includes)
		return jw_nomem(l->e);
	l->depth++;
	if (json->type == RULES_JSON_STRING)
		JW_TRY(include_one(l, source, json));
	for (const struct rules_json *i = json->first; i; i = i->next)
		JW_TRY(include_one(l, source, i));
	l->depth--;
	return JW_OK;
}

static enum jw_status load_text(struct loader *l, struct jw_span text, struct rules_source *source)
{
	source->open = true;
	JW_TRY(rules_json_parse(text, source->name, &l->set->arena, &source->json, l->e));
	JW_TRY(check_version(l, source->json));
	JW_TRY(load_includes(l, source));
	source->open = false;
	return rules_add_file(&l->b, source);
}

/* ---- the set ---- */

static enum jw_status list_files(struct rules *set, struct jw_err *e)
{
	set->files = JW_NEW_ARRAY(&set->arena, const char *, set->source_count + 1);
	if (!set->files)
		return jw_nomem(e);
	for (const struct rules_source *s = set->sources; s; s = s->next) {
		if (!s->in_memory)
			set->files[set->file_count++] = s->name;
	}
	return JW_OK;
}

/* The clauses of excludes come after those of the rules. */
static enum jw_status join_bodies(struct rules *set, struct rules_building *b, struct jw_err *e)
{
	set->bodies = b->bodies;
	set->body_rules = b->bodies.n;
	for (size_t i = 0; i < b->excludes.n; i++)
		JW_TRY(rules_clauses_add(&set->arena, &set->bodies, b->excludes.at[i], e));
	return JW_OK;
}

static enum jw_status seal_clauses(struct rules *set, struct rules_clauses *list, struct jw_err *e)
{
	for (size_t i = 0; i < list->n && list->at[i].rule != RULES_NONE; i++)
		list->operations |= set->rules.at[list->at[i].rule]->face.operation != NULL;
	set->needs_supertypes |= rules_clauses_say_subtype(list);
	return list->n > 0 || list == &set->bodies ? rules_index_build(&set->arena, list, e)
						   : JW_OK;
}

/* What was gathered becomes the set. */
static enum jw_status seal(struct loader *l)
{
	struct rules *set = l->set;
	struct rules_building *b = &l->b;

	set->rules = b->rules;
	set->settings = b->settings;
	set->calls = b->calls;
	set->creations = b->creations;
	set->exceptions = b->exceptions;
	JW_TRY(join_bodies(set, b, l->e));
	JW_TRY(rules_check_ids(&set->rules, l->e));
	rules_digest_make(set->sources, &set->options, set->digest);
	JW_TRY(rules_number(set, l->e));
	JW_TRY(rules_bake(set, l->e));
	JW_TRY(list_files(set, l->e));
	JW_TRY(seal_clauses(set, &set->calls, l->e));
	JW_TRY(seal_clauses(set, &set->creations, l->e));
	JW_TRY(seal_clauses(set, &set->exceptions, l->e));
	return seal_clauses(set, &set->bodies, l->e);
}

/* Those that come before the file, as if it included them. */
static enum jw_status load_presets(struct loader *l)
{
	const char *const *presets = l->set->options.presets;

	for (; presets && *presets; presets++) {
		struct jw_span text = rules_preset(*presets);
		const char *name = jw_arena_fmt(&l->set->arena, "preset:%s", *presets);

		if (!name)
			return jw_nomem(l->e);
		if (!text.n)
			return jw_fail(l->e, JW_RULES, "there is no preset '%s'", *presets);
		if (find_source(l, name, true))
			continue;
		struct rules_source *source = new_source(l, name, true);
		if (!source)
			return jw_nomem(l->e);
		JW_TRY(load_text(l, text, source));
	}
	return JW_OK;
}

static enum jw_status load(struct loader *l, const struct jw_span *text, const char *name)
{
	char *copy = jw_arena_str(&l->set->arena, jw_span_str(name));

	l->b.settings = JW_NEW_ARRAY(&l->set->arena, const char *, RULES_SETTINGS);
	if (!copy || !l->b.settings)
		return jw_nomem(l->e);
	l->set->name = copy;
	JW_TRY(load_presets(l));
	struct rules_source *source = new_source(l, copy, text != NULL);
	if (!source)
		return jw_nomem(l->e);
	JW_TRY(text ? load_text(l, *text, source) : read_file(l, NULL, source));
	return seal(l);
}

static enum jw_status make(const struct jw_span *text, const char *name,
			   const struct rules_options *options, struct rules **out,
			   struct jw_err *e)
{
	const struct rules_home homes[] = {
		{ rules_select_keys(), "\"select\"" },
		{ rules_code_keys, "\"code\" in \"select\"" },
		{ rules_rule_keys, "a rule" },
		{ rules_file_keys, "the file, next to \"jweave\"" },
		{ 0 },
	};
	struct loader l = { .e = e };
	enum jw_status status;

	l.set = jw_mem_zalloc(1, sizeof *l.set);
	if (!l.set)
		return jw_nomem(e);
	if (options)
		l.set->options = *options;
	l.set->last_source = &l.set->sources;
	l.b.reading = (struct rules_reading){
		.arena = &l.set->arena, .regexes = &l.set->regexes, .homes = homes, .e = e
	};
	status = load(&l, text, name);
	if (status == JW_OK)
		*out = l.set;
	else
		rules_free(l.set);
	return status;
}

enum jw_status rules_load(const char *path, const struct rules_options *options, struct rules **out,
			  struct jw_err *e)
{
	return make(NULL, path, options, out, e);
}

enum jw_status rules_parse(struct jw_span text, const char *name,
			   const struct rules_options *options, struct rules **out,
			   struct jw_err *e)
{
	return make(&text, name, options, out, e);
}

void rules_free(struct rules *rules)
{
	if (!rules)
		return;
	rules_regexes_free(rules->regexes);
	jw_arena_free(&rules->arena);
	jw_mem_free(rules);
}

/* ---- what a set contains ---- */

size_t rules_count(const struct rules *rules)
{
	return rules->rules.n;
}

const struct rules_rule *rules_rule(const struct rules *rules, size_t index)
{
	return index < rules->rules.n ? &rules->rules.at[index]->face : NULL;
}

size_t rules_file_count(const struct rules *rules)
{
	return rules->file_count;
}

const char *rules_file(const struct rules *rules, size_t index)
{
	return index < rules->file_count ? rules->files[index] : NULL;
}

const char *rules_digest(const struct rules *rules)
{
	return rules->digest;
}
