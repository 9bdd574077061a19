/* t_ops.c: the table of instructions and the descriptors. */
#include <string.h>

#include "cfr/desc.h"
#include "cfr/ops.h"
#include "tests/tap.h"

#include "base/banned.h"

TEST(ops_are_complete)
{
	for (unsigned i = 0; i <= 201; i++)
		ok(cfr_op((uint8_t)i)->form != CFR_FORM_UNKNOWN);
	for (unsigned i = 202; i < 256; i++)
		ok(cfr_op((uint8_t)i)->form == CFR_FORM_UNKNOWN);
	is_int(CFR_OP_jsr_w, 201);
	is_int(CFR_OP_invokedynamic, 186);
	is_int(CFR_OP_ifnull, 198);
	is_str(cfr_op(0xb7)->name, "invokespecial");
	is_str(cfr_op(CFR_OP_lookupswitch)->name, "lookupswitch");
}

TEST(ops_effects_are_well_formed)
{
	for (unsigned i = 0; i <= 201; i++) {
		const char *effect = cfr_op((uint8_t)i)->effect, *arrow = strchr(effect, '>');

		ok(arrow != NULL);
		is_int(strspn(effect, "IJFDAR12*>"), strlen(effect));
	}
	is_int(cfr_effect_slots(cfr_op(CFR_OP_lastore)->effect), 4);
	is_int(cfr_effect_slots(cfr_op(CFR_OP_dup2_x2)->effect), 4);
	is_int(cfr_effect_slots(strchr(cfr_op(CFR_OP_dup2_x2)->effect, '>') + 1), 6);
	is_int(cfr_effect_slots("A*>*"), 1);
}

TEST(ops_that_end_flow)
{
	ok(cfr_op_ends_flow(CFR_OP_goto) && cfr_op_ends_flow(CFR_OP_goto_w));
	ok(cfr_op_ends_flow(CFR_OP_athrow) && cfr_op_ends_flow(CFR_OP_ret));
	ok(cfr_op_ends_flow(CFR_OP_tableswitch) && cfr_op_ends_flow(CFR_OP_lookupswitch));
	ok(cfr_op_ends_flow(CFR_OP_ireturn) && cfr_op_ends_flow(CFR_OP_return));
	ok(!cfr_op_ends_flow(CFR_OP_jsr) && !cfr_op_ends_flow(CFR_OP_ifeq));
	ok(!cfr_op_is_return(CFR_OP_athrow) && !cfr_op_is_return(CFR_OP_getstatic));
	ok(cfr_op_is_return(CFR_OP_areturn));
}

TEST(desc_walks_parameters)
{
	struct jw_cur cur = cfr_desc_params(JW_SPAN_LIT("(I[[JLa/b;[Lc;D)V"));
	struct jw_span field = { 0 };

	ok(cfr_desc_next(&cur, &field));
	is_span(field, JW_SPAN_LIT("I"));
	ok(cfr_desc_next(&cur, &field));
	is_span(field, JW_SPAN_LIT("[[J"));
	is_int(cfr_desc_slots(field), 1);
	ok(cfr_desc_next(&cur, &field));
	is_span(field, JW_SPAN_LIT("La/b;"));
	ok(cfr_desc_next(&cur, &field));
	is_span(field, JW_SPAN_LIT("[Lc;"));
	ok(cfr_desc_next(&cur, &field));
	is_int(cfr_desc_slots(field), 2);
	ok(!cfr_desc_next(&cur, &field));
	ok(jw_cur_ok(&cur));
}

TEST(desc_slots_and_results)
{
	is_int(cfr_desc_param_slots(JW_SPAN_LIT("(IJ[JD)V")), 6);
	is_span(cfr_desc_return(JW_SPAN_LIT("()V")), JW_SPAN_LIT("V"));
	is_span(cfr_desc_return(JW_SPAN_LIT("(J)[La;")), JW_SPAN_LIT("[La;"));
	is_int(cfr_desc_slots(JW_SPAN_LIT("V")), 0);
	is_int(cfr_desc_slots(JW_SPAN_LIT("J")), 2);
	is_int(cfr_desc_slots(JW_SPAN_LIT("")), 0);
}

TEST(desc_refuses_what_is_damaged)
{
	static const char *const bad[] = { "",        "I",         "(",        "()",    "(V)V",
					   "(I",      "()VV",      "(L;)V",    "(La)V", "(L/a;)V",
					   "(La/;)V", "(La//b;)V", "(La.b;)V", "(X)V",  "([)V",
					   "()[V",    "(La[b;)V",  "()Lx" };

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (!ok(!cfr_desc_method_ok(jw_span_str(bad[i]))))
			tap_note("%s", bad[i]);
	}
	ok(cfr_desc_field_ok(JW_SPAN_LIT("[[I")));
	ok(!cfr_desc_field_ok(JW_SPAN_LIT("II")));
	ok(!cfr_desc_field_ok(JW_SPAN_LIT("V")));
	ok(cfr_desc_class_ok(JW_SPAN_LIT("a/B$C")) && cfr_desc_class_ok(JW_SPAN_LIT("A")));
	ok(!cfr_desc_class_ok(JW_SPAN_LIT("")) && !cfr_desc_class_ok(JW_SPAN_LIT("/A")));
	ok(!cfr_desc_class_ok(JW_SPAN_LIT("a/")) && !cfr_desc_class_ok(JW_SPAN_LIT("a//B")));
	ok(!cfr_desc_class_ok(JW_SPAN_LIT("a.B")) && !cfr_desc_class_ok(JW_SPAN_LIT("A;")));
}

static bool params_ok(uint32_t longs, uint32_t ints)
{
	struct jw_buf b = { 0 };

	jw_put_str(&b, "(");
	for (uint32_t i = 0; i < longs; i++)
		jw_put_str(&b, "J");
	for (uint32_t i = 0; i < ints; i++)
		jw_put_str(&b, "I");
	jw_put_str(&b, ")V");
	bool good = cfr_desc_method_ok(jw_buf_span(&b));
	jw_buf_free(&b);
	return good;
}

static bool dimensions_ok(uint32_t n)
{
	struct jw_buf b = { 0 };

	for (uint32_t i = 0; i < n; i++)
		jw_put_str(&b, "[");
	jw_put_str(&b, "I");
	bool good = cfr_desc_field_ok(jw_buf_span(&b));
	jw_buf_free(&b);
	return good;
}

TEST(desc_limits)
{
	ok(params_ok(127, 0) && params_ok(127, 1));
	ok(!params_ok(128, 0) && !params_ok(127, 2));
	ok(params_ok(0, 254) && params_ok(0, 255) && !params_ok(0, 256));
	ok(dimensions_ok(254) && dimensions_ok(255) && !dimensions_ok(256));
}
