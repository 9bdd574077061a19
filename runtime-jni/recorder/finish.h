/*
 * finish.h: the end of a traced process: recording complete, Paraver trace made where that is
 * cheap, one line for the user. Changes neither output nor exit status of the program.
 *
 * Between the VM's word that it dies and the moment when it has stopped its threads, those run on
 * and call woven methods. So the word is used to ask what only a living VM knows, and the rest is
 * done once, from whichever of atexit and the library's destructor comes first: no event is missed,
 * and the program does not run any longer while its recording is converted.
 */
#ifndef RT_FINISH_H
#define RT_FINISH_H

#include "runtime-jni/recorder/config.h"
#include "runtime-jni/recorder/recorder.h"

/* What to do at the end, kept by reference; before it is set the others do nothing. */
void rt_finish_prepare(const struct rt_config *config);

/* The VM dies: ALIVE hands over the names of its threads. The recording itself ends here only where
 * it cannot go on without the VM (rt_recorder_outlives()). */
void rt_finish_dying(void (*alive)(rt_name_fn take));

/* The process ends: ends the recording, unless that is done, and does the rest, once. */
void rt_finish(const char *reason);

#endif
