/*
 * find_path.h: the critical path of a .prv of main, a and b, as text, and what is true of any.
 */
#ifndef JW_TESTS_TRACE_FIND_PATH_H
#define JW_TESTS_TRACE_FIND_PATH_H

#include "base/memory.h"
#include "base/status.h"
#include "trace/path/path.h"

#define HEAD "#Paraver (1/1/2025 at 0:00):10000_ns:0:1:1(3:0),0\n"

/* Of the last path; its text is in the path_arena. */
extern struct jw_arena path_arena;
extern struct trace_path_list path_list;

/* LIST is the path of PRV, to the end of CALL (NULL: of all). */
enum jw_status find_path(const char *prv, const struct trace_path_call *call);
/* Likewise, of some processes. */
enum jw_status find_path_of_life(const char *prv);
/* It covers each moment once: or the test fails. */
void is_whole(void);
/* "main 0-1000 runs Main.run, a 1000-9000 ..", until the next call. */
const char *path_text(void);
/* ns of a method, a thread; 0: it is not on it */
uint64_t ns_of_method(const char *name);
uint64_t ns_of_thread(const char *name);

#endif
