/*
 * apart.h: what the second reading may tell of a thread before others have had their turn
 * (TRACE_APART_THREADS): what is its own alone, gives no new number to anything that outputs are told by
 * number, and is not about all threads of its process.
 *
 *     open -> until, reaches, is_own .. -> end -> free      merge.c asks; tell.c has told the rest
 *
 *     arrows by sending    a>b  c>b  b>a  c>a ..
 *     by receiver          b: a>b c>b    a: b>a c>a        each when its thread has got that far
 *
 * Cost: a step in a hash table for each enter; memory for the arrows that were read and not told, at
 * most TRACE_APART_ARROWS where threads can wait for them.
 */
#ifndef JW_TRACE_REPLAY_APART_H
#define JW_TRACE_REPLAY_APART_H

#include <stdbool.h>
#include <stdint.h>

struct trace_apart_arrows;
struct trace_item;
struct trace_pass;
struct trace_row;
struct trace_runner;

#define TRACE_APART_ARROWS (1u << 15)

/* Before anything is told; false: no memory. */
bool trace_apart_open(struct trace_pass *p);
/* Up to which key, KEY at most, threads may be told apart: all arrows before it are known. */
uint64_t trace_apart_until(struct trace_pass *p, uint64_t key);
/* What is next of ROW has KEY, a RECORD or a state: tells what comes before that. */
void trace_apart_reaches(struct trace_pass *p, const struct trace_row *row, uint64_t key,
			 bool record);
/* What ROW waits for has changed at TIME. */
void trace_apart_waits(struct trace_pass *p, const struct trace_row *row, uint64_t time);
/* STATE is told; has that which ROW has next been so before? */
void trace_apart_state(struct trace_pass *p, uint32_t state);
bool trace_apart_knows_state(const struct trace_pass *p, const struct trace_row *row);
/* Below which key nothing comes before a record of ROW. */
uint64_t trace_apart_calm(const struct trace_pass *p, const struct trace_row *row);
/* Is ITEM, a record and next of R, to be told as soon as R gets there? */
bool trace_apart_is_own(const struct trace_pass *p, const struct trace_runner *r,
			const struct trace_item *item);
/* All records were: tells what is left. */
void trace_apart_end(struct trace_pass *p);
/* NULL may be freed, too. */
void trace_apart_free(struct trace_apart_arrows *all);

#endif
