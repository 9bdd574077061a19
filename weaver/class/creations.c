/*
 * creations.c: objects that a method makes: new, newarray, anewarray, multianewarray.
 *
 * The probe comes after the instruction, as FALL bytes of the next one, so that it counts what was
 * made, and never touches an object whose constructor has not run:
 *
 *     new        CREATED id
 *     arrays     CREATED id; dup; arraylength; i2l; VALUE
 *
 * The class is that of the instruction, which the id names; no record has to say it.
 */
#include "weaver/class/creations.h"

#include <string.h>

#include "base/grow.h"
#include "cfr/lines.h"
#include "cfr/pool_add.h"
#include "trace/format/recording.h"

#include "base/banned.h"

/* ---- what is made ---- */

/* What an instruction makes. */
struct made {
	struct jw_span owner;      /* the class, or that of the elements: "int" */
	struct jw_span descriptor; /* "()[I" */
	struct jw_span shown;      /* "int[]" */
	bool array, primitive;     /* primitive: its elements */
};

/* By the code of newarray, from 4 on (JVMS table 6.5.newarray-A). */
static const struct {
	char letter;
	const char *word;
} primitives[] = { { 'Z', "boolean" }, { 'C', "char" },  { 'F', "float" }, { 'D', "double" },
		   { 'B', "byte" },    { 'S', "short" }, { 'I', "int" },   { 'J', "long" } };
enum { PRIMITIVES = sizeof(primitives) / sizeof(primitives[0]), FIRST_PRIMITIVE = 4 };

static struct jw_span joined(struct jw_arena *arena, struct jw_span a, struct jw_span b,
			     struct jw_span c)
{
	char *p = jw_arena_alloc(arena, a.n + b.n + c.n + 1, 1);

	if (!p)
		return (struct jw_span){ 0 };
	memcpy(p, a.p, a.n);
	memcpy(p + a.n, b.p, b.n);
	if (c.n)
		memcpy(p + a.n + b.n, c.p, c.n);
	return jw_span(p, a.n + b.n + c.n);
}

/* The word of the primitive type LETTER; empty: there is none. */
static struct jw_span primitive_word(uint8_t letter)
{
	for (size_t i = 0; i < PRIMITIVES; i++) {
		if (primitives[i].letter == (char)letter)
			return jw_span_str(primitives[i].word);
	}
	return (struct jw_span){ 0 };
}

/* Fills OUT of its descriptor, "()" in front; false: it is none, or no memory. */
static bool take_type(struct jw_arena *arena, struct jw_span descriptor, struct made *out)
{
	struct jw_span type = jw_span_sub(descriptor, 2, descriptor.n - 2);
	size_t dims = 0;

	while (dims < type.n && type.p[dims] == '[')
		dims++;
	*out = (struct made){ .descriptor = descriptor, .array = dims > 0 };
	type = jw_span_sub(type, dims, type.n - dims);
	if (type.n > 2 && type.p[0] == 'L') {
		out->owner = jw_span_sub(type, 1, type.n - 2);
	} else if (type.n == 1) {
		out->owner = primitive_word(type.p[0]);
		out->primitive = true;
	}
	out->shown = out->owner;
	for (; dims > 0 && out->shown.n > 0; dims--)
		out->shown = joined(arena, out->shown, JW_SPAN_LIT("[]"), (struct jw_span){ 0 });
	return out->shown.n > 0;
}

/* What the method makes, in order. */
typedef enum jw_status each_made(void *ctx, uint32_t next, const struct made *made,
				 const struct rules_callee *callee, uint32_t line,
				 struct rules_verdict verdict, struct jw_err *e);

/* Where objects are looked for. */
struct creation_search {
	const struct rules *rules;
	const struct weave_described *cls;
	const struct cfr_class *file;
	const struct rules_method *method;
	struct jw_arena *arena;
	each_made *each; /* is told what is found, with CTX */
	void *ctx;
};

/* What the instruction at PC makes; false: none, or (*FAILED) no memory. */
static bool made_at(const struct creation_search *f, struct jw_span code, uint32_t pc,
		    struct made *out, bool *failed)
{
	uint8_t op = code.p[pc];
	struct jw_span name, descriptor, none = { 0 };
	char array[4] = "()[";

