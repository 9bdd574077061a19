#include "runtime-jni/recorder/early.h"

#include "base/memory.h"
#include "runtime-jni/recorder/recorder.h"
#include "runtime-jni/recorder/state.h"

#include "base/banned.h"

#define FIRST      8
#define MOST       1024
#define LONG_TICKS (1 << 20) /* half a millisecond, where ticks are fast */

static _Thread_local struct early {
	struct jwr_clock_point began; /* before all of them */
	uint64_t pauses;              /* of the recording, when they began */
	struct early_wait {
		struct jwr_record begins, ends;
		uint32_t place;
	} * waits;     /* of `size`: a ring, once that is MOST */
	uint32_t size; /* a power of two */
	uint32_t n;    /* so many so far; the next one may have begun */
	bool open;
} * own; /* NULL: none yet */

static struct early_wait *wait_of(uint32_t i)
{
	return &own->waits[i & (own->size - 1)];
}

/* Room for one more; without memory the oldest makes it. */
static void grow(void)
{
	struct early_wait *more =
		own->n == own->size && own->size < MOST
			? jw_mem_realloc(own->waits, (size_t)own->size * 2 * sizeof(*more))
			: NULL;

	if (!more)
		return;
	own->waits = more;
	own->size *= 2;
}

static bool make_own(void)
{
	own = jw_mem_zalloc(1, sizeof(*own));
	if (!own)
		return false;
	own->waits = jw_mem_zalloc(FIRST, sizeof(*own->waits));
	own->size = FIRST;
	own->began = trace_tick_point(rt_recorder.clock, 1);
	own->pauses = atomic_load(&rt_recorder.pauses);
	if (!own->waits)
		rt_early_forget();
	return own;
}

bool rt_early_wanted(void)
{
	return !rt_tls.slot && !rt_tls.muted && !rt_tls.mounted &&
	       rt_recorder.mode == RT_MODE_STREAM && rt_recording_now();
}

void rt_early_begins(enum jwr_kind kind, uint64_t payload)
{
	if (!own && !make_own())
		return;
	grow();
	wait_of(own->n)->begins =
		(struct jwr_record){ trace_tick_now(rt_recorder.clock), jwr_word(kind, payload) };
	own->open = true;
}

bool rt_early_is_long(void)
{
	return own && own->open &&
	       trace_tick_now(rt_recorder.clock) - wait_of(own->n)->begins.tick > LONG_TICKS;
}

void rt_early_ends(enum jwr_kind kind, uint64_t payload, uint32_t place)
{
	if (!own || !own->open)
		return;
	wait_of(own->n)->place = place;
	wait_of(own->n++)->ends =
		(struct jwr_record){ trace_tick_now(rt_recorder.clock), jwr_word(kind, payload) };
	own->open = false;
}

void rt_early_was_nothing(void)
{
	if (own)
		own->open = false;
}

static void put_wait(struct jwr_window *w, const struct early_wait *wait)
{
	if (wait->place)
		rt_record(w, w->cursor, wait->begins.tick, jwr_word(JWR_PLACE, wait->place));
	rt_record(w, w->cursor, wait->begins.tick, wait->begins.word);
	rt_record(w, w->cursor, wait->ends.tick, wait->ends.word);
}

void rt_early_tell(struct jwr_window *w)
{
	if (!own)
		return;
	if (own->pauses == atomic_load(&rt_recorder.pauses)) {
		w->began = own->began;
		for (uint32_t i = own->n > own->size ? own->n - own->size : 0; i < own->n; i++)
			put_wait(w, wait_of(i));
	}
	rt_early_forget();
}

void rt_early_forget(void)
{
	if (own)
		jw_mem_free(own->waits);
	jw_mem_free(own);
	own = NULL;
}
