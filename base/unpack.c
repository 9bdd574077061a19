#include "base/unpack.h"

#ifdef JW_LIBDEFLATE
#include <libdeflate.h>
#endif

#include "base/memory.h"

#include "base/banned.h"

#ifdef JW_LIBDEFLATE

struct jw_inflater {
	struct libdeflate_decompressor *state;
};

struct jw_inflater *jw_inflater_new(void)
{
	struct jw_inflater *inflater = jw_mem_zalloc(1, sizeof(*inflater));

	if (!inflater)
		return NULL;
	inflater->state = libdeflate_alloc_decompressor();
	if (!inflater->state) {
		jw_mem_free(inflater);
		return NULL;
	}
	return inflater;
}

void jw_inflater_free(struct jw_inflater *inflater)
{
	if (inflater)
		libdeflate_free_decompressor(inflater->state);
	jw_mem_free(inflater);
}

enum jw_inflated jw_inflater_run(struct jw_inflater *inflater, struct jw_span data, uint8_t *to,
				 size_t n)
{
	uint8_t nothing;

	switch (libdeflate_deflate_decompress(inflater->state, data.p, data.n, to ? to : &nothing,
					      n, NULL)) {
	case LIBDEFLATE_SUCCESS:
		return JW_INFLATED;
	case LIBDEFLATE_BAD_DATA:
		return JW_INFLATE_DAMAGED;
	default:
		return JW_INFLATE_OTHER_SIZE;
	}
}

uint32_t jw_inflater_crc32(const struct jw_inflater *inflater, struct jw_span bytes)
{
	uint8_t none = 0; /* libdeflate takes NULL for "the start value" */

	(void)inflater;
	return libdeflate_crc32(0, bytes.n ? bytes.p : &none, bytes.n);
}

#else

struct jw_inflater {
	struct jw_inflate state;
};

struct jw_inflater *jw_inflater_new(void)
{
	struct jw_inflater *inflater = jw_mem_zalloc(1, sizeof(*inflater));

	if (inflater)
		jw_inflate_init(&inflater->state);
	return inflater;
}

void jw_inflater_free(struct jw_inflater *inflater)
{
	jw_mem_free(inflater);
}

enum jw_inflated jw_inflater_run(struct jw_inflater *inflater, struct jw_span data, uint8_t *to,
				 size_t n)
{
	return jw_inflate(&inflater->state, data, to, n);
}

uint32_t jw_inflater_crc32(const struct jw_inflater *inflater, struct jw_span bytes)
{
	return jw_inflate_crc32(&inflater->state, bytes);
}

#endif
