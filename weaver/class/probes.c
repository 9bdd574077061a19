/*
 * probes.c: the bytes that are inserted: the three probes of a method or call, with the captures.
 *
 * A method has its arguments in locals when it begins. A call has them on the stack, receiver
 * first: those above the first one that is captured go into fresh locals, above all that the method
 * has, and come back one by one:
 *
 *     ..., r, a, b  ->  store b; store a; dup r, OBJECT; load a; load b, dup, VALUE
 *
 * What the call fills is looked at again after it, and waits in a fresh local meanwhile:
 *
 *     ..., r, buffer  ->  dup, dup; store buffer; ROOM; store room
 *                                                   load buffer; load room; FILLED
 *
 * A fresh local is cleared again at once, so that it keeps nothing alive. No frame ever names one:
 * they are TOP wherever control meets. The verifier of old class files merges what they held where
 * handlers begin, and would load classes for it; there each call has fresh locals of its own.
 *
 * Where a rule has a number (join->how), that is pushed together with the id, to probes that decide
 * call by call; an END before late captures tells them what is coming.
 *
 * An id is a constant of eight bytes; of a method with a number (numbers.c) only its last two are
 * pushed, from the code.
 *
 * The same functions measure the bytes (before anything has a place) and write them (once the
 * constants are known), so that both are always the same.
 */
#include "weaver/class/probes.h"

#include "cfr/desc.h"
#include "cfr/pool_add.h"
#include "trace/format/recording.h"
#include "weaver/class/captures.h"

#include "base/banned.h"

/* ---- writing, or measuring ---- */

struct code {
	struct weave_body *b;
	uint8_t *p; /* NULL: only measured */
	uint32_t n;
};

static void put_u1(struct code *c, uint32_t v)
{
	if (c->p)
		c->p[c->n] = (uint8_t)v;
	c->n++;
}

static void put_u2(struct code *c, uint32_t v)
{
	put_u1(c, v >> 8);
	put_u1(c, v);
}

static void put_probe(struct code *c, enum weave_probe probe)
{
	put_u1(c, CFR_OP_invokestatic);
	put_u2(c, c->b->constants.probe[probe]);
	/* sites.c says which of those with an id are needed */
	if (!c->p && ((probe > WEAVE_PROBE_FAIL && probe < WEAVE_PROBE_HOW_ENTER) ||
		      probe == WEAVE_PROBE_HOW_END || probe == WEAVE_PROBE_BOOTED))
		c->b->probe_used[probe] = true;
}

/* The constants of a join. */
struct keys {
	uint16_t id, how;
	uint16_t body; /* of the body of a task */
};

static void put_id(struct code *c, const struct weave_join *join, struct keys keys,
		   enum weave_probe probe)
{
	if (join->numbered) {
		put_u1(c, CFR_OP_sipush);
		put_u2(c, jwr_pushed_number(join->id));
	} else {
		put_u1(c, CFR_OP_ldc2_w);
		put_u2(c, keys.id);
	}
	if (join->how) {
		put_u1(c, CFR_OP_ldc2_w);
		put_u2(c, keys.how);
	}
	put_probe(c, weave_probe_of(join, probe));
}

/* Comes before what is captured at the end, if there is anything. */
static void put_end(struct code *c, const struct weave_join *join, struct keys keys, bool failed)
{
	for (size_t i = 0; join->how && i < join->capture_count; i++) {
		if (jw_capture_is_late(&join->captures[i], failed)) {
			put_id(c, join, keys, WEAVE_PROBE_HOW_END);
			return;
		}
	}
}

/* Is the method known as the body of a task? */
static bool has_task(const struct weave_join *join)
{
	for (size_t i = 0; i < join->capture_count; i++) {
		if (join->captures[i].what == JW_CAPTURE_TASK)
			return true;
	}
	return false;
}

