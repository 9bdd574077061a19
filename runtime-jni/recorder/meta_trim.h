/*
 * meta_trim.h: the meta of a flight recorder, without the threads of which the ring has nothing any more.
 *
 * Each segment of the ring knows how long meta was when it began. A thread tells of its end after its
 * last chunk. So where that line is before the mark of the oldest segment, all chunks of the thread have
 * been removed:
 *
 *     thread 1 | thread 2 | thread-end 1 | thread 3 | thread-end 3 | thread-end 2
 *                                        ^ the oldest segment began: 1 is gone, 2 and 3 are not
 *
 * The other lines become a new file, which takes the place of the old one. Threads write to that
 * meanwhile, and wait only while what they wrote is copied.
 */
#ifndef RT_META_TRIM_H
#define RT_META_TRIM_H

#include <stdbool.h>
#include <stdint.h>

/* Of a ring of MOST bytes. Without this nothing is trimmed. */
void rt_trim_begin(uint64_t most);

/* Does it now, where meta has grown by a sixteenth of the ring since the last time. By a thread that
 * ends, after its line. */
void rt_trim_meta(void);

/* Nothing is trimmed until RT_TRIM_GO_ON: who copies a ring, or ends it, needs all names of what is in it.
 * False: it was not to be had in time, and there is nothing to go on with. */
bool rt_trim_pause(void);
void rt_trim_go_on(void);

#endif
