/*
 * inflate.c: see inflate.h. Codes are read through tables (RFC 1951, 3.2.2): the next ROOT bits
 * choose an entry, which is a symbol or refers to a second table for longer codes. An entry:
 *
 *     31      16 15  12 11   8 7    0
 *     |  value  | kind | extra| bits |
 *
 * BITS is the length of the code (of its rest, in a second table); a length or distance is VALUE
 * plus the next EXTRA bits. For LINK, VALUE is where the table is, EXTRA its index bits.
 *
 * Bytes are hostile: IN is read up to its end, after which zeros are taken and counted; OUT is
 * written up to its end and read from its start.
 */
#include "base/inflate.h"

#include <string.h>

#include "base/banned.h"

enum kind { LITERAL, BASE, END, LINK, INVALID };

enum { MAX_BITS = 15, LITERALS = 288, DISTANCES = 30, CODE_LENGTHS = 19, WORD = 8 };

static uint32_t entry(enum kind kind, uint32_t value, uint32_t extra)
{
	return value << 16 | (uint32_t)kind << 12 | extra << 8;
}

static enum kind kind_of(uint32_t e)
{
	return (enum kind)(e >> 12 & 15);
}

/* ---- bits ---- */

struct input {
	const uint8_t *p, *end;
	uint64_t bits;
	uint32_t count;    /* how many of `bits` are there */
	uint32_t borrowed; /* zero bytes taken past the end */
};

/* After this there are at least 56 bits: a whole length and distance. */
static inline void refill(struct input *in)
{
	if (in->end - in->p >= WORD) {
		uint64_t word = 0;

		for (uint32_t i = 0; i < WORD; i++) /* one load on little-endian machines */
			word |= (uint64_t)in->p[i] << (8 * i);
		in->bits |= word << in->count;
		in->p += (63 - in->count) >> 3;
		in->count |= 56;
		return;
	}
	while (in->count <= 56) {
		if (in->p < in->end)
			in->bits |= (uint64_t)*in->p++ << in->count;
		else
			in->borrowed++;
		in->count += 8;
	}
}

static inline uint32_t peek(const struct input *in, uint32_t n)
{
	return (uint32_t)(in->bits & ((UINT64_C(1) << n) - 1));
}

static inline uint32_t take(struct input *in, uint32_t n)
{
	uint32_t v = peek(in, n);

	in->bits >>= n;
	in->count -= n;
	return v;
}

/* Was more read than there was? */
static bool is_cut(const struct input *in)
{
	return in->borrowed * 8 > in->count;
}

/* ---- tables ---- */

struct code {
	const uint8_t *lengths; /* by symbol, 0: not used */
	uint32_t symbols;
	uint32_t root;
	bool complete; /* too few codes are damage, also a single one */
	uint32_t (*entry_of)(uint32_t symbol);
	uint32_t *table;
	uint32_t room; /* entries */
};

static uint32_t reversed(uint32_t code, uint32_t n)
{
	uint32_t r = 0;

	for (; n; n--, code >>= 1)
		r = r << 1 | (code & 1);
	return r;
}

/* How many codes there are of each length, and the first of each; false: more than there can be.
 * Too few are allowed only when there is one code of one bit, or none (RFC 1951, 3.2.7). */
static bool first_codes(const struct code *c, uint32_t count[MAX_BITS + 1],
			uint32_t first[MAX_BITS + 1])
{
	uint32_t used = 0, code = 0;

	memset(count, 0, sizeof(uint32_t) * (MAX_BITS + 1));
	for (uint32_t i = 0; i < c->symbols; i++)
		count[c->lengths[i]]++;
	count[0] = 0;
	for (uint32_t n = 1; n <= MAX_BITS; n++) {
		code = (code + count[n - 1]) << 1;
		first[n] = code;
		used += count[n] << (MAX_BITS - n);
	}
	return used == 1u << MAX_BITS ||
	       (!c->complete && (used == 0 || (used == 1u << (MAX_BITS - 1) && count[1])));
}

