/*
 * texts.h: texts that captures meet (strings, names of classes): each is a number in the records,
 * and its text once in meta.
 */
#ifndef RT_TEXTS_H
#define RT_TEXTS_H

#include <stdint.h>

/* So many texts are told; later ones are number 0. A text is cut after so many bytes. */
enum { RT_TEXTS_MAX = 16384, RT_TEXT_BYTES = 240 };

/* The number (1, 2, ... as they come) of TEXT, in modified UTF-8; at its first time the text goes
 * into meta. 0: there are too many texts. From any thread; a text that was seen before takes no
 * lock. */
uint64_t rt_text(const char *text);

#endif
