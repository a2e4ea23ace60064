#include "kernels/simd_generic.h"

#define MATMUL_KERNELS matmul_generic
#include "kernels/matmul_body.h"