/* The bits that index a second table for codes that begin like one of length N: longer codes follow
 * until they fill it. */
static uint32_t behind_bits(const uint32_t left[MAX_BITS + 1], uint32_t n, uint32_t root)
{
	uint32_t bits = n - root;
	uint32_t filled = left[n];

	while (bits + root < MAX_BITS && filled < 1u << bits) {
		bits++;
		filled = (filled << 1) + left[bits + root];
	}
	return bits;
}

/* Puts ENTRY at every index of 2^BITS that begins with CODE (reversed, of N bits). */
static void spread(uint32_t *table, uint32_t bits, uint32_t code, uint32_t n, uint32_t e)
{
	for (uint32_t i = code; i < 1u << bits; i += 1u << n)
		table[i] = e | n;
}

/* Codes in order of their length, which is the order of the codes themselves; so all codes that
 * share a second table follow one another. */
static bool fill(const struct code *c, uint32_t count[MAX_BITS + 1], uint32_t first[MAX_BITS + 1])
{
	uint32_t next = 1u << c->root, open = UINT32_MAX, at = 0, bits = 0;

	for (uint32_t n = 1; n <= MAX_BITS; n++) {
		for (uint32_t s = 0; s < c->symbols && count[n]; s++) {
			if (c->lengths[s] != n)
				continue;
			uint32_t code = reversed(first[n]++, n), low = code & ((1u << c->root) - 1);

			if (n <= c->root) {
				spread(c->table, c->root, code, n, c->entry_of(s));
				count[n]--;
				continue;
			}
			if (low != open) {
				bits = behind_bits(count, n, c->root);
				at = next;
				next += 1u << bits;
				if (next > c->room)
					return false;
				open = low;
				c->table[low] = entry(LINK, at, bits) | c->root;
			}
			spread(c->table + at, bits, code >> c->root, n - c->root, c->entry_of(s));
			count[n]--;
		}
	}
	return true;
}

static bool make_table(const struct code *c)
{
	uint32_t count[MAX_BITS + 1], first[MAX_BITS + 1] = { 0 };

	if (!first_codes(c, count, first))
		return false;
	for (uint32_t i = 0; i < 1u << c->root; i++)
		c->table[i] = entry(INVALID, 0, 0);
	return fill(c, count, first);
}

/* ---- symbols: RFC 1951, 3.2.5 ---- */

static uint32_t literal_entry(uint32_t s)
{
	if (s < 256)
		return entry(LITERAL, s, 0);
	if (s == 256)
		return entry(END, 0, 0);
	if (s > 285)
		return entry(INVALID, 0, 0);
	if (s == 285)
		return entry(BASE, 258, 0);
	s -= 257;
	uint32_t extra = s < 8 ? 0 : s / 4 - 1;

	return entry(BASE, 3 + (s < 8 ? s : (4 + s % 4) << extra), extra);
}

static uint32_t distance_entry(uint32_t s)
{
	uint32_t extra = s < 4 ? 0 : s / 2 - 1;

	if (s >= DISTANCES)
		return entry(INVALID, 0, 0);
	return entry(BASE, 1 + (s < 4 ? s : (2 + s % 2) << extra), extra);
}

static uint32_t length_entry(uint32_t s)
{
	return entry(LITERAL, s, 0);
}

/* ---- the two tables of a block ---- */

static bool make_both(struct jw_inflate *s, const uint8_t *lengths, uint32_t literals,
		      uint32_t distances)
{
	const struct code of_literals = { .lengths = lengths,
					  .symbols = literals,
					  .root = JW_INFLATE_LITERAL_BITS,
					  .entry_of = literal_entry,
					  .table = s->literals,
					  .room = JW_INFLATE_LITERAL_ENTRIES };
	const struct code of_distances = { .lengths = lengths + literals,
					   .symbols = distances,
					   .root = JW_INFLATE_DISTANCE_BITS,
					   .entry_of = distance_entry,
					   .table = s->distances,
					   .room = JW_INFLATE_DISTANCE_ENTRIES };

	return make_table(&of_literals) && make_table(&of_distances);
}

