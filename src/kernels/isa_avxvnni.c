/* Attention and the operations are AVX2's: they have no products of bytes. */
#include "kernels/simd_avxvnni.h"

#define ISA(kind) kind##_avxvnni
#include "kernels/matmul_body.h"
#include "kernels/peak_body.h"
