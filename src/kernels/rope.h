/* Rotary position embedding (Su et al. 2021, "RoFormer"). */
#ifndef SOTTO_KERNELS_ROPE_H
#define SOTTO_KERNELS_ROPE_H

#include <stddef.h>

struct compute;

/* Which elements of a head are rotated together: 2i and 2i + 1, or i and
 * i + n_pairs. GGUF files of the llama family have the rows of Q and K
 * permuted so that the first is right. */
enum rope_pairing { ROPE_ADJACENT, ROPE_HALVES };

/* Cosines and sines for n consecutive positions from `pos` on:
 * table[n][n_pairs][2], for angles position * frequency[i]. In double until
 * the end, since the angles reach thousands of turns. */
void rope_table(const double *frequency, size_t n_pairs, size_t pos, size_t n, float scale,
                float *table);

/* Rotates the first 2 * n_pairs elements of every head of x[n][n_heads][dim];
 * the rest of a head passes through. */
void rope(const struct compute *compute, enum rope_pairing pairing, const float *table,
          size_t n_pairs, size_t n, size_t n_heads, size_t dim, float *x);

#endif
