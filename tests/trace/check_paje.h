/*
 * check_paje.h: is a Paje trace what its readers take without complaint?
 */
#ifndef JW_TESTS_TRACE_CHECK_PAJE_H
#define JW_TESTS_TRACE_CHECK_PAJE_H

#include "base/bytes.h"

/* Aborts when it is not. What is used is defined; time does not go back; what is pushed is popped;
 * links have two ends; containers end, those inside before those around them. */
void check_paje(struct jw_span bytes);

#endif