	*failed = false;
	if (op == CFR_OP_newarray) {
		uint32_t type = jw_span_u1(code, pc + 1) - (uint32_t)FIRST_PRIMITIVE;

		if (type >= PRIMITIVES)
			return false;
		descriptor = joined(f->arena, JW_SPAN_LIT("()["),
				    jw_span(&primitives[type].letter, 1), none);
	} else if (op == CFR_OP_new || op == CFR_OP_anewarray || op == CFR_OP_multianewarray) {
		name = cfr_pool_class(&f->file->pool, jw_span_u2(code, pc + 1));
		if (name.n == 0)
			return false;
		size_t head = op == CFR_OP_anewarray ? 3 : 2;

		if (name.p[0] == '[')
			descriptor = joined(f->arena, jw_span(array, head), name, none);
		else
			descriptor = joined(f->arena,
					    op == CFR_OP_anewarray ? JW_SPAN_LIT("()[L")
								   : JW_SPAN_LIT("()L"),
					    name, JW_SPAN_LIT(";"));
	} else {
		return false;
	}
	bool taken = descriptor.n > 0 && take_type(f->arena, descriptor, out);

	*failed = descriptor.n == 0;
	return taken;
}

/* ---- asking ---- */

/* MADE in the words of the rules; OWNER is a part of it. */
static struct rules_callee describe(const struct creation_search *f, const struct made *made,
				    struct weave_owner *owner)
{
	struct rules_callee callee = { .name = JW_SPAN_LIT("new"),
				       .descriptor = made->descriptor,
				       .made = true };

	weave_describe_owner(owner, made->primitive ? NULL : f->cls->types, made->owner, &callee);
	return callee;
}

static bool makes(const void *ctx, struct jw_span code, uint32_t pc)
{
	uint8_t op = code.p[pc];

	(void)ctx;
	return op == CFR_OP_new || op == CFR_OP_newarray || op == CFR_OP_anewarray ||
	       op == CFR_OP_multianewarray;
}

/* What the instruction at PC makes, if anything. */
static enum jw_status show(const struct creation_search *f, struct jw_span code, uint32_t pc,
			   uint32_t next, uint32_t line, struct jw_err *e)
{
	struct weave_owner owner;
	struct made made;
	bool failed;

	if (!made_at(f, code, pc, &made, &failed))
		return failed ? jw_nomem(e) : JW_OK;
	struct rules_callee callee = describe(f, &made, &owner);

	return f->each(f->ctx, next, &made, &callee, line,
		       rules_decide_creation(f->rules, &f->cls->cls, f->method, &callee), e);
}

static enum jw_status walk(const struct creation_search *f, struct jw_err *e)
{
	const struct cfr_member *member = ((const struct weave_facts *)f->method->ctx)->member;
	struct jw_err ignored;
	struct cfr_code code;
	uint32_t line = 0, next;

	if (!weave_code_has(member, makes, NULL))
		return JW_OK;
	enum jw_status status = cfr_code_open(f->file, member, f->arena, &code, &ignored);
	if (status == JW_NOMEM)
		return jw_nomem(e);
	if (status != JW_OK)
		return JW_OK;
	const uint32_t *starts = cfr_line_starts(f->file, &code, f->arena);
	for (uint32_t pc = 0; pc < code.code.n; pc = next) {
		next = pc + cfr_insn_at(&code, pc).length;
		if (starts && starts[pc])
			line = starts[pc] - 1;
		JW_TRY(show(f, code.code, pc, next, line, e));
	}
	return JW_OK;
}

/* ---- choosing ---- */

struct creation_choice {
	struct weave_body *b;
	uint64_t class_hash;
	struct weave_sites *sites;
};

static const struct jw_growth growing = { 0 }; /* no limit but memory */

static enum jw_status choose(void *ctx, uint32_t next, const struct made *made,
			     const struct rules_callee *callee, uint32_t line,
			     struct rules_verdict verdict, struct jw_err *e)
{
	struct creation_choice *c = ctx;
	struct weave_sites *s = c->sites;
	bool refused = verdict.why == RULES_WHY_SKIPPED;

