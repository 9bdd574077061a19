#include "runtime-jni/recorder/lambda_target.h"

#include "base/memory.h"
#include "base/operations.h"
#include "runtime-jni/recorder/natives.h"

#include "base/banned.h"

enum { UTF8 = 1, CLASS = 7, METHODREF = 10, INTERFACE_METHODREF = 11, NAME_AND_TYPE = 12 };

struct pool {
	struct jw_span bytes;
	uint32_t *at; /* of the tags, by index; 1 + offset, 0: none */
	uint16_t count;
};

static bool read_pool(struct pool *p)
{
	struct jw_cur cur = jw_cur(p->bytes);

	for (uint32_t i = 1; i < p->count && jw_cur_ok(&cur); i++) {
		p->at[i] = 1 + (uint32_t)cur.pos;
		uint8_t tag = jw_cur_u1(&cur);
		uint8_t size = rt_constant_size(tag);

		if (tag != UTF8 && !size)
			return false;
		jw_cur_skip(&cur, tag == UTF8 ? jw_cur_u2(&cur) : size);
		i += size == 8; /* takes two numbers */
	}
	return jw_cur_ok(&cur);
}

/* The bytes after the tag of constant INDEX, if that is TAG; else empty. */
static struct jw_span entry(const struct pool *p, uint16_t index, uint8_t tag)
{
	uint32_t at = index < p->count ? p->at[index] : 0;

	if (!at || jw_span_u1(p->bytes, at - 1) != tag)
		return (struct jw_span){ 0 };
	return jw_span_sub(p->bytes, at, p->bytes.n);
}

static struct jw_span text(const struct pool *p, uint16_t index)
{
	struct jw_span utf8 = entry(p, index, UTF8);

	return jw_span_sub(utf8, 2, jw_span_u2(utf8, 0));
}

/* The key of what the method reference REF names; 0: it is no body. */
static uint64_t key_of(const struct pool *p, struct jw_span ref)
{
	struct jw_span class = entry(p, jw_span_u2(ref, 0), CLASS);
	struct jw_span both = entry(p, jw_span_u2(ref, 2), NAME_AND_TYPE);
	struct jw_span owner = text(p, jw_span_u2(class, 0));
	struct jw_span name = text(p, jw_span_u2(both, 0));

	if (!owner.n || !name.n || name.p[0] == '<' ||
	    jw_span_starts(owner, JW_SPAN_LIT("java/lang/")))
		return 0;
	return jw_body_key(owner, name, text(p, jw_span_u2(both, 2)));
}

static uint64_t find(const struct pool *p)
{
	uint64_t found = 0;

	for (uint32_t i = 1; i < p->count; i++) {
		struct jw_span ref = entry(p, (uint16_t)i, METHODREF);
		uint64_t key;

		if (!ref.n)
			ref = entry(p, (uint16_t)i, INTERFACE_METHODREF);
		key = ref.n ? key_of(p, ref) : 0;
		if (key && found && key != found)
			return 0;
		found = key ? key : found;
	}
	return found;
}

uint64_t rt_lambda_body(struct jw_span bytes, uint16_t count)
{
	struct pool p = { bytes, jw_mem_zalloc((size_t)count + 1, sizeof(*p.at)), count };
	uint64_t key = p.at && read_pool(&p) ? find(&p) : 0;

	jw_mem_free(p.at);
	return key;
}
