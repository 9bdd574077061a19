/*
 * anchor.h: the bytes of the class that is defined in the boot loader (anchor.S).
 */
#ifndef RT_ANCHOR_H
#define RT_ANCHOR_H

extern const unsigned char rt_anchor_class[], rt_anchor_class_end[];

#endif
