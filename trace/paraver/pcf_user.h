/*
 * pcf_user.h: types of events of the programs' own, after all others.
 */
#ifndef JW_TRACE_PARAVER_PCF_USER_H
#define JW_TRACE_PARAVER_PCF_USER_H

struct trace_names;
struct trace_pcf;

/* One that is there as a capture's is not written again. */
void trace_put_user_types(struct trace_pcf *pcf, const struct trace_names *names);

#endif
