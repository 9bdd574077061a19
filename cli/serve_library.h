/*
 * serve_library.h: libmicrohttpd, loaded when a page is served: linked, it and the libraries that it
 * needs would make every start of jweave longer.
 */
#ifndef JW_CLI_SERVE_LIBRARY_H
#define JW_CLI_SERVE_LIBRARY_H

#include "base/status.h"
#include "trace/export/optional.h"

#if JW_HAVE_libmicrohttpd
#include <microhttpd.h>

/* X(function): those that are used. */
#define CLI_SERVE_LIST(X)                                         \
	X(MHD_add_response_header)                                \
	X(MHD_create_response_from_buffer)                        \
	X(MHD_create_response_from_fd_at_offset64)                \
	X(MHD_create_response_from_buffer_with_free_callback_cls) \
	X(MHD_destroy_response)                                   \
	X(MHD_get_daemon_info)                                    \
	X(MHD_lookup_connection_value)                            \
	X(MHD_get_connection_values)                              \
	X(MHD_queue_response)                                     \
	X(MHD_start_daemon)                                       \
	X(MHD_stop_daemon)

struct cli_serve_library {
	void *handle;
#define CLI_SERVE_POINTER(function) __typeof__(function) *function;
	CLI_SERVE_LIST(CLI_SERVE_POINTER)
#undef CLI_SERVE_POINTER
};

/* JW_IO: it is not there, or is too old. It stays loaded. */
enum jw_status JW_MUST_USE cli_serve_load(struct cli_serve_library *out, struct jw_err *e);
#endif

#endif
