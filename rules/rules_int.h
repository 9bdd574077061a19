/*
 * rules_int.h: the compiled form of rules, shared inside the room.
 *
 *   set ── clauses, in order: those of the rules (a rule has one per pattern of its `match`, or one
 *   │      for its `select`), then one per exclude. The LAST clause that matches decides, which
 *   │      makes "an exclude always wins" a matter of order.
 *   └── index: which clauses can concern a class or a method name at all (index.c)
 *
 * A clause is a selector: the AND of its tests, cheapest first. A test is a list of items: it holds
 * when any positive item does (or there is none) and no negated one does. Selectors nest (group,
 * anyOf, not). Without a method a selector is asked about the class alone and may answer MAYBE.
 */
#ifndef JW_RULES_INT_H
#define JW_RULES_INT_H

#include "rules/glob.h"
#include "rules/json.h"
#include "rules/rules.h"

/* ---- selectors ---- */

enum answer { ANSWER_NO, ANSWER_MAYBE, ANSWER_YES };

/* ORDER: the order of evaluation; those from TEST_SOURCE on need an open class, those from
 * TEST_METHOD on a method, too (anyOf and `not` need what their selectors do). */
enum test_kind {
	TEST_CLASS,
	TEST_PACKAGE,
	TEST_ENTRY,
	TEST_CLASS_MODIFIERS,
	TEST_SOURCE,
	TEST_SUBTYPE,
	TEST_CLASS_ANNOTATION,
	TEST_METHOD,
	TEST_KIND,
	TEST_MODIFIERS,
	TEST_DESCRIPTOR,
	TEST_RETURNS,
	TEST_PARAMS,
	TEST_METHOD_ANNOTATION,
	TEST_LAMBDA,
	TEST_ANY_OF, /* and group: the items are selectors */
	TEST_NOT,
	TEST_CODE,
};

/* A Java type in params, returns or the match line. */
struct type_glob {
	struct rules_glob name; /* of the element type, internal form; unused when `any` */
	bool any;               /* "*" or "**": whatever the element type */
	uint32_t dims;          /* pairs of brackets; with `any`: at least so many */
};

struct regex;

struct item {
	enum { ITEM_GLOB, ITEM_REGEX, ITEM_TEXT, ITEM_TYPE, ITEM_BITS, ITEM_SELECTOR } form;
	bool negated;
	bool exact;             /* names one thing, without a wildcard */
	struct rules_glob glob; /* ITEM_GLOB */
	struct regex *regex;    /* ITEM_REGEX */
	struct jw_span text;    /* ITEM_TEXT; of the others: as written */
	struct type_glob type;  /* ITEM_TYPE */
	uint32_t mask, want;    /* ITEM_BITS: (bits & mask) == want */
	const struct selector *selector;
};

struct code_test {
	uint32_t min_bytes, max_bytes, min_lines;
	signed char has_loop, has_call; /* 0, 1, or -1: either */
};

struct test {
	enum test_kind kind;
	bool rest; /* TEST_PARAMS: ends in ".." */
	struct item *items;
	size_t count;
	struct code_test code;
	struct test *next;
};

struct selector {
	struct test *tests; /* by kind, rising */
	bool says_kind;     /* here or in what it refers to (not under `not`) */
	bool says_code;
	bool says_subtype;  /* it asks for supertypes: anywhere in it */
	bool names_special; /* a method pattern that begins with '<' */
	uint32_t cost;      /* tests and items that one evaluation may look at, groups included */
	bool wild_special;  /* its own `kind` asks for <init> or <clinit>: wildcards match them */
};

/* Bits of modifiers: the access flags, and above them what has no flag. */
enum {
	BIT_PACKAGE = 1 << 16, /* none of public, protected, private */
	BIT_RECORD = 1 << 17,
};

/* A word of `modifiers` (on_method) and `classModifiers` (on_class). */
struct modifier {
	const char *text;
	uint32_t bit;
	bool on_method, on_class;
};
extern const struct modifier rules_modifiers[];             /* text NULL ends */
const struct modifier *rules_modifier(struct jw_span word); /* NULL: no such word */
extern const char *const rules_kind_names[];                /* NULL ends */

/* ---- the set ---- */

struct clause {
	const struct selector *selector;
	size_t rule; /* RULES_NONE: an exclude */
	bool skip;
	const struct selector *within; /* of rules for calls: the code that calls, or NULL */
	bool monitor;                  /* of rules for monitors: a call of no method */
};

