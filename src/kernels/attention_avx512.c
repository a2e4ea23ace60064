#include "kernels/simd_avx512.h"

#include "kernels/attention_body.h"

const struct attention_kernels attention_avx512 = ATTENTION_KERNELS;
