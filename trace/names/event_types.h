/*
 * event_types.h: the numbers that a trace speaks in: how many rows it has, types of events, states;
 * for the files of this room alone.
 */
#ifndef JW_TRACE_EVENT_TYPES_H
#define JW_TRACE_EVENT_TYPES_H

/* Paraver counts threads in 16 bits. */
#define TRACE_MAX_ROWS 65535
/* With more rows no CPUs are told: a number of three or more digits for each row, which says no
 * more than the row, would be 5 % of every line. */
#define TRACE_MAX_CPUS 256
/* Types of events, as Extrae numbers them. */
#define TRACE_USER_FUNCTION 60000019

/* Values of types that name classes: class_numbers.c. */
#define TRACE_CLASSES "classes"
/* Values that name virtual threads. */
#define TRACE_VIRTUALS "virtual threads"
/* Values that name call sites, and places where threads wait: calls.c, dispatch.c. */
#define TRACE_SITES  "call sites"
#define TRACE_PLACES "places"

/* Values that name threads. */
#define TRACE_THREADS "threads"

/* Values that name methods, as those of TRACE_USER_FUNCTION do. */
#define TRACE_METHODS "methods"

/* X(name, number, label, values as the .pcf has them; "": numeric): types beside it. Those of the
 * block 48100000 to 48199999 are ours, the others Extrae's. */
#define TRACE_TYPE_LIST(X)                                                                        \
	X(GC, 48000001, "Java Garbage collector",                                                 \
	  "0      Garbage collector disabled\n1      Garbage collector enabled\n")                \
	X(EXCEPTION, 48000002, "Java exception",                                                  \
	  "0      No exception or last exception caught\n1      In-flight exception\n")           \
	X(MONITOR, 48100001, "Java monitor", "0      End\n1      Contended enter\n2      Wait\n") \
	X(OBJECT, 48100002, "Java monitor object", "")                                            \
	X(WITHOUT, 48100003, "Java virtual threads without a row", "")                            \
	X(OPERATION_OBJECT, 48100004, "Java operation object", "")                                \
	X(BYTES, 48100005, "Java I/O bytes", "")                                                  \
	X(THROWN, 48100006, "Java exception thrown", TRACE_CLASSES)                               \
	X(RETHROWN, 48100007, "Java exception thrown again", TRACE_CLASSES)                       \
	X(CAUGHT, 48100008, "Java exception caught", TRACE_CLASSES)                               \
	X(ALLOC, 48000003, "Java object allocation", "")                                          \
	X(ALLOC_CLASS, 48100009, "Java object allocation, class", TRACE_CLASSES)                  \
	X(CREATED, 48100010, "Java object made", TRACE_CLASSES)                                   \
	X(LENGTH, 48100011, "Java array length", "")                                              \
	X(VIRTUAL, 48100012, "Java virtual thread", "")                                           \
	X(VIRTUAL_NAME, 48100013, "Java virtual thread, name", TRACE_VIRTUALS)                    \
	X(THREAD_NAME, 48100014, "Java thread name", TRACE_THREADS)                               \
	X(CLOSED, 48100015, "Java method no longer recorded", TRACE_METHODS)                      \
	X(DETAIL, 48100016, "Java methods all recorded",                                          \
	  "0      No, some are closed\n1      Yes, for a moment\n")                               \
	X(MONITOR_CLASS, 48100020, "Java monitor, class", TRACE_CLASSES)                          \
	X(MONITOR_PLACE, 48100021, "Java monitor, where it is waited for", TRACE_PLACES)          \
	X(OPERATION_CLASS, 48100022, "Java operation, class of the object", TRACE_CLASSES)        \
	X(SITE, 48100023, "Java call site", TRACE_SITES)                                          \
	X(FAILED, 48100024, "Java method left by an exception",                                   \
	  "0      End\n1      By an exception\n")                                                 \
	X(PART_BYTES, 48100025, "Java I/O bytes, of a part", "")                                  \
	X(THREAD_CPU, 48100026, "Java thread, CPU time in ns", "")                                \
	X(PROCESS_CPU, 48100027, "Java process, CPU time in ns", "")                              \
	X(WAIT, 48100028, "Java wait",                                                            \
	  "0      End\n1      Park\n2      Park, for work\n3      Sleep\n")                      \
	X(UNPARK, 48100029, "Java unpark of thread", "")

enum trace_type {
#define TRACE_TYPE_ENUM(name, number, label, values) TRACE_TYPE_##name,
	TRACE_TYPE_LIST(TRACE_TYPE_ENUM)
#undef TRACE_TYPE_ENUM
};

/* States, as Extrae numbers them. */
#define TRACE_RUNNING         1
#define TRACE_NOT_CREATED     2
#define TRACE_SYNCHRONIZATION 5
#define TRACE_WAIT_ALL        8
#define TRACE_BLOCKED         9
#define TRACE_IO              12
#define TRACE_DISABLED        14
#define TRACE_OTHERS          15
/* Ours: workers of pools that have nothing to do. (Gaps are Idle, and an Idle that is written is
 * what no tool expects: PARAVER.) */
#define TRACE_FOR_WORK 34

#endif
