/* Codebooks of the IQ1, IQ2 and IQ3 types: which runs of 8 or 4 levels there are.
 *
 * An entry is a run, its first level in the lowest bits: 8 levels of 2 bits (IQ1,
 * IQ2) or 4 of 3 bits (IQ3). What they stand for is in the tables of levels, where
 * the bit above the level's is the sign (IQ2, IQ3) or the shift (IQ1). Entries
 * ascend. Source: the grids of ggml-common.h (August 2026). */
#ifndef SOTTO_KERNELS_CODEBOOKS_H
#define SOTTO_KERNELS_CODEBOOKS_H

#include <stdint.h>

extern const uint16_t codebook_iq2_xxs[256], codebook_iq2_xs[512], codebook_iq2_s[1024];
extern const uint16_t codebook_iq3_xxs[256], codebook_iq3_s[512];
extern const uint16_t codebook_iq1[2048];

/* IQ1: eight times a level and its shift. */
extern const int8_t iq1_levels[16], iq2_levels[16], iq3_xxs_levels[16], iq3_s_levels[16];

#endif
