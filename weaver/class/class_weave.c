/*
 * class_weave.c: one class: asks the rules, weaves the chosen methods one by one, writes the class.
 *
 * The new class file is the old one with a longer constant pool and other Code attributes:
 *
 *     magic, version | pool, then our entries | the rest as it was, except the Code of woven methods
 *
 * The pool comes first and is known last, so what follows it is gathered in a separate buffer. When
 * a method cannot be woven, only that method is undone: what it wrote, and its constants.
 */
#include "weaver/class/class_weave.h"

#include <libdeflate.h>

#include "cfr/check.h"
#include "cfr/lines.h"
#include "cfr/pool_add.h"
#include "trace/format/recording.h"
#include "weaver/class/call_sites.h"
#include "weaver/class/captures.h"
#include "weaver/class/creations.h"
#include "weaver/class/describe.h"
#include "weaver/class/method.h"

#include "base/banned.h"

/* code_length of MEMBER, 0 when its Code is cut off. */
static uint32_t code_length(const struct cfr_member *member)
{
	return member->code.n >= 8 ? jw_span_u4(member->code, 4) : 0;
}

/* ---- weaving ---- */

struct class_weave {
	const struct weave_class_job *job;
	struct weave_class_result *result;
	struct cfr_class cls;
	struct weave_described described;
	struct weave_body body;
	struct weave_method *methods; /* the chosen ones */
	size_t *refused;              /* by rule, those that a rule skips */
	bool *used;                   /* by rule, see weave_class_result */
	bool boots;                   /* the class in which the runtime begins */
	struct weave_call_gate gate;
	struct weave_sites sites;
	bool throws;        /* the method at hand does, or catches, and it is recorded */
	struct jw_buf rest; /* what follows the pool */
	size_t copied;      /* bytes of the input that are in `rest`, or before it */
};

static size_t offset_of(const struct class_weave *w, struct jw_span part)
{
	return (size_t)(part.p - w->cls.bytes.p);
}

/* Weaves MEMBER into `rest`, or leaves `rest` and the pool as they were and says why in OUT. */
static enum jw_status put_member(struct class_weave *w, const struct cfr_member *member,
				 struct weave_method *out, struct jw_err *e)
{
	struct weave_body *b = &w->body;
	struct weave_constants constants = b->constants;
	struct cfr_pool_mark mark = cfr_pool_mark(&w->cls.pool);
	size_t written = w->rest.n, code_at = offset_of(w, member->code);
	size_t length_at = written + (code_at - 4 - w->copied);
	enum jw_status status;

	/* all up to the Code's attribute_length, and the place for that */
	jw_put_bytes(&w->rest, jw_span_sub(w->cls.bytes, w->copied, code_at - 4 - w->copied));
	jw_put_u4(&w->rest, 0);
	status = weave_method_body(b, member, &w->rest, e);
	if (status == JW_OK)
		status = jw_buf_finish(&w->rest, "class file", e);
	out->size = code_length(member);
	out->line = b->code.info.p == member->code.p ? cfr_first_line(&w->cls, &b->code) : 0;
	if (status == JW_OK) {
		jw_patch_u4(&w->rest, length_at, w->rest.n - length_at - 4);
		w->copied = code_at + member->code.n;
		out->woven_size = b->plan.length;
		w->result->woven += !out->calls_only;
		w->result->sites_woven += b->plan.call_count;
		w->result->creations += b->plan.creation_count;
		w->result->exceptions += w->throws;
		return JW_OK;
	}
	if (b->skip == WEAVE_SKIP_NOT)
		return status;
	out->skip = b->skip;
	out->detail = b->detail;
	w->rest.n = written;
	b->constants = constants;
	cfr_pool_rewind(&w->cls.pool, mark);
	return JW_OK;
}

/* A method that a rule skips: then the rule has had an effect. */
static enum jw_status refuse(struct class_weave *w, size_t rule, struct jw_err *e)
{
	if (!w->refused)
		w->refused = JW_NEW_ARRAY(w->body.arena, size_t, (size_t)w->cls.method_count * 2);
	if (!w->refused)
		return jw_nomem(e);
	w->refused[w->result->refused_count++] = rule;
	w->result->refused = w->refused;
	return JW_OK;
}

/* A rule skips all methods of the class, which is not even opened: that counts once. */
static enum jw_status refuse_all(struct class_weave *w, size_t rule, struct jw_arena *arena,
				 struct jw_err *e)
{
	w->refused = JW_NEW(arena, size_t);
	if (!w->refused)
		return jw_nomem(e);
	*w->refused = rule;
	w->result->refused = w->refused;
	w->result->refused_count = 1;
	return JW_OK;
}

