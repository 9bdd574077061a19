/*
 * java_options.h: options of the `java` launcher, for those who read somebody's command line: the
 * command line tool before a program starts, the reader from what a recording says of it.
 */
#ifndef JW_BASE_JAVA_OPTIONS_H
#define JW_BASE_JAVA_OPTIONS_H

#include <stdbool.h>

#include "base/bytes.h"

/* Is the value of OPTION the next word ("-cp a.jar")? Of -jar, -m and --module it is the program
 * itself: they are none of these. */
bool jw_java_takes_word(struct jw_span option);

#endif
