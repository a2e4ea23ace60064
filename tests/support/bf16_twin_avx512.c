#include "support/bf16_twin.h"

#include "kernels/simd_avx512.h"
#include "support/bf16_twin_dot.h"

#define BF16_KERNELS bf16_twin_avx512
#include "kernels/bf16_body.h"
