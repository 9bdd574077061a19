/*
 * t_schema.c: share/jweave-rules-1.schema.json against the parser: it has the parser's keys, and it
 * refuses nothing that the parser accepts (all of testdata/rules/good and the presets).
 *
 * The validator here knows what our schema uses of draft-07, and fails on a keyword it does not
 * know.
 */
#include <dirent.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "rules/rule.h"
#include "rules/runtime.h"
#include "rules/select.h"
#include "tests/tap.h"

#include "base/banned.h"

#define SCHEMA "share/jweave-rules-1.schema.json"

static const struct rules_json *schema_root;

static struct rules_json *read_json(const char *path, struct jw_arena *arena)
{
	struct rules_json *root = NULL;
	struct jw_file file;
	struct jw_err e = { 0 };

	if (!ok(jw_file_open(path, 0, &file, &e) == JW_OK))
		return NULL;
	if (!ok(rules_json_parse(file.bytes, path, arena, &root, &e) == JW_OK))
		tap_note("%s", e.text);
	jw_file_close(&file);
	return root;
}

/* ---- a validator ---- */

static bool valid(const struct rules_json *schema, const struct rules_json *v);

static bool pattern_holds(const char *pattern, const char *text)
{
	regex_t regex;
	bool holds;

	if (!ok(regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB) == 0))
		return false;
	holds = regexec(&regex, text, 0, NULL, 0) == 0;
	regfree(&regex);
	return holds;
}

static bool same(const struct rules_json *a, const struct rules_json *b)
{
	return a->type == b->type && jw_span_eq(a->text, b->text) && a->boolean == b->boolean;
}

static bool type_holds(const char *type, const struct rules_json *v)
{
	static const char *const names[] = { "null",   "boolean", "number",
					     "string", "array",   "object" };

	return strcmp(type, names[v->type]) == 0 || (strcmp(type, "integer") == 0 && v->is_integer);
}

static const struct rules_json *resolve(const char *ref)
{
	const struct rules_json *at = schema_root;
	char name[64];

	ok(strncmp(ref, "#/", 2) == 0);
	for (const char *p = ref + 2; at && *p;) {
		size_t n = strcspn(p, "/");

		snprintf(name, sizeof name, "%.*s", (int)n, p);
		at = rules_json_get(at, name);
		p += n + (p[n] == '/');
	}
	ok(at != NULL);
	return at;
}

/* How many of the schemas in LIST hold. */
static size_t holding(const struct rules_json *list, const struct rules_json *v)
{
	size_t n = 0;

	for (const struct rules_json *s = list->first; s; s = s->next)
		n += valid(s, v);
	return n;
}

static bool member_valid(const struct rules_json *schema, const struct rules_json *m)
{
	const struct rules_json *keys = rules_json_get(schema, "properties"), *s;
	const struct rules_json *patterns = rules_json_get(schema, "patternProperties");
	bool known = false;

	if (keys && (s = rules_json_get(keys, m->key))) {
		known = true;
		if (!valid(s, m))
			return false;
	}
	for (s = patterns ? patterns->first : NULL; s; s = s->next) {
		if (pattern_holds(s->key, m->key)) {
			known = true;
			if (!valid(s, m))
				return false;
		}
	}
	s = rules_json_get(schema, "additionalProperties");
	if (known || !s)
		return true;
	return s->type == RULES_JSON_BOOL ? s->boolean : valid(s, m);
}

static bool object_valid(const struct rules_json *schema, const struct rules_json *v)
{
	const struct rules_json *required = rules_json_get(schema, "required");
	const struct rules_json *names = rules_json_get(schema, "propertyNames");

	for (const struct rules_json *m = v->first; m; m = m->next) {
		struct rules_json name = { .type = RULES_JSON_STRING, .text = jw_span_str(m->key) };

		if (!member_valid(schema, m) || (names && !valid(names, &name)))
			return false;
	}
	for (const struct rules_json *r = required ? required->first : NULL; r; r = r->next) {
		if (!rules_json_get(v, rules_json_str(r)))
			return false;
	}
	return true;
}

static bool items_valid(const struct rules_json *schema, const struct rules_json *v)
{
	for (const struct rules_json *i = v->first; i; i = i->next) {
		if (!valid(schema, i))
			return false;
	}
	return true;
}

