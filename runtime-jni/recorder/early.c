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
	uint32_t n;    /* so many so far */
	bool open;     /* one goes on */
	struct jwr_record begun;
	/* ticks in waits that are no longer kept: parks and sleeps, then I/O */
	uint64_t dropped[2];
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

static bool is_io(const struct early_wait *wait)
{
	return jwr_word_kind(wait->begins.word) == JWR_AWAIT &&
	       jwr_await_what(jwr_word_payload(wait->begins.word)) != JWR_AWAIT_SLEEP;
}

/* The next wait takes the place of the oldest: how long that was is kept. */
static void drop_oldest(void)
{
	const struct early_wait *oldest = wait_of(own->n);

	if (own->n >= own->size)
		own->dropped[is_io(oldest)] += oldest->ends.tick - oldest->begins.tick;
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
	own->begun =
		(struct jwr_record){ trace_tick_now(rt_recorder.clock), jwr_word(kind, payload) };
	own->open = true;
}

bool rt_early_is_long(void)
{
	return own && own->open && trace_tick_now(rt_recorder.clock) - own->begun.tick > LONG_TICKS;
}

void rt_early_ends(enum jwr_kind kind, uint64_t payload, uint32_t place)
{
	if (!own || !own->open)
		return;
	struct jwr_record ends = { trace_tick_now(rt_recorder.clock), jwr_word(kind, payload) };

	grow();
	drop_oldest();
	*wait_of(own->n++) = (struct early_wait){ own->begun, ends, place };
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

/* What was dropped, in sum, just before FIRST. */
static void put_dropped(struct jwr_window *w, const struct early_wait *first)
{
	struct jwr_clock_point now = trace_tick_point(rt_recorder.clock, 1);
	double ns_a_tick =
		(double)(now.mono_ns - own->began.mono_ns) / (double)(now.tick - own->began.tick);

	for (int io = 0; io < 2; io++) {
		uint64_t ns = (uint64_t)((double)own->dropped[io] * ns_a_tick);

		if (ns)
			rt_record(w, w->cursor, first->begins.tick,
				  jwr_word(JWR_SHORT, jwr_short(ns, io)));
	}
}

void rt_early_tell(struct jwr_window *w)
{
	if (!own)
		return;
	if (own->pauses == atomic_load(&rt_recorder.pauses)) {
		uint32_t oldest = own->n > own->size ? own->n - own->size : 0;

		w->began = own->began;
		if (oldest)
			put_dropped(w, wait_of(oldest));
		for (uint32_t i = oldest; i < own->n; i++)
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