/* PROBE: RUNS or RAN, at the begin or the end of the body of a task. */
static void put_body(struct code *c, struct keys keys, enum weave_probe probe)
{
	put_u1(c, CFR_OP_ldc2_w);
	put_u2(c, keys.body);
	put_probe(c, probe);
}

/* The trace context of the thread, where JOIN asks for it. */
static void put_context(struct code *c, const struct weave_join *join)
{
	if (join->context)
		put_probe(c, WEAVE_PROBE_CONTEXT);
}

/* X(first letter of a descriptor, load, store, to long) ; 0: nothing to do */
static const struct kind {
	char letter;
	uint8_t load, store, to_long;
} kinds[] = {
	{ 'J', CFR_OP_lload, CFR_OP_lstore, 0 },
	{ 'D', CFR_OP_dload, CFR_OP_dstore, CFR_OP_d2l },
	{ 'F', CFR_OP_fload, CFR_OP_fstore, CFR_OP_f2l },
	{ 'L', CFR_OP_aload, CFR_OP_astore, 0 },
	{ '[', CFR_OP_aload, CFR_OP_astore, 0 },
	{ 0, CFR_OP_iload, CFR_OP_istore, CFR_OP_i2l },
};

static const struct kind *kind_of(struct jw_span d)
{
	const struct kind *kind = kinds;

	while (kind->letter && kind->letter != (char)d.p[0])
		kind++;
	return kind;
}

static void put_local(struct code *c, uint8_t op, uint32_t local)
{
	if (local > UINT8_MAX) {
		put_u1(c, CFR_OP_wide);
		put_u1(c, op);
		put_u2(c, local);
	} else {
		put_u1(c, op);
		put_u1(c, local);
	}
}

/* Records the value of type D on the stack. */
static void put_capture(struct code *c, const struct jw_capture *capture, struct jw_span d)
{
	static const enum weave_probe probes[] = {
		[JW_AS_IDENTITY] = WEAVE_PROBE_OBJECT, [JW_AS_VALUE] = WEAVE_PROBE_NUMBER,
		[JW_AS_LENGTH] = WEAVE_PROBE_LENGTH,   [JW_AS_CLASS] = WEAVE_PROBE_TYPE,
		[JW_AS_STRING] = WEAVE_PROBE_TEXT,     [JW_AS_TASK] = WEAVE_PROBE_TASK,
	};

	if (weave_is_reference(d)) {
		/* what is handed over will run; who waits for it has it from there */
		bool handed = capture->as == JW_AS_TASK && capture->what != JW_CAPTURE_THIS;

		put_probe(c, handed ? WEAVE_PROBE_HANDED : probes[capture->as]);
		return;
	}
	if (kind_of(d)->to_long)
		put_u1(c, kind_of(d)->to_long);
	put_probe(c, WEAVE_PROBE_VALUE);
}

/* Captures a copy of the value of type D on the stack, for each capture of WHAT and ARG. */
static void put_copies(struct code *c, const struct weave_join *join, enum jw_capture_what what,
		       uint32_t arg, struct jw_span d)
{
	for (size_t i = 0; i < join->capture_count; i++) {
		const struct jw_capture *capture = &join->captures[i];

		if (capture->what != what || (what == JW_CAPTURE_ARG && capture->arg != arg))
			continue;
		put_u1(c, cfr_desc_slots(d) == 2 ? CFR_OP_dup2 : CFR_OP_dup);
		put_capture(c, capture, d);
	}
}

static const struct jw_span object_type = { (const uint8_t *)"L", 1 };

/* ---- a method's own ---- */

