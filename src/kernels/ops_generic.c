#include "kernels/simd_generic.h"

#include "kernels/ops_body.h"

const struct vector_kernels ops_generic = OPS_KERNELS;
