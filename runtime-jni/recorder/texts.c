#include "runtime-jni/recorder/texts.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/bytes.h"
#include "runtime-jni/recorder/meta.h"
#include "runtime-jni/recorder/meta_lines.h"

#include "base/banned.h"

#define SLOTS ((size_t)2 * RT_TEXTS_MAX)

static _Atomic uint64_t slots[SLOTS]; /* hashes, open addressing; 0: free */
static uint32_t numbers[SLOTS]; /* from 1, in order of first appearance; set before the hash */
static pthread_mutex_t adding = PTHREAD_MUTEX_INITIALIZER;
static uint32_t count;

static uint64_t hash_of(const char *text)
{
	uint64_t h = jw_hash64(jw_span_str(text), 0);

	/* FNV leaves neighbours close together: see trace_class_hash() */
	h = (h ^ h >> 33) * UINT64_C(0xff51afd7ed558ccd);
	h ^= h >> 33;
	return h ? h : 1;
}

/* The slot that has HASH, or is free for it. At most half of them are taken. */
static size_t slot_of(uint64_t hash)
{
	size_t at = (size_t)hash % SLOTS;
	uint64_t has;

	while ((has = atomic_load_explicit(&slots[at], memory_order_acquire)) != 0 && has != hash)
		at = (at + 1) % SLOTS;
	return at;
}

/* The number of the text in slot AT; 0: it is free. */
static uint32_t number_at(size_t at)
{
	return atomic_load_explicit(&slots[at], memory_order_acquire) ? numbers[at] : 0;
}

static uint32_t add(uint64_t hash, const char *text)
{
	size_t at = slot_of(hash);

	if (number_at(at))
		return number_at(at); /* another thread was faster */
	if (count == RT_TEXTS_MAX)
		return 0;
	if (++count == RT_TEXTS_MAX)
		rt_meta_item("note", "more texts were captured than are told apart (16384)");
	rt_line_text(count, text);
	numbers[at] = count;
	atomic_store_explicit(&slots[at], hash, memory_order_release);
	return count;
}

uint64_t rt_text(const char *text)
{
	uint64_t hash = hash_of(text);
	uint32_t number = number_at(slot_of(hash));

	if (number)
		return number;
	pthread_mutex_lock(&adding);
	number = add(hash, text);
	pthread_mutex_unlock(&adding);
	return number;
}
