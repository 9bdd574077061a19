#include "weaver/class/method.h"

#include "cfr/desc.h"
#include "cfr/pool_add.h"
#include "weaver/class/call_sites.h"
#include "weaver/class/caught.h"
#include "weaver/class/creations.h"
#include "weaver/class/ctor.h"
#include "weaver/class/emit.h"
#include "weaver/class/frames.h"
#include "weaver/class/layout.h"
#include "weaver/class/locals.h"
#include "weaver/class/monitors.h"
#include "weaver/class/probes.h"
#include "weaver/class/sites.h"

#include "base/banned.h"

enum { PROBE_STACK = 2, HOW_STACK = 4 };

/* HotSpot treats a class whose finalize() only returns as one without a finalizer. */
static bool is_empty_finalizer(const struct weave_body *b)
{
	return b->code.code.n == 1 && b->code.code.p[0] == CFR_OP_return &&
	       jw_span_eq(b->member->name, JW_SPAN_LIT("finalize")) &&
	       jw_span_eq(b->member->descriptor, JW_SPAN_LIT("()V"));
}

/* Has the code jsr, or (JOINS) anything that control flow reaches otherwise than by falling in? */
static bool has_flow(const struct cfr_code *code, bool joins)
{
	for (uint32_t pc = 0; pc < code->code.n;) {
		struct cfr_insn insn = cfr_insn_at(code, pc);

		if (insn.op == CFR_OP_jsr || insn.op == CFR_OP_jsr_w || insn.op == CFR_OP_ret)
			return true;
		if (joins && (insn.target >= 0 || insn.op == CFR_OP_tableswitch ||
			      insn.op == CFR_OP_lookupswitch))
			return true;
		pc += insn.length;
	}
	return joins && code->handler_count > 0;
}

static bool is_left_to_old_verifier(const struct weave_body *b)
{
	if (b->cls->major != CFR_MAJOR_FRAMES)
		return b->cls->major < CFR_MAJOR_FRAMES;
	return has_flow(&b->code, !b->frames.info.p);
}

static enum jw_status open_method(struct weave_body *b, struct jw_err *e)
{
	if (!cfr_desc_method_ok(b->member->descriptor))
		return weave_leave(b, WEAVE_SKIP_BROKEN, e, "its descriptor is damaged");
	if (cfr_is_bodiless(b->member))
		return weave_leave(b, WEAVE_SKIP_BROKEN, e,
				   "it is abstract or native, and has code");
	enum jw_status status = cfr_code_open(b->cls, b->member, b->arena, &b->code, e);

	if (status == JW_OK)
		status = cfr_smt_find(b->cls, &b->code, &b->frames, e);
	if (status != JW_OK)
		return weave_blame(b,
				   status == JW_UNSUPPORTED ? WEAVE_SKIP_OPCODE : WEAVE_SKIP_BROKEN,
				   status, e);
	if (is_empty_finalizer(b))
		return weave_leave(b, WEAVE_SKIP_FINALIZER, e, NULL);
	b->old_verifier = is_left_to_old_verifier(b);
	return JW_OK;
}

/* ---- limits ---- */

/* Does the method get a handler of ours? */
static bool catches(const struct weave_body *b)
{
	return b->probe_used[WEAVE_PROBE_FAIL] || b->probe_used[WEAVE_PROBE_HOW_FAIL] ||
	       b->probe_used[WEAVE_PROBE_NUMBER_FAIL];
}

static enum jw_status check_limits(struct weave_body *b, struct jw_err *e)
{
	const struct weave_limits *limits = b->job->limits;
	uint32_t before = (uint32_t)b->code.code.n, after = b->plan.length;
	uint32_t probe = b->has_how ? HOW_STACK : PROBE_STACK;
	uint32_t stack = (uint32_t)b->code.max_stack + probe;

