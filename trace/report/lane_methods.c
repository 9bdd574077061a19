/*
 * lane_methods.c: see lane_methods.h.
 *
 *     lane -> parts [method / 512] -> pages [.. / 16] -> methods [.. % 16]
 */
#include "trace/report/lane_methods.h"

#include <string.h>

#include "base/assert.h"
#include "base/fetch.h"
#include "base/memory.h"

#include "base/banned.h"

#define PAGE 16
#define PART 32 /* pages */

struct trace_lane_part {
	void *pages[PART]; /* owned; of struct trace_lane_method, or of what is open alone */
};

/* Room for part AT; false: no memory. */
static bool reach(struct trace_lane_methods *lane, size_t at)
{
	struct trace_lane_part **grown =
		jw_mem_realloc(lane->parts, (at + 1) * sizeof(struct trace_lane_part *));

	if (!grown)
		return false;
	memset(grown + lane->n, 0, (at + 1 - lane->n) * sizeof(struct trace_lane_part *));
	lane->parts = grown;
	lane->n = at + 1;
	return true;
}

static size_t size_of(const struct trace_lane_methods *lane)
{
	return lane->open_alone ? sizeof(uint32_t) : sizeof(struct trace_lane_method);
}

/* The page of METHOD; NULL: there is none. */
static void *page_of(const struct trace_lane_methods *lane, uint32_t method)
{
	size_t at = method / PAGE / PART;

	return at < lane->n && lane->parts[at] ? lane->parts[at]->pages[method / PAGE % PART]
					       : NULL;
}

/* A new page of METHOD, all 0; NULL: no memory. */
static void *new_page(struct trace_lane_methods *lane, uint32_t method)
{
	size_t at = method / PAGE / PART;

	if (at >= lane->n && !reach(lane, at))
		return NULL;
	if (!lane->parts[at])
		lane->parts[at] = jw_mem_zalloc(1, sizeof(*lane->parts[at]));
	if (!lane->parts[at])
		return NULL;
	return lane->parts[at]->pages[method / PAGE % PART] = jw_mem_zalloc(PAGE, size_of(lane));
}

struct trace_lane_method *trace_lane_method(struct trace_lane_methods *lane, uint32_t method)
{
	JW_ASSERT(!lane->open_alone);
	struct trace_lane_method *page = page_of(lane, method);

	if (!page)
		page = new_page(lane, method);
	return page ? &page[method % PAGE] : NULL;
}

uint32_t *trace_lane_open(struct trace_lane_methods *lane, uint32_t method)
{
	if (!lane->open_alone) {
		struct trace_lane_method *one = trace_lane_method(lane, method);

		return one ? &one->open : NULL;
	}
	uint32_t *page = page_of(lane, method);

	if (!page)
		page = new_page(lane, method);
	return page ? &page[method % PAGE] : NULL;
}

void trace_lane_method_fetch(const struct trace_lane_methods *lane, uint32_t method)
{
	const char *page = page_of(lane, method);

	if (page)
		jw_fetch(page + method % PAGE * size_of(lane));
}

const struct trace_lane_method *trace_lane_methods_next(const struct trace_lane_methods *lane,
							size_t *method)
{
	for (size_t at = *method; !lane->open_alone && at / PAGE / PART < lane->n; at++) {
		const struct trace_lane_part *part = lane->parts[at / PAGE / PART];
		const struct trace_lane_method *page = part ? part->pages[at / PAGE % PART] : NULL;

		if (!part) {
			at |= PAGE * PART - 1;
		} else if (!page) {
			at |= PAGE - 1;
		} else if (page[at % PAGE].count) {
			*method = at;
			return &page[at % PAGE];
		}
	}
	return NULL;
}

void trace_lane_methods_free(struct trace_lane_methods *lane)
{
	for (size_t i = 0; i < lane->n; i++)
		for (size_t k = 0; lane->parts[i] && k < PART; k++)
			jw_mem_free(lane->parts[i]->pages[k]);
	for (size_t i = 0; i < lane->n; i++)
		jw_mem_free(lane->parts[i]);
	jw_mem_free(lane->parts);
	*lane = (struct trace_lane_methods){ 0 };
}
