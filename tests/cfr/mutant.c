#include "tests/cfr/mutant.h"

#include "base/banned.h"

uint32_t mutant_draw(struct mutant *m, uint32_t below)
{
	return draw(&m->state, below);
}

bool mutant_replaces(struct mutant *m, const uint8_t *p, size_t gone)
{
	m->at = (size_t)(p - m->bytes.p);
	m->gone = gone;
	return true;
}

uint16_t mutant_constant(struct mutant *m, uint8_t tag)
{
	for (int i = 0; i < 64; i++) {
		uint16_t index = (uint16_t)mutant_draw(m, m->cls.pool.count);
		uint8_t found = cfr_pool_tag(&m->cls.pool, index);

		if (found != 0 && (tag == 0 || found == tag))
			return index;
	}
	return 0;
}

/* What a Utf8 is used for, by its looks; other constants are all alike. */
static int mutant_kind(const struct mutant *m, uint16_t index)
{
	struct jw_span text = cfr_pool_utf8(&m->cls.pool, index);

	if (text.n == 0)
		return 0;
	if (text.p[0] == '(' || text.p[0] == '<' || text.p[0] == '[')
		return text.p[0];
	if (cfr_desc_field_ok(text))
		return 'I';
	return memchr(text.p, '/', text.n) || memchr(text.p, ';', text.n) ? '/' : 'n';
}

uint16_t mutant_other(struct mutant *m, uint16_t index)
{
	uint8_t tag = cfr_pool_tag(&m->cls.pool, index);

	for (int i = 0; i < 32; i++) {
		uint16_t other = mutant_constant(m, tag);

		if (other != index && mutant_kind(m, other) == mutant_kind(m, index))
			return other;
	}
	return index;
}

const struct cfr_member *mutant_method(struct mutant *m)
{
	if (m->cls.method_count == 0)
		return NULL;
	return &m->cls.methods[mutant_draw(m, m->cls.method_count)];
}
