/*
 * check_prv.h: is a trace what Paraver's readers need? What tests/paraver/validate.pl asks of the
 * lines of a .prv, for fuzz targets: where something does not hold, it traps.
 *
 *     check_prv("fuzz")    fuzz.prv in the scratch folder is well formed
 *
 * Lines by time; of each row states without a gap or an overlap, none twice in a row; events and
 * arrows while it lives, an arrow where something begins or ends; frames and operations that end
 * once they have begun; a monitor that is waited for in a state that says so, and as long; nobody
 * Running in a pause of its process.
 */
#ifndef JW_TESTS_TRACE_CHECK_PRV_H
#define JW_TESTS_TRACE_CHECK_PRV_H

#include "tests/trace/make_recording.h"

enum {
	CHECK_TASKS = 256,
	CHECK_OPERATIONS = 100, /* types: the last ones of 48101001 and what follows */
	CHECK_FIELDS = 2 * 1024 + 6,
	CHECK_STACKED = 60000019,
	CHECK_PAUSE = 48000001,
	CHECK_MONITOR = 48100001,
	CHECK_OPERATION = 48101000,
	CHECK_CLOSED = 48100015, /* what the runtime says on the row of the VM, */
	CHECK_DETAIL = 48100016, /* which is created for pauses alone */
};

struct check_row {
	uint64_t state_begin, state_end, at; /* at: of its latest event */
	uint64_t state, monitor, owed;       /* owed: when it went on while a wait was open */
	uint64_t depth, open[CHECK_OPERATIONS];
	uint64_t arrow; /* an end of an arrow where nothing has begun or ended yet; 0: none */
};

struct check_task {
	uint64_t first, rows;
	uint64_t pause; /* when the open one began, 0: none */
	uint64_t runs;  /* the first that one of its rows is Running from since then, 0: none */
	uint64_t ran;   /* until then one of its rows is Running */
};

struct check_trace {
	struct check_task tasks[CHECK_TASKS];
	size_t task_count, row_count;
	struct check_row *rows;
	uint64_t end, last;
};

void must(bool holds);

char *slurp(const char *base, const char *suffix);

/* The numbers of LINE, separated by colons, into V. */
size_t numbers(char *line, uint64_t *v, size_t max);

void check_prv(const char *base);

#endif
