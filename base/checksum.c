#include "base/checksum.h"

#include "base/banned.h"

#define PRIME_1 UINT64_C(0x9e3779b185ebca87)
#define PRIME_2 UINT64_C(0xc2b2ae3d27d4eb4f)
#define PRIME_3 UINT64_C(0x165667b19e3779f9)
#define PRIME_4 UINT64_C(0x85ebca77c2b2ae63)
#define PRIME_5 UINT64_C(0x27d4eb2f165667c5)

enum { LANES = 4, STRIPE = 8 * LANES };

static uint64_t le8(const uint8_t *p)
{
	return jw_le4(p) | (uint64_t)jw_le4(p + 4) << 32;
}

static uint64_t rotate(uint64_t x, unsigned by)
{
	return x << by | x >> (64 - by);
}

static uint64_t round_of(uint64_t lane, uint64_t input)
{
	return rotate(lane + input * PRIME_2, 31) * PRIME_1;
}

/* Takes the whole stripes of *S. */
static uint64_t take_stripes(struct jw_span *s, uint64_t seed)
{
	static const unsigned turns[LANES] = { 1, 7, 12, 18 };
	uint64_t lanes[LANES] = { seed + PRIME_1 + PRIME_2, seed + PRIME_2, seed, seed - PRIME_1 };
	uint64_t h = 0;

	for (; s->n >= STRIPE; *s = jw_span_sub(*s, STRIPE, s->n))
		for (unsigned i = 0; i < LANES; i++)
			lanes[i] = round_of(lanes[i], le8(s->p + 8 * (size_t)i));
	for (unsigned i = 0; i < LANES; i++)
		h += rotate(lanes[i], turns[i]);
	for (unsigned i = 0; i < LANES; i++)
		h = (h ^ round_of(0, lanes[i])) * PRIME_1 + PRIME_4;
	return h;
}

uint64_t jw_checksum64(struct jw_span bytes, uint64_t seed)
{
	struct jw_span s = bytes;
	uint64_t h = s.n >= STRIPE ? take_stripes(&s, seed) : seed + PRIME_5;

	h += bytes.n;
	for (; s.n >= 8; s = jw_span_sub(s, 8, s.n))
		h = rotate(h ^ round_of(0, le8(s.p)), 27) * PRIME_1 + PRIME_4;
	for (; s.n >= 4; s = jw_span_sub(s, 4, s.n))
		h = rotate(h ^ jw_le4(s.p) * PRIME_1, 23) * PRIME_2 + PRIME_3;
	for (; s.n > 0; s = jw_span_sub(s, 1, s.n))
		h = rotate(h ^ *s.p * PRIME_5, 11) * PRIME_1;
	h = (h ^ h >> 33) * PRIME_2;
	h = (h ^ h >> 29) * PRIME_3;
	return h ^ h >> 32;
}
