/*
 * requests_int.h: what the files of requests/ share: see requests.h.
 */
#ifndef JW_TRACE_REQUESTS_REQUESTS_INT_H
#define JW_TRACE_REQUESTS_REQUESTS_INT_H

#include "base/lookup.h"
#include "trace/follow/wanted.h"
#include "trace/replay/spool.h"
#include "trace/requests/requests.h"

enum { ANSWERS, ASKS, WAYS };

/* What is moved at once. */
struct move {
	uint64_t begin, end;
	uint32_t thread;
	bool writes;
};

/* A request, and its answer so far. */
struct turn {
	uint64_t begin, answer_begin, end;
	uint32_t asker, answerer;
	bool open, answered; /* it has begun; so has its answer */
};

struct way {
	struct turn turn; /* that goes on */
	struct trace_sketch times;
	uint64_t ns, before,
		after;        /* before, after: that began before the range, went on after it */
	struct turn *longest; /* owned; those that are over, in any order, of LONGEST at most */
	uint32_t n, room;
};

/* A write is told when it has returned, which may be after its answer was read, by another thread. So reads
 * wait for the next write: the first and the last of them, in which those between are. */
struct connection {
	uint64_t channel;
	uint32_t process, read_n;
	struct move reads[2];
	struct way way[WAYS];
};

/* What a thread does to a channel is told in several events. */
struct lane {
	uint64_t channel, moved;
	bool writes;
};

struct trace_requests {
	struct jw_arena *arena;
	struct trace_wanted names;
	const struct trace_scene *scene;
	struct lane *lanes; /* owned; by threads */
	struct {
		struct connection *at; /* owned */
		size_t n, room;
		struct jw_lookup lookup;
	} connections;
	size_t most;
	uint64_t end;
	/* All of them, of both ways, where they are kept: the place of the connection and the way, when
	 * each began, its answer, its end, and its threads. */
	struct trace_spool spool;
	struct trace_list kept;
	bool keeps;
	struct trace_request_list list;
	bool failed; /* no memory */
};

#endif