static bool fixed_tables(struct jw_inflate *s)
{
	uint8_t lengths[LITERALS + DISTANCES + 2];

	memset(lengths, 8, 144);
	memset(lengths + 144, 9, 112);
	memset(lengths + 256, 7, 24);
	memset(lengths + 280, 8, 8);
	memset(lengths + LITERALS, 5, DISTANCES + 2);
	return make_both(s, lengths, LITERALS, DISTANCES + 2);
}

/* The lengths of all codes, themselves packed (RFC 1951, 3.2.7). */
static bool read_lengths(struct input *in, const uint32_t *table, uint8_t *lengths, uint32_t n)
{
	static const struct {
		uint8_t least, bits;
	} runs[] = { { 3, 2 }, { 3, 3 }, { 11, 7 } };

	for (uint32_t i = 0; i < n;) {
		refill(in);
		uint32_t e = table[peek(in, 7)], symbol = e >> 16;

		if (kind_of(e) == INVALID || is_cut(in))
			return false;
		take(in, e & 255);
		if (symbol < 16) {
			lengths[i++] = (uint8_t)symbol;
			continue;
		}
		uint32_t run = runs[symbol - 16].least + take(in, runs[symbol - 16].bits);

		if ((symbol == 16 && i == 0) || run > n - i)
			return false;
		memset(lengths + i, symbol == 16 ? lengths[i - 1] : 0, run);
		i += run;
	}
	return true;
}

static bool own_tables(struct jw_inflate *s, struct input *in)
{
	static const uint8_t order[CODE_LENGTHS] = { 16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
						     11, 4,  12, 3, 13, 2, 14, 1, 15 };
	uint8_t of_lengths[CODE_LENGTHS] = { 0 }, lengths[LITERALS + 32 + 2] = { 0 };

	refill(in);
	uint32_t literals = 257 + take(in, 5), distances = 1 + take(in, 5), n = 4 + take(in, 4);
	for (uint32_t i = 0; i < n; i++) {
		refill(in);
		of_lengths[order[i]] = (uint8_t)take(in, 3);
	}
	const struct code code = { .lengths = of_lengths,
				   .symbols = CODE_LENGTHS,
				   .root = 7,
				   .complete = true,
				   .entry_of = length_entry,
				   .table = s->distances,
				   .room = JW_INFLATE_DISTANCE_ENTRIES };

	if (literals > 286 || distances > DISTANCES || !make_table(&code) ||
	    !read_lengths(in, s->distances, lengths, literals + distances))
		return false;
	return lengths[256] && make_both(s, lengths, literals, distances);
}

/* ---- blocks ---- */

struct output {
	uint8_t *start, *p, *end;
};

/* Repeats LENGTH bytes from DISTANCE back; there is room for them. */
static inline void repeat(struct output *out, uint32_t length, uint32_t distance)
{
	const uint8_t *from = out->p - distance;
	uint8_t *to = out->p;

	out->p += length;
	if (distance >= WORD && out->end - out->p >= WORD) {
		for (; to < out->p; to += WORD, from += WORD)
			memcpy(to, from, WORD);
		return;
	}
	while (to < out->p)
		*to++ = *from++;
}

static inline uint32_t next_entry(struct input *in, const uint32_t *table, uint32_t root)
{
	uint32_t e = table[peek(in, root)];

	if (kind_of(e) == LINK) {
		take(in, root);
		e = table[(e >> 16) + peek(in, e >> 8 & 15)];
	}
	take(in, e & 255);
	return e;
}

