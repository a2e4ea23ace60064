#include "kernels/simd_avx512.h"

#define MATMUL_KERNELS matmul_avx512
#include "kernels/matmul_body.h"
