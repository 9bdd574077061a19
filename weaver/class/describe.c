/*
 * describe.c: see describe.h. What rules ask for by callback is computed only then.
 */
#include "weaver/class/describe.h"

#include "cfr/annot.h"
#include "cfr/code.h"
#include "cfr/code_facts.h"
#include "weaver/class/lambdas.h"

#include "base/banned.h"

/* ---- annotations ---- */

/* The types of the annotations in INFO (JVMS 4.7.16), as far as it is well formed. */
static bool take_annotations(const struct cfr_class *cls, struct jw_span info,
			     rules_take_name *take, void *ctx)
{
	struct jw_cur cur = jw_cur(info);

	for (uint16_t left = jw_cur_u2(&cur); left > 0 && jw_cur_left(&cur) >= 2; left--) {
		uint16_t index = jw_span_u2(info, cur.pos);
		struct jw_span type = cfr_pool_utf8(&cls->pool, index);

		if (!cfr_annot_skip(&cur))
			return false;
		if (type.n > 2 && type.p[0] == 'L' && take(ctx, jw_span_sub(type, 1, type.n - 2)))
			return true;
	}
	return false;
}

static bool each_annotation(const struct cfr_class *cls, const struct cfr_attrs *attrs,
			    rules_take_name *take, void *ctx)
{
	struct cfr_attr_iter it = cfr_attrs_iter(cls, attrs);
	struct cfr_attr attr;

	while (cfr_attr_next(&it, &attr)) {
		if (!jw_span_eq_str(attr.name, "RuntimeVisibleAnnotations") &&
		    !jw_span_eq_str(attr.name, "RuntimeInvisibleAnnotations"))
			continue;
		if (take_annotations(cls, attr.info, take, ctx))
			return true;
	}
	return false;
}

/* ---- classes ---- */

static bool class_annotations(void *ctx, rules_take_name *take, void *take_ctx)
{
	const struct weave_described *d = ctx;

	return each_annotation(d->file, &d->file->attrs, take, take_ctx);
}

static bool class_supertypes(void *ctx, rules_take_name *take, void *take_ctx)
{
	struct weave_described *d = ctx;

	return weave_types_each(d->types, d->file, &d->supers, take, take_ctx);
}

static bool class_path_to(void *ctx, struct jw_span to, rules_take_name *take, void *take_ctx)
{
	const struct weave_described *d = ctx;

	return weave_types_path(d->types, d->file->name, to, take, take_ctx);
}

/* The SourceFile, or an empty span. */
static struct jw_span source_file(const struct cfr_class *cls)
{
	struct cfr_attr attr;

	if (!cfr_attrs_find(cls, &cls->attrs, "SourceFile", &attr) || attr.info.n != 2)
		return (struct jw_span){ 0 };
	return cfr_pool_utf8(&cls->pool, jw_span_u2(attr.info, 0));
}

void weave_describe_head(struct weave_described *d, const struct cfr_class *cls,
			 struct jw_span entry, const struct weave_types *types)
{
	*d = (struct weave_described){
		.file = cls,
		.types = types,
		.cls = { .name = cls->name,
			 .super = cls->super,
			 .entry = entry,
			 .access = cls->access,
			 .supertypes = types ? class_supertypes : NULL,
			 .path = types ? class_path_to : NULL,
			 .annotations = class_annotations,
			 .ctx = d },
	};
}

void weave_describe_open(struct weave_described *d, const struct rules *rules,
			 struct jw_arena *arena)
{
	d->arena = arena;
	d->cls.source = source_file(d->file);
	d->cls.prepared = rules_class_prepare(rules, &d->cls, arena);
}

/* ---- callees ---- */

static bool owner_supertypes(void *ctx, rules_take_name *take, void *take_ctx)
{
	const struct weave_owner *owner = ctx;

	return weave_types_each_of(owner->types, owner->name, take, take_ctx);
}

