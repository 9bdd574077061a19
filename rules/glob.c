/*
 * glob.c: see glob.h.
 *
 * The pattern becomes tokens; state i means "the first i tokens have matched". A star is no token
 * but a property of the state where it is: bytes that it accepts leave the state set. One byte of
 * text then does, for all states at once,
 *
 *     D = ((D & step[byte]) << 1) | (D & stay[byte]);   D |= (D & skip) << 2;
 *
 * A "**" that fills whole segments before a separator is state i with a token "any byte" and
 * state i + 1 with a "**" and a token "separator"; `skip` sets i + 2 along with i: no segment at
 * all.
 */
#define _GNU_SOURCE /* memmem. NOLINT(bugprone-reserved-identifier) */
#include "rules/glob.h"

#include <string.h>

#include "base/banned.h"

enum { SEPARATOR = '/', MAX_TOKENS = 2 * RULES_GLOB_MAX + 2 };

/* ORDER: what a token accepts. 0..255 are bytes. */
enum { ANY_CHAR = 256, NO_BYTE };

enum stay { STAY_NONE, STAY_SEGMENT, STAY_ALL, STAY_CONTINUATION };

struct builder {
	enum rules_glob_mode mode;
	uint32_t count; /* tokens so far */
	uint16_t token[MAX_TOKENS];
	uint8_t stay[MAX_TOKENS + 1]; /* enum stay, per state */
	uint8_t tail[MAX_TOKENS + 1]; /* a '?' ended here: the rest of its character stays, too */
	bool skip[MAX_TOKENS + 1];
};

/* ---- pattern -> tokens ---- */

static enum jw_status check_char(enum rules_glob_mode mode, uint8_t c, struct jw_err *e)
{
	bool dotted = mode == RULES_GLOB_CLASS || mode == RULES_GLOB_PACKAGE;

	if (c < 0x20 || c == 0x7f)
		return jw_fail(e, JW_RULES, "control character in a pattern");
	if (mode == RULES_GLOB_PATH)
		return JW_OK;
	if (c == '/')
		return jw_fail(e, JW_RULES,
			       dotted ? "write dots, not slashes, in a class pattern"
				      : "a method name cannot contain '/'");
	if (c == ' ')
		return jw_fail(e, JW_RULES, "a name cannot contain spaces");
	if (c == '(' && dotted)
		return jw_fail(e, JW_RULES,
			       "a method comes after '#': com.acme.Foo#bar(int), not "
			       "com.acme.Foo.bar(int)");
	if (c == ',')
		return jw_fail(e, JW_RULES, RULES_GLOB_NO_COMMA);
	if (strchr(";[]():!", c) || (!dotted && c == '.') || (dotted && (c == '<' || c == '>')))
		return jw_fail(e, JW_RULES, "'%c' cannot be part of a %s name", c,
			       dotted ? "class" : "method");
	if (c == '#')
		return jw_fail(e, JW_RULES,
			       "'#' separates class and method in a match line only: "
			       "use the keys \"class\" and \"method\" here");
	return JW_OK;
}

static void put_token(struct builder *b, unsigned token)
{
	if (b->count < MAX_TOKENS)
		b->token[b->count++] = (uint16_t)token;
}

/* A character beyond U+FFFF (four bytes) as class files write it: two surrogates of three bytes. */
static void put_surrogates(struct builder *b, const uint8_t *p)
{
	uint32_t code =
		(p[0] & 7u) << 18 | (p[1] & 0x3fu) << 12 | (p[2] & 0x3fu) << 6 | (p[3] & 0x3fu);
	uint32_t half[2];

	half[0] = 0xd800 + ((code - 0x10000) >> 10);
	half[1] = 0xdc00 + ((code - 0x10000) & 0x3ff);
	for (int i = 0; i < 2; i++) {
		put_token(b, 0xe0 | half[i] >> 12);
		put_token(b, 0x80 | (half[i] >> 6 & 0x3f));
		put_token(b, 0x80 | (half[i] & 0x3f));
	}
}

static bool is_separator(const struct builder *b, uint8_t c)
{
	return b->mode == RULES_GLOB_PATH ? c == '/' : b->mode != RULES_GLOB_NAME && c == '.';
}

