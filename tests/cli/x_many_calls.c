/*
 * x_many_calls.c CALLS THREADS: many.jwr and many.map in the current folder: threads that call 50 methods,
 * up to 8 deep, for 0.1 to 1 us each, now and then for a millisecond; for view_serve.sh, and to measure
 * with.
 */
#include "tests/trace/make_recording.h"

#include "base/banned.h"

enum { METHODS = 50, DEEP = 8, TURN = 64 };

struct thread {
	uint64_t tick;
	unsigned depth;
	uint64_t stack[DEEP];
};

static uint64_t state = UINT64_C(88172645463325252);

static uint64_t draw(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static uint64_t put_map(void)
{
	static char names[METHODS][16];
	const char *list[METHODS];
	uint64_t hash = trace_class_hash(JW_SPAN_LIT("acme/Many"), 0);

	for (unsigned i = 0; i < METHODS; i++) {
		(void)snprintf(names[i], sizeof(names[i]), "step%u()V", i);
		list[i] = names[i];
	}
	make_map("many.map", hash, "acme/Many", "Many.java", list, METHODS);
	return hash;
}

/* One event of thread UID; false: it has nothing to do. */
static bool step(struct make *m, struct thread *t, uint32_t uid, uint64_t hash, size_t *left)
{
	uint64_t r = draw();
	bool enters = *left && t->depth < DEEP && (t->depth < 3 || r & 1);

	if (!enters && !t->depth)
		return false;
	t->tick += 200 + (r >> 20) % 1800 + ((r >> 40) % 1000 ? 0 : 2000000);
	if (enters) {
		/* a caller calls one of three */
		uint64_t id = jwr_method_id(hash, (uint16_t)(t->depth * 6 + (r >> 8) % 3));

		make_event(m, uid, t->tick, JWR_ENTER, id);
		t->stack[t->depth++] = id;
		--*left;
	} else {
		make_event(m, uid, t->tick, JWR_EXIT, t->stack[--t->depth]);
	}
	return true;
}

int main(int argc, char **argv)
{
	size_t left = argc > 2 ? strtoull(argv[1], NULL, 10) : 0;
	uint32_t n = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0;
	struct thread *threads = calloc(n + 1, sizeof(*threads));

	if (!left || !n || !threads)
		return 2;
	make_in(".");
	struct make m = make_begin("many");
	uint64_t hash = put_map();
	bool more = true;

	for (uint32_t i = 1; i <= n; i++) {
		char name[24];

		(void)snprintf(name, sizeof(name), "worker-%u", i);
		threads[i].tick = MAKE_START + i;
		make_thread(&m, i, MAKE_START + i, name);
	}
	while (more) {
		more = false;
		for (uint32_t i = 1; i <= n; i++)
			for (int k = 0; k < TURN && step(&m, &threads[i], i, hash, &left); k++)
				more = true;
	}
	make_finish(&m, true);
	free(threads);
	return 0;
}
