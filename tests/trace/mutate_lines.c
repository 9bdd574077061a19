#include "tests/trace/mutate_lines.h"

#include "base/banned.h"

void mutate_splice(struct jw_buf *part, size_t at, size_t gone, struct jw_span comes)
{
	jw_put_zeros(part, comes.n);
	if (part->failed != JW_OK || part->n == 0)
		return;
	memmove(part->p + at + comes.n, part->p + at + gone, part->n - comes.n - at - gone);
	if (comes.n)
		memcpy(part->p + at, comes.p, comes.n);
	part->n -= gone;
}

/* A number: small, an instant, or of any size. */
static void mutate_put_number(struct jw_buf *out, uint32_t *state)
{
	uint32_t how = draw(state, 8), low = draw(state, 1u << 24);

	jw_put_dec(out, how < 4   ? low % 9
			: how < 7 ? 1000000 + low % 50000
				  : (uint64_t)draw(state, 1u << 24) << low % 41);
}

/* One of the COUNT LINES; # in it is a number. */
static void mutate_put_line(struct jw_buf *out, const char *const *lines, size_t count,
			    uint32_t *state)
{
	for (const char *p = lines[draw(state, (uint32_t)count)]; *p; p++) {
		if (*p == '#')
			mutate_put_number(out, state);
		else
			jw_put_u1(out, (uint8_t)*p);
	}
	jw_put_u1(out, '\n');
}

/* From one of the places where C is in PART to after the next one; all, where it is
 * nowhere. */
static struct jw_span mutate_pick(const struct jw_buf *part, char c, uint32_t *state)
{
	size_t from = draw(state, (uint32_t)part->n + 1), to = from;

	while (from > 0 && part->p[from - 1] != c)
		from--;
	while (to < part->n && part->p[to++] != c)
		;
	return jw_span_sub(jw_buf_span(part), from, to - from);
}

void mutate_lines(struct jw_buf *text, const char *const *lines, size_t count, uint32_t *state)
{
	struct jw_buf comes = { 0 };
	struct jw_span line = mutate_pick(text, '\n', state), at = mutate_pick(text, '\n', state);
	size_t gone = 0, place = at.p ? (size_t)(at.p - text->p) : 0;

	switch (draw(state, 5)) {
	case 0:
		gone = at.n;
		break;
	case 1:
		jw_put_bytes(&comes, line);
		break;
	case 2:
		at = mutate_pick(text, '\t', state);
		if (at.n > 0 && at.p[at.n - 1] == '\t') {
			place = (size_t)(at.p - text->p);
			gone = at.n - 1;
		}
		mutate_put_number(&comes, state);
		break;
	default:
		mutate_put_line(&comes, lines, count, state);
	}
	mutate_splice(text, place, gone, jw_buf_span(&comes));
	jw_buf_free(&comes);
}