static bool among(const struct rules_json *list, const struct rules_json *v)
{
	for (const struct rules_json *i = list->first; i; i = i->next) {
		if (same(i, v))
			return true;
	}
	return false;
}

/* What a limit K is about: values of this type, at least (or at most) so large. */
static const struct {
	const char *name;
	enum rules_json_type type;
	bool least;
} limits[] = {
	{ "minItems", RULES_JSON_ARRAY, true },       { "maxItems", RULES_JSON_ARRAY, false },
	{ "minProperties", RULES_JSON_OBJECT, true }, { "minLength", RULES_JSON_STRING, true },
	{ "maxLength", RULES_JSON_STRING, false },    { "minimum", RULES_JSON_NUMBER, true },
	{ "maximum", RULES_JSON_NUMBER, false },
};

static int64_t size_of(const struct rules_json *v)
{
	if (v->type == RULES_JSON_NUMBER)
		return v->integer;
	return v->type == RULES_JSON_STRING ? (int64_t)v->text.n : (int64_t)v->count;
}

/* Is K one of the limits? *HOLDS: V keeps to it. */
static bool is_limit(const struct rules_json *k, const struct rules_json *v, bool *holds)
{
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		if (strcmp(k->key, limits[i].name) != 0)
			continue;
		*holds = v->type != limits[i].type ||
			 (limits[i].least ? size_of(v) >= k->integer : size_of(v) <= k->integer);
		return true;
	}
	return false;
}

static bool keyword_holds(const struct rules_json *schema, const struct rules_json *k,
			  const struct rules_json *v)
{
	static const char *const told[] = { "$schema",
					    "$id",
					    "title",
					    "description",
					    "default",
					    "examples",
					    "definitions",
					    "properties",
					    "required",
					    "patternProperties",
					    "additionalProperties",
					    "propertyNames",
					    "then" };
	bool object = v->type == RULES_JSON_OBJECT, array = v->type == RULES_JSON_ARRAY;
	const char *name = k->key;
	bool holds;

	if (strcmp(name, "$ref") == 0)
		return valid(resolve(rules_json_str(k)), v);
	if (strcmp(name, "type") == 0)
		return type_holds(rules_json_str(k), v) && (!object || object_valid(schema, v));
	if (strcmp(name, "const") == 0)
		return same(k, v);
	if (strcmp(name, "enum") == 0)
		return among(k, v);
	if (strcmp(name, "oneOf") == 0)
		return holding(k, v) == 1;
	if (strcmp(name, "anyOf") == 0)
		return holding(k, v) > 0;
	if (strcmp(name, "allOf") == 0)
		return holding(k, v) == k->count;
	if (strcmp(name, "not") == 0)
		return !valid(k, v);
	if (strcmp(name, "if") == 0)
		return !valid(k, v) || valid(rules_json_get(schema, "then"), v);
	if (strcmp(name, "items") == 0)
		return !array || items_valid(k, v);
	if (strcmp(name, "pattern") == 0)
		return v->type != RULES_JSON_STRING ||
		       pattern_holds(rules_json_str(k), rules_json_str(v));
	if (is_limit(k, v, &holds))
		return holds;
	for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
		if (strcmp(name, told[i]) == 0)
			return true;
	}
	tap_note("this test does not know the keyword %s", name);
	return ok(false);
}

static bool valid(const struct rules_json *schema, const struct rules_json *v)
{
	bool has_type = rules_json_get(schema, "type") != NULL;

	for (const struct rules_json *k = schema->first; k; k = k->next) {
		if (!keyword_holds(schema, k, v))
			return false;
	}
	/* oneOf of required keys: a rule has match or select */
	return has_type || v->type != RULES_JSON_OBJECT || object_valid(schema, v);
}

/* ---- the tests ---- */

static void check_file(const char *path)
{
	struct jw_arena arena = { 0 };
	struct rules_json *v = read_json(path, &arena);

	if (v && !ok(valid(schema_root, v)))
		tap_note("%s: the schema says no", path);
	jw_arena_free(&arena);
}

static size_t check_folder(const char *folder)
{
	DIR *dir = opendir(folder);
	char path[256];
	size_t n = 0;

	for (struct dirent *d; dir && (d = readdir(dir));) {
		if (!jw_span_ends(jw_span_str(d->d_name), JW_SPAN_LIT(".json")))
			continue;
		snprintf(path, sizeof path, "%s%.150s", folder, d->d_name);
		check_file(path);
		n++;
	}
	if (dir)
		closedir(dir);
	return n;
}