struct group {
	const char *name;
	const struct rules_json *json;
	const struct selector *selector; /* once compiled */
	struct source *source;           /* where it stands: it sees that file's groups */
	bool open;                       /* being compiled: to see itself is a cycle */
	struct group *next;
};

/* One file read. */
struct source {
	const char *name; /* as in messages */
	bool preset;
	bool open; /* its includes are being read: to see it again is a cycle */
	struct group *groups;
	struct source **includes;
	size_t include_count;
	struct rules_json *json;
	struct rules_rule defaults; /* what its rules are unless they say otherwise */
	struct source *next;
};

struct rule_int {
	struct rules_rule face;
	const struct rules_json *json;
	size_t first, count;      /* its clauses; none here when it is for calls or monitors */
	const struct clause *off; /* those of a rule that is off, and can be switched on */
	size_t off_count;
};

struct index;

enum { RULES_SETTINGS = 13 }; /* keys of `runtime` */

struct rules {
	struct jw_arena arena;
	struct rules_options options;
	struct rule_int **rules;
	size_t rule_count;
	struct clause *clauses;
	size_t clause_count, rule_clauses; /* excludes stand behind the first rule_clauses */
	bool needs_supertypes;
	struct source *sources, **last_source;
	size_t source_count, group_count;
	const char **files;
	size_t file_count;
	struct regex *regexes; /* to be freed */
	struct index *index;
	bool operations;     /* a rule of a clause names one */
	struct rules *calls; /* owned: the clauses of rules for calls and monitors; NULL: none */
	struct rules *creations;  /* owned: those of rules for new objects */
	struct rules *exceptions; /* owned: those of rules for exceptions */
	char digest[17];
	bool switches, has_off;               /* rules can be switched at run time; such are off */
	const char *settings[RULES_SETTINGS]; /* of `runtime`, as they are baked in; NULL: unsaid */
	struct jw_span baked;
};

/* ---- reading ---- */

/* What a compilation needs at hand. */
struct compile {
	struct rules *set;
	struct source *source; /* whose groups are seen */
	struct jw_err *e;
	unsigned depth; /* of selectors inside selectors */
};

/* select.c: a selector from a string (match line) or an object (select). */
enum jw_status JW_MUST_USE rules_selector(struct compile *c, const struct rules_json *json,
					  const struct selector **out);
/* A selector with no test yet, and a test with room for COUNT items put into it in the order of
 * evaluation; NULL: no memory. */
struct test *rules_test(struct compile *c, struct selector *selector, enum test_kind kind,
			size_t count);
/* One item of a list key from TEXT, which may start with "!" and "re:". JSON is for messages. */
enum jw_status JW_MUST_USE rules_item(struct compile *c, const struct rules_json *json,
				      enum test_kind kind, struct jw_span text, struct item *out);
/* Derives what a finished selector says of itself. */
enum jw_status JW_MUST_USE rules_selector_finish(struct compile *c, const struct rules_json *json,
						 struct selector *selector);
/* A list key that may be one string: how many strings, and a check of their types. */
enum jw_status JW_MUST_USE rules_strings(struct compile *c, const struct rules_json *json,
					 size_t *count);

extern const char *const rules_code_keys[]; /* of `code`; NULL ends */
const char *const *rules_select_keys(void); /* of `select`; NULL ends */

/* pattern.c: the match line in the string JSON; parameter types "int, .." without brackets. */
enum jw_status JW_MUST_USE rules_pattern(struct compile *c, const struct rules_json *json,
					 struct selector *out);
enum jw_status JW_MUST_USE rules_type(struct compile *c, const struct rules_json *json,
				      struct jw_span text, struct item *out);

/* regex.c: TEXT, in the string JSON, as a POSIX ERE that must match the whole text; bounded in size
 * and repetition. It is one of the set's, freed with all that follow FIRST. Threads may ask the
 * same one whether it matches the N characters of TEXT, behind which is a zero. */
enum jw_status JW_MUST_USE rules_regex(struct compile *c, const struct rules_json *json,
				       struct jw_span text, struct regex **out);
bool rules_regex_matches(struct regex *regex, const char *text, size_t n);
void rules_regexes_free(struct regex *first);

/* keys.c: what every part of the parser asks of an object. NAMES end with NULL; x- and $ are free.
 */
