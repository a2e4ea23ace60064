#include "kernels/simd_avx2.h"

#include "kernels/attention_body.h"

const struct attention_kernels attention_avx2 = ATTENTION_KERNELS;
