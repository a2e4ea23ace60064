#include "kernels/simd_neon.h"

#define MATMUL_KERNELS matmul_neon
#include "kernels/matmul_body.h"