/* The arguments are in the first locals. */
static void put_method_enter(struct code *c, const struct weave_join *join, struct keys keys)
{
	const struct cfr_member *m = c->b->member;
	bool has_this = !(m->access & CFR_ACC_STATIC);

	if (c->b->boots)
		return; /* nothing is recorded before its end */
	put_context(c, join);
	put_id(c, join, keys, WEAVE_PROBE_ENTER);
	for (size_t i = 0; i < join->capture_count; i++) {
		const struct jw_capture *capture = &join->captures[i];
		struct jw_cur cur = cfr_desc_params(m->descriptor);
		uint32_t local = has_this, arg = capture->arg;
		struct jw_span d = object_type;

		if (!jw_capture_is_early(capture))
			break;
		if (capture->what == JW_CAPTURE_TASK) {
			put_body(c, keys, WEAVE_PROBE_RUNS);
			continue;
		}
		if (capture->what == JW_CAPTURE_THIS && !has_this) {
			put_u1(c, CFR_OP_ldc_w); /* a static method whose class is asked for */
			put_u2(c, c->b->cls->this_index);
		} else if (capture->what == JW_CAPTURE_THIS) {
			put_local(c, CFR_OP_aload, 0);
		} else {
			while (cfr_desc_next(&cur, &d) && arg-- > 0)
				local += cfr_desc_slots(d);
			put_local(c, kind_of(d)->load, local);
		}
		put_capture(c, capture, d);
	}
}

/* ---- a call's ---- */

/* The lowest value on the stack that is captured: all arguments above it go into locals. */
struct lowest {
	bool any;      /* something is captured */
	bool receiver; /* it is the receiver, else: */
	uint32_t arg;  /* the number of the argument */
};

static struct lowest lowest_captured(const struct weave_join *join)
{
	struct lowest lowest = { .arg = UINT32_MAX };

	for (size_t i = 0; i < join->capture_count; i++) {
		const struct jw_capture *capture = &join->captures[i];

		if (capture->what == JW_CAPTURE_THIS)
			return (struct lowest){ .any = true, .receiver = true };
		if ((capture->what == JW_CAPTURE_ARG || capture->what == JW_CAPTURE_FILLED) &&
		    capture->arg < lowest.arg)
			lowest = (struct lowest){ .any = true, .arg = capture->arg };
	}
	return lowest;
}

struct spilled {
	struct jw_span d;
	uint32_t local;
};

/* The arguments above LOWEST of CALL, and the locals for them; how many, and their SLOTS. */
static uint32_t spill_list(const struct weave_call *call, struct lowest lowest,
			   struct spilled *list, uint32_t *slots)
{
	struct jw_cur cur = cfr_desc_params(call->descriptor);
	struct jw_span field;
	uint32_t count = 0;

	*slots = 0;
	for (uint32_t arg = 0; cfr_desc_next(&cur, &field) && count < JW_CAPTURE_ARGS; arg++) {
		if (!lowest.receiver && arg <= lowest.arg)
			continue;
		list[count++] = (struct spilled){ field, call->spill + *slots };
		*slots += cfr_desc_slots(field);
	}
	return count;
}

enum { FILLED_SLOTS = 2 }; /* of each: the object, and a number */

/* Keeps what is on the stack, argument ARG of CALL, where CALL fills it. */
static void put_room(struct code *c, const struct weave_call *call, uint32_t arg)
{
	uint32_t local = call->filled;

	for (size_t i = 0; i < call->join.capture_count; i++) {
		const struct jw_capture *capture = &call->join.captures[i];

		if (capture->what != JW_CAPTURE_FILLED)
			continue;
		if (capture->arg == arg) {
			put_u1(c, CFR_OP_dup);
			put_u1(c, CFR_OP_dup);
			put_local(c, CFR_OP_astore, local);
			put_probe(c, WEAVE_PROBE_ROOM);
			put_local(c, CFR_OP_istore, local + 1);
		}
		local += FILLED_SLOTS;
	}
}

/* CALL has returned. */
static void put_filled(struct code *c, const struct weave_call *call)
{
	uint32_t local = call->filled;

	for (size_t i = 0; i < call->join.capture_count; i++) {
		if (call->join.captures[i].what != JW_CAPTURE_FILLED)
			continue;
		put_local(c, CFR_OP_aload, local);
		put_local(c, CFR_OP_iload, local + 1);
		put_probe(c, WEAVE_PROBE_FILLED);
		put_u1(c, CFR_OP_aconst_null);
		put_local(c, CFR_OP_astore, local);
		local += FILLED_SLOTS;
	}
}

