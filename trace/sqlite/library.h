/*
 * library.h: SQLite's library, loaded when a database is asked for: linked, it would make every
 * start of jweave a third slower.
 */
#ifndef JW_TRACE_SQLITE_LIBRARY_H
#define JW_TRACE_SQLITE_LIBRARY_H

#include <sqlite3.h>

#include "base/status.h"

/* X(function): those that are used. */
#define TRACE_SQLITE_LIST(X)   \
	X(sqlite3_bind_int64)  \
	X(sqlite3_bind_null)   \
	X(sqlite3_bind_text64) \
	X(sqlite3_close_v2)    \
	X(sqlite3_config)      \
	X(sqlite3_errmsg)      \
	X(sqlite3_errstr)      \
	X(sqlite3_exec)        \
	X(sqlite3_finalize)    \
	X(sqlite3_open_v2)     \
	X(sqlite3_prepare_v2)  \
	X(sqlite3_reset)       \
	X(sqlite3_step)        \
	X(sqlite3_table_column_metadata)

struct trace_sqlite_library {
	void *handle;
#define TRACE_SQLITE_POINTER(function) __typeof__(function) *function;
	TRACE_SQLITE_LIST(TRACE_SQLITE_POINTER)
#undef TRACE_SQLITE_POINTER
};

/* JW_IO: it is not there, or is too old. It stays loaded. */
enum jw_status JW_MUST_USE trace_sqlite_load(struct trace_sqlite_library *out, struct jw_err *e);

#endif
