#include "kernels/simd_avx2.h"

#define ISA(kind) kind##_avx2
#include "kernels/isa_body.h"
