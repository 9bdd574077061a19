/*
 * lambdas.c: see lambdas.h. An invokedynamic names both the method and the functional interface: its
 * descriptor returns the interface, its bootstrap method is one of LambdaMetafactory, which gets the
 * method as its second argument (JVMS 4.7.23):
 *
 *     CONSTANT_InvokeDynamic  bootstrap, (captured)Ljava/lang/Runnable;
 *     BootstrapMethods        metafactory, samMethodType, implMethod, instantiatedMethodType
 *
 * Where the interface wants objects and the body of a lambda expression takes or gives an int, Scala 2
 * names a method which converts between them and calls the body: $anonfun$main$1$adapted for
 * $anonfun$main$1. Then the latter is meant.
 */
#include "weaver/class/lambdas.h"

#include <stdlib.h>

#include "base/grow.h"
#include "cfr/desc.h"

#include "base/banned.h"

#define METAFACTORY "java/lang/invoke/LambdaMetafactory"

struct weave_lambda {
	struct jw_span name;
	struct jw_span descriptor; /* of the method; empty: any */
	struct jw_span type;       /* the functional interface */
	size_t place;              /* in the pool */
};

struct weave_lambdas {
	struct weave_lambda *list; /* by name, then by place */
	size_t count;
};

/* The bootstrap methods of a class, by number. */
struct bootstraps {
	struct jw_span info;
	uint32_t *at; /* where each begins */
	uint16_t count;
};

/* False: there are none, or no memory for them. */
static bool find_bootstraps(const struct cfr_class *cls, struct jw_arena *arena,
			    struct bootstraps *out)
{
	struct cfr_attr attr;

	if (!cfr_attrs_find(cls, &cls->attrs, "BootstrapMethods", &attr))
		return false;
	struct jw_cur cur = jw_cur(attr.info);

	*out = (struct bootstraps){ .info = attr.info, .count = jw_cur_u2(&cur) };
	out->at = JW_NEW_ARRAY(arena, uint32_t, out->count + 1u);
	for (uint16_t i = 0; out->at && i < out->count; i++) {
		out->at[i] = (uint32_t)cur.pos;
		jw_cur_skip(&cur, 2);
		jw_cur_skip(&cur, (size_t)2 * jw_cur_u2(&cur));
		if (!jw_cur_ok(&cur))
			return false;
	}
	return out->at && out->count > 0;
}

/* What the MethodHandle at INDEX refers to; false: it is none, or of no method. */
static bool handle_ref(const struct cfr_pool *pool, uint16_t index, struct cfr_ref *out)
{
	if (cfr_pool_tag(pool, index) != CFR_CONSTANT_MethodHandle)
		return false;
	return cfr_pool_ref(pool, jw_span_u2(cfr_pool_entry(pool, index), 1), out);
}

/* For a method that only calls the body, the body, whose descriptor is not known. */
static void unadapt(struct weave_lambda *l)
{
	struct jw_span tail = JW_SPAN_LIT("$adapted");

	if (!jw_span_starts(l->name, JW_SPAN_LIT("$anonfun$")) || !jw_span_ends(l->name, tail))
		return;
	l->name.n -= tail.n;
	l->descriptor = (struct jw_span){ 0 };
}

/* The method that CALL, an InvokeDynamic, makes an object of; false: none of the class. */
static bool lambda_of(const struct cfr_class *cls, const struct bootstraps *b,
		      const struct cfr_ref *call, struct weave_lambda *out)
{
	const struct cfr_pool *pool = &cls->pool;
	struct jw_span returned = cfr_desc_return(call->descriptor);
	struct cfr_ref maker, method;

	if (call->first >= b->count || returned.n < 3 || returned.p[0] != 'L')
		return false;
	struct jw_span at = jw_span_sub(b->info, b->at[call->first], b->info.n);
	if (jw_span_u2(at, 2) < 3 || !handle_ref(pool, jw_span_u2(at, 0), &maker) ||
	    !jw_span_eq_str(maker.owner, METAFACTORY) ||
	    !handle_ref(pool, jw_span_u2(at, 6), &method) || !jw_span_eq(method.owner, cls->name))
		return false;
	*out = (struct weave_lambda){ .name = method.name,
				      .descriptor = method.descriptor,
				      .type = jw_span_sub(returned, 1, returned.n - 2) };
	unadapt(out);
	return true;
}

static int by_name(const void *a, const void *b)
{
	const struct weave_lambda *x = a, *y = b;
	int order = jw_span_cmp(x->name, y->name);

	return order ? order : (x->place > y->place) - (x->place < y->place);
}

struct weave_lambdas *weave_find_lambdas(const struct cfr_class *cls, struct jw_arena *arena)
{
	const struct cfr_pool *pool = &cls->pool;
	struct weave_lambdas *found = JW_NEW(arena, struct weave_lambdas);
	struct bootstraps b;
	struct cfr_ref call;
	static const struct jw_growth growing = { 0 }; /* no limit but memory */
	size_t cap = 0;

	if (!found || !find_bootstraps(cls, arena, &b))
		return found;
	for (uint32_t i = 1; i < pool->count; i++) {
		struct weave_lambda one;

		if (cfr_pool_tag(pool, i) != CFR_CONSTANT_InvokeDynamic ||
		    !cfr_pool_ref(pool, i, &call) || !lambda_of(cls, &b, &call, &one))
			continue;
		if (jw_grow(arena, &found->list, &cap, sizeof(one), found->count + 1, &growing,
			    NULL) != JW_OK) /* the rest is not chosen */
			break;
		one.place = i;
		found->list[found->count++] = one;
	}
	if (found->count > 0)
		qsort(found->list, found->count, sizeof(*found->list), by_name);
	return found;
}

/* The first one of the list that is not before NAME. */
static size_t first_of(const struct weave_lambdas *lambdas, struct jw_span name)
{
	size_t low = 0, high = lambdas->count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (jw_span_cmp(lambdas->list[mid].name, name) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* The next one from *AT on that is MEMBER, or NULL. */
static const struct weave_lambda *next_of(const struct weave_lambdas *lambdas,
					  const struct cfr_member *member, size_t *at)
{
	while (*at < lambdas->count && jw_span_eq(lambdas->list[*at].name, member->name)) {
		const struct weave_lambda *one = &lambdas->list[(*at)++];

		if (one->descriptor.n == 0 || jw_span_eq(one->descriptor, member->descriptor))
			return one;
	}
	return NULL;
}

bool weave_is_lambda(const struct weave_lambdas *lambdas, const struct cfr_member *member)
{
	size_t at = first_of(lambdas, member->name);

	return next_of(lambdas, member, &at) != NULL;
}

bool weave_each_lambda(const struct weave_lambdas *lambdas, const struct cfr_member *member,
		       const struct weave_types *types, rules_take_name *take, void *ctx)
{
	size_t at = first_of(lambdas, member->name);
	const struct weave_lambda *one;

	while ((one = next_of(lambdas, member, &at))) {
		if (types ? weave_types_each_of(types, one->type, take, ctx) : take(ctx, one->type))
			return true;
	}
	return false;
}
