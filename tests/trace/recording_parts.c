/*
 * recording_parts.c: see recording_parts.h.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/trace/mutate_recording.h"
#include "tests/trace/recording_parts.h"

#include "base/banned.h"

/* N bytes at P with a magic number at every multiple of STEP, FIRST bytes into it. */
static void put_marked(const char *path, const uint8_t *p, size_t n, size_t step, size_t first)
{
	static const uint32_t magic = JWR_MAGIC;
	uint8_t *copy = malloc(n + 1);

	if (!copy)
		abort();
	memcpy(copy, p, n);
	for (size_t i = first; i + sizeof(magic) <= n; i += step)
		memcpy(copy + i, &magic, sizeof(magic));
	make_file(path, jw_span(copy, n));
	free(copy);
}

/* An input in its parts. */
enum { META, WINDOWS, DATA, PARTS };
enum { HEAD = 4 };

/* Where in the head the low and the high byte of a part's length are. */
static const uint8_t lengths[DATA][2] = { [META] = { 0, 1 }, [WINDOWS] = { 2, 3 } };

static void cut(const uint8_t *data, size_t size, struct jw_span *part)
{
	size_t left = size - HEAD, meta = (size_t)(data[0] | data[1] << 8) % (left + 1);
	size_t windows = (size_t)(data[2] | data[3] << 8) % (left - meta + 1);

	data += HEAD;
	part[META] = jw_span(data, meta);
	part[WINDOWS] = jw_span(data + meta, windows);
	part[DATA] = jw_span(data + meta + windows, left - meta - windows);
}

static void mutate(struct jw_buf *part, uint32_t *state)
{
	switch (draw(state, 8)) {
	case 0:
	case 1:
		mutate_meta(&part[META], state);
		break;
	case 2:
		mutate_window(&part[WINDOWS], state);
		break;
	case 3:
		mutate_number(&part[draw(state, 2) ? WINDOWS : DATA], state);
		break;
	default:
		mutate_chunks(&part[DATA], state);
	}
}

void recording_parts_change(struct jw_span in, struct jw_buf *out, uint32_t *state)
{
	static const struct mutate_shape shape = { HEAD, PARTS, lengths, cut, mutate };

	mutate_parts(&shape, in, out, state);
}

bool recording_parts_write(const uint8_t *data, size_t size, struct make *m)
{
	struct jw_span part[PARTS];

	if (size < HEAD)
		return false;
	*m = make_begin("fuzz");
	cut(data, size, part);
	fwrite(part[META].p, 1, part[META].n, m->meta);
	make_finish(m, false);
	put_marked(make_path("fuzz.jwr/windows"), part[WINDOWS].p, part[WINDOWS].n, JWR_WINDOW_SIZE,
		   16);
	put_marked(make_path("fuzz.jwr/data"), part[DATA].p, part[DATA].n, JWR_ALIGN, 0);
	return true;
}