enum jw_status JW_MUST_USE rules_check_keys(struct compile *c, const struct rules_json *object,
					    const char *const *names);
bool rules_free_key(const char *key);
enum jw_status JW_MUST_USE rules_want(struct compile *c, const struct rules_json *json,
				      enum rules_json_type type);
/* A whole number from 1 to MOST (which fits). */
enum jw_status JW_MUST_USE rules_natural(struct compile *c, const struct rules_json *json,
					 int64_t most, uint32_t *out);
/* The index of the string JSON in WORDS, or an error that names the nearest one. */
enum jw_status JW_MUST_USE rules_word(struct compile *c, const struct rules_json *json,
				      const char *const *words, size_t *out);
/* The message in C->e, with the place of PART of the string JSON in front. */
enum jw_status rules_at(struct compile *c, const struct rules_json *json, struct jw_span part);

/* later.c: keys of format 1 that this version knows but does not act on. A wrong value is told as
 * such; a right one is refused as not supported yet, since to ignore it would change the result. */
enum jw_status JW_MUST_USE rules_later(struct compile *c, const struct rules_json *member);
/* The two halves of it: checks the value; refuses it. */
enum jw_status JW_MUST_USE rules_shape(struct compile *c, const struct rules_json *member);
enum jw_status JW_MUST_USE rules_not_yet(struct compile *c, const struct rules_json *member);

/* quantity.c: "64MiB" in bytes, "1.5ms" in nanoseconds; NULL, or where in TEXT it is wrong (at its
 * start: it is no number, or too large). */
const char *rules_size(const char *text, uint64_t *bytes);
const char *rules_duration(const char *text, uint64_t *ns);

/* sampling_table.c: MEMBER of a rule or of defaults, if it is one of sample, maxDepth, minDuration.
 */
enum jw_status JW_MUST_USE rules_spare_key(struct compile *c, const struct rules_json *member,
					   struct rules_spare *out);
/* A rule, JSON, is read but for this: does what its keys spare make sense? Defaults yield. */
enum jw_status JW_MUST_USE rules_spare_check(struct compile *c, const struct rules_json *json,
					     struct rules_rule *face);
/* The first key that S comes of; it spares something. */
const char *rules_spare_word(const struct rules_spare *s);
/* Gives numbers to the rules of a sealed set; their lines of what is baked in. */
enum jw_status JW_MUST_USE rules_spare_number(struct rules *set, struct jw_err *e);
void rules_spare_bake(const struct rules *set, struct jw_buf *out);

/* runtime.c: takes over a file's `runtime`; makes the text that is baked in, of a sealed set. */
extern const char *const rules_runtime_keys[]; /* NULL ends */
enum jw_status JW_MUST_USE rules_runtime(struct compile *c, const struct rules_json *json);
enum jw_status JW_MUST_USE rules_bake(struct rules *set, struct jw_err *e);

/* action.c: what a file's rules do when they say nothing; what its `defaults`, JSON, say; what a
 * rule says. FACE begins as a copy of the defaults, and says already whether it is for calls. */
void rules_action_begin(struct source *source);
enum jw_status JW_MUST_USE rules_action_defaults(struct compile *c, const struct rules_json *json,
						 struct source *source);
enum jw_status JW_MUST_USE rules_action(struct compile *c, const struct rules_json *json,
					struct rules_rule *face);

/* rule.c: the rules and excludes of one file, appended to the set. */
struct building {
	struct compile c;
	struct jw_buf rules;      /* struct rule_int * */
	struct jw_buf clauses;    /* struct clause, of rules */
	struct jw_buf excludes;   /* struct clause */
	struct jw_buf calls;      /* struct clause, of rules for calls and monitors */
	struct jw_buf creations;  /* struct clause, of rules for new objects */
	struct jw_buf exceptions; /* struct clause, of rules for exceptions */
	uint64_t cost;            /* of all clauses */
};
/* Of a file, of a rule, of `defaults`; NULL ends. */
extern const char *const rules_file_keys[], *const rules_rule_keys[], *const rules_default_keys[];
/* Of a sealed set: no two rules share an id. */
enum jw_status JW_MUST_USE rules_check_ids(const struct rules *set, struct jw_err *e);
enum jw_status JW_MUST_USE rules_add_file(struct building *b, struct source *source);

/* ---- match.c ---- */

