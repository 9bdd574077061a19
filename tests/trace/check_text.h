/*
 * check_text.h: are the texts that exports write what their readers take: UTF-8, JSON by cJSON, stacks,
 * tables? Each aborts when it is not.
 */
#ifndef JW_TESTS_TRACE_CHECK_TEXT_H
#define JW_TESTS_TRACE_CHECK_TEXT_H

#include "base/bytes.h"
#include "tests/trace/check_prv.h"
#include "trace/tables/tables.h"

/* UTF-8, and no control character. */
void check_text(struct jw_span text);

/* Profiles in which time does not go back, and each call that opens closes. */
void check_speedscope(struct jw_span bytes);
/* Events with all that theirs need; an arrow has two ends. */
void check_chrome(struct jw_span bytes);
/* "frame;frame 12" a line. */
void check_collapsed(struct jw_span bytes);
/* A head with the names of TABLE's columns, then rows of as many values, each of its type. */
void check_tsv(struct jw_span bytes, enum trace_table_id table);

#endif
