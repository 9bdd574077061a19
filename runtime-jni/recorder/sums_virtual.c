/*
 * sums_virtual.c: virtual threads in a summary. A virtual thread goes from carrier to carrier, and
 * its open calls with it: they are in a table by id. While it is mounted its carrier alone uses
 * them, without a lock but for `busy`, which the end of the process takes.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/grow.h"
#include "runtime-jni/recorder/data.h"
#include "runtime-jni/recorder/meta_lines.h"
#include "runtime-jni/recorder/recorder.h"
#include "runtime-jni/recorder/state.h"
#include "runtime-jni/recorder/sums.h"

#include "base/banned.h"

#define SHARDS      64
#define FIRST_SLOTS 64
#define FIRST_DEPTH 8

struct rt_virtual_calls {
	struct rt_virtual_calls *next;
	uint64_t id;
	_Atomic bool busy;
	uint32_t depth, over;
	size_t cap;
	uint64_t pauses;
	struct jwr_frame *frames; /* owned */
	uint64_t wait_key, wait_since;
};

static struct shard {
	pthread_mutex_t lock;
	struct rt_virtual_calls **slots; /* owned: chains */
	size_t mask, n;
} shards[SHARDS];

static pthread_once_t made = PTHREAD_ONCE_INIT;

static void make_locks(void)
{
	for (size_t i = 0; i < SHARDS; i++)
		pthread_mutex_init(&shards[i].lock, NULL);
}

static struct rt_virtual_calls **chain_of(const struct shard *s, uint64_t id)
{
	return &s->slots[(id / SHARDS) & s->mask];
}

static bool make_room(struct shard *s)
{
	size_t count = s->slots ? (s->mask + 1) * 2 : FIRST_SLOTS;

	if (s->slots && s->n <= s->mask)
		return true;
	struct shard grown = { .slots = jw_mem_zalloc(count, sizeof(struct rt_virtual_calls *)),
			       .mask = count - 1 };

	if (!grown.slots)
		return s->slots;
	for (size_t i = 0; s->slots && i <= s->mask; i++) {
		for (struct rt_virtual_calls *c = s->slots[i], *next; c; c = next) {
			struct rt_virtual_calls **chain = chain_of(&grown, c->id);

			next = c->next;
			c->next = *chain;
			*chain = c;
		}
	}
	jw_mem_free(s->slots);
	s->slots = grown.slots;
	s->mask = grown.mask;
	return true;
}

/* The calls of virtual thread ID; *FRESH: it had none. NULL: no memory. */
static struct rt_virtual_calls *calls_of(uint64_t id, bool *fresh)
{
	struct shard *s = &shards[id % SHARDS];
	struct rt_virtual_calls *c = NULL;

	pthread_once(&made, make_locks);
	pthread_mutex_lock(&s->lock);
	if (make_room(s)) {
		c = *chain_of(s, id);
		while (c && c->id != id)
			c = c->next;
	}
	*fresh = !c;
	if (!c && s->slots && (c = jw_mem_zalloc(1, sizeof(*c)))) {
		c->id = id;
		c->pauses = atomic_load(&rt_recorder.pauses);
		c->next = *chain_of(s, id);
		*chain_of(s, id) = c;
		s->n++;
	}
	pthread_mutex_unlock(&s->lock);
	return c;
}

static struct rt_virtual_calls *remove_calls(uint64_t id)
{
	struct shard *s = &shards[id % SHARDS];
	struct rt_virtual_calls *c = NULL;

	pthread_once(&made, make_locks);
	pthread_mutex_lock(&s->lock);
	for (struct rt_virtual_calls **p = s->slots ? chain_of(s, id) : NULL; p && *p;
	     p = &(*p)->next) {
		if ((*p)->id != id)
			continue;
		c = *p;
		*p = c->next;
		s->n--;
		break;
	}
	pthread_mutex_unlock(&s->lock);
	return c;
}

/* ---- the calls of one ---- */

static bool is_open(const struct rt_virtual_calls *c, uint64_t key)
{
	for (uint32_t d = c->depth; d-- > 0;)
		if (c->frames[d].key == key)
			return true;
	return false;
}

