/*
 * numbers.h: the numbers that a .prv speaks in: types of events, as Extrae has them, and ours.
 */
#ifndef JW_TRACE_PARAVER_NUMBERS_H
#define JW_TRACE_PARAVER_NUMBERS_H

#include <stdint.h>

/* Methods: a value above 0 pushes one, 0 pops one. */
#define TRACE_PRV_FUNCTION 60000019
/* Types of the block from here to 48199999 are ours. */
#define TRACE_PRV_OURS 48100000

/* Of this there is no event: its values say what the trace lacks. */
#define TRACE_PRV_NOTES 48100043

/* In place of values: those that are told in the end. */
#define TRACE_PCF_CLASSES  "classes"
#define TRACE_PCF_VIRTUALS "virtual threads"
#define TRACE_PCF_SITES    "call sites"
#define TRACE_PCF_PLACES   "places"
#define TRACE_PCF_CHANNELS "channels"
#define TRACE_PCF_THREADS  "threads"
#define TRACE_PCF_METHODS  "methods"
#define TRACE_PCF_LINKS    "links"

/* Of captures: the label of one that has none; what its label has before the number of the type, if
 * numbers that hold are one more than they are without names for all, and of objects; and the name of 0 of
 * what holds, and of texts that do not. */
#define TRACE_PCF_CAPTURED    "Captured value"
#define TRACE_PCF_ONE_MORE    ", + 1"
#define TRACE_PCF_OBJECT      ", object"
#define TRACE_PCF_HELD_OBJECT ", object that holds"
#define TRACE_PCF_NOT_HELD    "No longer held"
#define TRACE_PCF_NULL        "null"

/* X(name, number, label, values as the .pcf has them; "": numeric), in the order of the .pcf. NAME
 * is that of an event (output.h), but FAILED: a method is left by an exception. */
#define TRACE_PRV_LIST(X)                                                                         \
	X(GC, 48000001, "Java Garbage collector",                                                 \
	  "0      Garbage collector disabled\n1      Garbage collector enabled\n")                \
	X(EXCEPTION, 48000002, "Java exception",                                                  \
	  "0      No exception or last exception caught\n1      In-flight exception\n")           \
	X(MONITOR, 48100001, "Java monitor", "0      End\n1      Contended enter\n2      Wait\n") \
	X(OBJECT, 48100002, "Java monitor object", "")                                            \
	X(WITHOUT, 48100003, "Java virtual threads without a row", "")                            \
	X(OPERATION_OBJECT, 48100004, "Java operation object", "")                                \
	X(BYTES, 48100005, "Java I/O bytes", "")                                                  \
	X(THROWN, 48100006, "Java exception thrown", TRACE_PCF_CLASSES)                           \
	X(RETHROWN, 48100007, "Java exception thrown again", TRACE_PCF_CLASSES)                   \
	X(CAUGHT, 48100008, "Java exception caught", TRACE_PCF_CLASSES)                           \
	X(ALLOC, 48000003, "Java object allocation", "")                                          \
	X(ALLOC_CLASS, 48100009, "Java object allocation, class", TRACE_PCF_CLASSES)              \
	X(CREATED, 48100010, "Java object made", TRACE_PCF_CLASSES)                               \
	X(LENGTH, 48100011, "Java array length", "")                                              \
	X(VIRTUAL, 48100012, "Java virtual thread", "")                                           \
	X(VIRTUAL_NAME, 48100013, "Java virtual thread, name", TRACE_PCF_VIRTUALS)                \
	X(THREAD_NAME, 48100014, "Java thread name", TRACE_PCF_THREADS)                           \
	X(CLOSED, 48100015, "Java method no longer recorded", TRACE_PCF_METHODS)                  \
	X(DETAIL, 48100016, "Java methods all recorded",                                          \
	  "0      No, some are closed\n1      Yes, for a moment\n")                               \
	X(MONITOR_CLASS, 48100020, "Java monitor, class", TRACE_PCF_CLASSES)                      \
	X(MONITOR_PLACE, 48100021, "Java monitor, where it is waited for", TRACE_PCF_PLACES)      \
	X(OPERATION_CLASS, 48100022, "Java operation, class of the object", TRACE_PCF_CLASSES)    \
	X(SITE, 48100023, "Java call site", TRACE_PCF_SITES)                                      \
	X(FAILED, 48100024, "Java method left by an exception",                                   \
	  "0      End\n1      By an exception\n")                                                 \
	X(PART_BYTES, 48100025, "Java I/O bytes, of a part", "")                                  \
	X(THREAD_CPU, 48100026, "Java thread, CPU time in ns", "")                                \
	X(PROCESS_CPU, 48100027, "Java process, CPU time in ns", "")                              \
	X(WAIT, 48100028, "Java wait",                                                            \
	  "0      End\n1      Park\n2      Park, for work\n3      Sleep\n4      Select\n"         \
	  "5      Select or accept, for work\n6      Poll\n7      Accept\n8      Connect\n"       \
	  "9      Read\n10     Write\n11     Force\n12     Process\n13     File lock\n")          \
	X(UNPARK, 48100029, "Java unpark of thread", "")                                          \
	X(CHANNEL, 48100030, "Java connection or file", TRACE_PCF_CHANNELS)                       \
	X(CHANNEL_READ, 48100031, "Java connection or file, bytes read", "")                      \
	X(CHANNEL_WRITTEN, 48100032, "Java connection or file, bytes written", "")                \
	X(CHANNEL_NS, 48100033, "Java connection or file, time in ns", "")                        \
	X(LINK, 48100034, "Java message sent, by link", TRACE_PCF_LINKS)                          \
	X(START, 48100035, "Java start of thread", "")                                            \
	X(WAKE, 48100041, "Java wakeup of selector", "")                                          \
	X(INTERRUPT, 48100042, "Java interrupt of thread", "")                                    \
	X(HOLDER, 48100040, "Java monitor, held by the thread of this row", "")                   \
	X(CONTEXT_1, 48100036, "Trace context: trace id, hex digits 1 to 12", "")                 \
	X(CONTEXT_2, 48100037, "Trace context: trace id, hex digits 13 to 24", "")                \
	X(CONTEXT_3, 48100038, "Trace context: trace id, hex digits 25 to 32; span id, 1 to 4",   \
	  "")                                                                                     \
	X(CONTEXT_4, 48100039, "Trace context: span id, hex digits 5 to 16", "")

enum trace_prv_number {
#define TRACE_PRV_NUMBER_ENUM(name, number, label, values) TRACE_PRV_NUMBER_##name = number,
	TRACE_PRV_LIST(TRACE_PRV_NUMBER_ENUM)
#undef TRACE_PRV_NUMBER_ENUM
};

enum trace_prv_type {
#define TRACE_PRV_ENUM(name, number, label, values) TRACE_PRV_##name,
	TRACE_PRV_LIST(TRACE_PRV_ENUM)
#undef TRACE_PRV_ENUM
		TRACE_PRV_TYPES,
};

struct trace_prv_kind {
	uint32_t number;
	const char *label, *values;
};

/* By enum trace_prv_type. */
extern const struct trace_prv_kind trace_prv_kinds[TRACE_PRV_TYPES];
/* By enum trace_type: the number, and the place among these kinds. */
extern const uint32_t trace_prv_numbers[];
extern const uint8_t trace_prv_places[];

#endif
