#include "runtime-jni/recorder/virtual_names.h"

#include <stdatomic.h>

#include "base/bytes.h"
#include "runtime-jni/recorder/meta.h"
#include "runtime-jni/recorder/meta_lines.h"

#include "base/banned.h"

#define WORD_BITS 64

static _Atomic uint64_t logged[RT_VIRTUAL_BITS / WORD_BITS];
static _Atomic uint32_t names, renames;

/* The hash of the name that each had at first, by id as above; 0: nobody has asked for it. */
static _Atomic uint32_t first_names[RT_VIRTUAL_BITS];

static _Atomic uint64_t *word_of(uint64_t id)
{
	return &logged[id % RT_VIRTUAL_BITS / WORD_BITS];
}

bool rt_virtual_has_logged(uint64_t id)
{
	return atomic_load_explicit(word_of(id), memory_order_relaxed) >> id % WORD_BITS & 1;
}

static uint32_t hash_of(const char *name)
{
	return (uint32_t)jw_hash64(jw_span_str(name), 0) | 1;
}

void rt_virtual_logs(uint64_t id, rt_virtual_name_fn name)
{
	char text[1024] = "";

	if (rt_virtual_has_logged(id))
		return;
	atomic_fetch_or(word_of(id), UINT64_C(1) << id % WORD_BITS);
	if (!name || atomic_load(&names) > RT_VIRTUAL_NAMES)
		return;
	name(text, sizeof(text));
	atomic_store(&first_names[id % RT_VIRTUAL_BITS], hash_of(text));
	if (!text[0])
		return;
	uint32_t before = atomic_fetch_add(&names, 1);
	if (before < RT_VIRTUAL_NAMES)
		rt_line_virtual("virtual", id, text);
	else if (before == RT_VIRTUAL_NAMES)
		rt_meta_item("note", "names of virtual threads were recorded for the first 65535 "
				     "that had one");
}

void rt_virtual_leaves(uint64_t id, rt_virtual_name_fn name)
{
	uint32_t hash = atomic_load(&first_names[id % RT_VIRTUAL_BITS]);
	char text[1024] = "";

	if (!name || !hash || atomic_load(&renames) >= RT_VIRTUAL_NAMES)
		return;
	name(text, sizeof(text));
	if (text[0] && hash_of(text) != hash && atomic_fetch_add(&renames, 1) < RT_VIRTUAL_NAMES)
		rt_line_virtual("virtual-end", id, text);
}
