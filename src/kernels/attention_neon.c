#include "kernels/simd_neon.h"

#include "kernels/attention_body.h"

const struct attention_kernels attention_neon = ATTENTION_KERNELS;
