#include "runtime-jni/recorder/sampling.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/grow.h"
#include "base/memory.h"
#include "runtime-jni/recorder/config.h"
#include "runtime-jni/recorder/data.h"
#include "runtime-jni/recorder/recorder.h"
#include "runtime-jni/recorder/state.h"

#include "base/banned.h"

#define MOST_FRAMES    (1u << 20) /* open at once in one thread; beyond, nothing is recorded */
#define FIRST_FRAMES   8
#define FIRST_COUNTERS 16
#define MOST_CAPTURES  32 /* records after one enter: two for a wide value */
#define THREAD_SLOTS   1024

/* ---- rules ---- */

struct rules {
	uint32_t count;
	struct rt_sampling_rule list[];
};

static _Atomic(struct rules *) rules; /* grows by copies, which stay: there are few archives */

uint32_t rt_sampling_add(const struct rt_sampling_rule *list, uint32_t count)
{
	struct rules *old = atomic_load(&rules);
	uint32_t before = old ? old->count : 1; /* 0 is no number */
	struct rules *grown =
		jw_mem_zalloc(1, sizeof(*grown) + ((size_t)before + count) * sizeof(*list));

	if (!grown)
		return UINT32_MAX;
	if (old)
		memcpy(grown->list, old->list, before * sizeof(*list));
	memcpy(grown->list + before, list, count * sizeof(*list));
	grown->count = before + count;
	for (uint32_t i = 0; i < count; i++)
		rt_recorder.keeps_places |= list[i].min_ns > 0;
	atomic_store(&rules, grown);
	return before - 1;
}

/* ---- what a thread has open ---- */

struct frame {
	uint64_t id, tick; /* tick: of the enter, where there is a shortest duration */
	/* that it was recorded in, if it may have to be taken back; or NULL */
	struct rt_slot *slot;
	uint64_t at;       /* of the record, in the window */
	uint32_t uid, seq; /* of the slot and its window then */
	uint32_t rule;
	bool recorded;
};

/* How many calls of a method are left out until the next one is recorded. */
struct counter {
	uint64_t id; /* 0: a free place */
	uint32_t left;
};

struct calls {
	struct calls *next; /* in the table of virtual threads */
	uint64_t owner;     /* its id */
	struct frame *frames;
	struct counter *counters;
	uint32_t *open; /* by rule: calls that are open; only of rules with a depth */
	size_t frame_count, frame_cap;
	uint32_t counter_count, counter_cap;
	uint32_t open_count;
	uint32_t over; /* calls beyond MOST_FRAMES, or for which there was no memory */
};

/* `owner` tells whose `now` is: a virtual thread's id is never given to another one, so that what
 * has ended, perhaps elsewhere, is never looked at. */
static _Thread_local struct {
	struct calls *own, *now;
	uint64_t owner;
} mine __attribute__((tls_model(RT_TLS)));

static struct {
	pthread_mutex_t lock;
	struct calls *slots[THREAD_SLOTS]; /* of virtual threads, by id */
	_Atomic uint64_t count;
} virtuals = { .lock = PTHREAD_MUTEX_INITIALIZER };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key; /* its destructor frees what a thread has */

static void free_calls(void *p)
{
	struct calls *c = p;

	jw_mem_free(c->frames);
	jw_mem_free(c->counters);
	jw_mem_free(c->open);
	jw_mem_free(c);
}

static void thread_gone(void *p)
{
	mine.own = mine.now = NULL;
	free_calls(p);
}

static void make_key(void)
{
	(void)pthread_key_create(&key, thread_gone);
}

static struct calls *of_thread(void)
{
	if (mine.own)
		return mine.own;
	pthread_once(&once, make_key);
	mine.own = jw_mem_zalloc(1, sizeof(*mine.own));
	if (mine.own)
		pthread_setspecific(key, mine.own);
	return mine.own;
}

static struct calls *of_virtual(uint64_t id)
{
	struct calls **at = &virtuals.slots[id % THREAD_SLOTS];

	pthread_mutex_lock(&virtuals.lock);
	struct calls *c = *at;
	while (c && c->owner != id)
		c = c->next;
	if (!c) {
		c = jw_mem_zalloc(1, sizeof(*c));
		if (c) {
			c->owner = id;
			c->next = *at;
			*at = c;
			atomic_fetch_add(&virtuals.count, 1);
		}
	}
	pthread_mutex_unlock(&virtuals.lock);
	return c;
}

void rt_sampling_virtual_ends(uint64_t id)
{
	struct calls **at = &virtuals.slots[id % THREAD_SLOTS], *gone = NULL;

	if (!atomic_load_explicit(&virtuals.count, memory_order_relaxed))
		return;
	pthread_mutex_lock(&virtuals.lock);
	while (*at && (*at)->owner != id)
		at = &(*at)->next;
	if (*at) {
		gone = *at;
		*at = gone->next;
		atomic_fetch_sub(&virtuals.count, 1);
	}
	pthread_mutex_unlock(&virtuals.lock);
	if (gone)
		free_calls(gone);
}

