/*
 * object_classes.h: of which class an object is.
 */
#ifndef JW_TRACE_REPORT_OBJECT_CLASSES_H
#define JW_TRACE_REPORT_OBJECT_CLASSES_H

#include "trace/report/reading.h"

/* The class of an object that lane AT has to do with; 0: it has no name. */
uint64_t trace_class_value(const struct trace_reading *r, uint32_t task, uint64_t object);
void trace_note_class(struct trace_reading *r, uint32_t at, uint64_t object, uint64_t class);

#endif
