/*
 * sampling.h: calls of rules that record less than all of them: sample, maxDepth, minDuration.
 *
 * Each thread (a virtual one, too: what it has open goes where it goes) has a stack of its open
 * calls of such rules, recorded or not, so that an exit is recorded exactly where its enter was. An
 * exit is matched by its id: what is above it has ended without a word (an exception inside
 * super(...)), and an exit whose enter was not seen says nothing.
 *
 *   maxDepth     of calls that one rule chose and that are open in the thread, the first N; those
 *                deeper are not recorded, and sample does not count them
 *   sample       of the calls of one method in one thread the 1st, the N + 1st, ...
 *   minDuration  the enter is recorded as always, and taken back when the call was too short: by
 *                setting the cursor back where nothing was recorded since (and nobody copies the window), else
 *                by making it a record of kind NONE, in its window or in the chunk that this has become. A summary
 *                has no records, and adds up short calls like the others
 *
 * Captures of a call that is not recorded are hushed (rt_hush). Methods of other rules never come
 * here.
 */
#ifndef RT_SAMPLING_H
#define RT_SAMPLING_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime-jni/recorder/baked_read.h"
#include "trace/format/recording.h"

/* Adds COUNT rules of one archive: what to add to their numbers (from 1) for the number that the
 * functions below take. UINT32_MAX: no memory. One call at a time. */
uint32_t rt_sampling_add(const struct rt_sampling_rule *list, uint32_t count);

/* A call of the method ID that RULE (0: none) chose begins, on this thread; CAPTURES of it follow.
 */
void rt_sampling_enter(uint64_t id, uint32_t rule, bool captures);

/* It ends; captures of how it did follow, and then rt_sampling_exit(). */
void rt_sampling_end(uint64_t id);

/* It has ended: KIND is JWR_EXIT or JWR_FAIL. */
void rt_sampling_exit(enum jwr_kind kind, uint64_t id);

/* The virtual thread ID has ended. */
void rt_sampling_virtual_ends(uint64_t id);

#endif
