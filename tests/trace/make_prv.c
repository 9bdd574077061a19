#include "tests/trace/make_prv.h"

#include "tests/tap.h"

#include "base/banned.h"

void make_at(struct make *m, uint64_t ns, enum jwr_kind kind, uint64_t payload)
{
	make_event(m, 1, MAKE_START + 2 * ns, kind, payload);
}

char *make_prv(const char *name, const char *map, struct trace_summary *summary)
{
	static struct jw_arena arena;
	struct trace_summary unused;
	struct jw_err e = { 0 };
	const char *path = make_path("%s.jwr", name);

	jw_arena_free(&arena);
	if (!ok(make_convert(&path, 1, name, map, &arena, summary ? summary : &unused, &e) ==
		JW_OK))
		tap_note("%s", e.text);
	is_int(make_validate(name), 0);
	return make_slurp(make_path("%s.prv", name));
}