/* Those of the current thread; NULL: no memory, or a thread of the runtime's own. */
static struct calls *calls_now(void)
{
	if (rt_tls.muted)
		return NULL;
	if (!rt_tls.slot)
		rt_meet_thread(); /* says whether it is a virtual one */
	uint64_t id = rt_tls.mounted;
	if (!mine.now || mine.owner != id) {
		mine.now = id ? of_virtual(id) : of_thread();
		mine.owner = id;
	}
	return mine.now;
}

/* ---- frames ---- */

/* Room for one frame more; false: too many, or no memory. */
static bool room(struct calls *c)
{
	static const struct jw_growth frames = { "frames", MOST_FRAMES, FIRST_FRAMES };

	return jw_grow(NULL, &c->frames, &c->frame_cap, sizeof(*c->frames), c->frame_count + 1,
		       &frames, NULL) == JW_OK;
}

/* How many calls of RULE are open; NULL: no memory. */
static uint32_t *depth_of(struct calls *c, uint32_t rule)
{
	if (rule >= c->open_count) {
		uint32_t count = rule + 1;
		uint32_t *grown = jw_mem_realloc(c->open, count * sizeof(*grown));

		if (!grown)
			return NULL;
		memset(grown + c->open_count, 0, (count - c->open_count) * sizeof(*grown));
		c->open = grown;
		c->open_count = count;
	}
	return &c->open[rule];
}

/* The frame of ID, with nothing above it; NULL: there is none. */
static struct frame *find(struct calls *c, uint64_t id)
{
	size_t n = c->frame_count;

	while (n > 0 && c->frames[n - 1].id != id)
		n--;
	if (!n)
		return NULL;
	for (; c->frame_count > n; c->frame_count--) {
		uint32_t rule = c->frames[c->frame_count - 1].rule;

		if (rule < c->open_count && c->open[rule])
			c->open[rule]--;
	}
	return &c->frames[n - 1];
}

static void pop(struct calls *c, const struct frame *f)
{
	if (f->rule < c->open_count && c->open[f->rule])
		c->open[f->rule]--;
	c->frame_count--;
}

/* ---- one call of so many ---- */

