#include "kernels/simd_generic.h"

#define ISA(kind) kind##_generic
#include "kernels/isa_body.h"