/* The innermost call ends; ROW: where it counts, or NULL. */
static void pop(struct rt_virtual_calls *c, struct rt_slot *to, uint64_t now, bool failed)
{
	struct jwr_frame f = c->frames[--c->depth];
	uint64_t time = now > f.enter ? now - f.enter : 0;
	struct jwr_row *row = rt_sums_row(to, f.key);
	struct jwr_sums *head = to->table.head;

	if (c->depth)
		c->frames[c->depth - 1].inner += time;
	if (!row)
		return;
	rt_table_open(head);
	rt_table_set(&row->own, row->own + (time > f.inner ? time - f.inner : 0));
	if (!f.row) /* it is not open below */
		rt_table_set(&row->total, row->total + time);
	if (time > row->longest)
		rt_table_set(&row->longest, time);
	if (failed)
		rt_table_set(&row->fails, row->fails + 1);
	rt_table_set(&head->last, now);
	rt_table_shut(head);
}

static void count_odd(struct rt_slot *to, uint64_t *counter, uint64_t more)
{
	rt_table_open(to->table.head);
	rt_table_set(counter, *counter + more);
	rt_table_shut(to->table.head);
}

static void end_wait(struct rt_virtual_calls *c, struct rt_slot *to, uint64_t now, bool expired)
{
	struct jwr_row *row = c->wait_key ? rt_sums_row(to, c->wait_key) : NULL;

	if (row)
		rt_table_add_time(&to->table, row, now > c->wait_since ? now - c->wait_since : 0,
				  expired);
	c->wait_key = 0;
}

static void close_calls(struct rt_virtual_calls *c, struct rt_slot *to, uint64_t now, bool cut)
{
	struct jwr_odds *odds = &to->table.head->odds;

	count_odd(to, cut ? &odds->cut : &odds->inferred, c->depth);
	while (c->depth)
		pop(c, to, now, false);
	end_wait(c, to, now, false);
	c->over = 0;
}

/* Recording was paused since the latest event. */
static void catch_up(struct rt_virtual_calls *c, struct rt_slot *to)
{
	uint64_t now = atomic_load(&rt_recorder.pauses);

	if (c->pauses == now)
		return;
	close_calls(c, to, rt_sums_pause_tick(c->pauses), true);
	c->pauses = now;
	rt_table_set(&to->table.head->pauses, now);
}

static bool grow(struct rt_virtual_calls *c)
{
	static const struct jw_growth frames = { "frames", RT_SUMS_FRAMES, FIRST_DEPTH };

	return jw_grow(NULL, &c->frames, &c->cap, sizeof(*c->frames), (size_t)c->depth + 1, &frames,
		       NULL) == JW_OK;
}

static bool enter(struct rt_virtual_calls *c, struct rt_slot *to, uint64_t key)
{
	struct jwr_row *row = rt_sums_row(to, key);

	if (!row)
		return false;
	rt_table_open(to->table.head);
	rt_table_set(&row->calls, row->calls + 1);
	rt_table_shut(to->table.head);
	if (c->over || !grow(c)) {
		c->over++;
		count_odd(to, &to->table.head->odds.deep, 1);
		return true;
	}
	uint32_t below = is_open(c, key);

	c->frames[c->depth++] = (struct jwr_frame){ .key = key,
						    .enter = trace_tick_now(rt_recorder.clock),
						    .row = below };
	return true;
}

static void leave(struct rt_virtual_calls *c, struct rt_slot *to, uint64_t key, bool failed)
{
	uint64_t now = trace_tick_now(rt_recorder.clock);
	struct jwr_odds *odds = &to->table.head->odds;

	if (c->over) {
		c->over--;
		return;
	}
	if (!is_open(c, key)) {
		count_odd(to, c->pauses ? &odds->headless : &odds->lone, 1);
		return;
	}
	for (; c->frames[c->depth - 1].key != key; count_odd(to, &odds->inferred, 1))
		pop(c, to, now, false);
	pop(c, to, now, failed);
}

/* As rt_table_keep(). */
static void keep(struct rt_virtual_calls *c, struct rt_slot *to, uint64_t payload)
{
	uint64_t now = trace_tick_now(rt_recorder.clock), open = 0;

	for (uint32_t d = 0; d < c->depth; d++)
		open += jwr_depth_is_of(payload, jwr_word_payload(c->frames[d].key));
	if (open && open >= payload >> 32)
		c->over = 0;
	for (; open > payload >> 32; count_odd(to, &to->table.head->odds.inferred, 1)) {
		open -= jwr_depth_is_of(payload, jwr_word_payload(c->frames[c->depth - 1].key));
		pop(c, to, now, true);
	}
}

