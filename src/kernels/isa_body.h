/* All kernels of an instruction set. Included by isa_*.c after its simd_*.h, with
 * ISA(kind) the name of its table of each kind (isa.c has them in its rows). */
#ifndef SOTTO_KERNELS_ISA_BODY_H
#define SOTTO_KERNELS_ISA_BODY_H

#include "kernels/attention_body.h"
#include "kernels/matmul_body.h"
#include "kernels/ops_body.h"
#include "kernels/peak_body.h"

#endif
