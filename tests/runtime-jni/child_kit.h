/*
 * child_kit.h: a recording in a process of its own, since a process records once, below a folder
 * that goes with the test.
 */
#ifndef JW_TESTS_CHILD_KIT_H
#define JW_TESTS_CHILD_KIT_H

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime-jni/recorder/session.h"
#include "tests/tap.h"

/* Without limits and without a conversion at the end, until a test says otherwise. */
extern struct rt_config config;

const char *work_dir(void);

/* Runs CHILD in a process of its own; its wait status. The second: what it says goes nowhere. */
int in_child(void (*child)(void));

int in_silent_child(void (*child)(void));

/* In a child: begins the recording NAME, as `config` says otherwise. */
void start_with(const char *name, rt_describe_fn describe);

void end(void);

/* What a child left: PART of the recording NAME into OUT, at most MAX bytes. Returns how many; 0:
 * it is not there. */
size_t slurp(const char *name, const char *part, void *out, size_t max);

#endif
