#include "tests/trace/make_steps.h"

#include "base/banned.h"

struct make m;
const char *name;
uint64_t now;

uint64_t tick(uint64_t ns)
{
	return MAKE_START + ns * 2;
}

void begin(const char *what, uint32_t n)
{
	name = what;
	now = 100;
	m = make_begin(what);
	for (uint32_t i = 1; i <= n; i++) {
		char text[16];

		snprintf(text, sizeof(text), "t%u", i);
		make_thread(&m, i, 0, text);
		make_event(&m, i, tick(10), JWR_ENTER, make_method(i));
	}
}

void step(void)
{
	now += 100;
}

void call(uint32_t uid, uint32_t site, uint64_t object)
{
	make_call(&m, uid, tick(now), site, object);
	step();
}

void ret(uint32_t uid, uint32_t site)
{
	make_returned(&m, uid, tick(now), site), step();
}

void fail(uint32_t uid, uint32_t site)
{
	make_failed(&m, uid, tick(now), site), step();
}

void value(uint32_t uid, int64_t v)
{
	make_event(&m, uid, tick(now), JWR_VALUE, (uint64_t)v & JWR_PAYLOAD_MASK);
}

void vm(uint32_t uid, enum jwr_kind kind, uint64_t object)
{
	make_event(&m, uid, tick(now), kind, object), step();
}

void at_once(uint32_t uid, uint32_t site, uint64_t object)
{
	call(uid, site, object);
	ret(uid, site);
}

uint64_t thread(uint64_t id)
{
	return jwr_thread_object(id);
}

const char *arrows_of(const struct make_site *sites, size_t count)
{
	static char text[65536];
	static struct jw_arena arena;
	struct trace_summary sum;
	struct jw_err e = { 0 };
	const char *path = make_path("%s.jwr", name);
	const char *map = make_sites("arrows.map", sites, count);
	size_t n = 0;

	make_finish(&m, true);
	jw_arena_free(&arena);
	if (!ok(make_convert(&path, 1, name, map, &arena, &sum, &e) == JW_OK))
		tap_note("%s", e.text);
	is_int(make_validate(name), 0);
	char *prv = make_slurp(make_path("%s.prv", name));

	text[0] = '\0';
	for (const char *p = prv; n < sizeof(text) - 100 && (p = strstr(p, "\n3:")); p++) {
		unsigned from, to, tag;
		unsigned long long send, receive;

		if (sscanf(p, "\n3:%*u:1:1:%u:%*u:%llu:%*u:1:1:%u:%*u:%llu:%*u:%u", &from, &send,
			   &to, &receive, &tag) == 5)
			n += (size_t)snprintf(text + n, sizeof(text) - n, "%u@%llu>%u@%llu/%u ",
					      from, send / 100, to, receive / 100, tag);
	}
	free(prv);
	return text;
}

static int in_file(const char *path, const char *text)
{
	int n = 0;
	char *all = make_slurp(path);

	for (const char *p = all; (p = strstr(p, text)); p++)
		n++;
	free(all);
	return n;
}

int in_trace(const char *text)
{
	return in_file(make_path("%s.prv", name), text);
}

int in_pcf(const char *text)
{
	return in_file(make_path("%s.pcf", name), text);
}

const char *waits(uint32_t row)
{
	static char text[4096];
	char *prv = make_slurp(make_path("%s.prv", name));
	size_t n = 0;

	text[0] = '\0';
	for (const char *p = prv; n < sizeof(text) - 64 && (p = strstr(p, "\n1:")); p++) {
		unsigned at, state;
		unsigned long long from, to;

		if (sscanf(p, "\n1:%*u:1:1:%u:%llu:%llu:%u", &at, &from, &to, &state) == 4 &&
		    at == row && state != 1 && state != 2)
			n += (size_t)snprintf(text + n, sizeof(text) - n, "%u@%llu-%llu ", state,
					      from / 100, to / 100);
	}
	free(prv);
	return text;
}
