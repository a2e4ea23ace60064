/* What this machine can do at most, measured: what the figures of a benchmark
 * are held against.
 *
 * The loops have no use but their speed. One set of them an instruction set,
 * so that a limit is that of the instructions the kernels are made of. */
#ifndef SOTTO_KERNELS_PEAK_H
#define SOTTO_KERNELS_PEAK_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct compute;

/* A loop gives back something made of all its results, so that no compiler
 * leaves out a part. */
struct peak_kernels {
	uint32_t (*int8)(size_t rounds); /* int8 products added up in wider integers */
	size_t int8_macs;                /* multiply-adds of a round */
	uint32_t (*f32)(size_t rounds);
	size_t f32_macs;
	/* Reads n_bytes at a multiple of 64: as so many streams, one beside the other, in each of
	 * which what comes `ahead` bytes later is asked for (0: left to the processor). n_bytes: a
	 * multiple of `streams` times PEAK_STRIDE. */
	uint32_t (*read)(const void *data, size_t n_bytes, size_t streams, size_t ahead);
};

enum { PEAK_STRIDE = 256, PEAK_PARTS = 8 /* at least */, PEAK_WAYS = 6 };

extern const struct peak_kernels peak_generic, peak_avx2, peak_avxvnni, peak_avx512, peak_neon;

/* Multiply-adds a second of all threads together, their operands in registers
 * as far as the instruction set has enough. Takes some 20 ms. */
double peak_int8(const struct compute *compute);
double peak_f32(const struct compute *compute);
double peak_bf16(const struct compute *compute); /* 0 without kernels of its own (kernels/bf16.h) */

/* Memory to read, in huge pages where the system has them. Written once, by the
 * threads that will read it. */
struct peak_memory;

/* Twice what the caches hold, so that memory is what is read, and 256 MiB at least; at most `most`,
 * and a quarter of what is free. */
size_t peak_memory_size(size_t most);
enum status peak_memory_create(struct peak_memory **out, size_t n_bytes,
                               const struct compute *compute, struct error *err) MUST_CHECK;
void peak_memory_free(struct peak_memory *memory); /* NULL is fine */

/* Bytes a second that all threads together read, each a stretch of its own: the next part of
 * the memory (32 MiB or less: a run is short, so that some are not disturbed), the next way. What memory gives depends on how it is asked, by a third or more,
 * and which way is best on the machine: in one stream or several, with or without asking ahead,
 * or as a product does it. The best of many such short runs is the limit; PEAK_WAYS of them are
 * once each way. */
double peak_read(struct peak_memory *memory, const struct compute *compute);

/* Bytes of weights a second (Q4_K) that all threads together multiply with one column,
 * out of `part` of the memory (any number; the caches have forgotten a part when all
 * others were read): what a token consists of. It is the reading's limit where
 * the instructions keep up, and theirs where they do not. 0: not enough memory. */
double peak_product(const struct peak_memory *memory, const struct compute *compute, size_t part);

#endif
