/*
 * t_full_queues.c: virtual threads that put something into a queue that is full go on since another thread takes something,
 * as nobody tells who unparks them; in recordings made by hand (make_steps.h).
 */
#include "tests/trace/make_arrows.h"

#include "base/banned.h"

enum { QUEUE = 75, OTHER = 76, VIRTUAL = 50, CARRIER = 4 };

#define CONDITION jwr_object(77, 0xc0)
#define LOCK_SYNC jwr_object(78, 0xc1)

/* Threads 1 to 3; on 4 runs a virtual thread, which is in a put and parks for OBJECT: row 5. */
static void begin_put(const char *what, uint64_t object)
{
	begin(what, CARRIER);
	make_meta(&m,
		  "class|%u|java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject",
		  0xc0);
	make_meta(&m, "class|%u|java.util.concurrent.locks.ReentrantLock$NonfairSync", 0xc1);
	at_once(1, PUT, QUEUE);
	make_event(&m, CARRIER, tick(now), JWR_SWITCH, VIRTUAL), step();
	call(CARRIER, PUT, QUEUE);     /* 4 */
	vm(CARRIER, JWR_PARK, object); /* 5 */
}

static void goes_on(void)
{
	vm(CARRIER, JWR_PARKED, JWR_PARKED_MOUNT);
	ret(CARRIER, PUT);
}

TEST(a_take_lets_a_put_go_on)
{
	begin_put("full", CONDITION);
	at_once(2, TAKE, OTHER);
	call(2, TAKE, QUEUE); /* 8 */
	goes_on();            /* 9 */
	ret(2, TAKE);
	is_str(arrows(), "2@8>5@9/802 ");
}

TEST(the_second_park_of_a_put_is_for_the_lock)
{
	begin_put("lock after", CONDITION);
	at_once(2, TAKE, QUEUE);                   /* 6 */
	vm(CARRIER, JWR_PARKED, JWR_PARKED_MOUNT); /* 8 */
	vm(CARRIER, JWR_PARK, LOCK_SYNC);
	at_once(2, TAKE, QUEUE);
	goes_on();
	is_str(arrows(), "2@6>5@8/802 ");
}

TEST(of_two_takes_nobody_knows_which)
{
	begin_put("two", CONDITION);
	at_once(2, TAKE, QUEUE);
	at_once(3, TAKE, QUEUE);
	goes_on();
	is_str(arrows(), "");
}

TEST(a_clear_makes_room_as_well)
{
	begin_put("clear", CONDITION);
	at_once(2, CLEAR, QUEUE);
	goes_on();
	is_str(arrows(), "");

	begin_put("clear and take", CONDITION);
	at_once(2, CLEAR, QUEUE);
	at_once(3, TAKE, QUEUE);
	goes_on();
	is_str(arrows(), "");
}

TEST(a_take_that_was_about_to_may_be_it_or_not)
{
	begin("about to", CARRIER);
	make_meta(&m,
		  "class|%u|java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject",
		  0xc0);
	at_once(1, PUT, QUEUE);
	call(3, TAKE, QUEUE);
	make_event(&m, CARRIER, tick(now), JWR_SWITCH, VIRTUAL), step();
	call(CARRIER, PUT, QUEUE);
	vm(CARRIER, JWR_PARK, CONDITION);
	at_once(2, TAKE, QUEUE);
	goes_on();
	is_str(arrows(), "");
}

TEST(a_park_for_a_lock_or_nothing_is_not_for_room)
{
	const uint64_t objects[] = { LOCK_SYNC, 0 };

	for (size_t i = 0; i < 2; i++) {
		begin_put("other", objects[i]);
		at_once(2, TAKE, QUEUE);
		goes_on();
		is_str(arrows(), "");
	}
}

/* Of other threads natives tell who unparks them. */
TEST(a_thread_that_is_not_virtual_or_is_pinned)
{
	begin_put("pinned", CONDITION);
	at_once(2, TAKE, QUEUE);
	vm(CARRIER, JWR_PARKED, 0);
	ret(CARRIER, PUT);
	is_str(arrows(), "");

	begin("platform", 2);
	at_once(1, PUT, QUEUE);
	call(1, PUT, QUEUE);
	vm(1, JWR_PARK, CONDITION);
	at_once(2, TAKE, QUEUE);
	vm(1, JWR_PARKED, 0);
	ret(1, PUT);
	is_str(arrows(), "");
}