static bool owner_path(void *ctx, struct jw_span to, rules_take_name *take, void *take_ctx)
{
	const struct weave_owner *owner = ctx;

	return weave_types_path(owner->types, owner->name, to, take, take_ctx);
}

void weave_describe_owner(struct weave_owner *owner, const struct weave_types *types,
			  struct jw_span name, struct rules_callee *callee)
{
	*owner = (struct weave_owner){ types, name };
	callee->owner = name;
	callee->supertypes = types ? owner_supertypes : NULL;
	callee->path = types ? owner_path : NULL;
	callee->ctx = owner;
}

struct rules_callee weave_describe_monitor(uint8_t op)
{
	bool enter = op == CFR_OP_monitorenter;

	return (struct rules_callee){
		.owner = JW_SPAN_LIT(RULES_MONITOR_OWNER),
		.name = enter ? JW_SPAN_LIT(RULES_MONITOR_ENTER) : JW_SPAN_LIT(RULES_MONITOR_EXIT),
		.descriptor = JW_SPAN_LIT("()V"),
		.monitor = true,
	};
}

/* ---- methods ---- */

bool weave_code_has(const struct cfr_member *member, weave_is_insn *is, const void *ctx)
{
	struct jw_span info = member->code, code;
	uint32_t length;

	if (info.n < 8 || jw_span_u4(info, 4) > info.n - 8)
		return false;
	code = jw_span_sub(info, 8, jw_span_u4(info, 4));
	for (uint32_t pc = 0; pc < code.n; pc += length) {
		length = cfr_insn_length(code, pc);
		if (length == 0)
			return false;
		if (is(ctx, code, pc))
			return true;
	}
	return false;
}

static bool code_facts(void *ctx, struct rules_code *out)
{
	const struct weave_facts *f = ctx;
	struct cfr_code_facts facts;

	if (!cfr_code_facts(f->cls, f->member, &facts))
		return false;
	*out = (struct rules_code){ .bytes = facts.bytes,
				    .lines = facts.lines,
				    .has_loop = facts.has_loop,
				    .has_call = facts.has_call,
				    .throws = facts.throws,
				    .has_monitor = facts.has_monitor ||
						   (f->member->access & CFR_ACC_SYNCHRONIZED) };
	return true;
}

static bool method_annotations(void *ctx, rules_take_name *take, void *take_ctx)
{
	const struct weave_facts *f = ctx;

	return each_annotation(f->cls, &f->member->attrs, take, take_ctx);
}

/* NULL: not known. */
static const struct weave_lambdas *lambdas_of(struct weave_described *d)
{
	if (!d->lambdas && d->arena)
		d->lambdas = weave_find_lambdas(d->file, d->arena);
	return d->lambdas;
}

static bool method_lambdas(void *ctx, rules_take_name *take, void *take_ctx)
{
	const struct weave_facts *f = ctx;
	const struct weave_lambdas *lambdas = lambdas_of(f->of);

	return lambdas && weave_each_lambda(lambdas, f->member, f->of->types, take, take_ctx);
}

/* What tells a lambda expression where no compiler's name does, as in code that was obfuscated. */
static enum rules_kind kind_of(struct weave_facts *f)
{
	enum rules_kind kind = rules_method_kind(f->member->name, f->member->access);
	const struct weave_lambdas *lambdas;

	if (kind != RULES_KIND_SYNTHETIC)
		return kind;
	lambdas = lambdas_of(f->of);
	return lambdas && weave_is_lambda(lambdas, f->member) ? RULES_KIND_LAMBDA : kind;
}

struct rules_method weave_describe_method(struct weave_facts *facts)
{
	const struct cfr_member *m = facts->member;

	return (struct rules_method){ .name = m->name,
				      .descriptor = m->descriptor,
				      .access = m->access,
				      .kind = kind_of(facts),
				      .has_code = m->code.p != NULL,
				      .code = code_facts,
				      .annotations = method_annotations,
				      .lambda_of = method_lambdas,
				      .ctx = facts };
}
