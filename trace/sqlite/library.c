/*
 * library.c: see library.h.
 */
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#include "trace/sqlite/library.h"

#include "base/banned.h"

#ifdef JW_STATIC
/* a static program loads nothing: the library is linked */
enum jw_status trace_sqlite_load(struct trace_sqlite_library *out, struct jw_err *e)
{
	(void)e;
#define FUNCTION(function) out->function = function;
	TRACE_SQLITE_LIST(FUNCTION)
#undef FUNCTION
	return JW_OK;
}
#else
static const struct {
	const char *name;
	size_t place;
} functions[] = {
#define FUNCTION(function) { #function, offsetof(struct trace_sqlite_library, function) },
	TRACE_SQLITE_LIST(FUNCTION)
#undef FUNCTION
};

enum jw_status trace_sqlite_load(struct trace_sqlite_library *out, struct jw_err *e)
{
	struct trace_sqlite_library lib = { .handle = dlopen("libsqlite3.so.0", RTLD_NOW) };

	if (!lib.handle)
		return jw_fail(e, JW_IO,
			       "a database needs SQLite's library (Debian: libsqlite3-0): %s; the "
			       "format 'tsv' does without",
			       dlerror());
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
		void *found = dlsym(lib.handle, functions[i].name);

		if (!found)
			return jw_fail(e, JW_IO, "SQLite's library is too old: it has no %s()",
				       functions[i].name);
		/* what dlsym() finds is a function, which no cast of C says */
		memcpy((char *)&lib + functions[i].place, &found, sizeof(found));
	}
	*out = lib;
	return JW_OK;
}
#endif
