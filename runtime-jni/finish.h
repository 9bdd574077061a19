/*
 * finish.h: the end of a traced process: recording complete, Paraver trace made where that is
 * cheap, one line for the user. Runs once, from whichever of VM death, atexit and the library's
 * destructor comes first; changes neither output nor exit status of the program.
 */
#ifndef RT_FINISH_H
#define RT_FINISH_H

#include "runtime-jni/config.h"
#include "runtime-jni/recorder.h"

/* What to do at the end, kept by reference; before it is set rt_finish() does nothing. */
void rt_finish_prepare(const struct rt_config *config);

/* Ends the recording (rt_recorder_end()) and does the rest. */
void rt_finish(const char *reason, void (*alive)(rt_name_fn take));

#endif
