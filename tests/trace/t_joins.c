/*
 * t_joins.c: who waits for the end of a virtual thread.
 */
#include "tests/trace/make_arrows.h"

#include "base/banned.h"

#define LATCH jwr_object(8, 0xc2)

/* What is on CARRIER from now on is the virtual thread ID, or the carrier itself (0). */
static void runs(uint32_t carrier, uint64_t id)
{
	make_event(&m, carrier, tick(now), JWR_SWITCH, id);
	step();
}

/* The virtual thread ID ends on CARRIER; others have joined it. */
static void ends(uint32_t carrier, uint64_t id)
{
	vm(carrier, JWR_UNPARK, LATCH);
	vm(carrier, JWR_END, id);
}

/* The VM lets the one go on that came first, which lets the next one go on. */
TEST(each_who_joins_a_virtual_thread)
{
	begin("joins", 3);
	make_meta(&m, "tap|jdk.internal.misc.Unsafe.park");
	runs(3, 50);
	vm(3, JWR_PARK, LATCH); /* 2: 50 joins 51 */
	runs(3, 51);
	vm(1, JWR_PARK, LATCH); /* 4: so does a thread of the system */
	vm(3, JWR_AWAIT, jwr_await(JWR_AWAIT_SLEEP, 0));
	vm(3, JWR_AWAITED, jwr_awaited(JWR_AWAIT_SLEEP, 0, 0));
	ends(3, 51); /* 7, 8 */
	runs(3, 50);
	vm(3, JWR_PARKED, JWR_PARKED_MOUNT); /* 10 */
	vm(3, JWR_UNPARK, thread(1));
	vm(1, JWR_PARKED, 0); /* 12 */
	is_str(arrows(), "5@8>4@10/102 5@8>1@12/102 ");
	is_int(in_trace(":48100029:"), 1);
}

/* It waits for another one; the time of a join is over. */
TEST(none_from_who_has_not_ended)
{
	begin("another", 3);
	make_meta(&m, "tap|jdk.internal.misc.Unsafe.park");
	runs(3, 51);
	vm(1, JWR_PARK, LATCH);
	vm(1, JWR_PARKED, 0);
	vm(2, JWR_PARK, jwr_object(9, 0xc2));
	ends(3, 51);
	vm(2, JWR_PARKED, 0);
	is_str(arrows(), "");
}

/* The call has its arrow from the end itself. */
TEST(a_call_that_joins_has_one_arrow)
{
	begin("call", 3);
	make_meta(&m, "tap|jdk.internal.misc.Unsafe.park");
	runs(3, 51);
	call(1, JOIN, thread(51)); /* 2 */
	vm(1, JWR_PARK, LATCH);
	ends(3, 51); /* 4, 5 */
	vm(1, JWR_PARKED, 0);
	ret(1, JOIN); /* 7 */
	is_str(arrows(), "4@5>1@7/102 ");
}
