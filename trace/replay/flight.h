/*
 * flight.h: the exceptions of a thread: thrown, in flight, caught.
 *
 *     before -> take, or what the record means -> after      for each record of the thread
 *     end                                                    what comes is another story
 */
#ifndef JW_TRACE_REPLAY_FLIGHT_H
#define JW_TRACE_REPLAY_FLIGHT_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/format/recording.h"

struct trace_pass;
struct trace_who;

/* The exceptions that a thread has met last, one of them maybe on its way: flight.c. */
#define TRACE_MET 64
struct trace_flight {
	uint64_t seen;        /* when a record told of the latest last */
	uint32_t depth;       /* frames that were open then; of the second reading */
	bool flying;          /* nothing but its flight has been seen since */
	uint8_t latest, next; /* places in `met`; where the next new one goes */
	struct trace_met {
		uint64_t object; /* 0: none */
		bool landed;     /* caught since it was thrown last */
	} met[TRACE_MET];
};

/* A THROWN or CAUGHT of WHO. */
void trace_flight_take(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		       uint64_t word);
/* Before every record of WHO that means something for it: of kind KIND. */
void trace_flight_before(struct trace_pass *p, const struct trace_who *who, uint64_t time,
			 enum jwr_kind kind);
/* After it, where frames are known: in the second pass. */
void trace_flight_after(struct trace_pass *p, const struct trace_who *who, uint64_t time,
			enum jwr_kind kind);
/* What comes is not known to belong to what was. */
void trace_flight_end(struct trace_pass *p, const struct trace_who *who, uint64_t time);

#endif
