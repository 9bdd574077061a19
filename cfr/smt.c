#include "cfr/smt.h"

#include <string.h>

#include "cfr/desc.h"
#include "cfr/pool_add.h"

#include "base/banned.h"

enum {
	TYPES_MAX =
		8 * 1024 * 1024, /* of all frames of one method: hostile tables grow by squares */
};

/* What decoding one method needs. */
struct decoder {
	const struct cfr_class *cls;
	const struct cfr_code *code;
	struct jw_arena *arena;
	struct jw_cur cur;
	size_t types; /* given out so far */
};

/* ---- types ---- */

static enum jw_status check_type(const struct decoder *d, struct cfr_vtype type, struct jw_err *e)
{
	if (type.tag == CFR_VTYPE_OBJECT &&
	    cfr_pool_tag(&d->cls->pool, type.data) != CFR_CONSTANT_Class)
		return jw_fail(e, JW_INPUT, "constant %u is not a Class", type.data);
	if (type.tag == CFR_VTYPE_UNINIT &&
	    (!cfr_code_starts(d->code, type.data) || d->code->code.p[type.data] != CFR_OP_new))
		return jw_fail(e, JW_INPUT, "Uninitialized(%u) is not a new instruction",
			       type.data);
	return JW_OK;
}

static bool has_data(uint8_t tag)
{
	return tag == CFR_VTYPE_OBJECT || tag == CFR_VTYPE_UNINIT;
}

static enum jw_status read_types(struct decoder *d, struct cfr_vtype *types, uint32_t count,
				 struct jw_err *e)
{
	for (uint32_t i = 0; i < count; i++) {
		struct cfr_vtype type = { .tag = jw_cur_u1(&d->cur) };

		if (type.tag > CFR_VTYPE_UNINIT)
			return jw_fail(e, JW_UNSUPPORTED, "unknown verification type %u", type.tag);
		if (has_data(type.tag))
			type.data = jw_cur_u2(&d->cur);
		if (!jw_cur_ok(&d->cur))
			return jw_fail(e, JW_INPUT, "the table ends inside an entry");
		JW_TRY(check_type(d, type, e));
		types[i] = type;
	}
	return JW_OK;
}

/* An array of KEEP types of BEFORE and MORE to read. */
static enum jw_status extend_types(struct decoder *d, const struct cfr_vtype *before, uint32_t keep,
				   uint32_t more, const struct cfr_vtype **out, struct jw_err *e)
{
	/* every type read takes a byte at least: no array for what is not there */
	if (more > jw_cur_left(&d->cur))
		return jw_fail(e, JW_INPUT, "the table ends inside an entry");
	d->types += (size_t)keep + more;
	if (d->types > TYPES_MAX)
		return jw_fail(e, JW_LIMIT, "frames too large (limit is %d types)", TYPES_MAX);
	struct cfr_vtype *types = JW_NEW_ARRAY(d->arena, struct cfr_vtype, (size_t)keep + more);
	if (!types)
		return jw_nomem(e);
	if (keep)
		memcpy(types, before, keep * sizeof(*types));
	JW_TRY(read_types(d, types + keep, more, e));
	*out = types;
	return JW_OK;
}

/* ---- one entry ---- */

static enum jw_status read_full(struct decoder *d, struct cfr_frame *frame, struct jw_err *e)
{
	frame->local_count = jw_cur_u2(&d->cur);
	JW_TRY(extend_types(d, NULL, 0, frame->local_count, &frame->locals, e));
	frame->stack_count = jw_cur_u2(&d->cur);
	if (!jw_cur_ok(&d->cur))
		return jw_fail(e, JW_INPUT, "the table ends inside an entry");
	return extend_types(d, NULL, 0, frame->stack_count, &frame->stack, e);
}

