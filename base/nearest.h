/*
 * nearest.h: the name that was probably meant, for "did you mean".
 */
#ifndef JW_BASE_NEAREST_H
#define JW_BASE_NEAREST_H

#include <stddef.h>

/* The one of COUNT NAMES that is nearest to WORD, or that contains it; case is ignored. NULL: none
 * is near. */
const char *jw_nearest(const char *word, const char *const *names, size_t count);

#endif
