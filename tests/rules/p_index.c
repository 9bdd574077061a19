/*
 * p_index.c: what the index leaves out could not have decided, and many rules cost about what few
 * do, counted in clauses looked at.
 */
#include "rules/index.h"
#include "rules/match.h"
#include "rules/set.h"
#include "tests/rules/kit.h"

#include "base/banned.h"

static const char *const classes[] = { "A",       "a/A",   "a/b/A",   "a/b/B",   "a/b/c/A",
				       "b/A",     "b/c/D", "a/b/A$X", "ab/A",    "java/lang/A",
				       "c/d/e/F", "D",     "a/D",     "a/b/c/D", "c/B" };
static const char *const methods[] = { "f", "g", "getX", "run", "<init>", "<clinit>", "lambda$0" };

static const char *pick(const char *const *list, size_t n)
{
	return list[tap_below((uint32_t)n)];
}
#define PICK(...)                                  \
	pick((const char *const[]){ __VA_ARGS__ }, \
	     sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))

static const char *class_glob(void)
{
	return PICK("**", "a.**", "a.b.*", "a.b.A", "**.A", "*", "a.**.A", "a.b.A*", "b.**", "D",
		    "**.c.**", "a.?.A", "c.d.e.F", "c.*", "**A*", "a.*.?*", "*b*", "**.b.**.?",
		    "**$X");
}

static void put_selector(struct jw_buf *b, int depth)
{
	switch (tap_below(depth > 2 ? 4 : 7)) {
	case 0:
		jw_put_fmt(b, "'%s'", class_glob());
		break;
	case 1:
		jw_put_fmt(b, "'%s#%s'", class_glob(),
			   PICK("f", "g", "get*", "*", "<init>", "*et*", "?un", "*n"));
		break;
	case 2:
		jw_put_fmt(b, "{'class':['%s','%s%s'],'method':['%s','%s']}", class_glob(),
			   PICK("", "!"), class_glob(), PICK("f", "run"), PICK("g", "r*", "!f"));
		break;
	case 3:
		jw_put_fmt(b, "{'package':'%s'%s}",
			   PICK("a", "a.**", "**", "a.b", "b.*", "**.c", "*.b.**"),
			   PICK("", ",'kind':['constructor','method']", ",'modifiers':'public'",
				",'params':['int','a.T']", ",'params':['*','a.T']",
				",'returns':['void','a.*']", ",'returns':'a.R'",
				",'entry':'lib/*e.jar'", ",'entry':['x*','*q*']", ",'source':'So*'",
				",'source':'T.java'", ",'descriptor':'(ILa/T;)V'"));
		break;
	case 4:
		jw_put_str(b, "{'anyOf':[");
		put_selector(b, depth + 1);
		jw_put_str(b, ",");
		put_selector(b, depth + 1);
		jw_put_str(b, "]}");
		break;
	case 5:
		jw_put_fmt(b, "{'class':'%s','not':", class_glob());
		put_selector(b, depth + 1);
		jw_put_str(b, "}");
		break;
	default:
		jw_put_fmt(b, "{'group':['g','%sh']}", PICK("", "!"));
	}
}

/* A rule for one selector: `match` for a string, `select` for an object. */
static void put_rule(struct jw_buf *b)
{
	struct jw_buf s = { 0 };

	put_selector(&s, 0);
	jw_put_fmt(b, "{'%s':%.*s%s}", s.p[0] == '{' ? "select" : "match", (int)s.n,
		   (const char *)s.p, PICK("", "", ",'action':'skip'"));
	jw_buf_free(&s);
}

static char *random_rules(struct jw_buf *b)
{
	size_t n = 1 + tap_below(12);

	jw_buf_clear(b);
	jw_put_str(
		b,
		"{'jweave':1,'groups':{'g':'a.**#f','h':{'anyOf':['b.**','**#run']}},'exclude':[");
	if (tap_below(2))
		put_selector(b, 1);
	jw_put_str(b, "],'rules':[");
	for (size_t i = 0; i < n; i++) {
		jw_put_str(b, i ? "," : "");
		put_rule(b);
	}
	jw_put_str(b, "]}");
	jw_put_zeros(b, 1);
	return (char *)b->p;
}

