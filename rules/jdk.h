/*
 * jdk.h: classes of the JDK: which they are, and what of them is never woven.
 */
#ifndef JW_RULES_JDK_H
#define JW_RULES_JDK_H

#include "rules/rules.h"

/* The packages of the JDK: "java/", "jdk/", "sun/"; NULL ends. */
extern const char *const rules_jdk_packages[];

/* Is NAME a class of the JDK? */
bool rules_is_jdk(struct jw_span name);

/* Why METHOD of CLS, a class of the JDK, is never woven; RULES_WHY_TRACED: it may be. */
enum rules_why rules_jdk_keeps(const struct rules_class *cls, const struct rules_method *method);

#endif
