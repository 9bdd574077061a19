/*
 * serve_library.c: see serve_library.h.
 */
#include "cli/serve_library.h"

#if JW_HAVE_libmicrohttpd && defined(JW_STATIC)
#include "base/banned.h"

/* a static program loads nothing: the library is linked */
enum jw_status cli_serve_load(struct cli_serve_library *out, struct jw_err *e)
{
	(void)e;
#define FUNCTION(function) out->function = function;
	CLI_SERVE_LIST(FUNCTION)
#undef FUNCTION
	return JW_OK;
}
#elif JW_HAVE_libmicrohttpd
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#include "base/banned.h"

static const struct {
	const char *name;
	size_t place;
} functions[] = {
#define FUNCTION(function) { #function, offsetof(struct cli_serve_library, function) },
	CLI_SERVE_LIST(FUNCTION)
#undef FUNCTION
};

enum jw_status cli_serve_load(struct cli_serve_library *out, struct jw_err *e)
{
	struct cli_serve_library lib = { .handle = dlopen("libmicrohttpd.so.12", RTLD_NOW) };

	if (!lib.handle)
		return jw_fail(e, JW_IO,
			       "to serve a page takes libmicrohttpd (Debian: libmicrohttpd12): %s; "
			       "without --serve there is a page as a file",
			       dlerror());
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
		void *found = dlsym(lib.handle, functions[i].name);

		if (!found)
			return jw_fail(e, JW_IO, "libmicrohttpd is too old: it has no %s()",
				       functions[i].name);
		/* what dlsym() finds is a function, which no cast of C says */
		memcpy((char *)&lib + functions[i].place, &found, sizeof(found));
	}
	*out = lib;
	return JW_OK;
}
#else
#include "base/banned.h"
#endif
