#include "kernels/simd_neon.h"

#define ISA(kind) kind##_neon
#include "kernels/isa_body.h"
