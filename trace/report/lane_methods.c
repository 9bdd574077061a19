/*
 * lane_methods.c: see lane_methods.h.
 *
 *     lane -> parts [method / 512] -> pages [.. / 16] -> methods [.. % 16]
 */
#include "trace/report/lane_methods.h"

#include <string.h>

#include "base/memory.h"

#include "base/banned.h"

#define PAGE 16
#define PART 32 /* pages */

struct trace_lane_part {
	struct trace_lane_method *pages[PART]; /* owned */
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

/* A new page of METHOD, all 0; NULL: no memory. */
static struct trace_lane_method *new_page(struct trace_lane_methods *lane, uint32_t method)
{
	size_t at = method / PAGE / PART;

	if (at >= lane->n && !reach(lane, at))
		return NULL;
	if (!lane->parts[at])
		lane->parts[at] = jw_mem_zalloc(1, sizeof(*lane->parts[at]));
	if (!lane->parts[at])
		return NULL;
	return lane->parts[at]->pages[method / PAGE % PART] =
		       jw_mem_zalloc(PAGE, sizeof(struct trace_lane_method));
}

struct trace_lane_method *trace_lane_method(struct trace_lane_methods *lane, uint32_t method)
{
	size_t at = method / PAGE / PART;
	struct trace_lane_method *page = at < lane->n && lane->parts[at]
						 ? lane->parts[at]->pages[method / PAGE % PART]
						 : NULL;

	if (!page)
		page = new_page(lane, method);
	return page ? &page[method % PAGE] : NULL;
}

void trace_lane_method_fetch(const struct trace_lane_methods *lane, uint32_t method)
{
	size_t at = method / PAGE / PART;
	const struct trace_lane_method *page =
		at < lane->n && lane->parts[at] ? lane->parts[at]->pages[method / PAGE % PART]
						: NULL;

	if (page)
		__builtin_prefetch(&page[method % PAGE].open, 1);
}

const struct trace_lane_method *trace_lane_methods_next(const struct trace_lane_methods *lane,
							size_t *method)
{
	for (size_t at = *method; at / PAGE / PART < lane->n; at++) {
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