	if (after > limits->code)
		return weave_leave(b, WEAVE_SKIP_TOO_LARGE, e, "%u bytes", after);
	/* a method that was over the limit before is not compiled anyway, and loses nothing */
	if (limits->compiled && after > limits->compiled && before <= limits->compiled)
		return weave_leave(b, WEAVE_SKIP_HUGE, e, "%u bytes", after);
	if (catches(b) && stack < 1 + probe) /* what is thrown, and the probe */
		stack = 1 + probe;
	if (stack > UINT16_MAX)
		return weave_leave(b, WEAVE_SKIP_TOO_LARGE, e, "operand stack of %u slots", stack);
	b->max_stack = (uint16_t)stack;
	return JW_OK;
}

/* ---- constants ---- */

static enum jw_status add_probe(struct weave_body *b, enum weave_probe probe, struct jw_err *e)
{
	static const struct {
		const char *name, *descriptor;
	} probes[WEAVE_PROBES] = {
#define PROBE_NAME(name, method, descriptor) { method, descriptor },
		WEAVE_PROBE_LIST(PROBE_NAME)
#undef PROBE_NAME
	};

	if (!b->probe_used[probe] || b->constants.probe[probe])
		return JW_OK;
	bool by_number = probe >= WEAVE_PROBE_NUMBER_ENTER;

	return cfr_pool_add_methodref(
		&b->cls->pool, by_number ? b->job->numbers.owner : b->job->runtime,
		jw_span_str(probes[probe].name), jw_span_str(probes[probe].descriptor),
		&b->constants.probe[probe], e);
}

static enum jw_status add_constants(struct weave_body *b, struct jw_err *e)
{
	struct weave_constants *c = &b->constants;

	for (uint32_t i = 0; i < WEAVE_PROBES; i++)
		JW_TRY(add_probe(b, (enum weave_probe)i, e));
	if (catches(b) && !b->old_verifier && !c->throwable)
		JW_TRY(cfr_pool_add_class(&b->cls->pool, JW_SPAN_LIT("java/lang/Throwable"),
					  &c->throwable, e));
	if (weave_needs_frames(b) && !c->frames)
		JW_TRY(cfr_pool_add_utf8(&b->cls->pool, JW_SPAN_LIT("StackMapTable"), &c->frames,
					 e));
	return JW_OK;
}

static enum jw_status make_probes(struct weave_body *b, struct jw_err *e)
{
	enum jw_status status = add_constants(b, e);

	if (status == JW_OK)
		status = weave_write_probes(b, e);
	if (status == JW_OK)
		status = weave_write_creations(b, e);
	weave_write_shows(b);
	return weave_blame(b, WEAVE_SKIP_POOL_FULL, status, e);
}

/* Where everything will be. */
static enum jw_status plan_method(struct weave_body *b, struct jw_err *e)
{
	JW_TRY(weave_this_runs(b, e));
	weave_calls_place(b);
	JW_TRY(weave_find_landings(b, e));
	JW_TRY(weave_monitors_check(b, e));
	JW_TRY(weave_measure_probes(b, e));
	JW_TRY(weave_scan_sites(b, false, e));
	JW_TRY(weave_layout(b, e));
	return check_limits(b, e);
}

enum jw_status weave_method_body(struct weave_body *b, const struct cfr_member *member,
				 struct jw_buf *out, struct jw_err *e)
{
	b->member = member;
	b->skip = WEAVE_SKIP_NOT;
	b->detail = NULL;
	for (uint32_t i = 0; i < WEAVE_PROBES; i++)
		b->probe_used[i] = false;
	JW_TRY(open_method(b, e));
	if (b->too_many_calls)
		return weave_leave(b, WEAVE_SKIP_CALLS, e, NULL);
	JW_TRY(plan_method(b, e));
	JW_TRY(make_probes(b, e));
	JW_TRY(weave_call_types(b, e));
	JW_TRY(weave_landing_types(b, e));
	return weave_emit(b, out, e);
}