/* Argument ARG of CALL, of type D, is on the stack. */
static void put_argument(struct code *c, const struct weave_call *call, uint32_t arg,
			 struct jw_span d)
{
	put_copies(c, &call->join, JW_CAPTURE_ARG, arg, d);
	put_room(c, call, arg);
}

static void put_spills(struct code *c, const struct weave_call *call, struct lowest lowest)
{
	struct spilled list[JW_CAPTURE_ARGS];
	uint32_t slots, count = spill_list(call, lowest, list, &slots);
	uint32_t arg = lowest.receiver ? 0 : lowest.arg + 1;

	for (uint32_t i = count; i-- > 0;)
		put_local(c, kind_of(list[i].d)->store, list[i].local);
	if (lowest.receiver)
		put_copies(c, &call->join, JW_CAPTURE_THIS, 0, object_type);
	else
		put_argument(c, call, lowest.arg, weave_arg_of(call->descriptor, lowest.arg));
	for (uint32_t i = 0; i < count; i++) {
		put_local(c, kind_of(list[i].d)->load, list[i].local);
		if (weave_is_reference(list[i].d)) {
			put_u1(c, CFR_OP_aconst_null);
			put_local(c, CFR_OP_astore, list[i].local);
		}
		put_argument(c, call, arg + i, list[i].d);
	}
}

static void put_call_enter(struct code *c, const struct weave_call *call, struct keys keys)
{
	struct lowest lowest = lowest_captured(&call->join);

	put_context(c, &call->join);
	put_id(c, &call->join, keys, WEAVE_PROBE_ENTER);
	if (lowest.any)
		put_spills(c, call, lowest);
}

/* ---- both ---- */

/* Of CALL or (NULL) of the method. */
static void put_exit(struct code *c, const struct weave_join *join, const struct weave_call *call,
		     struct keys keys)
{
	struct jw_span descriptor = call ? call->descriptor : c->b->member->descriptor;

	put_end(c, join, keys, false);
	if (has_task(join))
		put_body(c, keys, WEAVE_PROBE_RAN);
	if (call)
		put_filled(c, call);
	if (join->capture_count) /* rarely: the descriptor is not parsed for nothing */
		put_copies(c, join, JW_CAPTURE_RETURN, 0, cfr_desc_return(descriptor));
	put_id(c, join, keys, c->b->boots ? WEAVE_PROBE_BOOTED : WEAVE_PROBE_EXIT);
	put_context(c, join);
}

static void put_fail(struct code *c, const struct weave_join *join, struct keys keys)
{
	if (c->b->exceptions) {
		put_u1(c, CFR_OP_dup);
		put_probe(c, WEAVE_PROBE_PASSED);
	}
	put_end(c, join, keys, true);
	if (has_task(join))
		put_body(c, keys, WEAVE_PROBE_RAN);
	put_copies(c, join, JW_CAPTURE_EXCEPTION, 0, object_type);
	put_id(c, join, keys, WEAVE_PROBE_FAIL);
	put_context(c, join);
	put_u1(c, CFR_OP_athrow);
}

/* Releases the monitor of CALL, whose probes have thrown. */
static void put_release(struct code *c, const struct weave_call *call)
{
	put_local(c, CFR_OP_aload, call->operand);
	put_u1(c, CFR_OP_monitorexit);
	put_u1(c, CFR_OP_athrow);
}

/* The three of JOIN, of CALL or (NULL) of the method, at CODE->p or only measured. */
static void put_join(struct code *c, struct weave_join *join, const struct weave_call *call,
		     struct keys keys)
{
	uint32_t start = c->n;

