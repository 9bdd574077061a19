#include "tests/trace/make_calls.h"

#include "base/banned.h"

const char *make_map_lines = "";
bool make_own_rules;

uint64_t make_site(uint32_t i)
{
	return jwr_method_id(MAKE_SITE_CLASS, (uint16_t)(0x8000 + i));
}

uint64_t make_method(uint32_t i)
{
	return jwr_method_id(MAKE_SITE_CLASS, (uint16_t)i);
}

const char *make_sites(const char *name, const struct make_site *sites, size_t n)
{
	const char *path = make_path("%s", name);
	FILE *f = fopen(path, "wb");

	fprintf(f, "jweave-map\t1\n%sc\t%010llx\tacme.Calls\tCalls.java\n", make_map_lines,
		(unsigned long long)MAKE_SITE_CLASS);
	for (size_t i = 0; i < n; i++) {
		const char *desc = strchr(sites[i].callee, '('), *dot = desc;
		char state[16] = "-", about[200], rule[32] = "rule";

		while (*dot != '.')
			dot--;
		if (sites[i].state >= 0)
			snprintf(state, sizeof(state), "%d", sites[i].state);
		if (make_own_rules)
			snprintf(rule, sizeof(rule), "rule%zu", i);
		snprintf(about, sizeof(about), "%s", sites[i].about);
		for (char *p = about; *p; p++)
			if (*p == '|')
				*p = '\t';
		fprintf(f, "s\t%zu\t%zu\t%s\t%.*s\t%.*s\t%s\tmain\t()V\t%s\t\t%s\n", 0x8000 + i,
			i + 1, state, (int)(dot - sites[i].callee), sites[i].callee,
			(int)(desc - dot - 1), dot + 1, desc, rule, about);
	}
	fclose(f);
	return path;
}

void make_call(struct make *m, uint32_t uid, uint64_t tick, uint32_t i, uint64_t object)
{
	make_event(m, uid, tick, JWR_ENTER, make_site(i));
	if (object)
		make_event(m, uid, tick, JWR_OBJECT, object);
}

void make_returned(struct make *m, uint32_t uid, uint64_t tick, uint32_t i)
{
	make_event(m, uid, tick, JWR_EXIT, make_site(i));
}

void make_failed(struct make *m, uint32_t uid, uint64_t tick, uint32_t i)
{
	make_event(m, uid, tick, JWR_FAIL, make_site(i));
}