/* Reads what follows the delta. FRAME comes as the frame before, with an empty stack. */
static enum jw_status read_body(struct decoder *d, uint8_t tag, struct cfr_frame *frame,
				struct jw_err *e)
{
	if (tag < CFR_SMT_SAME_STACK || tag == CFR_SMT_SAME_EXT)
		return JW_OK;
	if (tag <= CFR_SMT_SAME_STACK_EXT) {
		frame->stack_count = 1;
		return extend_types(d, NULL, 0, 1, &frame->stack, e);
	}
	if (tag == CFR_SMT_FULL)
		return read_full(d, frame, e);
	if (tag < CFR_SMT_SAME_EXT) {
		uint16_t less = (uint16_t)(CFR_SMT_SAME_EXT - tag);

		if (less > frame->local_count)
			return jw_fail(e, JW_INPUT, "chop of %u locals out of %u", less,
				       frame->local_count);
		frame->local_count = (uint16_t)(frame->local_count - less);
		return JW_OK;
	}
	uint32_t more = tag - (uint32_t)CFR_SMT_SAME_EXT, keep = frame->local_count;
	if (keep + more > UINT16_MAX)
		return jw_fail(e, JW_INPUT, "more than 65535 locals");
	frame->local_count = (uint16_t)(keep + more);
	return extend_types(d, frame->locals, keep, more, &frame->locals, e);
}

/* The delta of an entry that starts with TAG. */
static uint32_t read_delta(struct jw_cur *cur, uint8_t tag)
{
	if (tag < CFR_SMT_SAME_STACK)
		return tag;
	if (tag < CFR_SMT_UNKNOWN)
		return tag - (uint32_t)CFR_SMT_SAME_STACK;
	return jw_cur_u2(cur);
}

static bool unknown_form(uint8_t tag)
{
	return tag >= CFR_SMT_UNKNOWN && tag < CFR_SMT_SAME_STACK_EXT;
}

static enum jw_status read_entry(struct decoder *d, const struct cfr_frame *before, bool first,
				 struct cfr_frame *frame, struct jw_err *e)
{
	uint8_t tag = jw_cur_u1(&d->cur);

	if (unknown_form(tag))
		return jw_fail(e, JW_UNSUPPORTED, "unknown frame form %u", tag);
	*frame = *before;
	frame->stack = NULL;
	frame->stack_count = 0;
	frame->pc = (first ? 0 : before->pc + 1) + read_delta(&d->cur, tag);
	if (!jw_cur_ok(&d->cur))
		return jw_fail(e, JW_INPUT, "the table ends inside an entry");
	if (!cfr_code_starts(d->code, frame->pc))
		return jw_fail(e, JW_INPUT, "pc %u is not an instruction", frame->pc);
	return read_body(d, tag, frame, e);
}

/* ---- the table ---- */

static enum jw_status read_table(struct decoder *d, struct cfr_smt *smt, struct jw_err *e)
{
	uint32_t count = jw_cur_u2(&d->cur);
	const struct cfr_frame *before = smt->initial;

	if (!jw_cur_ok(&d->cur) || count > jw_cur_left(&d->cur))
		return jw_fail(e, JW_INPUT, "%u entr%s not fit into %zu byte%s", count,
			       count == 1 ? "y does" : "ies do", d->cur.s.n, jw_s(d->cur.s.n));
	struct cfr_frame *frames = JW_NEW_ARRAY(d->arena, struct cfr_frame, count);
	if (!frames)
		return jw_nomem(e);
	for (uint32_t i = 0; i < count; i++) {
		if (read_entry(d, before, i == 0, &frames[i], e) != JW_OK)
			return jw_err_where(e, "StackMapTable entry %u", i);
		before = &frames[i];
	}
	if (jw_cur_left(&d->cur) > 0)
		return jw_fail(e, JW_INPUT, "StackMapTable: %zu byte%s after its last entry",
			       jw_cur_left(&d->cur), jw_s(jw_cur_left(&d->cur)));
	smt->frames = frames;
	smt->count = count;
	return JW_OK;
}

enum jw_status cfr_smt_find(const struct cfr_class *cls, const struct cfr_code *code,
			    struct cfr_attr *out, struct jw_err *e)
{
	struct cfr_attr_iter it = cfr_attrs_iter(cls, &code->attrs);
	struct cfr_attr attr;
	int tables = 0;

	*out = (struct cfr_attr){ 0 };
	while (cfr_attr_next(&it, &attr)) {
		if (!jw_span_eq(attr.name, JW_SPAN_LIT("StackMapTable")))
			continue;
		*out = attr;
		tables++;
	}
	return tables > 1 ? jw_fail(e, JW_INPUT, "%d StackMapTables", tables) : JW_OK;
}

enum jw_status cfr_smt_decode(const struct cfr_class *cls, const struct cfr_member *method,
			      const struct cfr_code *code, struct jw_arena *arena,
			      struct cfr_smt *out, struct jw_err *e)
{
	struct decoder d = { .cls = cls, .code = code, .arena = arena };
	struct cfr_frame *initial = JW_NEW(arena, struct cfr_frame);
	struct cfr_smt smt = { .initial = initial };
	struct cfr_attr attr;

