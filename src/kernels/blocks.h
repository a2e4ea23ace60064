/* Layouts of the block types: for this folder and the encoders of quantize/.
 *
 * Source: the block structs of ggml-common.h (August 2026). A block holds
 * BLOCK_32 to BLOCK_256 consecutive weights of one row. All is little-endian
 * and without padding; `d` and `m` are half-precision scale and offset. */
#ifndef SOTTO_KERNELS_BLOCKS_H
#define SOTTO_KERNELS_BLOCKS_H

#include <stdint.h>

enum { BLOCK_32 = 32, BLOCK_64 = 64, BLOCK_128 = 128, BLOCK_256 = 256 };

/* Low nibbles are elements 0..15, high nibbles 16..31 (all 32-element types). */
struct block_q4_0 {
	uint16_t d;
	uint8_t qs[16];
};

struct block_q4_1 {
	uint16_t d, m;
	uint8_t qs[16];
};

/* Bit j of qh, little-endian, is the fifth bit of element j. */
struct block_q5_0 {
	uint16_t d;
	uint8_t qh[4];
	uint8_t qs[16];
};

struct block_q5_1 {
	uint16_t d, m;
	uint8_t qh[4];
	uint8_t qs[16];
};

struct block_q8_0 {
	uint16_t d;
	int8_t qs[32];
};

struct block_iq4_nl {
	uint16_t d;
	uint8_t qs[16];
};

/* 16 groups of 16; scales: low nibble scale, high nibble offset. */
struct block_q2_k {
	uint8_t scales[16];
	uint8_t qs[64];
	uint16_t d, dmin;
};

/* 16 groups of 16; 6-bit scales packed in 12 bytes; hmask: the third bits. */
struct block_q3_k {
	uint8_t hmask[32];
	uint8_t qs[64];
	uint8_t scales[12];
	uint16_t d;
};

/* 8 sub-blocks of 32; 6-bit scales and offsets packed in 12 bytes. */
struct block_q4_k {
	uint16_t d, dmin;
	uint8_t scales[12];
	uint8_t qs[128];
};

struct block_q5_k {
	uint16_t d, dmin;
	uint8_t scales[12];
	uint8_t qh[32];
	uint8_t qs[128];
};

/* 16 groups of 16; scales are signed; the super-scale comes last. */
struct block_q6_k {
	uint8_t ql[128];
	uint8_t qh[64];
	int8_t scales[16];
	uint16_t d;
};

/* 8 sub-blocks of 32; 6-bit scales: 4 low bits in scales_l, 2 high in scales_h. */
struct block_iq4_xs {
	uint16_t d;
	uint16_t scales_h;
	uint8_t scales_l[4];
	uint8_t qs[128];
};

/* Codebook types (kernels/codebooks.h): 8 sub-blocks of 32. Each has 4 bits of scale
 * (two, for 16 elements each, in IQ2_XS and IQ2_S; 3 bits in IQ1), low ones first,
 * that count as 2 * scale + 1. Signs are one bit an element, or 7 bits for 8 elements:
 * the eighth makes their number even. */

/* `rest`, little-endian: 4 times 7 signs, and the scale on top. */
struct block_iq2_xxs {
	uint16_t d;
	struct {
		uint8_t index[4], rest[4];
	} subs[8];
};

/* An index of 9 bits and 7 signs for 8 elements. */
struct block_iq2_xs {
	uint16_t d;
	uint16_t qs[32];
	uint8_t scales[8];
};

/* high[s]: two bits more for each of the sub-block's 4 indices. */
struct block_iq2_s {
	uint16_t d;
	uint8_t index[32], signs[32], high[8], scales[8];
};

struct block_iq3_xxs {
	uint16_t d;
	uint8_t index[64], rest[8][4];
};

/* high[s]: one bit more for each of the sub-block's 8 indices. */
struct block_iq3_s {
	uint16_t d;
	uint8_t index[64], high[8], signs[32], scales[4];
};

/* high[s]: 3 bits more for each of the sub-block's 4 indices, then 3 of scale, and
 * the shift. */
struct block_iq1_s {
	uint16_t d;
	uint8_t index[32];
	uint16_t high[8];
};

/* A nibble of `high` for each index: 3 bits more and the shift. Of each of the four
 * words of `scales`, the top 4 bits are a part of d, the others 3 bits for each 16
 * elements. */
struct block_iq1_m {
	uint8_t index[32], high[16], scales[8];
};

/* e: a power of two, 2^(e - 127). */
struct block_mxfp4 {
	uint8_t e;
	uint8_t qs[16];
};

/* 4 groups of 16, each with a scale of 4 bits of exponent and 3 of mantissa.
 * Low nibbles are a group's elements 0..7, high nibbles 8..15. */
struct block_nvfp4 {
	uint8_t d[4];
	uint8_t qs[32];
};

/* Bit j, little-endian, is element j. */
struct block_q1_0 {
	uint16_t d;
	uint8_t qs[16];
};

/* Two bits an element, consecutive ones. */
struct block_q2_0 {
	uint16_t d;
	uint8_t qs[16];
};

/* Of three values: five elements a byte in qs, four in qh. */
struct block_tq1_0 {
	uint8_t qs[48];
	uint8_t qh[4];
	uint16_t d;
};

/* Two bits an element, in the order of Q2_K. */
struct block_tq2_0 {
	uint8_t qs[64];
	uint16_t d;
};

_Static_assert(sizeof(struct block_q4_0) == 18, "Q4_0");
_Static_assert(sizeof(struct block_q4_1) == 20, "Q4_1");
_Static_assert(sizeof(struct block_q5_0) == 22, "Q5_0");
_Static_assert(sizeof(struct block_q5_1) == 24, "Q5_1");
_Static_assert(sizeof(struct block_q8_0) == 34, "Q8_0");
_Static_assert(sizeof(struct block_q2_k) == 84, "Q2_K");
_Static_assert(sizeof(struct block_q3_k) == 110, "Q3_K");
_Static_assert(sizeof(struct block_q4_k) == 144, "Q4_K");
_Static_assert(sizeof(struct block_q5_k) == 176, "Q5_K");
_Static_assert(sizeof(struct block_q6_k) == 210, "Q6_K");
_Static_assert(sizeof(struct block_iq4_nl) == 18, "IQ4_NL");
_Static_assert(sizeof(struct block_iq4_xs) == 136, "IQ4_XS");
_Static_assert(sizeof(struct block_iq2_xxs) == 66, "IQ2_XXS");
_Static_assert(sizeof(struct block_iq2_xs) == 74, "IQ2_XS");
_Static_assert(sizeof(struct block_iq2_s) == 82, "IQ2_S");
_Static_assert(sizeof(struct block_iq3_xxs) == 98, "IQ3_XXS");
_Static_assert(sizeof(struct block_iq3_s) == 110, "IQ3_S");
_Static_assert(sizeof(struct block_iq1_s) == 50, "IQ1_S");
_Static_assert(sizeof(struct block_iq1_m) == 56, "IQ1_M");
_Static_assert(sizeof(struct block_mxfp4) == 17, "MXFP4");
_Static_assert(sizeof(struct block_nvfp4) == 36, "NVFP4");
_Static_assert(sizeof(struct block_q1_0) == 18, "Q1_0");
_Static_assert(sizeof(struct block_q2_0) == 18, "Q2_0");
_Static_assert(sizeof(struct block_tq1_0) == 54, "TQ1_0");
_Static_assert(sizeof(struct block_tq2_0) == 66, "TQ2_0");

#endif