/* May rules do something without deciding? Then there is a place to say so. */
static enum jw_status need_used(struct class_weave *w, struct jw_err *e)
{
	if (!w->used)
		w->used = JW_NEW_ARRAY(w->body.arena, bool, rules_count(w->job->rules) + 1);
	w->result->used = w->used;
	return w->used ? JW_OK : jw_nomem(e);
}

/* RULE decides, and OPERATION_RULE says what is done. */
static enum jw_status note_operation(struct class_weave *w, size_t rule, size_t operation_rule,
				     struct jw_err *e)
{
	if (operation_rule == rule)
		return JW_OK;
	JW_TRY(need_used(w, e));
	w->used[operation_rule] = true;
	return JW_OK;
}

/* The call sites of METHOD into the plan of the body. */
static enum jw_status choose_sites(struct class_weave *w, const struct rules_method *method,
				   struct jw_err *e)
{
	struct weave_sites *s = &w->sites;
	size_t known = s->count;

	s->method = w->result->method_count;
	s->next_index = WEAVE_FIRST_SITE + w->result->sites_woven + w->result->creations;
	JW_TRY(weave_choose_sites(&w->body, &w->gate, &w->described, method, w->result->class_hash,
				  s, e));
	JW_TRY(weave_choose_creations(&w->body, &w->described, method, w->result->class_hash, s,
				      e));
	w->result->sites = s->list;
	w->result->site_count = s->count;
	for (size_t i = known; i < s->count; i++)
		if (!s->list[i].refused)
			JW_TRY(note_operation(w, s->list[i].rule, s->list[i].operation_rule, e));
	return JW_OK;
}

/* Does METHOD hold the monitor of its class? Then the class takes the place of `this`. Class files
 * before 49 have no constant for it. */
static bool holds_class(const struct class_weave *w, const struct weave_method *method,
			const struct jw_operation *op)
{
	const uint16_t both = CFR_ACC_STATIC | CFR_ACC_SYNCHRONIZED;

	return op && op->role == JW_ROLE_HOLD && (method->access & both) == both &&
	       w->cls.major >= CFR_MAJOR_CLASS_CONSTANTS;
}

/* By number, where there is one and the probes push only the id; else by its class. */
static void set_id(struct class_weave *w, struct weave_method *method)
{
	const struct weave_numbers *numbers = &w->job->numbers;
	struct weave_join *own = &w->body.own;

	own->numbered = method->index < numbers->count && !own->how && own->capture_count == 0 &&
			!own->context;
	own->id = own->numbered ? jwr_method_id(numbers->space,
						(uint16_t)(numbers->first + method->index))
				: jwr_method_id(w->result->class_hash, method->index);
	method->id = own->id;
}

/* What the probes of METHOD itself are about. */
static enum jw_status set_own(struct class_weave *w, const struct rules_method *described,
			      struct weave_method *method, struct jw_err *e)
{
	struct weave_join *own = &w->body.own;
	/* a constructor begins with a `this` that no code may touch */
	bool has_this = !(method->access & CFR_ACC_STATIC) && method->name.n > 0 &&
			method->name.p[0] != '<';
	struct weave_signature signature = { method->descriptor, has_this, true };
	struct rules_about about;

	method->operation_rule = rules_operation_rule(w->job->rules, &w->described.cls, described,
						      NULL, method->rule);
	JW_TRY(note_operation(w, method->rule, method->operation_rule, e));
	if (rules_has_switches(w->job->rules)) {
		JW_TRY(need_used(w, e));
		rules_switched(w->job->rules, &w->described.cls, described, w->used);
	}
	rules_about(w->job->rules, method->rule, method->operation_rule, &about);
	signature.has_this |= holds_class(w, method, about.operation);
	JW_TRY(weave_pick_captures(&about, &signature, w->body.arena, own, e));
	own->how = rules_how(w->job->rules, &w->described.cls, described, method->rule,
			     own->capture_count > 0);
	method->captures = own->captures;
	method->capture_count = own->capture_count;
	method->context = own->context;
	set_id(w, method);
	return JW_OK;
}

/* Is it recorded what METHOD throws and catches? *RULE: which says so. */
static enum jw_status ask_exceptions(struct class_weave *w, const struct rules_method *method,
				     size_t *rule, struct jw_err *e)
{
	struct rules_verdict verdict =
		rules_decide_exceptions(w->job->rules, &w->described.cls, method);
	struct rules_code code;

	w->body.exceptions = verdict.why == RULES_WHY_TRACED;
	w->throws = w->body.exceptions && method->code(method->ctx, &code) && code.throws;
	*rule = w->body.exceptions ? verdict.rule : RULES_NONE;
	return verdict.why == RULES_WHY_SKIPPED ? refuse(w, verdict.rule, e) : JW_OK;
}

/* Is there anything to weave in the method? */
static bool anything(const struct class_weave *w)
{
	return w->body.traced || w->throws || w->body.plan.call_count > 0 ||
	       w->body.plan.creation_count > 0;
}

