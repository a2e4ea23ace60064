/* The most that this machine can do, measured: `sotto bench` compares its results with
 * it, and from it the search for models tells how fast one will speak.
 *
 * The loops consist of the instructions of the kernels (kernels/peak_kernels.h): each
 * instruction set has its own limits. */
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

/* Twice what the caches hold, so that reads come from memory, and at least 256 MiB; at most
 * `most` and a quarter of free memory. */
size_t peak_memory_size(size_t most);
enum status peak_memory_create(struct peak_memory **out, size_t n_bytes,
                               const struct compute *compute, struct error *err) MUST_CHECK;
void peak_memory_free(struct peak_memory *memory); /* NULL is fine */

/* Bytes a second that all threads together read, each from an area of its own. Each call
 * reads the next part of the memory (32 MiB or less: some of these short runs are not
 * disturbed) in the next of PEAK_WAYS ways: in one stream or several, with prefetching or
 * without, or as a product reads. Ways differ by a third or more, and machines in which is
 * best; the best of many runs is the limit. */
double peak_read(struct peak_memory *memory, const struct compute *compute);

/* Bytes of weights a second (Q4_K) that all threads together multiply with one column, which
 * is most of the work for a token. They come from `part` of the memory (any number): after all
 * other parts were read, none of it is in a cache. 0: not enough memory. */
double peak_product(const struct peak_memory *memory, const struct compute *compute, size_t part);

#endif
