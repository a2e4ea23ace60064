#include "kernels/simd_neon.h"

#include "kernels/ops_body.h"

const struct vector_kernels ops_neon = OPS_KERNELS;
