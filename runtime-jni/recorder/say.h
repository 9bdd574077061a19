/*
 * say.h: the runtime's one way to speak: a line on standard error, in a single write.
 */
#ifndef RT_SAY_H
#define RT_SAY_H

#include "base/status.h"

/* "jweave: " and the text of FMT and a line feed. */
void rt_say(const char *fmt, ...) JW_PRINTF(1, 2);
void rt_say_line(const char *line);

#endif
