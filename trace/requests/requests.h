/*
 * requests.h: requests and their answers, as connections saw them, whatever program or library spoke.
 *
 *     new -> an output told all of it (output.h) -> list -> free
 *
 *     accepted   read read   write write   read ..     it answers: a request is from the end of the first
 *                a request                             read to the end of the last write
 *     made       write       read read     write ..    it asks: from the start of the first write to the end
 *                a request                             of the last read
 *
 * So each begins when its first bytes have come, or go, and ends when the last ones of its answer have gone, or
 * come: who asks sees more than who answers by the way there and back. Where several are under way on one
 * connection, and answers come while others are asked for (HTTP/2, Kafka), some together are one. What is
 * said unasked is none. Bytes must have been recorded (events `net`).
 *
 * Of a range (select/select.h) are those that touch it: they count whole, and how many it cuts is told.
 *
 * Memory: some 300 bytes a connection, and 8 for each request on it up to 128; beyond, 3 KB (calls/sketch.h).
 */
#ifndef JW_TRACE_REQUESTS_REQUESTS_H
#define JW_TRACE_REQUESTS_REQUESTS_H

#include "base/memory.h"
#include "trace/calls/sketch.h"
#include "trace/output.h"

/* Those of one process, at one address. */
struct trace_request_sum {
	const char *where;        /* "at 10.0.0.1:80", "to 10.0.0.2:5432" */
	const char *process_name; /* "" where there is no other */
	uint32_t process;         /* its place in the scene */
	bool asks;                /* it asks there; else it answers */
	uint64_t connections, ns, longest_begin;
	struct trace_sketch times; /* in the arena: how many, and how long each took */
};

struct trace_request {
	uint64_t begin, end;   /* ns */
	uint64_t answer_begin; /* when the answer began, between both */
	bool asks;             /* its process does; else it answers */
	uint32_t process;      /* its place in the scene */
	uint32_t asker,
		answerer; /* its threads, by number in it, from 1: who read and wrote, or wrote and read */
	const char *connection, *process_name, *asker_name, *answerer_name;
};

/* What answers comes before what asks, and then what took longest in all; requests that took longest first.
 * All text is in the arena. */
struct trace_request_list {
	const struct trace_request_sum *sums;
	const struct trace_request *slowest;
	size_t sum_count, slowest_count;
	size_t connections;     /* whose bytes are known, with requests or without */
	uint64_t before, after; /* requests that began before the range, that went on after it */
	uint64_t duration_ns;   /* of the run */
};

struct trace_requests;

/* MOST: how many of the slowest are kept. NULL: no memory. */
struct trace_requests *trace_requests_new(size_t most, struct jw_arena *arena);
extern const struct trace_output trace_requests_output; /* of a struct trace_requests */
struct trace_request_list trace_requests_list(const struct trace_requests *requests);

/* One of all. Its threads are places in the scene. */
struct trace_kept_request {
	uint64_t begin, answer_begin, end; /* ns */
	uint64_t channel, number;          /* the connection's, and its own among all */
	const char *connection;
	struct jw_span server; /* its address, of `connection` */
	uint32_t process, asker, answerer;
	bool asks;
};
typedef enum jw_status (*trace_request_fn)(void *ctx, const struct trace_kept_request *request,
					   struct jw_err *e);

/* All are kept, too, some 20 bytes each, beside the output BASE ("": where temporary files go). Before
 * anything is told. */
enum jw_status JW_MUST_USE trace_requests_keep(struct trace_requests *requests, const char *base,
					       struct jw_err *e);
/* All that were kept, those of a connection in time, once all is told. */
enum jw_status JW_MUST_USE trace_requests_each(struct trace_requests *requests,
					       trace_request_fn tell, void *ctx, struct jw_err *e);
/* NULL may be freed, too. */
void trace_requests_free(struct trace_requests *requests);

#endif
