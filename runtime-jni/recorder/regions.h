/*
 * regions.h: names that a program gives to parts of what it does. A region is recorded as a method
 * is: its id is that of method 0 of a class that is named after it, as no class can be, so that the
 * same name has the same id in every process; a method map in the recording tells the name.
 */
#ifndef RT_REGIONS_H
#define RT_REGIONS_H

#include <stdint.h>

/* The id of region NAME, in modified UTF-8; its first time it goes into the map. Takes a lock. */
uint64_t rt_region(const char *name);

#endif