/* At a run of stars: two or more cross segments. Returns how many bytes were used. */
static size_t put_star(struct builder *b, struct jw_span p, size_t at)
{
	size_t n = 1, end;
	bool starts = b->count == 0 || b->token[b->count - 1] == SEPARATOR;

	while (at + n < p.n && p.p[at + n] == '*')
		n++;
	end = at + n;
	if (b->mode == RULES_GLOB_NAME) {
		b->stay[b->count] = STAY_ALL;
		return n;
	}
	if (n == 1) {
		if (b->stay[b->count] == STAY_NONE)
			b->stay[b->count] = STAY_SEGMENT;
		return n;
	}
	if (!starts || b->stay[b->count] != STAY_NONE || end >= p.n || !is_separator(b, p.p[end])) {
		b->stay[b->count] = STAY_ALL;
		return n;
	}
	if (b->count >= 2 && b->skip[b->count - 2])
		return n + 1; /* "**.**." is "**." */
	b->skip[b->count] = true;
	put_token(b, NO_BYTE);
	b->stay[b->count] = STAY_ALL;
	put_token(b, SEPARATOR);
	return n + 1;
}

/* *AT: the byte that is looked at, and where an error is. */
static enum jw_status tokenize(struct builder *b, struct jw_span p, size_t *at, struct jw_err *e)
{
	for (size_t i = 0; i < p.n;) {
		uint8_t c = p.p[i];

		*at = i;
		JW_TRY(check_char(b->mode, c, e));
		if (c == '*') {
			i += put_star(b, p, i);
			continue;
		}
		if (c >= 0xf0 && i + 3 < p.n && b->mode != RULES_GLOB_PATH) {
			put_surrogates(b, p.p + i);
			i += 4;
			continue;
		}
		if (is_separator(b, c) && (b->count == 0 || b->token[b->count - 1] == SEPARATOR) &&
		    b->stay[b->count] == STAY_NONE && b->mode != RULES_GLOB_PATH)
			return jw_fail(e, JW_RULES,
				       "an empty segment: a dot with no name before it (among "
				       "types, \"..\" means any rest)");
		put_token(b, c == '?' ? ANY_CHAR : is_separator(b, c) ? SEPARATOR : c);
		if (c == '?')
			b->tail[b->count] = 1;
		i++;
	}
	if (b->mode == RULES_GLOB_CLASS && b->count > 0 && b->token[b->count - 1] == SEPARATOR &&
	    b->stay[b->count] == STAY_NONE)
		return jw_fail(e, JW_RULES,
			       "ends with a dot: write .* for the classes of a package, "
			       ".** for those below it, too");
	return JW_OK;
}

/* ---- tokens -> shape and automaton ---- */

static bool plain(const struct builder *b, uint32_t i)
{
	return b->token[i] < 256 && b->stay[i] == STAY_NONE && !b->skip[i];
}

/* Can state I be reached without the separator before it? */
static bool skips_to(const struct builder *b, uint32_t i)
{
	return i >= 2 && b->skip[i - 2];
}

static struct jw_span literal(const struct builder *b, uint32_t from, uint32_t to,
			      struct jw_arena *arena)
{
	uint8_t *p = jw_arena_alloc(arena, to - from + 1, 1);

	for (uint32_t i = from; p && i < to; i++)
		p[i - from] = (uint8_t)b->token[i];
	return jw_span(p, p ? to - from : 0);
}

static enum jw_status find_shape(const struct builder *b, struct jw_arena *arena,
				 struct rules_glob *out, struct jw_err *e)
{
	uint32_t head = 0, tail = b->count;
	bool ends = b->stay[b->count] == STAY_NONE;

	while (head < b->count && plain(b, head))
		head++;
	while (ends && tail > head && b->token[tail - 1] < 256 && !skips_to(b, tail)) {
		tail--;
		if (b->stay[tail] != STAY_NONE)
			break;
	}
	out->prefix = literal(b, 0, head, arena);
	out->suffix = literal(b, tail, b->count, arena);
	if (!out->prefix.p || !out->suffix.p)
		return jw_nomem(e);
	out->shape = RULES_GLOB_GENERAL;
	if (head == b->count && ends)
		out->shape = RULES_GLOB_LITERAL;
	else if (head == b->count && b->stay[head] == STAY_ALL)
		out->shape = RULES_GLOB_PREFIX;
	else if (head == 0 && tail == 0 && b->stay[0] == STAY_ALL && b->count > 0)
		out->shape = RULES_GLOB_SUFFIX;
	return JW_OK;
}