	if (call)
		put_call_enter(c, call, keys);
	else
		put_method_enter(c, join, keys);
	join->enter = c->n - start;
	start = c->n;
	put_exit(c, join, call, keys);
	join->exit = c->n - start;
	start = c->n;
	if (call && call->instant && call->tail)
		put_release(c, call);
	else if (!call || call->tail)
		put_fail(c, join, keys);
	join->fail = c->n - start;
}

static enum jw_status measure(struct weave_body *b, struct weave_join *join,
			      const struct weave_call *call, struct jw_err *e)
{
	struct code c = { .b = b };

	b->has_how |= join->how != 0;
	put_join(&c, join, call, (struct keys){ 0 });
	join->code = JW_NEW_ARRAY(b->arena, uint8_t, c.n);
	return join->code ? JW_OK : jw_nomem(e);
}

/*
 * The old verifier finds the type of a local where control flow joins by merging, and loads both
 * classes if it held values of two, which a program may not have. It is asked, too, about a class
 * of version 50 whose frames are wrong (JVMS 4.10). Then no call shares its fresh locals with
 * another.
 */
static bool may_merge_types(const struct weave_body *b)
{
	return b->cls->major <= CFR_MAJOR_FRAMES;
}

/* Gives CALL its fresh locals. */
static void place_spills(struct weave_body *b, struct weave_call *call)
{
	struct spilled list[JW_CAPTURE_ARGS];
	struct lowest lowest = lowest_captured(&call->join);
	uint32_t slots = 0;

	call->spill = b->code.max_locals + (may_merge_types(b) ? b->fresh_locals : 0);
	if (lowest.any)
		(void)spill_list(call, lowest, list, &slots);
	call->filled = call->spill + slots;
	for (size_t i = 0; i < call->join.capture_count; i++)
		slots += call->join.captures[i].what == JW_CAPTURE_FILLED ? FILLED_SLOTS : 0;
	if (may_merge_types(b))
		b->fresh_locals += slots;
	else if (slots > b->fresh_locals)
		b->fresh_locals = slots;
}

enum jw_status weave_measure_probes(struct weave_body *b, struct jw_err *e)
{
	b->fresh_locals = 0;
	b->has_how = false;
	if (b->traced)
		JW_TRY(measure(b, &b->own, NULL, e));
	for (uint32_t i = 0; i < b->plan.call_count; i++) {
		struct weave_call *call = &b->plan.calls[i];

		place_spills(b, call);
		JW_TRY(measure(b, &call->join, call, e));
	}
	if (b->code.max_locals + b->fresh_locals > UINT16_MAX)
		return weave_leave(b, WEAVE_SKIP_TOO_LARGE, e, "%u local variables",
				   b->code.max_locals + b->fresh_locals);
	return JW_OK;
}

static enum jw_status write_join(struct weave_body *b, struct weave_join *join,
				 const struct weave_call *call, struct jw_err *e)
{
	struct code c = { .b = b, .p = join->code };
	uint32_t measured = join->enter + join->exit + join->fail;
	struct keys keys = { 0 };

	if (!join->numbered)
		JW_TRY(cfr_pool_add_long(&b->cls->pool, join->id, &keys.id, e));
	if (join->how)
		JW_TRY(cfr_pool_add_long(&b->cls->pool, join->how, &keys.how, e));
	if (has_task(join))
		JW_TRY(cfr_pool_add_long(
			&b->cls->pool,
			jw_body_key(b->cls->name, b->member->name, b->member->descriptor),
			&keys.body, e));
	put_join(&c, join, call, keys);
	return c.n == measured ? JW_OK : jw_bug(e, "probes are not as long as they were measured");
}

enum jw_status weave_write_probes(struct weave_body *b, struct jw_err *e)
{
	if (b->traced)
		JW_TRY(write_join(b, &b->own, NULL, e));
	for (uint32_t i = 0; i < b->plan.call_count; i++)
		JW_TRY(write_join(b, &b->plan.calls[i].join, &b->plan.calls[i], e));
	return JW_OK;
}
