/*
 * pcf.h: the .pcf as a whole, once all methods have their names.
 */
#ifndef JW_TRACE_PARAVER_PCF_H
#define JW_TRACE_PARAVER_PCF_H

#include "base/bytes.h"

struct trace_frames;
struct trace_map;
struct trace_world;

void trace_put_pcf(struct jw_buf *out, struct trace_frames *frames, const struct trace_world *world,
		   const struct trace_map *map);

#endif
