/*
 * said_names.h: what numbers of a trace stand for, as its names say (output.h: struct trace_names).
 *
 * NAMES may be NULL: those of a .prv, which says them itself.
 */
#ifndef JW_TRACE_NAMES_SAID_NAMES_H
#define JW_TRACE_NAMES_SAID_NAMES_H

#include <stdint.h>

struct jw_arena;
struct jw_buf;
struct trace_names;
struct trace_scene;

/* The label of the operation NUMBER of TYPE; NULL: there is no such operation. */
const char *trace_operation_label(uint64_t type, uint64_t number);
/* What the TAG of an arrow (output.h) is called: its link, or operation. NULL: nothing. */
const char *trace_arrow_label(const struct trace_names *names, uint64_t tag);
/* What the program has called its events of TYPE; NULL: nothing. */
const char *trace_user_label(const struct trace_names *names, uint64_t type);
/* What captures of TYPE are called, by their rule or else by the program; "" or NULL: nothing. */
const char *trace_capture_label(const struct trace_names *names, uint64_t type);
/* Appends what thread NUMBER of its process is called where it has no name. */
void trace_put_unnamed(struct jw_buf *out, uint32_t number);
/* What the thread at the place AT of SCENE is called where it has no name: "unnamed 8", by its number in the process. The role
 * of all these is "unnamed" (calls/role.h). NULL: no memory. */
const char *trace_unnamed_thread(struct jw_arena *arena, const struct trace_scene *scene,
				 uint32_t at);

#endif
