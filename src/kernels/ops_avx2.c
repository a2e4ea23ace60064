#include "kernels/simd_avx2.h"

#include "kernels/ops_body.h"

const struct vector_kernels ops_avx2 = OPS_KERNELS;
