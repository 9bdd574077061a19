/*
 * call_sites.c: see call_sites.h. What monitors need beyond that is in monitors.c.
 */
#include "weaver/class/call_sites.h"

#include "base/grow.h"
#include "cfr/lines.h"

#include "trace/format/recording.h"
#include "weaver/class/captures.h"
#include "weaver/class/ctor.h"

#include "base/banned.h"

/* ---- which ---- */

/* In place of a callee where there is none: no constant has this index. */
enum { MONITOR = UINT16_MAX };

/* What REF names; OWNER is a part of it. */
static struct rules_callee describe_callee(const struct cfr_ref *ref,
					   const struct weave_types *types,
					   struct weave_owner *owner)
{
	struct rules_callee callee = { .name = ref->name, .descriptor = ref->descriptor };

	weave_describe_owner(owner, types, ref->owner, &callee);
	return callee;
}

/* The callee with number INDEX of the instruction at PC of MEMBER, whose code has been opened;
 * false: there is none. */
static bool callee_at(const struct weave_described *cls, const struct cfr_member *member,
		      uint32_t pc, uint16_t index, struct weave_owner *owner,
		      struct rules_callee *out)
{
	uint8_t op = jw_span_u1(member->code, 8 + (size_t)pc);
	struct cfr_ref ref;

	if (index == MONITOR) {
		*out = weave_describe_monitor(op);
		return true;
	}
	if (!cfr_pool_ref(&cls->file->pool, index, &ref))
		return false;
	*out = describe_callee(&ref, cls->types, owner);
	out->interface = op == CFR_OP_invokeinterface;
	/* super.name(...); before version 55, private methods of the class are called so, too */
	out->super_call = op == CFR_OP_invokespecial && ref.name.n > 0 && ref.name.p[0] != '<' &&
			  !jw_span_eq(ref.owner, cls->file->name);
	return true;
}

enum jw_status weave_call_gate(const struct rules *rules, const struct weave_described *cls,
			       const struct cfr_pool *pool, struct jw_arena *arena,
			       struct weave_call_gate *gate, struct jw_err *e)
{
	struct cfr_ref ref;

	struct rules_callee enter = weave_describe_monitor(CFR_OP_monitorenter);
	struct rules_callee exit = weave_describe_monitor(CFR_OP_monitorexit);

	*gate = (struct weave_call_gate){ 0 };
	if (!rules_has_calls(rules, &cls->cls))
		return JW_OK;
	gate->enter = rules_may_call(rules, &enter);
	gate->exit = rules_may_call(rules, &exit);
	for (uint32_t i = 1; i < pool->count; i++) {
		uint8_t tag = cfr_pool_tag(pool, i);

		if (tag != CFR_CONSTANT_Methodref && tag != CFR_CONSTANT_InterfaceMethodref)
			continue;
		if (!cfr_pool_ref(pool, i, &ref))
			continue;
		struct weave_owner owner;
		struct rules_callee callee = describe_callee(&ref, cls->types, &owner);

		bool may = rules_may_call(rules, &callee);
		if (!may && tag == CFR_CONSTANT_InterfaceMethodref) {
			callee.interface = true;
			may = rules_may_call(rules, &callee);
		}
		if (!may)
			continue;
		if (!gate->may)
			gate->may = JW_NEW_ARRAY(arena, uint8_t, pool->count);
		if (!gate->may)
			return jw_nomem(e);
		gate->may[i] = 1;
	}
	return JW_OK;
}

/* The instruction at PC of CODE is one that GATE lets through: the index of its callee, or MONITOR;
 * else 0. */
static uint16_t gated_callee(const struct weave_call_gate *gate, struct jw_span code, uint32_t pc)
{
	uint8_t op = code.p[pc];

	if (op == CFR_OP_monitorenter || op == CFR_OP_monitorexit)
		return (op == CFR_OP_monitorenter ? gate->enter : gate->exit) ? MONITOR : 0;
	/* invokedynamic names no method */
	if (!gate->may || op < CFR_OP_invokevirtual || op > CFR_OP_invokeinterface ||
	    code.n - pc < 3)
		return 0;
	return gate->may[jw_span_u2(code, pc + 1)] ? jw_span_u2(code, pc + 1) : 0;
}

struct gate_question {
	const struct weave_call_gate *gate;
	uint32_t pool_count;
};