/* The last clause that matches, asked one by one. */
static size_t exhaustive(const struct rules *r, const struct rules_class *c,
			 const struct rules_method *m)
{
	struct rules_eval eval = { .cls = c, .method = m };

	for (size_t i = r->bodies.n; i-- > 0;) {
		if (rules_clause_eval(&r->bodies.at[i], &eval) == RULES_YES)
			return r->bodies.at[i].rule == RULES_NONE ? i : r->bodies.at[i].rule;
	}
	return RULES_NONE;
}

static void compare(const struct rules *r, const char *text, const char *cls, const char *method)
{
	struct kit_code code = KIT_BODY;
	struct rules_class c = kit_class(cls);
	struct rules_method m = kit_method(method, PICK("()V", "(ILa/T;)V", "()La/R;"),
					   method[0] == 'l' ? 0x1002 : 1, &code);
	struct rules_verdict v = rules_decide(r, &c, &m);
	size_t want = exhaustive(r, &c, &m);
	struct jw_arena arena = { 0 };
	struct rules_verdict again;

	c.prepared = rules_class_prepare(r, &c, &arena);
	again = rules_decide(r, &c, &m);
	if (again.why != v.why || again.rule != v.rule || !c.prepared) {
		tap_note("%s: %s.%s: prepared, rule %zu, want %zu", text, cls, method, again.rule,
			 v.rule);
		ok(false);
	}
	jw_arena_free(&arena);

	if (v.why == RULES_WHY_JDK)
		return;
	if (v.why == RULES_WHY_EXCLUDED ? want < r->body_rules : v.rule != want) {
		tap_note("%s: %s.%s: rule %zu, want %zu", text, cls, method, v.rule, want);
		ok(false);
	}
	if (v.why == RULES_WHY_TRACED && !rules_may_choose(r, &c, NULL)) {
		tap_note("%s: %s: the gate is closed to %s", text, cls, method);
		ok(false);
	}
}

TEST(the_index_changes_nothing)
{
	struct jw_buf b = { 0 };

	for (int i = 0; i < 600; i++) {
		char *text = random_rules(&b);
		struct rules *r = kit_rules(text);

		for (size_t c = 0; r && c < sizeof classes / sizeof *classes; c++) {
			for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
				compare(r, text, classes[c], methods[m]);
		}
		ok(r != NULL);
		rules_free(r);
	}
	jw_buf_free(&b);
}

/* COUNT rules made by the format FMT, which takes a number once. */
static struct rules *many(const char *fmt, size_t count)
{
	struct jw_buf b = { 0 };
	struct rules *r = NULL;
	struct jw_err e = { 0 };
	const char *hole = strstr(fmt, "%");

	jw_put_str(&b, "{\"jweave\":1,\"rules\":[");
	for (size_t i = 0; i < count; i++)
		jw_put_fmt(&b, "%s{\"match\":\"%.*s%zu%s\"}", i ? "," : "", (int)(hole - fmt), fmt,
			   i, hole + 1);
	jw_put_str(&b, "]}");
	if (!ok(rules_parse(jw_buf_span(&b), "t", NULL, &r, &e) == JW_OK))
		tap_note("%s", e.text);
	jw_buf_free(&b);
	return r;
}

TEST(many_rules_few_candidates)
{
	static const char *const formats[] = {
		"com.acme.p%.**", "com.acme.C%",   "com.acme.p%.*#run", "com.acme.**#m%",
		"**#m%(int, ..)", "com.p%.**.Foo", "com.*.p%.**",       "**C%*",
		"com.**#*m%*",    "**.*C%",        "**#*(com.T%, ..)",  "com.acme.*p%.?*#*(..)"
	};
	struct kit_code code = KIT_BODY;
	struct rules_method method = kit_method("m7", "(Lcom/T7;)V", 1, &code);
	struct rules_class cls = kit_class("com/acme/p7/C7");

	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
		struct rules *r = many(formats[i], 5000);
		struct rules_candidates c;
		uint32_t clause;
		size_t n = 0;

		if (!r)
			return;
		rules_candidates_of(&r->bodies, &cls, &method, &c);
		while (rules_candidates_next(&c, &clause))
			n++;
		if (!ok(n <= 2))
			tap_note("%s: %zu candidates", formats[i], n);
		rules_free(r);
	}
}
