/* XXH64, against the values of its author's library (xxhash 4.1.0 for Python). */
#include "base/checksum.h"

#include "tests/tap.h"

#include "base/banned.h"

static uint8_t bytes[1000];

TEST(checksums_are_those_of_xxh64)
{
	static const struct {
		size_t n;
		uint64_t plain, seeded;
	} rows[] = {
		{ 0, UINT64_C(0xef46db3751d8e999), UINT64_C(0x51e24c0e9077a48c) },
		{ 1, UINT64_C(0xe934a84adb052768), UINT64_C(0xaffd9d6bd53cf137) },
		{ 3, UINT64_C(0x9ff70a635a6209ab), UINT64_C(0x416d687f4079480c) },
		{ 4, UINT64_C(0xae5acdc00a55ac41), UINT64_C(0x1f9fecdaa4014687) },
		{ 8, UINT64_C(0x87116b3365b924eb), UINT64_C(0xa8a1197f0cc66fe6) },
		{ 15, UINT64_C(0x02c53ab1e360882f), UINT64_C(0x76915ab79a3bf4ca) },
		{ 31, UINT64_C(0x0f187c62b1e722b7), UINT64_C(0xa4f11bd0ee8d3e44) },
		{ 32, UINT64_C(0x91b0cb0931a8c629), UINT64_C(0x9f351aa79b4c25b2) },
		{ 33, UINT64_C(0x931b043cf8d65b94), UINT64_C(0xe8b4f4911f216f37) },
		{ 64, UINT64_C(0xbf3052e3445775d0), UINT64_C(0x0c3c20bf76cb7d09) },
		{ 77, UINT64_C(0xc4ce4e3ad65f6de0), UINT64_C(0x2233b98391cda092) },
		{ 1000, UINT64_C(0x25275608a9cfc168), UINT64_C(0x40bcdcc3cbb53de5) },
	};

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(i * 7);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct jw_span s = jw_span(bytes, rows[i].n);

		ok(jw_checksum64(s, 0) == rows[i].plain);
		ok(jw_checksum64(s, UINT64_C(0x123456789abcdef)) == rows[i].seeded);
	}
}

TEST(every_bit_counts)
{
	uint64_t whole = jw_checksum64(jw_span(bytes, 100), 0);

	for (size_t bit = 0; bit < 800; bit++) {
		bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
		ok(jw_checksum64(jw_span(bytes, 100), 0) != whole);
		bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
	}
}