/* Does the gate let through what no validation has seen yet? */
static bool is_site(const void *ctx, struct jw_span code, uint32_t pc)
{
	const struct gate_question *a = ctx;
	bool invokes = code.p[pc] >= CFR_OP_invokevirtual && code.p[pc] <= CFR_OP_invokeinterface;

	if (invokes && jw_span_u2(code, pc + 1) >= a->pool_count)
		return false;
	return gated_callee(a->gate, code, pc) != 0;
}

/* Calls EACH for every such invocation of MEMBER with its line (0: unknown), in order, as far as its
 * code can be walked. */
typedef enum jw_status each_site(void *ctx, uint32_t pc, uint32_t next, uint16_t callee,
				 uint32_t line, struct jw_err *e);

static enum jw_status go_through_sites(const struct cfr_class *cls, const struct cfr_member *member,
				       const struct weave_call_gate *gate, struct jw_arena *arena,
				       each_site *each, void *ctx, struct jw_err *e)
{
	struct cfr_code code;
	struct jw_err ignored;
	const struct gate_question asking = { gate, cls->pool.count };
	uint32_t line = 0, next, *starts;
	enum jw_status status;

	if ((!gate->may && !gate->enter && !gate->exit) ||
	    !weave_code_has(member, is_site, &asking))
		return JW_OK;
	status = cfr_code_open(cls, member, arena, &code, &ignored);
	if (status == JW_NOMEM)
		return jw_nomem(e);
	if (status != JW_OK)
		return JW_OK;
	starts = cfr_line_starts(cls, &code, arena);
	for (uint32_t pc = 0; pc < code.code.n; pc = next) {
		uint16_t callee = gated_callee(gate, code.code, pc);

		next = pc + cfr_insn_at(&code, pc).length;
		if (starts && starts[pc])
			line = starts[pc] - 1;
		if (callee)
			JW_TRY(each(ctx, pc, next, callee, line, e));
	}
	return JW_OK;
}

/* ---- choosing ---- */

struct call_choice {
	const struct rules *rules;
	const struct cfr_member *member;
	struct weave_body *b;
	const struct weave_described *cls;
	const struct rules_method *method;
	uint64_t class_hash;
	struct weave_sites *sites;
};

/* What the invocation at PC has of what its rule captures, and that of its operation. */
static enum jw_status pick_captures(struct call_choice *c, uint32_t pc,
				    const struct rules_callee *callee, size_t operation_rule,
				    struct weave_call *call, struct jw_err *e)
{
	bool is_static = jw_span_u1(c->member->code, 8 + (size_t)pc) == CFR_OP_invokestatic;
	struct weave_signature signature = {
		.descriptor = callee->descriptor,
		.has_this = !is_static && callee->name.n > 0 && callee->name.p[0] != '<',
	};

	struct rules_about about;

	rules_about(c->rules, call->rule, operation_rule, &about);
	return weave_pick_captures(&about, &signature, c->b->arena, &call->join, e);
}

static struct weave_call call_at(const struct call_choice *c, uint32_t pc, uint32_t next,
				 uint16_t callee_index, const struct rules_callee *callee,
				 size_t rule)
{
	return (struct weave_call){
		.pc = pc,
		.next = next,
		.callee = callee_index,
		.rule = rule,
		.descriptor = callee->descriptor,
		.monitor = callee->monitor,
		.instant = jw_span_u1(c->member->code, 8 + (size_t)pc) == CFR_OP_monitorexit,
		.join.id = jwr_method_id(c->class_hash, (uint16_t)c->sites->next_index),
	};
}

static const struct jw_growth growing = { 0 }; /* no limit but memory */

/* What report, map and list say of CALL. */
static enum jw_status note_site(struct call_choice *c, const struct weave_call *call,
				const struct rules_callee *callee, uint32_t line, bool refused,
				size_t operation_rule, struct jw_err *e)
{
	struct weave_sites *s = c->sites;

	JW_TRY(jw_grow(c->b->arena, &s->list, &s->cap, sizeof(*s->list), s->count + 1, &growing,
		       e));
	s->list[s->count++] = (struct weave_site){ .owner = callee->owner,
						   .name = callee->name,
						   .descriptor = callee->descriptor,
						   .method = s->method,
						   .rule = call->rule,
						   .operation_rule = operation_rule,
						   .line = line,
						   .index = (uint16_t)s->next_index,
						   .captures = call->join.captures,
						   .capture_count = call->join.capture_count,
						   .refused = refused };
	return JW_OK;
}

