/*
 * arrow_links.h: arrows between ends of messages that are known by a key (`"link"` of rules), in one
 * process or several.
 *
 *     new -> take .. in time -> free
 *
 *     send K        ----->  receive K         one to one, in order, for equal keys of one name
 *     both K (P)    ----->  both K (Q)  ----->  both K (P)      each from the latest of another process
 *
 * A send is where its call begins: what goes out does so later. A receive is where its call begins
 * if the key is known then, else where it ends. On one clock nothing is received before it is sent:
 * such ends are none of one message. On several the clocks may say so, and then there is no arrow,
 * but a count.
 *
 * Cost: a step in a hash table for each end; memory for those that have no other end yet, up to a
 * limit, the oldest go first.
 */
#ifndef JW_TRACE_REPLAY_ARROWS_ARROW_LINKS_H
#define JW_TRACE_REPLAY_ARROWS_ARROW_LINKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trace_inside;
struct trace_link_count; /* output.h */
struct trace_links;
struct trace_who;
struct trace_world;

/* Names, at most: ends of others have no arrows. */
#define TRACE_MOST_LINKS 1000

struct trace_link_counts {
	struct trace_link_count *at; /* owned, in order of appearance */
	size_t n, room;
};

/* NULL: no memory. */
struct trace_links *trace_links_new(struct trace_world *world);
/* The key of INSIDE, of WHO, is known at TIME. */
void trace_links_take(struct trace_links *l, const struct trace_who *who,
		      const struct trace_inside *inside, uint64_t time);
/* Has there been no memory? Also when L is NULL. */
bool trace_links_failed(const struct trace_links *l);
/* Counts those that have no other end, in the world. NULL may be freed, too. */
void trace_links_free(struct trace_links *l);

#endif
