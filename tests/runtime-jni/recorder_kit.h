/*
 * recorder_kit.h: what tests of the recorder without a JVM share. It records once per process, so
 * every scenario runs in a child, and the parent reads what the child left. Each logging thread
 * numbers its events from 0: a recording is right when every thread's numbers have no gap.
 */
#ifndef JW_TESTS_RECORDER_KIT_H
#define JW_TESTS_RECORDER_KIT_H

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/runtime-jni/child_kit.h"

#define THREADS_MOST 4096
#define PER_WINDOW   ((JWR_WINDOW_FULL - JWR_HEADER_SIZE) / (int)sizeof(struct jwr_record))

void start(const char *name);

void log_events(int n);

/* Ends once. */
void end_once(void);

/* ---- what it left ---- */

struct left {
	bool there;
	uint64_t events[THREADS_MOST]; /* by uid */
	uint64_t all, gaps, chunks, windows, lost;
	int threads;
	char meta[1 << 20];
	uint64_t data_bytes;
};

struct left *read_back(const char *name);

bool has_item(const struct left *l, const char *item);

/* ---- threads ---- */
void *logging_thread(void *n);

void run_threads(int count, int *events, bool at_once);

/* Logs until OVER; RUNNING: how many do. */
extern _Atomic bool over;
extern _Atomic int running;

void *never_ending(void *unused);

#endif
