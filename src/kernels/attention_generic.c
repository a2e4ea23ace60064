#include "kernels/simd_generic.h"

#include "kernels/attention_body.h"

const struct attention_kernels attention_generic = ATTENTION_KERNELS;
