/* A twin of avx512bf16 for machines that have all of AVX-512 but its instruction. */
#include "kernels/simd_avx512.h"
#include "support/isa_bf16_dot.h"

#define ISA(kind) kind##_twin_avx512
#include "kernels/bf16_body.h"
