/*
 * digest.c: a fingerprint of everything that can change a verdict: the JSON of all files read, in
 * order, without what is only for people (comments, spaces, key order, name, description, x- and $
 * keys, names of files), and the options.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "rules/digest.h"
#include "rules/keys.h"
#include "rules/source.h"

#include "base/banned.h"

static bool counts(const struct rules_json *member)
{
	static const char *const not_counted[] = { "name", "description", "include" };

	if (rules_free_key(member->key))
		return false;
	for (size_t i = 0; i < sizeof not_counted / sizeof *not_counted; i++) {
		if (strcmp(member->key, not_counted[i]) == 0)
			return false;
	}
	return true;
}

static uint64_t mix(uint64_t a, uint64_t b)
{
	uint8_t bytes[16];

	for (unsigned i = 0; i < 8; i++) {
		bytes[i] = (uint8_t)(a >> 8 * i);
		bytes[8 + i] = (uint8_t)(b >> 8 * i);
	}
	return jw_hash64(jw_span(bytes, sizeof bytes), 0);
}

/* Members are summed, since their order means nothing; elements are chained. */
static uint64_t hash(const struct rules_json *json)
{
	uint64_t h = mix(json->type, json->boolean);

	if (json->text.n > 0)
		h = mix(h, jw_hash64(json->text, 0));
	for (const struct rules_json *i = json->first; i; i = i->next) {
		if (!i->key)
			h = mix(h, hash(i));
		else if (counts(i))
			h += mix(jw_hash64(jw_span_str(i->key), 0), hash(i));
	}
	return h;
}

/* Files in the order of their rules: what is included comes first. */
static uint64_t hash_source(struct rules_source *source, uint64_t h)
{
	if (source->open)
		return h;
	source->open = true; /* once */
	for (size_t i = 0; i < source->include_count; i++)
		h = hash_source(source->includes[i], h);
	return mix(h, hash(source->json));
}

void rules_digest_make(struct rules_source *first, const struct rules_options *options,
		       char out[17])
{
	uint64_t h = mix(1, (uint64_t)options->jdk << 1 | options->no_guard);

	for (struct rules_source *s = first; s; s = s->next) /* presets, then the file */
		h = hash_source(s, h);
	(void)snprintf(out, 17, "%016" PRIx64, h);
}
