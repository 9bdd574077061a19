/*
 * lambda_target.h: which method an object of a lambda expression or method reference calls, by the
 * constants of the class that the JDK makes for it. Knows no JVM.
 */
#ifndef RT_LAMBDA_TARGET_H
#define RT_LAMBDA_TARGET_H

#include "base/bytes.h"

/* The key (jw_body_key()) of the one method that BYTES name, the constants of such a class in the
 * form of a class file, COUNT as there; constructors, and the JDK's conversions, apart. 0: there is
 * none, or several. */
uint64_t rt_lambda_body(struct jw_span bytes, uint16_t count);

#endif