static struct counter *place(struct counter *list, uint32_t cap, uint64_t id)
{
	uint32_t i = (uint32_t)(id * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (cap - 1);

	while (list[i].id && list[i].id != id)
		i = (i + 1) & (cap - 1);
	return &list[i];
}

static bool grow_counters(struct calls *c)
{
	uint32_t cap = c->counter_cap ? 2 * c->counter_cap : FIRST_COUNTERS;
	struct counter *grown = jw_mem_zalloc(cap, sizeof(*grown));

	if (!grown)
		return false;
	for (uint32_t i = 0; i < c->counter_cap; i++)
		if (c->counters[i].id)
			*place(grown, cap, c->counters[i].id) = c->counters[i];
	jw_mem_free(c->counters);
	c->counters = grown;
	c->counter_cap = cap;
	return true;
}

/* Is this call of ID the one of EVERY that is recorded? */
static bool is_due(struct calls *c, uint64_t id, uint32_t every)
{
	if (4 * c->counter_count >= 3 * c->counter_cap && !grow_counters(c))
		return false;
	struct counter *at = place(c->counters, c->counter_cap, id);

	if (!at->id) {
		at->id = id;
		c->counter_count++;
	}
	if (at->left) {
		at->left--;
		return false;
	}
	at->left = every - 1;
	return true;
}

/* ---- taking back ---- */

static bool is_capture(uint64_t word)
{
	enum jwr_kind kind = jwr_word_kind(word);

	return kind == JWR_OBJECT || kind == JWR_VALUE || kind == JWR_WIDE;
}

static struct jwr_record *record_at(struct jwr_window *w, uint64_t at)
{
	return (struct jwr_record *)(void *)((char *)w + at);
}

/* The enter of F and its captures, in the window that still has them. OWN: this thread's. */
static void take_back_here(const struct frame *f, bool own)
{
	struct jwr_window *w = f->slot->window;
	uint64_t end = w->cursor, at = f->at + sizeof(struct jwr_record);

	while (at < end && is_capture(record_at(w, at)->word))
		at += sizeof(struct jwr_record);
	if (own && at == end && rt_slot_back(f->slot, f->at))
		return;
	for (uint64_t i = f->at; i < at; i += sizeof(struct jwr_record))
		__atomic_store_n(&record_at(w, i)->word, JWR_TAKEN_BACK, __ATOMIC_RELAXED);
}

/* Takes the enter of F out of the recording; false: it is beyond reach. */
static bool take_back(const struct frame *f)
{
	struct rt_slot *slot = f->slot;
	bool own = slot && slot == rt_tls.slot, done = false;

	if (!slot)
		return false;
	if (own && slot->window->seq == f->seq && slot->uid == f->uid) {
		take_back_here(f, true);
		return true;
	}
	if (!rt_slot_lock(slot, RT_END_PATIENCE_MS))
		return false;
	if (slot->uid == f->uid && slot->window->seq == f->seq && !slot->done) {
		take_back_here(f, false);
		done = true;
	} else if (slot->uid == f->uid && f->seq < slot->place_count) {
		done = rt_data_take_back(slot->places[f->seq], f->at - JWR_HEADER_SIZE,
					 MOST_CAPTURES, is_capture);
	}
	rt_slot_unlock(slot);
	return done;
}

/* ---- how long ---- */

/* Nanoseconds of TICKS, by what the clock has counted since the recording began. */
static uint64_t nanoseconds(uint64_t ticks)
{
	static _Atomic uint64_t seen,
		worth; /* ticks since then; ns a tick, 32 bits after the point */
	uint64_t since = trace_tick_now(rt_recorder.clock) - rt_recorder.began.tick;
	uint64_t w = atomic_load_explicit(&worth, memory_order_relaxed);

	if (rt_recorder.clock == TRACE_TICKS_MONOTONIC)
		return ticks;
	if (!w || since / 2 > atomic_load_explicit(&seen, memory_order_relaxed)) {
		struct jwr_clock_point p = trace_tick_point(rt_recorder.clock, 5);
		double ns = (double)(p.mono_ns - rt_recorder.began.mono_ns);

		since = p.tick - rt_recorder.began.tick;
		w = since ? (uint64_t)(ns / (double)since * 4294967296.0 + 0.5) : 0;
		atomic_store_explicit(&worth, w, memory_order_relaxed);
		atomic_store_explicit(&seen, since, memory_order_relaxed);
	}
	return (uint64_t)((double)ticks * ((double)w / 4294967296.0));
}

/* ---- the calls ---- */

static void event(enum jwr_kind kind, uint64_t id)
{
	rt_event(rt_recorder.clock, kind, id);
}

/* Records the enter of F so that it can be taken back: with its captures in one window. */
static void enter_for_now(struct frame *f)
{
	struct rt_slot *slot = rt_tls.slot;
	uint64_t now = trace_tick_now(rt_recorder.clock);

	if (slot && slot->window->cursor + (1 + MOST_CAPTURES) * sizeof(struct jwr_record) >
			    JWR_WINDOW_FULL)
		rt_flush();
	event(JWR_ENTER, f->id);
	slot = rt_tls.slot;
	f->recorded = false;
	if (!slot || slot->window->cursor <= JWR_HEADER_SIZE)
		return;
	uint64_t at = slot->window->cursor - sizeof(struct jwr_record);
	const struct jwr_record *r = record_at(slot->window, at);
	if (r->word != jwr_word(JWR_ENTER, f->id) || r->tick < now)
		return; /* paused, or no room: there is no beginning */
	f->recorded = true;
	f->tick = r->tick;
	f->slot = slot;
	f->at = at;
	f->uid = slot->uid;
	f->seq = slot->window->seq;
}

static bool is_wanted(struct calls *c, const struct rt_sampling_rule *r, uint64_t id, uint32_t rule)
{
	if (r->max_depth) {
		uint32_t *depth = depth_of(c, rule);

		if (!depth || (*depth)++ >= r->max_depth)
			return false;
	}
	return !r->every || is_due(c, id, r->every);
}

void rt_sampling_enter(uint64_t id, uint32_t rule, bool captures)
{
	const struct rules *all = atomic_load_explicit(&rules, memory_order_acquire);
	struct calls *c = calls_now();

	if (!c || !all || rule == 0 || rule >= all->count) {
		rt_hush(captures);
		return;
	}
	if (c->over || !room(c)) {
		c->over++;
		rt_hush(captures);
		return;
	}
	const struct rt_sampling_rule *r = &all->list[rule];
	struct frame *f = &c->frames[c->frame_count];
	*f = (struct frame){ .id = id, .rule = rule };
	f->recorded = is_wanted(c, r, id, rule);
	c->frame_count++;
	if (f->recorded && r->min_ns && rt_recorder.mode != RT_MODE_SUMMARY)
		enter_for_now(f);
	else if (f->recorded)
		event(JWR_ENTER, id);
	rt_hush(captures && !f->recorded);
}

/* F ends now: is it to be left out, after all? */
static void judge(struct frame *f)
{
	const struct rules *all = atomic_load_explicit(&rules, memory_order_acquire);
	uint64_t least = all->list[f->rule].min_ns;

	if (f->recorded && least && f->slot &&
	    nanoseconds(trace_tick_now(rt_recorder.clock) - f->tick) < least && take_back(f))
		f->recorded = false;
	f->slot = NULL; /* once */
}

void rt_sampling_end(uint64_t id)
{
	struct calls *c = calls_now();
	struct frame *f = c && !c->over ? find(c, id) : NULL;

	if (f)
		judge(f);
	rt_hush(!f || !f->recorded);
}

void rt_sampling_exit(enum jwr_kind kind, uint64_t id)
{
	struct calls *c = calls_now();

	rt_hush(false);
	if (!c)
		return;
	if (c->over) {
		c->over--;
		return;
	}
	struct frame *f = find(c, id);
	if (!f)
		return;
	judge(f);
	bool recorded = f->recorded;
	pop(c, f);
	if (recorded)
		event(kind, id);
}
