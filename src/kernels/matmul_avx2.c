#include "kernels/simd_avx2.h"

#define MATMUL_KERNELS matmul_avx2
#include "kernels/matmul_body.h"
