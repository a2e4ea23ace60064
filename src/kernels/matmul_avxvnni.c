#include "kernels/simd_avxvnni.h"

#define MATMUL_KERNELS matmul_avxvnni
#include "kernels/matmul_body.h"
