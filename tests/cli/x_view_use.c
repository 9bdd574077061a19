/*
 * x_view_use.c NAME [killed]: NAME.jwr and use.map in the current folder, for view_use.sh: a recursion that is deeper
 * than a timeline is, many methods, names of 300 letters, a call that the collector stops, calls of two
 * threads at once, waits for a monitor. "killed": it has no end.
 */
#include "tests/trace/make_recording.h"

#include "base/banned.h"

enum {
	DEEP = 600, /* calls of a recursion */
	SMALL = 150,
	NAME_LETTERS = 300,
	WAITS = 12,
	LOCK = 0x11,
	/* methods */
	MAIN = 0,
	RECURSES,
	SPINS,
	STOPPED,
	PAYS,
	LONG,
	FIRST_SMALL,
	METHODS = FIRST_SMALL + SMALL,
	/* threads */
	ON_MAIN = 1,
	ON_POOL,
	ON_JVM,
	ON_SPIN_1,
	ON_SPIN_2,
	ON_LONG,
	/* ticks, of half a nanosecond */
	US = 2000,
	MS = 1000 * US,
};

static uint64_t hash, tick = MAKE_START;

static void put(struct make *m, uint32_t uid, enum jwr_kind kind, uint64_t payload, uint64_t later)
{
	make_event(m, uid, tick += later, kind, payload);
}

static void enter(struct make *m, uint32_t uid, uint16_t method, uint64_t later)
{
	put(m, uid, JWR_ENTER, jwr_method_id(hash, method), later);
}

static void leave(struct make *m, uint32_t uid, uint16_t method, uint64_t later)
{
	put(m, uid, JWR_EXIT, jwr_method_id(hash, method), later);
}

static const char *letters(char *text, const char *head, const char *tail)
{
	size_t n = strlen(head);

	memcpy(text, head, n);
	for (; n < NAME_LETTERS; n++)
		text[n] = 'x';
	memcpy(text + n, tail, strlen(tail) + 1);
	return text;
}

static void put_map(void)
{
	static char names[SMALL][16], name[NAME_LETTERS + 8];
	const char *list[METHODS] = { "main()V", "recurses()V", "spins()V", "stopped()V",
				      "pays()V" };

	list[LONG] = letters(name, "long", "()V");
	for (unsigned i = 0; i < SMALL; i++) {
		(void)snprintf(names[i], sizeof(names[i]), "small%u()V", i);
		list[FIRST_SMALL + i] = names[i];
	}
	hash = trace_class_hash(JW_SPAN_LIT("acme/Use"), 0);
	make_map("use.map", hash, "acme/Use", "Use.java", list, METHODS);
}

static void put_recursion(struct make *m)
{
	for (unsigned i = 0; i < DEEP; i++)
		enter(m, ON_MAIN, RECURSES, US);
	enter(m, ON_MAIN, SPINS, US);
	leave(m, ON_MAIN, SPINS, 3 * MS);
	for (unsigned i = 0; i < DEEP; i++)
		leave(m, ON_MAIN, RECURSES, US);
}

static void put_pause(struct make *m)
{
	enter(m, ON_MAIN, STOPPED, US);
	put(m, ON_JVM, JWR_GC_BEGIN, 0, MS);
	put(m, ON_JVM, JWR_GC_END, 0, 4 * MS);
	leave(m, ON_MAIN, STOPPED, MS);
}

static void put_waits(struct make *m)
{
	const uint64_t lock = jwr_object(7, LOCK);

	for (unsigned i = 0; i < WAITS; i++) {
		enter(m, ON_POOL, PAYS, US);
		put(m, ON_POOL, JWR_CONTENDED, lock, US);
		put(m, ON_POOL, JWR_HOLDER, jwr_thread_object(ON_MAIN), US);
		put(m, ON_POOL, JWR_ENTERED, lock, MS);
		leave(m, ON_POOL, PAYS, US);
	}
}

int main(int argc, char **argv)
{
	static char name[NAME_LETTERS + 8];

	if (argc < 2)
		return 2;
	make_in(".");
	put_map();
	struct make m = make_begin(argv[1]);

	make_thread(&m, ON_MAIN, 0, "main");
	make_thread(&m, ON_POOL, 0, "pool-1-thread-2");
	make_meta(&m, "thread|%d|0|0|4003|0|j|JVM", ON_JVM);
	make_thread(&m, ON_SPIN_1, 0, "spin-1");
	make_thread(&m, ON_SPIN_2, 0, "spin-2");
	make_thread(&m, ON_LONG, 0, letters(name, "worker of ", ""));
	make_meta(&m, "class|%u|acme.Lock", LOCK);
	enter(&m, ON_MAIN, MAIN, US);
	enter(&m, ON_SPIN_1, SPINS, US);
	enter(&m, ON_SPIN_2, SPINS, US);
	enter(&m, ON_LONG, LONG, US);
	put_recursion(&m);
	put_waits(&m);
	put_pause(&m);
	for (unsigned i = 0; i < SMALL; i++) {
		enter(&m, ON_MAIN, (uint16_t)(FIRST_SMALL + i), US);
		leave(&m, ON_MAIN, (uint16_t)(FIRST_SMALL + i), (i + 1) * US);
	}
	leave(&m, ON_LONG, LONG, US);
	leave(&m, ON_SPIN_2, SPINS, US);
	leave(&m, ON_SPIN_1, SPINS, US);
	leave(&m, ON_MAIN, MAIN, US);
	make_finish(&m, argc < 3);
	return 0;
}
