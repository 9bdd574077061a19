/*
 * fuzz.h: what a fuzz target and libFuzzer (or fuzz_main.c) have of each other.
 */
#ifndef JW_TESTS_FUZZ_H
#define JW_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* The target: any SIZE bytes at DATA; 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Of a target that knows better what to change than libFuzzer: changes the SIZE bytes at DATA,
 * which has room for MAX, in a way that SEED tells; the new size. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);

/* libFuzzer's own way to change them; not there where inputs are only replayed. */
__attribute__((weak)) size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

#endif
