/* The encoders of encoder.h, a file each family: private to this folder. */
#ifndef SOTTO_QUANTIZE_ENCODE_H
#define SOTTO_QUANTIZE_ENCODE_H

#include <stddef.h>

void encode_q4_0(const float *x, void *blocks, size_t n);
void encode_q4_1(const float *x, void *blocks, size_t n);
void encode_q5_0(const float *x, void *blocks, size_t n);
void encode_q5_1(const float *x, void *blocks, size_t n);
void encode_q8_0(const float *x, void *blocks, size_t n);
void encode_q8_0_plain(const float *x, void *blocks, size_t n);
void encode_q2_k(const float *x, void *blocks, size_t n);
void encode_q3_k(const float *x, void *blocks, size_t n);
void encode_q4_k(const float *x, void *blocks, size_t n);
void encode_q5_k(const float *x, void *blocks, size_t n);
void encode_q6_k(const float *x, void *blocks, size_t n);
void encode_iq4_nl(const float *x, void *blocks, size_t n);
void encode_iq4_xs(const float *x, void *blocks, size_t n);
void encode_mxfp4(const float *x, void *blocks, size_t n);

#endif
