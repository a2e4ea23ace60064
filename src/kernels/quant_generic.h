/* Dequantisation in plain C, one function a block type (kernels/quant.h). */
#ifndef SOTTO_KERNELS_QUANT_GENERIC_H
#define SOTTO_KERNELS_QUANT_GENERIC_H

#include <stddef.h>

void dequantize_f32(const void *blocks, float *out, size_t n);
void dequantize_f16(const void *blocks, float *out, size_t n);
void dequantize_bf16(const void *blocks, float *out, size_t n);
void dequantize_q4_0(const void *blocks, float *out, size_t n);
void dequantize_q4_1(const void *blocks, float *out, size_t n);
void dequantize_q5_0(const void *blocks, float *out, size_t n);
void dequantize_q5_1(const void *blocks, float *out, size_t n);
void dequantize_q8_0(const void *blocks, float *out, size_t n);
void dequantize_q2_k(const void *blocks, float *out, size_t n);
void dequantize_q3_k(const void *blocks, float *out, size_t n);
void dequantize_q4_k(const void *blocks, float *out, size_t n);
void dequantize_q5_k(const void *blocks, float *out, size_t n);
void dequantize_q6_k(const void *blocks, float *out, size_t n);
void dequantize_iq4_nl(const void *blocks, float *out, size_t n);
void dequantize_iq4_xs(const void *blocks, float *out, size_t n);

#endif
