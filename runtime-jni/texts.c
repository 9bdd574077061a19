#include "runtime-jni/texts.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/bytes.h"
#include "runtime-jni/lines.h"
#include "runtime-jni/meta.h"

#include "base/banned.h"

#define SLOTS ((size_t)2 * RT_TEXTS_MAX)

static _Atomic uint64_t slots[SLOTS]; /* numbers, open addressing; 0: free */
static pthread_mutex_t adding = PTHREAD_MUTEX_INITIALIZER;
static unsigned count;

static uint64_t number_of(const char *text)
{
	uint64_t h = jw_hash64(jw_span_str(text), 0);

	/* FNV leaves neighbours close together: see trace_class_hash() */
	h = (h ^ h >> 33) * UINT64_C(0xff51afd7ed558ccd);
	h = (h ^ h >> 33) & ((UINT64_C(1) << 48) - 1);
	return h ? h : 1;
}

/* The slot that has NUMBER, or is free for it. At most half of them are taken. */
static _Atomic uint64_t *slot_of(uint64_t number)
{
	size_t at = (size_t)number % SLOTS;
	uint64_t has;

	while ((has = atomic_load_explicit(&slots[at], memory_order_relaxed)) != 0 && has != number)
		at = (at + 1) % SLOTS;
	return &slots[at];
}

static bool add(uint64_t number, const char *text)
{
	_Atomic uint64_t *slot = slot_of(number);

	if (atomic_load_explicit(slot, memory_order_relaxed) == number)
		return true; /* another thread was faster */
	if (count == RT_TEXTS_MAX)
		return false;
	if (++count == RT_TEXTS_MAX)
		rt_meta_item("note", "more texts were captured than are told apart (16384)");
	rt_line_text(number, text);
	atomic_store_explicit(slot, number, memory_order_relaxed);
	return true;
}

uint64_t rt_text(const char *text)
{
	uint64_t number = number_of(text);
	bool known;

	if (atomic_load_explicit(slot_of(number), memory_order_relaxed) == number)
		return number;
	pthread_mutex_lock(&adding);
	known = add(number, text);
	pthread_mutex_unlock(&adding);
	return known ? number : 0;
}
