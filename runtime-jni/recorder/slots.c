#include "runtime-jni/recorder/slots.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/grow.h"
#include "base/memory.h"
#include "runtime-jni/recorder/disk.h"

#include "base/banned.h"

#define SLAB_FIRST 4  /* slots of the first slab: most programs have few threads */
#define SLAB_MOST  64 /* slabs double up to this; 65,530 mappings are the kernel's default limit */
#define SLAB_WIDE  16 /* JWR_WINDOW_SIZE * 16 is a multiple of every page size up to 64 KiB */

struct slab {
	struct slab *next;
	size_t count;
	struct rt_slot slots[];
};

static struct {
	struct rt_slots_place place;
	struct slab *slabs, **last;
	struct rt_slot *free, *free_bare;
	uint64_t size; /* of the window file */
	size_t first_count, next_count;
} all = { .place = { .fd = -1 } };

void rt_slots_open(struct rt_slots_place place)
{
	all.place = place;
	all.slabs = NULL;
	all.last = &all.slabs;
	all.free = all.free_bare = NULL;
	all.size = 0;
	all.first_count = sysconf(_SC_PAGESIZE) > JWR_HEADER_SIZE ? SLAB_WIDE : SLAB_FIRST;
	all.next_count = all.first_count;
}

/* Maps BYTES more of the window file, allocated first; NULL and *REFUSED where that cannot be. */
static void *map_file(size_t bytes, int *refused)
{
	if (all.place.fd < 0)
		return NULL;
	*refused = bytes > all.place.max_bytes || all.size > all.place.max_bytes - bytes ? EFBIG
		   : !rt_output_has_space(all.place.fd, bytes)
			   ? ENOSPC
			   : posix_fallocate(all.place.fd, (off_t)all.size, (off_t)bytes);
	if (*refused)
		return NULL;
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, all.place.fd,
		       (off_t)all.size);
	if (p == MAP_FAILED) {
		*refused = errno;
		return NULL;
	}
	all.size += bytes;
	return p;
}

static void link_slab(struct slab *slab)
{
	*all.last = slab;
	all.last = &slab->next;
}

/* How many slots the next slab has; 0: there is no room for one. */
static size_t count_for_slab(void)
{
	size_t count = all.next_count;

	if (count == all.first_count)
		return count;
	while (count > all.first_count && !rt_data_has_room(count * JWR_WINDOW_SIZE))
		count /= 2;
	return rt_data_has_room(count * JWR_WINDOW_SIZE) ? count : 0;
}

static bool add_slab(size_t count, int *refused)
{
	size_t bytes = count * JWR_WINDOW_SIZE;
	struct slab *slab = jw_mem_zalloc(1, sizeof(*slab) + count * sizeof(slab->slots[0]));
	uint8_t *p = slab ? map_file(bytes, refused) : NULL;
	bool anonymous = !p;

	if (slab && anonymous) {
		p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (p == MAP_FAILED)
			p = NULL;
	}
	if (!p) {
		jw_mem_free(slab);
		return false;
	}
	rt_data_account(bytes);
	slab->count = count;
	for (size_t i = count; i-- > 0;) {
		struct rt_slot *slot = &slab->slots[i];

		slot->window = (struct jwr_window *)(void *)(p + i * JWR_WINDOW_SIZE);
		slot->anonymous = anonymous;
		slot->next = all.free;
		all.free = slot;
	}
	link_slab(slab);
	all.next_count = count * 2 < SLAB_MOST ? count * 2 : SLAB_MOST;
	return true;
}

struct rt_slot *rt_slot_take(struct rt_slot_refusal *out)
{
	size_t count = all.free ? 0 : count_for_slab();

	*out = (struct rt_slot_refusal){ .full = !all.free && !count };
	if (!all.free && (!count || !add_slab(count, &out->anonymous)))
		return NULL;
	struct rt_slot *slot = all.free;
	all.free = slot->next;
	slot->next = NULL;
	slot->done = false;
	return slot;
}

void rt_slot_give(struct rt_slot *slot)
{
	struct rt_slot **list = slot->window == &slot->none ? &all.free_bare : &all.free;

	slot->next = *list;
	*list = slot;
}

struct rt_slot *rt_slot_take_bare(void)
{
	struct rt_slot *slot = all.free_bare;

	if (slot) {
		all.free_bare = slot->next;
	} else {
		struct slab *slab = jw_mem_zalloc(1, sizeof(*slab) + sizeof(slab->slots[0]));

		if (!slab)
			return NULL;
		slab->count = 1;
		slot = &slab->slots[0];
		slot->window = &slot->none;
		link_slab(slab);
	}
	slot->next = NULL;
	slot->done = false;
	slot->none.lost = 0;
	return slot;
}

void rt_slots_each(void (*visit)(void *ctx, struct rt_slot *slot), void *ctx)
{
	for (struct slab *s = all.slabs; s; s = s->next)
		for (size_t i = 0; i < s->count; i++)
			visit(ctx, &s->slots[i]);
}

bool rt_slot_lock(struct rt_slot *slot, int ms)
{
	struct timespec pause = { .tv_nsec = 100000 };

	for (int tries = 0; atomic_exchange_explicit(&slot->busy, true, memory_order_acquire);) {
		if (tries++ >= ms * 10)
			return false;
		nanosleep(&pause, NULL);
	}
	return true;
}

void rt_slot_unlock(struct rt_slot *slot)
{
	atomic_store_explicit(&slot->busy, false, memory_order_release);
}

bool rt_slot_back(struct rt_slot *slot, uint64_t at)
{
	if (!rt_slot_lock(slot, 0))
		return false;
	__atomic_store_n(&slot->window->cursor, at, __ATOMIC_RELEASE);
	rt_slot_unlock(slot);
	return true;
}

void rt_slot_note_place(struct rt_slot *slot, uint32_t seq, uint64_t at)
{
	static const struct jw_growth places = { .what = "places" };

	if (jw_grow(NULL, &slot->places, &slot->place_cap, sizeof(*slot->places), (size_t)seq + 1,
		    &places, NULL) != JW_OK)
		return;
	while (slot->place_count < seq) /* before anybody asked */
		slot->places[slot->place_count++] = 0;
	slot->places[seq] = at;
	slot->place_count = seq + 1;
}
