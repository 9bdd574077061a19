#include "cfr/check.h"

#include "cfr/check_debug.h"
#include "cfr/check_flow.h"
#include "cfr/desc.h"
#include "cfr/smt.h"

#include "base/banned.h"

struct check {
	struct cfr_class cls;
	struct cfr_class original;
	bool has_original;
	struct cfr_slots slots, original_slots;
	struct jw_arena *arena;
};

/* The parts of a body that are checked: faults in the later ones may be forgiven. */
enum part {
	PART_CODE,  /* the body itself */
	PART_FLOW,  /* frames, stack, locals */
	PART_DEBUG, /* tables that no verifier reads */
};

/* Checks one PART of the body CODE of METHOD. */
static enum jw_status check_part(const struct check *c, const struct cfr_class *cls,
				 const struct cfr_member *method, const struct cfr_code *code,
				 enum part part, struct jw_err *e)
{
	const struct cfr_slots *slots = cls == &c->cls ? &c->slots : &c->original_slots;
	struct cfr_attr frames;

	switch (part) {
	case PART_CODE:
		return cfr_smt_find(cls, code, &frames, e);
	case PART_FLOW:
		return cfr_check_flow(cls, method, code, slots, c->arena, e);
	case PART_DEBUG:
		return cfr_check_debug(cls, code, e);
	}
	return JW_OK;
}

/* The method of the original at the same index; NULL when it is another one. */
static const struct cfr_member *original_of(const struct check *c, uint16_t index,
					    const struct cfr_member *method)
{
	if (!c->has_original || index >= c->original.method_count)
		return NULL;
	const struct cfr_member *old = &c->original.methods[index];
	bool same = jw_span_eq(old->name, method->name) &&
		    jw_span_eq(old->descriptor, method->descriptor);
	return same ? old : NULL;
}

/* A method that was not touched is as good as it was; one that was touched keeps the faults that it
 * had in the same part, where these do not keep it from being copied correctly. Each part is judged
 * separately: what was wrong in two of them may be right in one now. */
static bool forgiven(const struct check *c, uint16_t index, const struct cfr_member *method,
		     enum part part)
{
	const struct cfr_member *old = original_of(c, index, method);
	struct jw_err ignored = { 0 };
	struct cfr_code code;

	if (!old)
		return false;
	if (jw_span_eq(old->bytes, method->bytes))
		return true;
	return part != PART_CODE && old->code.p &&
	       cfr_code_open(&c->original, old, c->arena, &code, &ignored) == JW_OK &&
	       check_part(c, &c->original, old, &code, part, &ignored) == JW_INPUT;
}

/* STATUS of a PART, or JW_OK when its fault is forgiven. */
static enum jw_status judge(const struct check *c, uint16_t index, const struct cfr_member *method,
			    enum part part, enum jw_status status)
{
	bool wrong = status == JW_INPUT || status == JW_UNSUPPORTED;

	return wrong && forgiven(c, index, method, part) ? JW_OK : status;
}

static enum jw_status check_body(const struct check *c, uint16_t index,
				 const struct cfr_member *method, struct jw_err *e)
{
	static const enum part parts[] = { PART_CODE, PART_FLOW, PART_DEBUG };
	struct cfr_code code;
	enum jw_status status = cfr_code_open(&c->cls, method, c->arena, &code, e);

	if (status != JW_OK)
		return judge(c, index, method, PART_CODE, status);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		status = check_part(c, &c->cls, method, &code, parts[i], e);
		JW_TRY(judge(c, index, method, parts[i], status));
	}
	return JW_OK;
}

/* Checks the descriptor, and that there is a body where there should be one. */
static enum jw_status check_head(const struct check *c, const struct cfr_member *method,
				 struct jw_err *e)
{
	uint32_t params, result;

	/* the descriptor's index comes after access and name */
	if (method->descriptor.n == 0 || method->descriptor.p[0] != '(' ||
	    !cfr_slots_of(&c->slots, &c->cls, jw_span_u2(method->bytes, 4), &params, &result))
		return jw_fail(e, JW_INPUT, "damaged descriptor");
	if (cfr_is_bodiless(method) != !method->code.p)
		return jw_fail(e, JW_INPUT, "%s",
			       method->code.p ? "abstract or native, with a Code attribute"
					      : "no Code attribute");
	return JW_OK;
}

