/* The kernels for AVX-VNNI, for machines that have the same instruction in AVX-512's
 * encoding alone: all else is the same. */
#define VPDPBUSD_ENCODING "evex"
#include "kernels/simd_avxvnni.h"

#define ISA(kind) kind##_avxvnni_evex
#include "kernels/matmul_body.h"
#include "kernels/peak_body.h"