/* The method of java.base that ends just before the program begins. It is woven whatever the rules
 * say: its probe starts the runtime, which needs a VM that has booted. */
static bool is_end_of_boot(const struct class_weave *w, const struct rules_method *method)
{
	return w->job->boots && jw_span_eq_str(w->cls.name, WEAVE_BOOT_CLASS) &&
	       jw_span_eq_str(method->name, "initOutput") &&
	       jw_span_eq_str(method->descriptor, "(Z)V");
}

static enum jw_status ask_and_weave(struct class_weave *w, uint16_t index, struct jw_err *e)
{
	struct weave_class_result *result = w->result;
	struct weave_facts ctx = { &w->described, &w->cls, &w->cls.methods[index] };
	struct rules_method method = weave_describe_method(&ctx);
	struct rules_verdict verdict = rules_decide(w->job->rules, &w->described.cls, &method);
	struct weave_method *out;
	size_t exceptions;

	result->guarded += verdict.why == RULES_WHY_GUARDED;
	if (verdict.why == RULES_WHY_SKIPPED)
		JW_TRY(refuse(w, verdict.rule, e));
	w->body.boots = is_end_of_boot(w, &method);
	w->body.traced = verdict.why == RULES_WHY_TRACED || w->body.boots;
	JW_TRY(choose_sites(w, &method, e));
	JW_TRY(ask_exceptions(w, &method, &exceptions, e));
	if (!anything(w))
		return JW_OK;
	if (!w->methods)
		w->methods = JW_NEW_ARRAY(w->body.arena, struct weave_method, w->cls.method_count);
	if (!w->methods)
		return jw_nomem(e);
	out = &w->methods[result->method_count++];
	*out = (struct weave_method){ .name = method.name,
				      .descriptor = method.descriptor,
				      .access = method.access,
				      .index = index,
				      .calls_only = verdict.why != RULES_WHY_TRACED,
				      .exceptions_rule = exceptions,
				      .rule = verdict.rule };
	if (!out->calls_only)
		JW_TRY(set_own(w, &method, out, e));
	else
		w->body.own = (struct weave_join){ 0 }; /* no event tells of it */
	return put_member(w, ctx.member, out, e);
}

static enum jw_status put_class(struct class_weave *w, struct jw_buf *out, struct jw_err *e)
{
	struct jw_span bytes = w->cls.bytes;

	jw_put_bytes(&w->rest, jw_span_sub(bytes, w->copied, bytes.n - w->copied));
	JW_TRY(jw_buf_finish(&w->rest, "class file", e));
	jw_buf_reserve(out, bytes.n + w->cls.pool.added.n + w->rest.n);
	jw_put_bytes(out, jw_span_sub(bytes, 0, w->cls.pool.start));
	cfr_pool_put(&w->cls.pool, out);
	jw_put_bytes(out, jw_buf_span(&w->rest));
	return jw_buf_finish(out, "class file", e);
}

/*
 * The output is well formed if the input was. The check costs as much as the weaving, so only builds
 * with the address sanitizer, or with JW_CHECK defined, make it; the tests and the fuzzer call it
 * themselves. emit.c always checks that code is as long as its layout.
 */
static enum jw_status check_class(struct jw_span in, struct jw_span out, struct jw_arena *arena,
				  struct jw_err *e)
{
#if defined(JW_CHECK) || defined(__SANITIZE_ADDRESS__)
	struct jw_err why;
	enum jw_status status = cfr_check(out, in, arena, &why);

	if (status == JW_NOMEM)
		return jw_nomem(e);
	if (status != JW_OK && cfr_check(in, in, arena, e) == JW_OK)
		return jw_bug(e, why.text);
#else
	(void)in, (void)out, (void)arena, (void)e;
#endif
	return JW_OK;
}

static enum jw_status put_methods(struct class_weave *w, struct jw_arena *arena, struct jw_buf *out,
				  struct jw_err *e)
{
	struct weave_class_result *result = w->result;

	weave_describe_open(&w->described, w->job->rules, arena);
	result->source = w->described.cls.source;
	JW_TRY(weave_call_gate(w->job->rules, &w->described, &w->cls.pool, arena, &w->gate, e));
	w->body.job = w->job;
	w->body.cls = &w->cls;
	w->body.arena = w->body.plan.arena = arena;
	w->copied = w->cls.pool.end;
	jw_buf_reserve(&w->rest, w->cls.bytes.n + w->cls.bytes.n / 2);
	for (uint16_t i = 0; i < w->cls.method_count; i++) {
		if (!w->cls.methods[i].code.p)
			continue;
		result->total++;
		JW_TRY(ask_and_weave(w, i, e));
	}
	result->methods = w->methods;
	if (result->woven + result->sites_woven + result->creations + result->exceptions +
		    w->boots ==
	    0)
		return JW_OK;
	JW_TRY(put_class(w, out, e));
	result->changed = true;
	return check_class(w->cls.bytes, jw_buf_span(out), arena, e);
}