static enum jw_inflated read_block(const struct jw_inflate *s, struct input *in, struct output *out)
{
	for (;;) {
		refill(in);
		uint32_t e = next_entry(in, s->literals, JW_INFLATE_LITERAL_BITS);

		if (kind_of(e) == LITERAL) {
			if (out->p == out->end)
				return is_cut(in) ? JW_INFLATE_DAMAGED : JW_INFLATE_OTHER_SIZE;
			*out->p++ = (uint8_t)(e >> 16);
			continue;
		}
		if (kind_of(e) != BASE)
			return kind_of(e) == END && !is_cut(in) ? JW_INFLATED : JW_INFLATE_DAMAGED;
		uint32_t length = (e >> 16) + take(in, e >> 8 & 15);

		e = next_entry(in, s->distances, JW_INFLATE_DISTANCE_BITS);
		uint32_t distance = (e >> 16) + take(in, e >> 8 & 15);
		if (kind_of(e) != BASE || distance > (size_t)(out->p - out->start) || is_cut(in))
			return JW_INFLATE_DAMAGED;
		if (length > (size_t)(out->end - out->p))
			return JW_INFLATE_OTHER_SIZE;
		repeat(out, length, distance);
	}
}

static enum jw_inflated copy_stored(struct input *in, struct output *out)
{
	take(in, in->count & 7);
	refill(in);
	uint32_t n = take(in, 16), complement = take(in, 16);

	if (n != (complement ^ 0xffff) || is_cut(in))
		return JW_INFLATE_DAMAGED;
	in->p -= in->count / 8 - in->borrowed; /* whole bytes go back */
	in->bits = in->count = in->borrowed = 0;
	if (n > (size_t)(in->end - in->p))
		return JW_INFLATE_DAMAGED;
	if (n > (size_t)(out->end - out->p))
		return JW_INFLATE_OTHER_SIZE;
	if (n)
		memcpy(out->p, in->p, n);
	in->p += n;
	out->p += n;
	return JW_INFLATED;
}

enum jw_inflated jw_inflate(struct jw_inflate *s, struct jw_span bytes, uint8_t *to, size_t n)
{
	uint8_t nothing[1];
	struct input in = { .p = bytes.n ? bytes.p : nothing,
			    .end = bytes.n ? bytes.p + bytes.n : nothing };
	uint8_t *first = nothing;
	if (n)
		first = to;
	struct output out = { first, first, first + n };
	enum jw_inflated result = JW_INFLATED;

	for (bool last = false; !last && result == JW_INFLATED;) {
		refill(&in);
		last = take(&in, 1);
		uint32_t kind = take(&in, 2);

		if (is_cut(&in) || kind == 3)
			return JW_INFLATE_DAMAGED;
		if (kind == 0)
			result = copy_stored(&in, &out);
		else if (kind == 1 ? fixed_tables(s) : own_tables(s, &in))
			result = read_block(s, &in, &out);
		else
			return JW_INFLATE_DAMAGED;
	}
	return result == JW_INFLATED && out.p != out.end ? JW_INFLATE_OTHER_SIZE : result;
}

/* ---- CRC-32: eight bytes at a time ---- */

void jw_inflate_init(struct jw_inflate *s)
{
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t v = i;

		for (uint32_t bit = 0; bit < 8; bit++)
			v = v >> 1 ^ (v & 1 ? 0xedb88320u : 0);
		s->crc[0][i] = v;
	}
	for (uint32_t i = 0; i < 256; i++)
		for (uint32_t k = 1; k < 8; k++)
			s->crc[k][i] = s->crc[k - 1][i] >> 8 ^ s->crc[0][s->crc[k - 1][i] & 255];
}

uint32_t jw_inflate_crc32(const struct jw_inflate *s, struct jw_span bytes)
{
	uint32_t v = UINT32_MAX;
	size_t i = 0;

	for (; i + WORD <= bytes.n; i += WORD) {
		const uint8_t *p = bytes.p + i;
		uint32_t next = 0;

		v ^= (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
		     (uint32_t)p[3] << 24;
		for (uint32_t k = 0; k < 4; k++)
			next ^= s->crc[7 - k][v >> (8 * k) & 255] ^ s->crc[3 - k][p[4 + k]];
		v = next;
	}
	for (; i < bytes.n; i++)
		v = v >> 8 ^ s->crc[0][(v ^ bytes.p[i]) & 255];
	return ~v;
}
