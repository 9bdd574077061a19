#include "runtime-jni/recorder/early.h"

#include "base/memory.h"
#include "runtime-jni/recorder/recorder.h"
#include "runtime-jni/recorder/state.h"

#include "base/banned.h"

#define KEPT       8
#define LONG_TICKS (1 << 20) /* half a millisecond, where ticks are fast */

static _Thread_local struct early {
	struct jwr_clock_point began; /* before all of them */
	uint64_t pauses;              /* of the recording, when they began */
	struct {
		struct jwr_record begins, ends;
		uint32_t place;
	} waits[KEPT]; /* a ring */
	uint32_t n;    /* so many so far; the next one may have begun */
	bool open;
} * own; /* NULL: none yet */

bool rt_early_wanted(void)
{
	return !rt_tls.slot && !rt_tls.muted && !rt_tls.mounted &&
	       rt_recorder.mode == RT_MODE_STREAM && rt_state_now() == RT_RUN && !rt_paused();
}

void rt_early_begins(enum jwr_kind kind, uint64_t payload)
{
	if (!own) {
		own = jw_mem_zalloc(1, sizeof(*own));
		if (!own)
			return;
		own->began = trace_tick_point(rt_recorder.clock, 1);
		own->pauses = atomic_load(&rt_recorder.pauses);
	}
	own->waits[own->n % KEPT].begins =
		(struct jwr_record){ trace_tick_now(rt_recorder.clock), jwr_word(kind, payload) };
	own->open = true;
}

bool rt_early_is_long(void)
{
	return own && own->open &&
	       trace_tick_now(rt_recorder.clock) - own->waits[own->n % KEPT].begins.tick >
		       LONG_TICKS;
}

void rt_early_ends(enum jwr_kind kind, uint64_t payload, uint32_t place)
{
	if (!own || !own->open)
		return;
	own->waits[own->n % KEPT].place = place;
	own->waits[own->n++ % KEPT].ends =
		(struct jwr_record){ trace_tick_now(rt_recorder.clock), jwr_word(kind, payload) };
	own->open = false;
}

void rt_early_tell(struct jwr_window *w)
{
	if (!own)
		return;
	if (own->pauses == atomic_load(&rt_recorder.pauses)) {
		w->began = own->began;
		for (uint32_t i = own->n > KEPT ? own->n - KEPT : 0; i < own->n; i++) {
			const struct jwr_record *r = &own->waits[i % KEPT].begins;

			if (own->waits[i % KEPT].place)
				rt_record(w, w->cursor, r->tick,
					  jwr_word(JWR_PLACE, own->waits[i % KEPT].place));
			rt_record(w, w->cursor, r->tick, r->word);
			r = &own->waits[i % KEPT].ends;
			rt_record(w, w->cursor, r->tick, r->word);
		}
	}
	rt_early_forget();
}

void rt_early_forget(void)
{
	jw_mem_free(own);
	own = NULL;
}