TEST(the_schema_refuses_nothing_that_is_accepted)
{
	struct jw_arena arena = { 0 };

	schema_root = read_json(SCHEMA, &arena);
	if (!schema_root)
		return;
	ok(check_folder("testdata/rules/good/") >= 6);
	ok(check_folder("share/presets/") >= 2);
	jw_arena_free(&arena);
}

/* ---- what is wrong, it refuses, but for what it says that it cannot see ---- */

#define BAD "testdata/rules/bad/"

/* Beginnings of names in BAD: the kinds of mistakes that the schema's description lists. */
static const char *const invisible[] = {
	/* the grammar of match lines, globs, types and descriptors */
	"match-", "method-", "package-", "params-", "returns-", "descriptor-",
	"select-class-method", "select-bang-", "select-only-free",
	/* regular expressions */
	"re-",
	/* other files, presets, groups and ids */
	"include-", "preset-", "group-", "id-taken",
	/* placeholders of labels, minBytes over maxBytes, nesting */
	"label-", "code-crossed", "too-deep",
	/* quantities beyond 64 bits */
	"runtime-size-overflow",
	/* keys that go with one value of another alone; keys that are not acted on */
	"call-", "exception-", "later-", "monitor-", "new-",
	/* what the captures of a rule, or two parts of a key, say together */
	"link-both-", "link-captures-", "link-identity", "link-key-twice", "link-not-"
};

static bool is_invisible(const char *name)
{
	for (size_t i = 0; i < sizeof invisible / sizeof *invisible; i++) {
		if (strncmp(name, invisible[i], strlen(invisible[i])) == 0)
			return true;
	}
	return false;
}

/* Is the file NAME refused? What is no JSON (by our reader) has no schema to judge it. */
static bool is_refused(const char *name)
{
	struct rules_json *root = NULL;
	struct jw_arena arena = { 0 };
	struct jw_file file;
	char path[256];

	snprintf(path, sizeof path, BAD "%.150s", name);
	if (!ok(jw_file_open(path, 0, &file, NULL) == JW_OK))
		return false;
	bool json = rules_json_parse(file.bytes, path, &arena, &root, NULL) == JW_OK;
	bool refused = !json || !valid(schema_root, root);
	jw_file_close(&file);
	jw_arena_free(&arena);
	return refused;
}

TEST(the_schema_refuses_all_mistakes_but_those_that_it_lists)
{
	struct jw_arena arena = { 0 };
	DIR *dir = opendir(BAD);
	size_t refused = 0;

	schema_root = read_json(SCHEMA, &arena);
	for (struct dirent *d; schema_root && dir && (d = readdir(dir));) {
		if (!jw_span_ends(jw_span_str(d->d_name), JW_SPAN_LIT(".json")))
			continue;
		if (is_refused(d->d_name))
			refused++;
		else if (!ok(is_invisible(d->d_name)))
			tap_note("the schema accepts " BAD "%s", d->d_name);
	}
	if (dir)
		closedir(dir);
	ok(refused >= 100);
	jw_arena_free(&arena);
}

/* The keys of OBJECT's `properties` are NAMES, no more and no fewer. */
static void same_keys(const struct rules_json *object, const char *const *names)
{
	const struct rules_json *keys = object ? rules_json_get(object, "properties") : NULL;
	size_t n = 0;

	if (!ok(keys != NULL))
		return;
	for (; names[n]; n++) {
		if (!ok(rules_json_get(keys, names[n]) != NULL))
			tap_note("the schema lacks %s", names[n]);
	}
	is_int(keys->count, n);
}

TEST(the_schema_has_the_keys_of_the_parser)
{
	struct jw_arena arena = { 0 };

	schema_root = read_json(SCHEMA, &arena);
	if (!schema_root)
		return;
	same_keys(schema_root, rules_file_keys);
	same_keys(resolve("#/definitions/rule"), rules_rule_keys);
	same_keys(resolve("#/definitions/action"), rules_default_keys);
	same_keys(resolve("#/definitions/runtime"), rules_runtime_keys);
	same_keys(resolve("#/definitions/select"), rules_select_keys());
	same_keys(resolve("#/definitions/select/properties/code"), rules_code_keys);
	jw_arena_free(&arena);
}
