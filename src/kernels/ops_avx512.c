#include "kernels/simd_avx512.h"

#include "kernels/ops_body.h"

const struct vector_kernels ops_avx512 = OPS_KERNELS;
