/*
 * make_calls.h: recordings whose calls have states, operations and captures: a method map of call
 * sites, and threads that make the calls.
 *
 *     map = make_sites("NAME.map", sites, n)     site I has id make_site(I)
 *     make_call / make_returned                  the records of one call
 */
#ifndef JW_TESTS_TRACE_MAKE_CALLS_H
#define JW_TESTS_TRACE_MAKE_CALLS_H

#include "tests/trace/make_recording.h"

#define MAKE_SITE_CLASS UINT64_C(0x5157e5)

struct make_site {
	int state;          /* below 0: none */
	const char *callee; /* "java.lang.Thread.start()V" */
	const char *about;  /* OPERATION [| CAPTURE]..., or "" */
};

static inline uint64_t make_site(uint32_t i)
{
	return jwr_method_id(MAKE_SITE_CLASS, (uint16_t)(0x8000 + i));
}

/* A method of the same class, of which the map has none. */
static inline uint64_t make_method(uint32_t i)
{
	return jwr_method_id(MAKE_SITE_CLASS, (uint16_t)i);
}

/* A map file of N call sites in the scratch folder; its path. */
MAKE_FN const char *make_sites(const char *name, const struct make_site *sites, size_t n)
{
	const char *path = make_path("%s", name);
	FILE *f = fopen(path, "wb");

	fprintf(f, "jweave-map\t1\nc\t%010llx\tacme.Calls\tCalls.java\n",
		(unsigned long long)MAKE_SITE_CLASS);
	for (size_t i = 0; i < n; i++) {
		const char *desc = strchr(sites[i].callee, '('), *dot = desc;
		char state[16] = "-", about[200];

		while (*dot != '.')
			dot--;
		if (sites[i].state >= 0)
			snprintf(state, sizeof(state), "%d", sites[i].state);
		snprintf(about, sizeof(about), "%s", sites[i].about);
		for (char *p = about; *p; p++)
			if (*p == '|')
				*p = '\t';
		fprintf(f, "s\t%zu\t%zu\t%s\t%.*s\t%.*s\t%s\tmain\t()V\trule\t\t%s\n", 0x8000 + i,
			i + 1, state, (int)(dot - sites[i].callee), sites[i].callee,
			(int)(desc - dot - 1), dot + 1, desc, about);
	}
	fclose(f);
	return path;
}

/* The call at site I on OBJECT (0: none captured) begins. */
MAKE_FN void make_call(struct make *m, uint32_t uid, uint64_t tick, uint32_t i, uint64_t object)
{
	make_event(m, uid, tick, JWR_ENTER, make_site(i));
	if (object)
		make_event(m, uid, tick, JWR_OBJECT, object);
}

/* It returns, or fails. */
MAKE_FN void make_returned(struct make *m, uint32_t uid, uint64_t tick, uint32_t i)
{
	make_event(m, uid, tick, JWR_EXIT, make_site(i));
}

MAKE_FN void make_failed(struct make *m, uint32_t uid, uint64_t tick, uint32_t i)
{
	make_event(m, uid, tick, JWR_FAIL, make_site(i));
}

#endif