	if (!initial)
		return jw_nomem(e);
	JW_TRY(cfr_smt_initial(cls, method, arena, initial, e));
	JW_TRY(cfr_smt_find(cls, code, &attr, e));
	if (attr.info.p) {
		d.cur = jw_cur(attr.info);
		JW_TRY(read_table(&d, &smt, e));
	}
	*out = smt;
	return JW_OK;
}

/* ---- the initial frame ---- */

/* The name by which the pool knows the class of FIELD: "[I" and "[La;" as they are, "La;" as "a".
 */
static struct jw_span class_of_field(struct jw_span field)
{
	return field.p[0] == 'L' ? jw_span_sub(field, 1, field.n - 2) : field;
}

static struct cfr_vtype type_of_field(struct jw_span field)
{
	switch (field.p[0]) {
	case 'J':
		return (struct cfr_vtype){ .tag = CFR_VTYPE_LONG };
	case 'D':
		return (struct cfr_vtype){ .tag = CFR_VTYPE_DOUBLE };
	case 'F':
		return (struct cfr_vtype){ .tag = CFR_VTYPE_FLOAT };
	case 'L':
	case '[':
		return (struct cfr_vtype){ .tag = CFR_VTYPE_OBJECT };
	default:
		return (struct cfr_vtype){ .tag = CFR_VTYPE_INTEGER };
	}
}

static struct cfr_vtype type_of_this(const struct cfr_class *cls, const struct cfr_member *method)
{
	if (jw_span_eq(method->name, JW_SPAN_LIT("<init>")) &&
	    !jw_span_eq(cls->name, JW_SPAN_LIT("java/lang/Object")))
		return (struct cfr_vtype){ .tag = CFR_VTYPE_UNINIT_THIS };
	return (struct cfr_vtype){ .tag = CFR_VTYPE_OBJECT, .data = cls->this_index };
}

enum jw_status cfr_smt_initial(const struct cfr_class *cls, const struct cfr_member *method,
			       struct jw_arena *arena, struct cfr_frame *out, struct jw_err *e)
{
	struct jw_cur cur = cfr_desc_params(method->descriptor);
	struct jw_span field;
	uint16_t count = 0;

	if (!cfr_desc_method_ok(method->descriptor))
		return jw_fail(e, JW_INPUT, "damaged method descriptor");
	/* at most 255 parameters, and `this` */
	struct cfr_vtype *locals =
		JW_NEW_ARRAY(arena, struct cfr_vtype, cfr_desc_param_slots(method->descriptor) + 1);
	if (!locals)
		return jw_nomem(e);
	if (!(method->access & CFR_ACC_STATIC))
		locals[count++] = type_of_this(cls, method);
	while (cfr_desc_next(&cur, &field))
		locals[count++] = type_of_field(field);
	*out = (struct cfr_frame){ .local_count = count, .locals = locals };
	return JW_OK;
}

/* Sets the type at PLACE in every frame that still has the parameter's type there. Locals without
 * data came unchanged from the initial frame: every other OBJECT was read, with its class. The
 * arrays are the decoder's own, in the arena. */
static void set_class(struct cfr_smt *smt, uint32_t place, uint16_t index)
{
	for (uint32_t i = 0; i <= smt->count; i++) {
		const struct cfr_frame *frame = i ? &smt->frames[i - 1] : smt->initial;
		struct cfr_vtype *locals = (struct cfr_vtype *)frame->locals;

		if (place < frame->local_count && locals[place].tag == CFR_VTYPE_OBJECT &&
		    locals[place].data == 0)
			locals[place].data = index;
	}
}

enum jw_status cfr_smt_resolve(struct cfr_class *cls, const struct cfr_member *method,
			       struct cfr_smt *smt, struct jw_err *e)
{
	struct jw_cur cur = cfr_desc_params(method->descriptor);
	uint32_t place = method->access & CFR_ACC_STATIC ? 0 : 1;
	struct jw_span field;
	uint16_t index;

	for (; cfr_desc_next(&cur, &field); place++) {
		struct cfr_vtype type = smt->initial->locals[place];

		if (type.tag != CFR_VTYPE_OBJECT || type.data != 0)
			continue;
		JW_TRY(cfr_pool_add_class(&cls->pool, class_of_field(field), &index, e));
		set_class(smt, place, index);
	}
	return JW_OK;
}