static enum jw_status choose(void *ctx, uint32_t pc, uint32_t next, uint16_t callee_index,
			     uint32_t line, struct jw_err *e)
{
	struct call_choice *c = ctx;
	struct rules_callee callee;
	struct weave_owner owner;

	if (!callee_at(c->cls, c->member, pc, callee_index, &owner, &callee))
		return JW_OK;
	struct rules_verdict verdict =
		rules_decide_call(c->rules, &c->cls->cls, c->method, &callee);
	bool refused = verdict.why == RULES_WHY_SKIPPED;
	if (verdict.why != RULES_WHY_TRACED && !refused)
		return JW_OK;
	struct weave_call call = call_at(c, pc, next, callee_index, &callee, verdict.rule);
	size_t operation_rule =
		rules_operation_rule(c->rules, &c->cls->cls, c->method, &callee, verdict.rule);
	JW_TRY(pick_captures(c, pc, &callee, operation_rule, &call, e));
	call.join.how = rules_how(c->rules, NULL, NULL, verdict.rule, call.join.capture_count > 0);
	JW_TRY(note_site(c, &call, &callee, line, refused, operation_rule, e));
	if (refused)
		return JW_OK;
	c->sites->next_index++;
	return weave_plan_call(&c->b->plan, &call, e);
}

enum jw_status weave_choose_sites(struct weave_body *b, const struct weave_call_gate *gate,
				  const struct weave_described *cls,
				  const struct rules_method *method, uint64_t class_hash,
				  struct weave_sites *sites, struct jw_err *e)
{
	const struct weave_facts *facts = method->ctx;
	struct call_choice c = { b->job->rules, facts->member, b, cls, method, class_hash, sites };

	b->plan.call_count = 0;
	b->too_many_calls = false;
	JW_TRY(go_through_sites(b->cls, facts->member, gate, b->arena, choose, &c, e));
	b->too_many_calls = b->plan.call_count > 0 && (b->cls->method_count > WEAVE_FIRST_SITE ||
						       sites->next_index > UINT16_MAX + 1u);
	return JW_OK;
}

struct call_show {
	const struct weave_class_job *job;
	const struct weave_described *cls;
	const struct rules_method *method;
	const struct cfr_member *member;
	void *ctx;
};

static enum jw_status show(void *ctx, uint32_t pc, uint32_t next, uint16_t callee_index,
			   uint32_t line, struct jw_err *e)
{
	struct call_show *s = ctx;
	struct rules_callee callee;
	struct weave_owner owner;

	(void)next;
	if (!callee_at(s->cls, s->member, pc, callee_index, &owner, &callee))
		return JW_OK;
	return s->job->each_call(s->ctx, &s->cls->cls, s->method, &callee, line,
				 rules_decide_call(s->job->rules, &s->cls->cls, s->method, &callee),
				 e);
}

enum jw_status weave_scan_calls(const struct weave_class_job *job,
				const struct weave_described *cls,
				const struct rules_method *method,
				const struct weave_call_gate *gate, struct jw_arena *arena,
				void *ctx, struct jw_err *e)
{
	const struct weave_facts *facts = method->ctx;
	struct call_show s = { job, cls, method, facts->member, ctx };

	return go_through_sites(cls->file, facts->member, gate, arena, show, &s, e);
}

/* ---- where ---- */

static bool is_enclosed(const struct cfr_code *code, uint32_t pc)
{
	for (uint16_t i = 0; i < code->handler_count; i++) {
		struct cfr_handler h = cfr_code_handler(code, i);

		if (pc >= h.start_pc && pc < h.end_pc)
			return true;
	}
	return false;
}

void weave_calls_place(struct weave_body *b)
{
	uint32_t run = 0;

	for (uint32_t i = 0; i < b->plan.call_count; i++) {
		struct weave_call *call = &b->plan.calls[i];
		enum weave_this state = weave_this_at(b, call->pc, &run);

		call->enclosed = is_enclosed(&b->code, call->pc);
		call->tail = state != WEAVE_THIS_NOW;
		call->uninit = state == WEAVE_THIS_UNINIT;
	}
}
