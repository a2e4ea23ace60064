/* What this machine can do at most, measured: what the figures of a benchmark
 * are held against., with loops that
 * are made of the instructions its kernels are made of (kernels/peak_kernels.h). */
#ifndef SOTTO_KERNELS_PEAK_H
#define SOTTO_KERNELS_PEAK_H

#include <stddef.h>

#include "base/error.h"

struct compute;

enum { PEAK_PARTS = 8 /* at least */, PEAK_WAYS = 6 };

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
