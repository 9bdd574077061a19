/*
 * Arrows of monitors: from whoever gave one back to the thread that was blocked for it; in
 * recordings made by hand (make_steps.h).
 */
#include "tests/trace/make_arrows.h"

#include "base/banned.h"

TEST(a_monitor_goes_from_owner_to_owner)
{
	begin("blocks", 3);
	at_once(1, ENTER, 55);    /* 1, 2 */
	call(2, ENTER, 55);       /* 3 */
	vm(2, JWR_CONTENDED, 55); /* 4 */
	at_once(1, EXIT, 55);     /* 5, 6 */
	vm(2, JWR_ENTERED, 55);   /* 7 */
	ret(2, ENTER);            /* 8: one arrow, not two */
	at_once(2, EXIT, 55);     /* 9 */
	at_once(3, ENTER, 55);    /* nobody was before it */
	at_once(3, EXIT, 55);
	is_str(arrows(), "1@5>2@7/305 ");
}

TEST(an_enter_that_spins_has_an_arrow_at_its_end)
{
	begin("spins", 2);
	at_once(1, ENTER, 55);
	call(2, ENTER, 55);   /* 3 */
	at_once(1, EXIT, 55); /* 4 */
	ret(2, ENTER);        /* 6 */
	at_once(2, EXIT, 55);
	at_once(1, ENTER, 55);
	at_once(1, ENTER, 56); /* another one */
	call(2, ENTER, 55);
	at_once(1, EXIT, 56); /* which frees nothing else */
	at_once(1, EXIT, 55); /* 16 */
	ret(2, ENTER);
	is_str(arrows(), "1@4>2@6/305 1@16>2@18/305 ");
}

TEST(a_synchronized_method_holds_its_monitor)
{
	begin("methods", 3);
	call(1, HOLD, 55);        /* 1 */
	vm(2, JWR_CONTENDED, 55); /* 2 */
	ret(1, HOLD);             /* 3 */
	vm(2, JWR_ENTERED, 55);   /* 4 */
	call(2, HOLD, 55);        /* 5 */
	call(2, HOLD, 55);        /* 6: again, by itself */
	vm(3, JWR_CONTENDED, 55); /* 7 */
	ret(2, HOLD);             /* 8: it holds it still */
	fail(2, HOLD);            /* 9: an exception gives it back as well */
	vm(3, JWR_ENTERED, 55);   /* 10 */
	call(3, HOLD, 55);
	ret(3, HOLD);
	is_str(arrows(), "1@3>2@4/306 2@9>3@10/306 ");
}

TEST(a_monitor_is_held_as_often_as_it_was_entered)
{
	begin("nested", 2);
	at_once(1, ENTER, 55);
	call(1, HOLD, 55);        /* 3 */
	at_once(1, ENTER, 55);    /* 4 */
	vm(2, JWR_CONTENDED, 55); /* 6 */
	at_once(1, EXIT, 55);
	ret(1, HOLD);
	at_once(1, EXIT, 55);   /* 10 */
	vm(2, JWR_ENTERED, 55); /* 12 */
	call(2, HOLD, 55);
	ret(2, HOLD);
	is_str(arrows(), "1@10>2@12/305 ");
}

TEST(a_wait_gives_it_back)
{
	begin("wait", 3);
	at_once(1, ENTER, 55);
	at_once(1, ENTER, 55);
	vm(2, JWR_CONTENDED, 55); /* 5 */
	call(1, WAIT, 55);        /* 6: both times at once */
	vm(1, JWR_WAIT, 55);
	vm(2, JWR_ENTERED, 55); /* 8 */
	call(2, HOLD, 55);      /* 9 */
	at_once(2, NOTIFY, 55); /* 10 */
	vm(1, JWR_WAITED, 55);
	ret(2, HOLD);             /* 13 */
	ret(1, WAIT);             /* 14: held twice again */
	vm(3, JWR_CONTENDED, 55); /* 15 */
	at_once(1, EXIT, 55);
	at_once(1, EXIT, 55);   /* 18 */
	vm(3, JWR_ENTERED, 55); /* 20 */
	is_str(arrows(), "1@6>2@8/301 2@10>1@14/302 1@18>3@20/305 ");
}

TEST(code_that_is_not_woven_makes_no_arrows)
{
	begin("unseen", 4);
	at_once(1, ENTER, 55);
	vm(2, JWR_CONTENDED, 55); /* 3 */
	at_once(1, EXIT, 55);     /* 4 */
	vm(2, JWR_ENTERED, 55);   /* 6: it has it from there; what it does with it is not seen */
	vm(3, JWR_CONTENDED, 55); /* 7 */
	vm(3, JWR_ENTERED, 55);   /* 8 */
	call(3, HOLD, 55);
	vm(1, JWR_CONTENDED, 55);
	ret(3, HOLD);
	vm(1, JWR_ENTERED, 55); /* there is other code: who came between is not known */
	/* given back by one who never entered */
	call(4, ENTER, 56);
	ret(4, ENTER);
	vm(2, JWR_CONTENDED, 56);
	at_once(3, EXIT, 56);
	vm(2, JWR_ENTERED, 56);
	/* and what was freed before anybody waited */
	at_once(4, ENTER, 57);
	at_once(4, EXIT, 57);
	vm(2, JWR_CONTENDED, 57);
	vm(2, JWR_ENTERED, 57);
	is_str(arrows(), "1@4>2@6/305 ");
}

