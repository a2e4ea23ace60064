/* The search for blocks of 256 weights in groups whose scales are themselves quantised (the K
 * types and IQ4_XS): private to this folder. encoder.c packs the results. */
#ifndef SOTTO_QUANTIZE_SUPERBLOCK_H
#define SOTTO_QUANTIZE_SUPERBLOCK_H

#include <stddef.h>
#include <stdint.h>

#include "quantize/fit.h"

enum { SUPER_WEIGHTS = 256, SUPER_GROUPS = 16 }; /* 16 groups at the most */

/* Types without offsets: x ~ d * scale[group] * q */
struct scaled_format {
	size_t group;         /* weights of a group */
	struct levels levels; /* what q may be */
	struct levels scales; /* what scales may be: whole numbers */
};

struct scaled_block {
	uint16_t d; /* half precision */
	float scales[SUPER_GROUPS], q[SUPER_WEIGHTS]; /* whole numbers */
};

/* Finds d, scales and quants of weights[SUPER_WEIGHTS], whose errors count as by fit_importance. */
void fit_scaled_block(const struct scaled_format *format, const float *weights,
                      struct scaled_block *out);

/* Types with offsets: x ~ d * scale[group] * q - dmin * offset[group] */
struct affine_format {
	size_t group;
	float q_max, scale_max; /* levels 0..q_max, scales and offsets 0..scale_max */
};

struct affine_block {
	uint16_t d, dmin; /* half precision */
	float scales[SUPER_GROUPS], offsets[SUPER_GROUPS], q[SUPER_WEIGHTS];
};

void fit_affine_block(const struct affine_format *format, const float *weights,
                      struct affine_block *out);

#endif