/* The class cannot be read; STATUS and E say why. */
static enum jw_status leave_class(struct jw_span bytes, struct jw_arena *arena,
				  enum jw_status status, struct weave_class_result *result,
				  struct jw_err *e)
{
	bool newer = bytes.n >= 8 && jw_span_u2(bytes, 6) > CFR_MAJOR_KNOWN;

	if (status == JW_NOMEM || status == JW_BUG)
		return status;
	result->skip = newer ? WEAVE_SKIP_VERSION : WEAVE_SKIP_CLASS;
	result->detail = jw_arena_str(arena, jw_span_str(e->text));
	return result->detail ? JW_OK : jw_nomem(e);
}

/* An archive may hold several versions of a class (multi-release, duplicates, several roots), and
 * any of them may run: the same index is not the same method in all of them. */
static uint64_t salt_of(const struct weave_class_job *job, struct jw_span name,
			struct jw_span bytes)
{
	if (jw_span_eq(name, job->home))
		return job->salt;
	return job->salt + libdeflate_crc32(0, bytes.p, bytes.n);
}

enum jw_status weave_class(const struct weave_class_job *job, struct jw_span bytes,
			   struct jw_arena *arena, struct jw_buf *out,
			   struct weave_class_result *result, struct jw_err *e)
{
	struct class_weave w = { .job = job, .result = result };
	size_t skips = RULES_NONE;
	enum jw_status status;
	struct jw_err ignored;

	if (!e)
		e = &ignored; /* the messages of what is left are needed */
	jw_buf_clear(out);
	*result = (struct weave_class_result){ 0 };
	status = cfr_class_peek(bytes, arena, &w.cls, e);
	if (status != JW_OK)
		return leave_class(bytes, arena, status, result, e);
	result->name = w.cls.name;
	weave_describe_head(&w.described, &w.cls, job->entry, job->types);
	w.boots = job->boots && jw_span_eq_str(w.cls.name, WEAVE_BOOT_CLASS);
	if (!w.boots && !rules_may_choose(job->rules, &w.described.cls, &skips) &&
	    !rules_has_calls(job->rules, &w.described.cls) &&
	    !rules_has_creations(job->rules, &w.described.cls) &&
	    !rules_has_exceptions(job->rules, &w.described.cls))
		return skips == RULES_NONE ? JW_OK : refuse_all(&w, skips, arena, e);
	status = cfr_class_open_rest(&w.cls, arena, e);
	if (status != JW_OK)
		return leave_class(bytes, arena, status, result, e);
	result->class_hash =
		weave_class_hash(w.cls.name, salt_of(job, w.cls.name, bytes), job->limits);
	status = put_methods(&w, arena, out, e);
	jw_buf_free(&w.rest);
	cfr_class_close(&w.cls);
	return status;
}

/* ---- asking without weaving ---- */

static enum jw_status scan_members(const struct weave_class_job *job, const struct cfr_class *cls,
				   struct jw_arena *arena, weave_each_method *each, void *each_ctx,
				   struct jw_err *e)
{
	struct weave_described described;
	struct weave_call_gate gate = { 0 };

	weave_describe_head(&described, cls, job->entry, job->types);
	weave_describe_open(&described, job->rules, arena);
	if (job->each_call)
		JW_TRY(weave_call_gate(job->rules, &described, &cls->pool, arena, &gate, e));
	for (uint16_t i = 0; i < cls->method_count; i++) {
		struct weave_facts ctx = { &described, cls, &cls->methods[i] };
		struct rules_method method = weave_describe_method(&ctx);

		JW_TRY(each(each_ctx, &described.cls, &method,
			    method.has_code ? code_length(ctx.member) : 0,
			    rules_decide(job->rules, &described.cls, &method), e));
		if (!method.has_code)
			continue;
		JW_TRY(weave_scan_calls(job, &described, &method, &gate, arena, each_ctx, e));
		JW_TRY(weave_scan_creations(job, &described, &method, arena, each_ctx, e));
	}
	return JW_OK;
}

enum jw_status weave_scan_class(const struct weave_class_job *job, struct jw_span bytes,
				struct jw_arena *arena, weave_each_method *each, void *ctx,
				struct jw_err *e)
{
	struct cfr_class cls;
	enum jw_status status = cfr_class_open(bytes, arena, &cls, e);

	if (status == JW_NOMEM || status == JW_BUG)
		return status;
	if (status != JW_OK)
		return JW_OK;
	status = scan_members(job, &cls, arena, each, ctx, e);
	cfr_class_close(&cls);
	return status;
}