/* Waits are woven and what enters and leaves is not: who waits gives the monitor back, but anybody
 * may have had it since. */
TEST(a_wait_alone_makes_no_arrow_to_who_is_blocked)
{
	begin("alone", 3);
	vm(1, JWR_CONTENDED, 55);
	vm(1, JWR_ENTERED, 55); /* 2: nobody has seen it leave */
	for (int i = 0; i < 2; i++) {
		call(1, WAIT, 55);
		vm(1, JWR_WAIT, 55);
		at_once(2, NOTIFY, 55); /* 5; 12 */
		vm(1, JWR_WAITED, 55);
		ret(1, WAIT);             /* 8; 15 */
		vm(3, JWR_CONTENDED, 55); /* 9 */
	}
	call(1, WAIT, 55);
	vm(3, JWR_ENTERED, 55); /* after 1, and maybe others */
	is_str(arrows(), "2@5>1@8/302 2@12>1@15/302 ");
}

TEST(a_wait_that_is_not_woven_makes_no_arrows)
{
	begin("unseenwait", 3);
	at_once(1, ENTER, 55);
	vm(2, JWR_CONTENDED, 55);
	vm(1, JWR_WAIT, 55); /* gives it back, and has it again nobody knows when */
	vm(1, JWR_WAITED, 55);
	at_once(1, EXIT, 55);
	vm(2, JWR_ENTERED, 55);
	is_str(arrows(), "");
}

TEST(an_enter_that_fails_has_nothing)
{
	begin("null", 2);
	call(1, ENTER, 0);
	fail(1, ENTER);
	call(1, ENTER, 55);
	at_once(2, ENTER, 55);
	at_once(2, EXIT, 55);
	fail(1, ENTER);
	call(2, ENTER, 55);
	at_once(1, EXIT, 55);
	ret(2, ENTER);
	is_str(arrows(), "");
}

/* Ticks that stand still: the state does not show it, so no event may say so. */
TEST(a_wait_within_one_instant_is_none)
{
	begin("instant", 1);
	make_event(&m, 1, tick(now), JWR_WAIT, 55);
	make_event(&m, 1, tick(now), JWR_WAITED, 55);
	arrows(); /* which validates it */
	is_int(in_trace(":48100001:"), 0);

	begin("instant after another", 1);
	vm(1, JWR_WAIT, 55);
	make_event(&m, 1, tick(now), JWR_WAITED, 55);
	make_event(&m, 1, tick(now), JWR_CONTENDED, 56);
	make_event(&m, 1, tick(now), JWR_ENTERED, 56);
	arrows();
	is_int(in_trace(":48100001:"), 2); /* it begins and ends */

	begin("one from another", 1);
	vm(1, JWR_WAIT, 55);
	make_event(&m, 1, tick(now), JWR_WAITED, 55);
	vm(1, JWR_CONTENDED, 56);
	vm(1, JWR_ENTERED, 56);
	arrows();
	is_int(in_trace(":48100001:"), 3);
}

TEST(a_wait_while_recording_is_paused)
{
	begin("paused", 1);
	vm(1, JWR_WAIT, 55);
	make_meta(&m, "pause|%llu", (unsigned long long)tick(now)), step();
	vm(1, JWR_CONTENDED, 56);
	make_meta(&m, "resume|%llu", (unsigned long long)tick(now)), step();
	vm(1, JWR_ENTERED, 56); /* that has gone on */
	vm(1, JWR_WAITED, 55);
	arrows();
	is_int(in_trace(":48100001:2"), 1);
	is_int(in_trace(":48100001:"), 4);
}

/* Its row lives in pauses alone. */
TEST(the_vm_tells_of_pauses_and_of_nothing_else)
{
	begin("vm", 1);
	make_meta(&m, "thread|2|0|%u|0|0|j|VM", MAKE_START);
	make_meta(&m, "thread|3|0|%u|0|0|j|VM", MAKE_START); /* there is one */
	vm(2, JWR_WAIT, 55);
	vm(2, JWR_ENTER, make_method(3));
	vm(2, JWR_GC_BEGIN, 0);
	vm(2, JWR_WAITED, 55);
	vm(3, JWR_GC_BEGIN, 0);
	vm(3, JWR_GC_END, 0);
	vm(2, JWR_GC_END, 0);
	vm(1, JWR_GC_BEGIN, 0);
	make_meta(&m, "thread-end|2|%llu|VM", (unsigned long long)tick(now));
	make_event(&m, 2, tick(now), JWR_GC_BEGIN, 0); /* a pause of no length, at its end */
	make_event(&m, 2, tick(now), JWR_GC_END, 0);
	arrows();
	is_int(in_trace(":48000001:1"), 2);
	is_int(in_trace(":48100001:"), 0);
}
