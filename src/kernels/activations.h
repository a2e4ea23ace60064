/* Quantising, for matmul.c. */
#ifndef SOTTO_KERNELS_ACTIVATIONS_H
#define SOTTO_KERNELS_ACTIVATIONS_H

#include "kernels/matmul.h"

/* A threadpool_task, ctx a struct activations: fills in blocks begin .. end - 1
 * of the n * (cols / 32), column after column. */
void activations_quantise(void *ctx, size_t begin, size_t end, size_t thread);

#endif
