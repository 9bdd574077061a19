/*
 * summary_kit.h: what tests of summaries share: a recording in a child, and what the reader of
 * trace/ says of it.
 */
#ifndef JW_TESTS_SUMMARY_KIT_H
#define JW_TESTS_SUMMARY_KIT_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime-jni/recorder/sums.h"
#include "tests/runtime-jni/child_kit.h"
#include "trace/reader/reader.h"

void start_sums(const char *name, uint64_t max_size);

void enter(uint64_t id);

void leave(uint64_t id);

void fail(uint64_t id);

void call(uint64_t id);

/* ---- what it left ---- */

extern struct trace_recording rec;

bool read_sums(const char *name);

void done_reading(void);

/* Of all threads. */
struct trace_sum sum_of(enum jwr_kind kind, uint64_t payload);

void is_called(uint64_t id, uint64_t calls, uint64_t fails);

void is_whole(void);

uint64_t sum_calls(uint64_t *methods);

#endif