/* The longest run of literal bytes between prefix and suffix that no star, skip or '?' breaks. */
static enum jw_status find_inner(const struct builder *b, struct jw_arena *arena,
				 struct rules_glob *out, struct jw_err *e)
{
	uint32_t first = (uint32_t)out->prefix.n, end = b->count - (uint32_t)out->suffix.n;
	uint32_t start = first, best = 0, best_start = first;

	for (uint32_t i = first; i < end; i++) {
		if (b->token[i] >= 256 || skips_to(b, i + 1)) {
			start = i + 1;
			continue;
		}
		if (b->stay[i] != STAY_NONE)
			start = i;
		if (i + 1 - start > best) {
			best = i + 1 - start;
			best_start = start;
		}
	}
	out->inner = literal(b, best_start, best_start + best, arena);
	return out->inner.p ? JW_OK : jw_nomem(e);
}

static bool token_accepts(unsigned token, unsigned byte)
{
	if (token == ANY_CHAR)
		return byte != SEPARATOR && (byte & 0xc0) != 0x80;
	return token == byte;
}

static bool state_stays(const struct builder *b, uint32_t i, unsigned byte)
{
	if (b->tail[i] && (byte & 0xc0) == 0x80)
		return true;
	return b->stay[i] == STAY_ALL || (b->stay[i] == STAY_SEGMENT && byte != SEPARATOR);
}

/* Bytes that no token names behave alike within three groups: continuation bytes, others, '/'. */
static uint32_t classify(const struct builder *b, uint16_t class[256])
{
	uint8_t named[256] = { 0 };
	uint32_t rows = 2;

	for (uint32_t i = 0; i < b->count; i++) {
		if (b->token[i] < 256)
			named[b->token[i]] = 1;
	}
	named[SEPARATOR] = 1;
	for (unsigned byte = 0; byte < 256; byte++)
		class[byte] = (uint16_t)(named[byte] ? rows++ : (byte & 0xc0) == 0x80);
	return rows;
}

static void fill_row(const struct builder *b, unsigned byte, uint64_t *step, uint64_t *stay)
{
	for (uint32_t i = 0; i <= b->count; i++) {
		if (i < b->count && token_accepts(b->token[i], byte))
			step[i / 64] |= (uint64_t)1 << (i % 64);
		if (state_stays(b, i, byte))
			stay[i / 64] |= (uint64_t)1 << (i % 64);
	}
}

static enum jw_status build_automaton(const struct builder *b, struct jw_arena *arena,
				      struct rules_glob *out, struct jw_err *e)
{
	uint16_t *class = JW_NEW_ARRAY(arena, uint16_t, 256);
	uint64_t *step, *stay, *skip;
	bool seen[258] = { false };
	uint32_t rows;

	if (!class)
		return jw_nomem(e);
	rows = classify(b, class);
	out->last = b->count;
	out->words = b->count / 64 + 1;
	step = JW_NEW_ARRAY(arena, uint64_t, (size_t)rows * out->words);
	stay = JW_NEW_ARRAY(arena, uint64_t, (size_t)rows * out->words);
	skip = JW_NEW_ARRAY(arena, uint64_t, out->words);
	if (!step || !stay || !skip)
		return jw_nomem(e);
	for (unsigned byte = 0; byte < 256; byte++) {
		size_t row = class[byte];

		if (!seen[row])
			fill_row(b, byte, step + row * out->words, stay + row * out->words);
		seen[row] = true;
	}
	for (uint32_t i = 0; i <= b->count; i++)
		skip[i / 64] |= (uint64_t)b->skip[i] << (i % 64);
	out->class = class;
	out->step = step;
	out->stay = stay;
	out->skip = skip;
	return JW_OK;
}

enum jw_status rules_glob_compile(struct jw_span pattern, enum rules_glob_mode mode,
				  struct jw_arena *arena, struct rules_glob *out, size_t *wrong,
				  struct jw_err *e)
{
	struct builder *b;
	size_t ignored = 0, *at = wrong ? wrong : &ignored;
	struct rules_glob glob = { .mode = mode };
	uint8_t copy[RULES_GLOB_MAX + 1];

