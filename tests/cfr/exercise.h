/*
 * exercise.h: everything cfr does with the bytes of a class, whatever they are: for the tests that
 * mutate, fuzz, or take the memory away. Properties that must hold are asserted with HOLDS(): tests
 * define it as ok, before they include this; otherwise it aborts.
 */
#ifndef JW_TESTS_CFR_EXERCISE_H
#define JW_TESTS_CFR_EXERCISE_H

#include <stdlib.h>

#include "cfr/check.h"
#include "cfr/class.h"
#include "cfr/code.h"
#include "cfr/code_facts.h"
#include "cfr/dump.h"
#include "cfr/pool_add.h"
#include "cfr/smt_put.h"

#ifndef HOLDS
#define HOLDS(cond)              \
	do {                     \
		if (!(cond))     \
			abort(); \
	} while (0)
#endif

static inline uint32_t exercise_same_pc(const void *ctx, uint32_t pc)
{
	(void)ctx;
	return pc;
}

/* What was decoded encodes to what decodes to the same; moving by nothing changes nothing. */
static inline enum jw_status exercise_frames(const struct cfr_class *cls,
					     const struct cfr_code *code, const struct cfr_smt *smt,
					     struct jw_buf *out, struct jw_err *e)
{
	const struct cfr_pc_maps same = { exercise_same_pc, exercise_same_pc, NULL };
	struct cfr_attr attr;
	uint32_t last;
	uint16_t entries;

	if (!cfr_attrs_find(cls, &code->attrs, "StackMapTable", &attr))
		return JW_OK;
	jw_buf_clear(out);
	cfr_smt_put(out, smt->initial, smt->frames, smt->count);
	JW_TRY(jw_buf_finish(out, "frames", e));
	HOLDS(out->n <= attr.info.n); /* the shortest form is no longer than what came */
	jw_buf_clear(out);
	JW_TRY(cfr_smt_move(attr.info, out, &same, &last, &entries, e));
	JW_TRY(jw_buf_finish(out, "frames", e));
	HOLDS(out->n <= attr.info.n && entries == smt->count);
	HOLDS(entries == 0 || last == smt->frames[entries - 1].pc);
	return JW_OK;
}

static inline enum jw_status exercise_method(struct cfr_class *cls, const struct cfr_member *m,
					     struct jw_arena *arena, struct jw_buf *out,
					     struct jw_err *e)
{
	struct cfr_code_facts facts;
	struct cfr_code code;
	struct cfr_smt smt;

	bool walked = cfr_code_facts(cls, m, &facts);
	if (!m->code.p)
		return JW_OK;
	JW_TRY(cfr_code_open(cls, m, arena, &code, e));
	HOLDS(walked && facts.bytes == code.code.n);
	for (uint32_t pc = 0; pc < code.code.n;) {
		struct cfr_insn insn = cfr_insn_at(&code, pc);

		HOLDS(insn.length > 0 && insn.length <= code.code.n - pc);
		HOLDS(insn.target < 0 || cfr_code_starts(&code, (uint32_t)insn.target));
		pc += insn.length;
	}
	JW_TRY(cfr_smt_decode(cls, m, &code, arena, &smt, e));
	JW_TRY(exercise_frames(cls, &code, &smt, out, e));
	return cfr_smt_resolve(cls, m, &smt, e);
}

/* One open class: its parts, put together again, are the class. */
static inline void exercise_parts(const struct cfr_class *cls, struct jw_buf *out)
{
	struct jw_span s = cls->bytes;

	jw_buf_clear(out);
	jw_put_bytes(out, jw_span_sub(s, 0, cls->pool.start));
	cfr_pool_put(&cls->pool, out);
	jw_put_bytes(out, jw_span_sub(s, cls->pool.end, cls->header_end - cls->pool.end));
	jw_put_u2(out, cls->field_count);
	for (uint16_t i = 0; i < cls->field_count; i++)
		jw_put_bytes(out, cls->fields[i].bytes);
	jw_put_u2(out, cls->method_count);
	for (uint16_t i = 0; i < cls->method_count; i++)
		jw_put_bytes(out, cls->methods[i].bytes);
	jw_put_u2(out, cls->attrs.count);
	jw_put_bytes(out, cls->attrs.bytes);
	HOLDS(out->failed != JW_OK || jw_span_eq(jw_buf_span(out), s));
}

/* The first status that is not JW_OK, after doing all the rest; JW_NOMEM at once. */
static inline enum jw_status exercise_class(struct jw_span bytes, struct jw_arena *arena,
					    struct jw_buf *out, struct jw_err *e)
{
	enum jw_status worst = JW_OK, status;
	struct cfr_class cls;

	JW_TRY(cfr_class_open(bytes, arena, &cls, e));
	exercise_parts(&cls, out);
	for (uint16_t i = 0; i < cls.method_count && worst != JW_NOMEM; i++) {
		status = exercise_method(&cls, &cls.methods[i], arena, out, e);
		HOLDS(status != JW_BUG);
		worst = status != JW_OK ? status : worst;
	}
	cfr_class_close(&cls);
	if (worst == JW_NOMEM)
		return worst;
	status = cfr_check(bytes, (struct jw_span){ 0 }, arena, e);
	HOLDS(status != JW_BUG && (worst == JW_OK || status != JW_OK));
	if (status != JW_NOMEM && status != JW_OK) {
		/* a class is never worse than itself, except in what is outside of methods */
		(void)!cfr_check(bytes, bytes, arena, e);
		worst = status;
		status = JW_OK;
	}
	if (status == JW_OK) {
		jw_buf_clear(out);
		status = cfr_dump(bytes, arena, out, e);
		HOLDS(status == JW_OK || status == JW_NOMEM);
	}
	return status != JW_OK ? status : worst;
}

#endif