static enum jw_status check_method(const struct check *c, uint16_t index, struct jw_err *e)
{
	const struct cfr_member *method = &c->cls.methods[index];
	enum jw_status status = check_head(c, method, e);

	if (status != JW_OK)
		return judge(c, index, method, PART_CODE, status);
	return method->code.p ? check_body(c, index, method, e) : JW_OK;
}

/* Dynamic constants name a bootstrap method that exists (JVMS 4.7.23). */
static enum jw_status check_bootstraps(const struct cfr_class *cls, struct jw_err *e)
{
	const struct cfr_pool *pool = &cls->pool;
	uint32_t count = 0;
	struct cfr_attr attr;
	struct cfr_ref ref;

	if (cfr_attrs_find(cls, &cls->attrs, "BootstrapMethods", &attr)) {
		struct jw_cur cur = jw_cur(attr.info);

		count = jw_cur_u2(&cur);
	}
	for (uint32_t i = 1; i < pool->count; i++) {
		uint8_t tag = cfr_pool_tag(pool, i);

		if ((tag == CFR_CONSTANT_Dynamic || tag == CFR_CONSTANT_InvokeDynamic) &&
		    cfr_pool_ref(pool, i, &ref) && ref.first >= count)
			return jw_fail(e, JW_INPUT, "constant %u: bootstrap method %u of %u", i,
				       ref.first, count);
	}
	return JW_OK;
}

/* Has field INDEX of the original this DESCRIPTOR? */
static bool had_field(const struct check *c, uint16_t index, struct jw_span descriptor)
{
	return c->has_original && index < c->original.field_count &&
	       jw_span_eq(c->original.fields[index].descriptor, descriptor);
}

static enum jw_status check_class(const struct check *c, struct jw_err *e)
{
	const struct cfr_class *cls = &c->cls;
	struct jw_err ignored = { 0 };

	for (uint16_t i = 0; i < cls->field_count; i++) {
		struct jw_span descriptor = cls->fields[i].descriptor;

		if (!cfr_desc_field_ok(descriptor) && !had_field(c, i, descriptor))
			return jw_fail(e, JW_INPUT, "field %u: damaged descriptor", i);
	}
	enum jw_status status = check_bootstraps(cls, e);
	/* weaving adds no dynamic constant */
	if (status != JW_OK &&
	    !(c->has_original && check_bootstraps(&c->original, &ignored) == status))
		return status;
	for (uint16_t i = 0; i < cls->method_count; i++) {
		const struct cfr_member *m = &cls->methods[i];

		if (check_method(c, i, e) != JW_OK)
			return jw_err_where(e, "method %.*s%.*s", (int)m->name.n,
					    (const char *)m->name.p, (int)m->descriptor.n,
					    (const char *)m->descriptor.p);
	}
	return JW_OK;
}

enum jw_status cfr_check(struct jw_span bytes, struct jw_span original, struct jw_arena *arena,
			 struct jw_err *e)
{
	struct check c = { .arena = arena };
	struct jw_err ignored = { 0 };

	if (!e) /* jw_err_where() returns its status */
		e = &ignored;
	JW_TRY(cfr_class_open(bytes, arena, &c.cls, e));
	if (original.n > 0) {
		enum jw_status status = cfr_class_open(original, arena, &c.original, &ignored);

		if (status == JW_NOMEM)
			return jw_nomem(e);
		c.has_original = status == JW_OK;
		if (c.has_original)
			JW_TRY(cfr_slots_init(&c.original_slots, &c.original, arena, e));
	}
	JW_TRY(cfr_slots_init(&c.slots, &c.cls, arena, e));
	if (check_class(&c, e) != JW_OK)
		return jw_err_where(e, "class %.*s", (int)c.cls.name.n, (const char *)c.cls.name.p);
	return JW_OK;
}