struct eval {
	const struct rules_class *cls;
	const struct rules_method *method; /* NULL: the class alone */
	bool open;                         /* without a method: the class is open, not only named */
	struct rules_code code;
	signed char code_state; /* 0 not asked, 1 known, -1 unknown */
	bool named;             /* an exact method name has matched */
};

/* Three-valued: MAYBE only without a method. */
enum answer rules_eval(const struct selector *selector, struct eval *eval);
/* The same for a clause: with what its defaults leave out. */
enum answer rules_eval_clause(const struct clause *clause, struct eval *eval);
/* Does ITEM, of a key about types, name the type NAME? (Negation is not looked at.) */
bool rules_item_names(const struct item *item, struct jw_span name);

/* Does the guard let the body go: said by the rule itself, or more than trivial? */
bool rules_passes_guard(const struct rules *rules, size_t rule, struct eval *eval);

/* ---- switches.c ---- */

/* V, unless a rule behind the one that decided is off and would trace the method: then the last of
 * these, since it may be switched on. */
struct rules_verdict rules_or_off(const struct rules *rules, struct eval *eval,
				  struct rules_verdict v);
/* May a rule that is off choose a method of the class? */
bool rules_off_may_choose(const struct rules *rules, struct eval *eval);
/* The numbers of the rules that METHOD has, as HOW of base/baked.h, of a set with switches. */
uint64_t rules_switches_of(const struct rules *rules, const struct rules_class *cls,
			   const struct rules_method *method);

/* What neither rules nor excludes are asked about: RULES_WHY_TRACED when they are. METHOD NULL: of
 * any method of CLS. */
enum rules_why rules_left_out(const struct rules *rules, const struct rules_class *cls,
			      const struct rules_method *method);

/* jdk.c: why METHOD of CLS, a class of the JDK, stays as it is; TRACED when it need not. */
enum rules_why rules_jdk_keeps(const struct rules_class *cls, const struct rules_method *method);

/* ---- call.c ---- */

/* SELECTOR asks nothing that a call (MADE: a new object) does not tell. */
enum jw_status JW_MUST_USE rules_call_check(struct compile *c, const struct rules_json *json,
					    const struct selector *selector, bool made);
/* The selector of the instructions that the rule JSON for monitors is about: monitorenter where its
 * operation is monitor/enter, monitorexit where it is monitor/exit; both where it skips. */
enum jw_status JW_MUST_USE rules_monitor_selector(struct compile *c, const struct rules_json *json,
						  const struct rules_rule *face,
						  const struct selector **out);
/* The number of the state in JSON. */
enum jw_status JW_MUST_USE rules_call_state(struct compile *c, const struct rules_json *json,
					    int *state);
/* Does a rule of SET that has a clause in CLAUSES name an operation? */
bool rules_have_operations(const struct rules *set, const struct clause *clauses, size_t count);
/* Does an exclude of RULES leave out METHOD of CLS, or the code of it that calls? */
bool rules_is_excluded(const struct rules *rules, const struct rules_class *cls,
		       const struct rules_method *method);

/* ---- exception.c ---- */

/* The rule JSON, of WHAT, says nothing that only calls and methods have. */
enum jw_status JW_MUST_USE rules_plain_check(struct compile *c, const struct rules_json *json,
					     const char *what);

/* ---- apart.c: sets of their own for what is no execution ---- */

/* Makes *OUT, a set of its own inside SET, of the clauses in CLAUSES; none: NULL. */
enum jw_status JW_MUST_USE rules_apart_seal(struct rules *set, const struct jw_buf *clauses,
					    struct rules **out, struct jw_err *e);
void rules_apart_free(struct rules *apart);

/* ---- index.c ---- */

enum jw_status JW_MUST_USE rules_index_build(struct rules *set, struct jw_err *e);

/* The clauses that may concern a class (and method), last first, each once. */
struct candidates {
	struct list {
		const uint32_t *at;
		size_t left;
	} lists[128];
	size_t count;
	bool all; /* there were more lists than places: the one list is of every clause */
};
/* METHOD may be NULL. With the class prepared, only what its class part lets through. */
void rules_candidates(const struct rules *set, const struct rules_class *cls,
		      const struct rules_method *method, struct candidates *out);
/* The next clause index, falling; false at the end. */
bool rules_candidates_next(struct candidates *c, uint32_t *clause);

/* ---- digest.c, presets.c ---- */

void rules_digest_make(struct rules *set);

#endif
