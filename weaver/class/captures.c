/*
 * captures.c: what of the captures that a rule asks for a call or method has, by its descriptor.
 */
#include "weaver/class/captures.h"

#include "cfr/desc.h"

#include "base/banned.h"

struct jw_span weave_arg_of(struct jw_span descriptor, uint32_t arg)
{
	struct jw_cur cur = cfr_desc_params(descriptor);
	struct jw_span field;

	while (cfr_desc_next(&cur, &field)) {
		if (arg-- == 0)
			return field;
	}
	return (struct jw_span){ 0 };
}

bool weave_is_reference(struct jw_span d)
{
	return d.p[0] == 'L' || d.p[0] == '[';
}

/* Is D a type whose objects count what is in them? */
static bool may_be_filled(struct jw_span d)
{
	return jw_span_eq_str(d, "Ljava/net/DatagramPacket;") ||
	       (jw_span_starts(d, JW_SPAN_LIT("Ljava/nio/")) &&
		jw_span_ends(d, JW_SPAN_LIT("Buffer;")));
}

/* May a value of the declared type D be a string (or, with ARRAYS, something else that has a
 * length without running code of the program)? */
static bool may_be_text(struct jw_span d, bool arrays)
{
	static const char *const texts[] = { "Ljava/lang/String;", "Ljava/lang/Object;",
					     "Ljava/lang/CharSequence;", "Ljava/io/Serializable;",
					     "Ljava/lang/Comparable;" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (jw_span_eq_str(d, texts[i]))
			return true;
	}
	return arrays &&
	       (d.p[0] == '[' || jw_span_eq_str(d, "Ljava/lang/Cloneable;") || may_be_filled(d));
}

/* May a value of the declared type D be a number: primitive, in a box, or the place of an enum
 * constant? Of a class of the program, which may be an enum, only the object tells. */
static bool may_be_number(struct jw_span d)
{
	static const char *const others[] = {
		"Ljava/lang/String;",    "Ljava/lang/StringBuilder;", "Ljava/lang/StringBuffer;",
		"Ljava/lang/Class;",     "Ljava/lang/Thread;",        "Ljava/lang/Throwable;",
		"Ljava/lang/Exception;", "Ljava/math/BigInteger;",    "Ljava/math/BigDecimal;",
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (jw_span_eq_str(d, others[i]))
			return false;
	return d.p[0] != '[';
}

/* In which form a part of a key is that has type D; JW_AS_COUNT: in none that two processes know. */
static enum jw_capture_as key_of(struct jw_span d)
{
	static const char *const boxes[] = { "Ljava/lang/Long;",      "Ljava/lang/Integer;",
					     "Ljava/lang/Short;",     "Ljava/lang/Byte;",
					     "Ljava/lang/Character;", "Ljava/lang/Boolean;" };

	if (!weave_is_reference(d))
		return d.p[0] == 'F' || d.p[0] == 'D' ? JW_AS_COUNT : JW_AS_VALUE;
	for (size_t i = 0; i < sizeof(boxes) / sizeof(boxes[0]); i++)
		if (jw_span_eq_str(d, boxes[i]))
			return JW_AS_VALUE;
	return may_be_text(d, false) ? JW_AS_STRING : JW_AS_COUNT;
}

/* Makes C what it is for a value of type D; false: there is no such thing of D. */
static bool resolve(struct jw_capture *c, struct jw_span d)
{
	if (d.n == 0 || d.p[0] == 'V')
		return false;
	if (c->what == JW_CAPTURE_FILLED) {
		c->as = JW_AS_VALUE;
		return may_be_filled(d);
	}
	if (c->as == JW_AS_COUNT && c->key)
		c->as = key_of(d);
	else if (c->as == JW_AS_COUNT)
		c->as = weave_is_reference(d) ? JW_AS_IDENTITY : JW_AS_VALUE;
	switch (c->as) {
	case JW_AS_VALUE:
		return may_be_number(d);
	case JW_AS_LENGTH:
		return may_be_text(d, true);
	case JW_AS_STRING:
		return may_be_text(d, false);
	case JW_AS_COUNT:
		return false;
	default:
		return weave_is_reference(d);
	}
}

/* The type of what C captures of a method of SIGNATURE; empty: nothing. */
static struct jw_span type_of(const struct jw_capture *c, const struct weave_signature *signature)
{
	static const struct jw_span object = { (const uint8_t *)"Ljava/lang/Object;",
					       sizeof("Ljava/lang/Object;") - 1 };

	switch (c->what) {
	case JW_CAPTURE_THIS:
		return signature->has_this ? object : (struct jw_span){ 0 };
	case JW_CAPTURE_ARG:
		return weave_arg_of(signature->descriptor, c->arg);
	case JW_CAPTURE_FILLED: /* of a method, the local may be another's when it ends */
		return signature->is_body ? (struct jw_span){ 0 }
					  : weave_arg_of(signature->descriptor, c->arg);
	case JW_CAPTURE_RETURN:
		return cfr_desc_return(signature->descriptor);
	case JW_CAPTURE_TASK:
		return signature->is_body ? object : (struct jw_span){ 0 };
	case JW_CAPTURE_EXCEPTION:
		return object;
	case JW_CAPTURE_CONTEXT: /* it is the thread's: weave_pick_captures() */
		break;
	}
	return (struct jw_span){ 0 };
}

bool weave_has_capture(const struct jw_capture *capture, const struct weave_signature *signature)
{
	struct jw_capture c = *capture;

	return c.what == JW_CAPTURE_CONTEXT || resolve(&c, type_of(&c, signature));
}

enum jw_status weave_pick_captures(const struct rules_about *about,
				   const struct weave_signature *signature, struct jw_arena *arena,
				   struct weave_join *join, struct jw_err *e)
{
	struct jw_capture *list;

	join->captures = NULL;
	join->capture_count = 0;
	join->context = false;
	if (about->capture_count == 0)
		return JW_OK;
	list = JW_NEW_ARRAY(arena, struct jw_capture, about->capture_count);
	if (!list)
		return jw_nomem(e);
	for (size_t i = 0; i < about->capture_count; i++) {
		struct jw_capture c = about->captures[i];

		if (c.what == JW_CAPTURE_CONTEXT)
			join->context = true;
		else if (resolve(&c, type_of(&c, signature)))
			list[join->capture_count++] = c;
	}
	join->captures = list;
	return JW_OK;
}
