#include "tests/weaver/make.h"

#include "base/banned.h"

static void make_utf8(struct jw_buf *b, const char *text)
{
	jw_put_u1(b, 1);
	jw_put_u2(b, strlen(text));
	jw_put_str(b, text);
}

static void make_pool(const struct make *m, struct jw_buf *b)
{
	jw_put_u2(b, MAKE_FREE + m->fill);
	make_utf8(b, "T");
	jw_put_u1(b, 7), jw_put_u2(b, 1);
	make_utf8(b, "java/lang/Object");
	jw_put_u1(b, 7), jw_put_u2(b, 3);
	make_utf8(b, "Code");
	make_utf8(b, "<init>");
	make_utf8(b, "()V");
	jw_put_u1(b, 12), jw_put_u2(b, 6), jw_put_u2(b, 7);
	make_utf8(b, "T.java");
	jw_put_u1(b, 10), jw_put_u2(b, MAKE_OBJECT), jw_put_u2(b, 8);
	make_utf8(b, m->name ? m->name : "m");
	make_utf8(b, m->descriptor ? m->descriptor : "()V");
	make_utf8(b, m->attr ? m->attr : "Odd");
	make_utf8(b, m->attr_2 ? m->attr_2 : "Odder");
	for (uint32_t i = 0; i < m->fill; i++)
		jw_put_u1(b, 3), jw_put_u4(b, i);
}

struct jw_buf make_class(const struct make *m)
{
	struct jw_buf b = { 0 };
	size_t at;

	jw_put_u4(&b, 0xcafebabeu);
	jw_put_u2(&b, 0);
	jw_put_u2(&b, m->major ? m->major : 49);
	make_pool(m, &b);
	jw_put_u2(&b, 0x21);
	jw_put_u2(&b, MAKE_THIS);
	jw_put_u2(&b, MAKE_OBJECT);
	jw_put_zeros(&b, 4); /* no interfaces, no fields */
	jw_put_u2(&b, 1);
	jw_put_u2(&b, m->access ? m->access : CFR_ACC_STATIC);
	jw_put_u2(&b, MAKE_NAME);
	jw_put_u2(&b, MAKE_DESCRIPTOR);
	jw_put_u2(&b, 1);
	jw_put_u2(&b, 5);
	at = b.n;
	jw_put_u4(&b, 0);
	jw_put_u2(&b, m->max_stack);
	jw_put_u2(&b, m->max_locals);
	jw_put_u4(&b, m->code.n);
	jw_put_bytes(&b, m->code);
	jw_put_u2(&b, m->handlers.n / 8);
	jw_put_bytes(&b, m->handlers);
	jw_put_u2(&b, (size_t)(m->attr != NULL) + (m->attr_2 != NULL));
	if (m->attr) {
		jw_put_u2(&b, MAKE_ATTR);
		jw_put_u4(&b, m->info.n);
		jw_put_bytes(&b, m->info);
	}
	if (m->attr_2) {
		jw_put_u2(&b, MAKE_ATTR_2);
		jw_put_u4(&b, m->info_2.n);
		jw_put_bytes(&b, m->info_2);
	}
	jw_patch_u4(&b, at, b.n - at - 4);
	jw_put_u2(&b, 0);
	return b;
}

struct rules *make_rules(const char *text)
{
	struct rules_options options = { .jdk = true, .no_guard = true };
	struct rules *rules = NULL;
	struct jw_err e = { 0 };

	if (!text)
		text = "{\"jweave\": 1, \"rules\": [{\"select\": {\"class\": \"**\", \"kind\": "
		       "[\"method\", \"constructor\", \"clinit\", \"lambda\", \"accessor\", "
		       "\"bridge\", \"synthetic\"]}}]}";
	if (rules_parse(jw_span_str(text), "rules", &options, &rules, &e) != JW_OK) {
		fprintf(stderr, "%s\n", e.text);
		exit(1);
	}
	return rules;
}

enum jw_status weave_bytes(struct jw_span bytes, const struct rules *rules, struct woven *w)
{
	struct weave_class_job job = { .rules = rules,
				       .limits = &w->limits,
				       .runtime = jw_span_str("rt/Probe"),
				       .entry = jw_span_str("T.class"),
				       .home = jw_span_str("T") };

	return weave_class(&job, bytes, &w->arena, &w->out, &w->result, &w->e);
}

void weave_made(const struct make *m, const struct weave_limits *limits, struct woven *w)
{
	struct rules *rules = make_rules(NULL);
	struct jw_span s;

	*w = (struct woven){ .limits = limits ? *limits : weave_default_limits };
	w->in = make_class(m);
	w->status = weave_bytes(jw_buf_span(&w->in), rules, w);
	rules_free(rules);
	if (!ok(w->status == JW_OK))
		tap_note("%s", w->e.text);
	w->method = w->result.method_count ? &w->result.methods[0] : NULL;
	s = w->result.changed ? jw_buf_span(&w->out) : jw_buf_span(&w->in);
	if (w->result.changed && !ok(cfr_check(s, jw_buf_span(&w->in), &w->arena, &w->e) == JW_OK))
		tap_note("%s", w->e.text);
	if (!ok(cfr_class_open(s, &w->arena, &w->cls, &w->e) == JW_OK) ||
	    !ok(cfr_code_open(&w->cls, &w->cls.methods[0], &w->arena, &w->code, &w->e) == JW_OK)) {
		tap_note("%s", w->e.text);
		exit(1);
	}
}

void woven_free(struct woven *w)
{
	cfr_class_close(&w->cls);
	jw_buf_free(&w->in);
	jw_buf_free(&w->out);
	jw_arena_free(&w->arena);
}

enum weave_skip woven_skip(const struct woven *w)
{
	return w->method ? w->method->skip : WEAVE_SKIP_NOT;
}

/* Code under construction: bytes, and gaps of nops. */
void put_ops(struct jw_buf *b, const uint8_t *ops, size_t n)
{
	jw_put_bytes(b, jw_span(ops, n));
}
