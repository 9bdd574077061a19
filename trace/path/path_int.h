/*
 * path_int.h: what finding a path and telling of it share.
 */
#ifndef JW_TRACE_PATH_INT_H
#define JW_TRACE_PATH_INT_H

#include "trace/follow/follow.h"
#include "trace/follow/wanted.h"
#include "trace/path/path.h"
#include "trace/replay/method_numbers.h"

/* Calls that are over, and are added to what their thread has done when there are so many. */
#define TRACE_PATH_DUE 32

struct trace_path_due {
	uint64_t method, ns;
};

/* A thread on its way. */
struct trace_path_lane {
	struct trace_path_branch branch;
	struct trace_path_node *from; /* how who lets it go on came to do so; a reference */
	uint64_t sent, received;
	bool pending;  /* FROM, SENT, RECEIVED: it goes on soon */
	bool waited;   /* for what is pending, when that was sent */
	bool reads;    /* what is pending is bytes that it reads */
	bool idled;    /* it was in no call, and had no work, when that was sent */
	uint64_t made; /* the last node when FROM was noted */
	/* its last wait for connections, as nobody is known to have ended it; a reference */
	struct trace_path_node *selected;
	/* what was before its begin, as nobody is known to have started it, while it comes from there; a
	 * reference */
	struct trace_path_node *born;
	bool met;        /* who waits for it has given BORN what was before */
	bool gone;       /* it was over, or had not begun */
	uint64_t active; /* when it last did something in a call */
	uint64_t held;   /* until when it last waited */
	/* open calls below this one have nothing that is not in a bag yet */
	uint32_t low;
	uint32_t due_n;
	struct trace_path_due *due; /* owned; NULL: there was none yet */
};

struct trace_path {
	struct trace_follow follow;
	struct trace_wanted names;
	struct trace_history history;
	struct trace_methods methods;  /* numbers of those that were on any path, from 1 */
	struct trace_path_lane *lanes; /* owned */
	struct {
		struct trace_followed_wait *at; /* owned; what was waited for; number I at I - 1 */
		size_t n, cap;
		struct jw_lookup lookup;
	} abouts;
	const struct trace_path_call *call;
	uint64_t begin, end;
	bool of_life;
	uint64_t first, latest; /* from and until when any thread was there */
	uint32_t last;          /* the thread in which the path ends */
	struct jw_arena *arena;
	struct trace_path_list list;
};

/* AT begins at TIME, and has nothing to do with who had its row before. */
void trace_path_born(struct trace_path *path, uint32_t at, uint64_t time);
/* LANE no longer comes from its begin. */
void trace_path_unborn(struct trace_path *path, struct trace_path_lane *lane);
/* FROM, which has BORN, lets TO go on, which was waiting for it: before the begin of FROM counts what TO did. */
void trace_path_meet(struct trace_path *path, uint32_t from, uint32_t to);

/* Some thread is there from BEGIN to END. */
void trace_path_lived(struct trace_path *path, uint64_t begin, uint64_t end);
/* The run ends with its last thread: before LANE, in which it ends, is cut there. Of a process among others that
 * may be much earlier. */
void trace_path_end_with_life(struct trace_path *path, struct trace_path_lane *lane);
/* Likewise it begins with its first one: after that. */
void trace_path_begin_with_life(struct trace_path *path, struct trace_path_lane *lane);

/* Does AT, which does WHAT, wait for somebody? */
bool trace_path_awaits(const struct trace_path *path, uint32_t at, enum trace_report_time what);
/* How FROM came to let TO go on, if TO, which waits for that, has asked for it unseen; NULL: it has not. */
struct trace_path_node *trace_path_asked(struct trace_path *path, uint32_t from, uint32_t to,
					 uint64_t sent);
/* AT may go on at TIME: did it have no work, and was who lets it go on idle for much longer? */
bool trace_path_was_idler(const struct trace_path *path, uint32_t at, uint64_t time);

/* The lists of PATH, once all is told, and the names that they need; false: no memory. */
void trace_path_want(struct trace_path *path);
bool trace_path_tell(struct trace_path *path);

#endif