	*at = 0;
	if (pattern.n == 0)
		return jw_fail(e, JW_RULES, "an empty pattern matches nothing");
	if (pattern.n > RULES_GLOB_MAX)
		return jw_fail(e, JW_RULES, "pattern too long (limit is %d bytes)", RULES_GLOB_MAX);
	memcpy(copy, pattern.p, pattern.n);
	if (mode == RULES_GLOB_PACKAGE) {
		*at = pattern.n - 1;
		if (pattern.p[pattern.n - 1] == '.')
			return jw_fail(e, JW_RULES, "ends with a dot: a package name does not");
		copy[pattern.n++] = '.'; /* the text ends with its separator, too */
	}
	b = jw_mem_zalloc(1, sizeof *b);
	if (!b)
		return jw_nomem(e);
	b->mode = mode;
	enum jw_status status = tokenize(b, jw_span(copy, pattern.n), at, e);
	if (status == JW_OK)
		status = find_shape(b, arena, &glob, e);
	if (status == JW_OK && glob.shape == RULES_GLOB_GENERAL)
		status = find_inner(b, arena, &glob, e);
	if (status == JW_OK && glob.shape == RULES_GLOB_GENERAL)
		status = build_automaton(b, arena, &glob, e);
	jw_mem_free(b);
	if (status == JW_OK)
		*out = glob;
	return status;
}

/* ---- matching ---- */

static void skip_empty(const struct rules_glob *g, uint64_t *d)
{
	uint64_t carry = 0;

	for (uint32_t w = 0; w < g->words; w++) {
		uint64_t from = d[w] & g->skip[w];

		d[w] |= from << 1 | from << 2 | carry;
		carry = from >> 63 | from >> 62;
	}
}

/* The usual pattern has one word of states. */
static bool run_word(const struct rules_glob *g, struct jw_span text, uint64_t *steps)
{
	uint64_t d = 1, skip = g->skip[0];

	d |= (d & skip) << 1 | (d & skip) << 2;
	for (size_t i = 0; i < text.n && d; i++) {
		size_t row = g->class[text.p[i]];

		d = (d & g->step[row]) << 1 | (d & g->stay[row]);
		d |= (d & skip) << 1 | (d & skip) << 2;
		++*steps;
	}
	return d >> g->last & 1;
}

static bool run(const struct rules_glob *g, struct jw_span text, uint64_t *steps)
{
	uint64_t d[MAX_TOKENS / 64 + 1] = { 1 };

	skip_empty(g, d);
	for (size_t i = 0; i < text.n; i++) {
		size_t row = (size_t)g->class[text.p[i]] * g->words;
		uint64_t carry = 0, any = 0;

		for (uint32_t w = 0; w < g->words; w++) {
			uint64_t moved = d[w] & g->step[row + w];

			d[w] = moved << 1 | carry | (d[w] & g->stay[row + w]);
			carry = moved >> 63;
			any |= d[w];
		}
		skip_empty(g, d);
		*steps += g->words;
		if (!any)
			return false;
	}
	return d[g->last / 64] >> (g->last % 64) & 1;
}

bool rules_glob_match_counted(const struct rules_glob *g, struct jw_span text, uint64_t *steps)
{
	++*steps;
	switch (g->shape) {
	case RULES_GLOB_LITERAL:
		return jw_span_eq(text, g->prefix);
	case RULES_GLOB_PREFIX:
		return jw_span_starts(text, g->prefix);
	case RULES_GLOB_SUFFIX:
		return jw_span_ends(text, g->suffix);
	case RULES_GLOB_GENERAL:
		break;
	}
	if (!jw_span_starts(text, g->prefix) || !jw_span_ends(text, g->suffix))
		return false;
	if (g->inner.n > 0 && (text.n == 0 || !memmem(text.p, text.n, g->inner.p, g->inner.n)))
		return false;
	return g->words == 1 ? run_word(g, text, steps) : run(g, text, steps);
}

bool rules_glob_match(const struct rules_glob *g, struct jw_span text)
{
	uint64_t steps = 0;

	return rules_glob_match_counted(g, text, &steps);
}
