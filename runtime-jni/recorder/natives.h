/*
 * natives.h: a probe class whose probes are native themselves.
 *
 * Probe.enter() asks a constant and calls enter0(), which compilers make one call. In an interpreter
 * it is two, which cost twice as much. Where nothing will ever be compiled (-Xint), the class is
 * replaced by one in which enter() is what enter0() is (exit, fail and others likewise). HotSpot
 * lets a redefinition change whether a method is native, and nothing else about it.
 */
#ifndef RT_NATIVES_H
#define RT_NATIVES_H

#include <stdbool.h>

#include "base/bytes.h"

/* Bytes after the tag TAG of a constant; 0: it is a Utf8, or there is no such. */
uint8_t rt_constant_size(uint8_t tag);

/*
 * BYTES (a class file) appended to OUT, with every method NAME for which there is a native method
 * NAME0 of the same descriptor made native: the flag set, its code gone. False: not a class file,
 * no memory, or no such method; OUT is then not to be used.
 */
bool rt_make_natives(struct jw_span bytes, struct jw_buf *out);

#endif
