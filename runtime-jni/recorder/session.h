/*
 * session.h: the recording as a whole: begin, pause, early stop, end.
 *
 *     rt_recorder_start() -> events on any thread (recorder.h) -> rt_recorder_end()
 *
 * A recording that has to stop early (size cap, disk full) pulls the limits of all windows to zero;
 * from then on events are only counted, and after the end not even that. Pausing pulls the limits,
 * too. Nothing here ever stops the program.
 */
#ifndef RT_SESSION_H
#define RT_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "runtime-jni/recorder/config.h"
#include "runtime-jni/recorder/data.h"
#include "runtime-jni/recorder/disk.h"
#include "runtime-jni/recorder/recorder.h"
#include "trace/format/tick.h"

/* Creates the recording and begins it. On an error nothing is left behind, and events are not
 * counted. DESCRIBE may be NULL. */
enum jw_status JW_MUST_USE rt_recorder_start(const struct rt_config *config,
					     rt_describe_fn describe, struct jw_err *e);

/* Pauses recording, or resumes it. In a pause events are neither recorded nor counted, and cost
 * little; meta says from when to when. False: there is nothing to pause (not begun, stopped early,
 * or ended). */
bool rt_pause(bool pause);

struct rt_recorder_status {
	struct rt_recorder_names names;
	enum rt_mode mode;
	const char *word; /* "recording", "paused", "stopped" or "ended" */
	const char *why;  /* of "stopped", else "" */
	uint64_t bytes;   /* of chunks */
	uint64_t threads; /* so far */
	uint64_t lost;    /* events not recorded, of threads alive and of those without a slot */
};

/* False: nothing has begun. */
bool rt_recorder_status(struct rt_recorder_status *out);

struct rt_recorder_result {
	struct rt_recorder_names names;
	uint64_t bytes;    /* of chunks */
	bool complete;     /* every window is in `data` */
	bool empty;        /* there is no event in it */
	char stopped[128]; /* why recording stopped early, or "" */
};

/* Notes that the process is alive now. Where nothing tells when it ended, it was after this. */
void rt_recorder_alive(void);

/* The mode of the recording. */
enum rt_mode rt_recorder_mode(void);

/* The VM dies: ALIVE hands over the names that threads have now, and keep. Recording goes on, since
 * threads run until the VM has stopped them. False: it should end here, since the VM no longer
 * tells which virtual thread runs. */
bool rt_recorder_outlives(void (*alive)(rt_name_fn take));

/* The wait that the thread JAVA_ID is in and tells once it is over; none (0) where it is a virtual thread's. Should
 * the recording end before that, WAIT is told in its place, if it is the same one. */
struct rt_open_wait rt_open_wait_of(int64_t java_id);
void rt_open_wait_is(int64_t java_id, struct rt_open_wait wait);

/* Ends the recording, once; false when there is none, or when another call ends or ended it. Events
 * that other threads log from then on are dropped. */
bool rt_recorder_end(const char *reason, struct rt_recorder_result *out);

/* Has it begun, and not ended? Paused or not. */
bool rt_recording(void);

/* The clock of the recording, once it has begun. */
enum trace_ticks rt_recorder_clock(void);

/* Says in meta what was refused; each text once is enough. */
void rt_note(const char *text);

/* ---- for the recorder itself ---- */

/* Stops recording early, once, and says why. */
void rt_stop(const char *why);

/* Writes the window of SLOT out for good, and sets *LOST to what could not be recorded. The slot is
 * locked, and not done. LAST: no other thread gets its window, so the limits do not hold for what is in
 * it. Else recording stops where one is reached. False: its records are still in the window. */
bool rt_retire(struct rt_slot *slot, bool last, uint64_t *lost);

/* There is no room for the window of one more thread: stops recording; a flight recorder goes on with
 * the threads that have one, and says so once. */
void rt_no_window(void);

/* Says in meta, once, that the windows are anonymous memory, and why (an errno). */
void rt_note_anonymous(int refused);

#endif
