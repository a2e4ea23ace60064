#include "kernels/simd_avx512.h"

#define ISA(kind) kind##_avx512
#include "kernels/isa_body.h"
