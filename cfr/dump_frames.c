#include "cfr/dump_frames.h"

#include "cfr/desc.h"
#include "cfr/smt.h"

#include "base/banned.h"

/* The types of the parameters by their place in the initial frame (`this` has a class of its own).
 */
static struct jw_span *parameter_types(struct cfr_dumper *d, const struct cfr_frame *initial)
{
	struct jw_span *types = JW_NEW_ARRAY(d->arena, struct jw_span, initial->local_count);
	struct jw_cur cur = cfr_desc_params(d->method->descriptor);
	uint32_t place = d->method->access & CFR_ACC_STATIC ? 0 : 1;

	for (; types && cfr_desc_next(&cur, &types[place]); place++) {
		if (types[place].p[0] == 'L') /* a class by its name, as the pool has it */
			types[place] = jw_span_sub(types[place], 1, types[place].n - 2);
	}
	return types;
}

/* PARAMETER is its type where the frame does not name one. */
static void show_type(struct cfr_dumper *d, struct cfr_vtype type, struct jw_span parameter)
{
	static const char *const names[] = {
		"top", "int", "float", "double", "long", "null", "uninitializedThis", "", ""
	};

	if (type.tag == CFR_VTYPE_UNINIT)
		cfr_dump_fmt(d, "uninitialized(%u)", type.data);
	else if (type.tag == CFR_VTYPE_OBJECT)
		cfr_dump_text(d, type.data ? cfr_pool_class(&d->cls.pool, type.data) : parameter);
	else
		jw_put_str(d->out, names[type.tag]);
}

static void show_types(struct cfr_dumper *d, const struct cfr_vtype *types, uint32_t count,
		       const struct jw_span *parameters)
{
	jw_put_str(d->out, "[");
	for (uint32_t i = 0; i < count && cfr_dump_more(d); i++) {
		jw_put_str(d->out, i ? ", " : "");
		/* only locals that came with the method are without a class of their own */
		show_type(d, types[i],
			  types[i].tag == CFR_VTYPE_OBJECT && types[i].data == 0
				  ? parameters[i]
				  : (struct jw_span){ 0 });
	}
	jw_put_str(d->out, "]");
}

enum jw_status cfr_dump_frames(struct cfr_dumper *d, struct jw_err *e)
{
	struct cfr_smt smt;

	JW_TRY(cfr_smt_decode(&d->cls, d->method, d->code, d->arena, &smt, e));
	const struct jw_span *parameters = parameter_types(d, smt.initial);
	if (!parameters)
		return jw_nomem(e);
	for (uint32_t i = 0; i < smt.count && cfr_dump_more(d); i++) {
		const struct cfr_frame *frame = &smt.frames[i];

		cfr_dump_start(d);
		cfr_dump_fmt(d, "%u: locals ", frame->pc);
		show_types(d, frame->locals, frame->local_count, parameters);
		jw_put_str(d->out, " stack ");
		show_types(d, frame->stack, frame->stack_count, parameters);
		cfr_dump_end(d);
	}
	return JW_OK;
}
