/*
 * draw.h: chance that can be repeated, for programs that change their input.
 */
#ifndef JW_TESTS_DRAW_H
#define JW_TESTS_DRAW_H

#include <stdint.h>

/* A number from 0 to BELOW - 1 (BELOW > 0); *STATE, at first any number, moves on. */
static inline uint32_t draw(uint32_t *state, uint32_t below)
{
	*state = *state * 1664525u + 1013904223u;
	return (uint32_t)((uint64_t)*state * below >> 32);
}

#endif