static void wait(struct rt_virtual_calls *c, struct rt_slot *to, enum jwr_kind kind,
		 uint64_t payload, uint64_t tick)
{
	uint64_t now = tick ? tick : trace_tick_now(rt_recorder.clock);

	if (rt_sums_begins_wait(kind)) {
		c->wait_key = rt_sums_wait_key(kind, payload, c->depth);
		c->wait_since = now;
	} else {
		end_wait(c, to, now, kind == JWR_EXPIRED);
	}
}

static bool lock_calls(struct rt_virtual_calls *c)
{
	return !atomic_exchange_explicit(&c->busy, true, memory_order_acquire);
}

static void unlock_calls(struct rt_virtual_calls *c)
{
	atomic_store_explicit(&c->busy, false, memory_order_release);
}

/* ---- events ---- */

/* Where the virtual threads on CARRIER are added up; NULL: nowhere. */
static struct rt_slot *sums_on(struct rt_slot *carrier)
{
	static const struct rt_thread_info info = { .name = "virtual threads" };

	if (!carrier->virtuals)
		carrier->virtuals = rt_attach_more(&info, "s", false);
	struct rt_slot *to = carrier->virtuals;

	return to && to->window != &to->none ? to : NULL;
}

bool rt_sums_virtual(struct rt_slot *carrier, enum jwr_kind kind, uint64_t payload, uint64_t tick)
{
	struct rt_slot *to = sums_on(carrier);
	struct rt_virtual_calls *c = rt_tls.calls;
	bool fresh = false, counts = true;

	if (to && (!c || c->id != rt_tls.mounted))
		c = rt_tls.calls = calls_of(rt_tls.mounted, &fresh);
	if (!to || !c || !lock_calls(c))
		return false;
	if (fresh) {
		rt_virtual_logs(c->id, NULL);
		count_odd(to, &to->table.head->odds.virtuals, 1);
	}
	catch_up(c, to);
	if (kind == JWR_ENTER)
		counts = enter(c, to, jwr_word(JWR_ENTER, payload));
	else if (kind == JWR_EXIT || kind == JWR_FAIL)
		leave(c, to, jwr_word(JWR_ENTER, payload), kind == JWR_FAIL);
	else if (kind == JWR_ALLOC)
		counts = rt_sums_alloc(to, payload);
	else if (kind == JWR_DEPTH)
		keep(c, to, payload);
	else
		wait(c, to, kind, payload, tick);
	unlock_calls(c);
	return counts;
}

static void end_calls(struct rt_virtual_calls *c, struct rt_slot *to, uint64_t now)
{
	uint64_t seen = c->pauses;
	bool cut = seen < atomic_load(&rt_recorder.pauses);

	close_calls(c, to, cut ? rt_sums_pause_tick(seen) : now, cut);
}

void rt_sums_virtual_ends(uint64_t id)
{
	struct rt_virtual_calls *c = remove_calls(id);
	struct rt_slot *to = rt_tls.slot ? sums_on(rt_tls.slot) : NULL;

	rt_tls.calls = NULL;
	if (!c)
		return;
	if (to && rt_state_now() == RT_RUN)
		end_calls(c, to, trace_tick_now(rt_recorder.clock));
	jw_mem_free(c->frames);
	jw_mem_free(c);
}

void rt_sums_virtual_finish(void)
{
	static const struct rt_thread_info info = { .name = "virtual threads" };
	uint64_t now = trace_tick_now(rt_recorder.clock);
	struct rt_slot *to = NULL;

	for (size_t i = 0; i < SHARDS; i++) {
		struct shard *s = &shards[i];

		for (size_t k = 0; s->slots && k <= s->mask; k++) {
			for (struct rt_virtual_calls *c = s->slots[k]; c; c = c->next) {
				if ((!c->depth && !c->wait_key) || !lock_calls(c))
					continue;
				if (!to)
					to = rt_attach_more(&info, "s", true);
				if (to && to->window != &to->none)
					end_calls(c, to, now);
			}
		}
	}
}
