/* Blocks of 256 weights in groups whose scales are themselves quantised: private to this
 * folder. The types' own files pack what is found here. */
#ifndef SOTTO_QUANTIZE_SUPERBLOCK_H
#define SOTTO_QUANTIZE_SUPERBLOCK_H

#include <stddef.h>
#include <stdint.h>

#include "quantize/fit.h"

enum { SUPER_WEIGHTS = 256, SUPER_GROUPS = 16 }; /* 16 groups at the most */

/* x ~ d * scale[group] * q */
struct scaled_format {
	size_t group;         /* weights of a group */
	struct levels levels; /* of q */
	struct levels scales; /* whole */
};

struct scaled_block {
	uint16_t d; /* half precision */
	float scales[SUPER_GROUPS], q[SUPER_WEIGHTS]; /* whole numbers */
};

/* Of weights[SUPER_WEIGHTS], each as important as fit_importance has it. */
void fit_scaled_block(const struct scaled_format *format, const float *weights,
                      struct scaled_block *out);

/* x ~ d * scale[group] * q - dmin * offset[group] */
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