	(void)callee;
	if (!refused && verdict.why != RULES_WHY_TRACED)
		return JW_OK;
	JW_TRY(jw_grow(c->b->arena, &s->list, &s->cap, sizeof(*s->list), s->count + 1, &growing,
		       e));
	s->list[s->count++] = (struct weave_site){ .owner = made->shown,
						   .name = JW_SPAN_LIT("new"),
						   .descriptor = { 0 },
						   .method = s->method,
						   .rule = verdict.rule,
						   .operation_rule = verdict.rule,
						   .line = line,
						   .index = (uint16_t)s->next_index,
						   .made = true,
						   .refused = refused };
	if (refused)
		return JW_OK;
	const struct weave_creation creation = {
		.next = next,
		.id = jwr_method_id(c->class_hash, (uint16_t)s->next_index),
		.array = made->array,
	};
	s->next_index++;
	return weave_plan_creation(&c->b->plan, &creation, e);
}

enum jw_status weave_choose_creations(struct weave_body *b, const struct weave_described *cls,
				      const struct rules_method *method, uint64_t class_hash,
				      struct weave_sites *sites, struct jw_err *e)
{
	struct creation_choice c = { b, class_hash, sites };
	const struct creation_search f = {
		b->job->rules, cls, b->cls, method, b->arena, choose, &c
	};

	b->plan.creation_count = 0;
	if (!rules_has_creations(b->job->rules, &cls->cls))
		return JW_OK;
	JW_TRY(walk(&f, e));
	b->too_many_calls |=
		b->plan.creation_count > 0 &&
		(b->cls->method_count > WEAVE_FIRST_SITE || sites->next_index > UINT16_MAX + 1u);
	return JW_OK;
}

struct creation_show {
	const struct weave_class_job *job;
	const struct creation_search *finding;
	void *ctx;
};

static enum jw_status show_one(void *ctx, uint32_t next, const struct made *made,
			       const struct rules_callee *callee, uint32_t line,
			       struct rules_verdict verdict, struct jw_err *e)
{
	const struct creation_show *s = ctx;

	(void)next;
	(void)made;
	return s->job->each_call(s->ctx, &s->finding->cls->cls, s->finding->method, callee, line,
				 verdict, e);
}

enum jw_status weave_scan_creations(const struct weave_class_job *job,
				    const struct weave_described *cls,
				    const struct rules_method *method, struct jw_arena *arena,
				    void *ctx, struct jw_err *e)
{
	struct creation_show s = { job, NULL, ctx };
	const struct creation_search f = {
		job->rules, cls, cls->file, method, arena, show_one, &s
	};

	if (!job->each_call || !rules_has_creations(job->rules, &cls->cls))
		return JW_OK;
	s.finding = &f;
	return walk(&f, e);
}

/* ---- probes ---- */

struct jw_span weave_creation_code(const struct weave_creation *c)
{
	return jw_span(c->code, c->array ? WEAVE_CREATED_ARRAY : WEAVE_CREATED);
}

enum jw_status weave_write_creations(struct weave_body *b, struct jw_err *e)
{
	const uint16_t *probes = b->constants.probe;
	uint16_t key;

	for (size_t i = 0; i < b->plan.creation_count; i++) {
		struct weave_creation *c = &b->plan.creations[i];

		JW_TRY(cfr_pool_add_long(&b->cls->pool, c->id, &key, e));
		const uint8_t code[WEAVE_CREATED_ARRAY] = {
			CFR_OP_ldc2_w,
			(uint8_t)(key >> 8),
			(uint8_t)key,
			CFR_OP_invokestatic,
			(uint8_t)(probes[WEAVE_PROBE_CREATED] >> 8),
			(uint8_t)probes[WEAVE_PROBE_CREATED],
			CFR_OP_dup,
			CFR_OP_arraylength,
			CFR_OP_i2l,
			CFR_OP_invokestatic,
			(uint8_t)(probes[WEAVE_PROBE_VALUE] >> 8),
			(uint8_t)probes[WEAVE_PROBE_VALUE],
		};

		memcpy(c->code, code, sizeof(code));
	}
	return JW_OK;
}
