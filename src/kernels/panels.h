/* Panels: how weights lie in memory while they are multiplied.
 *
 * A panel is 16 consecutive rows of a matrix, the blocks of the file's type one after the
 * other along the columns, each holding all 16 rows side by side: what belongs to one row is
 * a lane of a vector. Quants go in dwords of four consecutive columns, so that byte 4 * r + t
 * of a vector is row r, column 4 * j + t of the run that vector j holds: one broadcast of
 * four activations meets 16 rows in one instruction, and no sum is ever taken across lanes.
 * One layout for all instruction sets; a shorter vector takes some of the rows. Bits are
 * those of the file (kernels/blocks.h) and so is the size, but for Q3_K and IQ4_XS, whose
 * scales are unpacked to bytes, TQ1_0, which becomes TQ2_0, and some of the codebook types:
 * of two similar types the smaller one gets the larger one's panel, and IQ2_XXS and IQ3_XXS
 * store all of their signs.
 *
 * Float types: one column a block, 16 values as stored. */
#ifndef SOTTO_KERNELS_PANELS_H
#define SOTTO_KERNELS_PANELS_H

#include <stddef.h>
#include <stdint.h>

enum {
	PANEL_ROWS = 16,
	PANEL_VECTOR = 64, /* bytes: four columns of every row */
	UNIT_ROWS = 32     /* rows are padded to this and shared out in it */
};

struct panel_q4_0 { /* IQ4_NL as well */
	uint16_t d[16];
	uint8_t qs[4][PANEL_VECTOR]; /* low nibbles are columns 0..15, high 16..31 */
};

struct panel_q4_1 {
	uint16_t d[16], m[16];
	uint8_t qs[4][PANEL_VECTOR];
};

/* Bit j of byte 4 * r + t of qh: the fifth bit of row r, column 4 * j + t. */
struct panel_q5_0 {
	uint16_t d[16];
	uint8_t qh[PANEL_VECTOR];
	uint8_t qs[4][PANEL_VECTOR];
};

struct panel_q5_1 {
	uint16_t d[16], m[16];
	uint8_t qh[PANEL_VECTOR];
	uint8_t qs[4][PANEL_VECTOR];
};

struct panel_q8_0 {
	uint16_t d[16];
	int8_t qs[8][PANEL_VECTOR];
};

struct panel_q2_k {
	uint16_t d[16], dmin[16];
	uint8_t scales[16][16]; /* [group][row] */
	uint8_t qs[16][PANEL_VECTOR];
};

struct panel_q3_k {
	uint16_t d[16];
	int8_t scales[16][16];
	uint8_t hmask[8][PANEL_VECTOR];
	uint8_t qs[16][PANEL_VECTOR];
};

/* Of the 6-bit scales and offsets: low[s] holds the low four bits of both of
 * sub-block s (offset in the high nibble), high[s % 4] their high two bits,
 * first of scale and offset s % 4, then of s % 4 + 4. */
struct panel_q4_k {
	uint16_t d[16], dmin[16];
	uint8_t low[8][16], high[4][16];
	uint8_t qs[32][PANEL_VECTOR];
};

struct panel_q5_k {
	uint16_t d[16], dmin[16];
	uint8_t low[8][16], high[4][16];
	uint8_t qs[32][PANEL_VECTOR];
	uint8_t qh[8][PANEL_VECTOR];
};

struct panel_q6_k {
	uint16_t d[16];
	int8_t scales[16][16];
	uint8_t ql[32][PANEL_VECTOR];
	uint8_t qh[16][PANEL_VECTOR];
};

struct panel_iq4_xs {
	uint16_t d[16];
	int8_t scales[8][16];
	uint8_t qs[32][PANEL_VECTOR];
};

struct panel_mxfp4 {
	uint8_t e[16];
	uint8_t qs[4][PANEL_VECTOR];
};

struct panel_nvfp4 {
	uint8_t d[4][16]; /* [group][row], by nvfp4_scale */
	uint8_t qs[8][PANEL_VECTOR]; /* [2 * group + 0 or 1] */
};

/* [sub-block of 32]; bits as in qh of Q5_0. */
struct panel_q1_0 {
	uint16_t d[16];
	uint8_t qs[4][PANEL_VECTOR];
};

/* Bits 2 * k and 2 * k + 1 of vector v: columns of 16 * k + 4 * v. */
struct panel_q2_0 {
	uint16_t d[16];
	uint8_t qs[4][PANEL_VECTOR];
};

struct panel_tq2_0 { /* TQ1_0 as well */
	uint16_t d[16];
	uint8_t qs[16][PANEL_VECTOR];
};

/* Codebook types: indices as in blocks.h, 8 or 4 columns each. Signs: bits as in qh of
 * Q5_0. Scales of two groups a byte, low nibble first. */
struct panel_iq2_xxs {
	uint16_t d[16];
	uint8_t index[32][16]; /* [run of 8][row] */
	uint8_t scales[4][16];
	uint8_t signs[8][PANEL_VECTOR];
};

struct panel_iq2_s { /* IQ2_XS as well */
	uint16_t d[16];
	uint8_t index[32][16], high[8][16], scales[8][16];
	uint8_t signs[8][PANEL_VECTOR];
};

struct panel_iq3_xxs {
	uint16_t d[16];
	uint8_t index[64][16]; /* [run of 4][row] */
	uint8_t scales[4][16];
	uint8_t signs[8][PANEL_VECTOR];
};

struct panel_iq3_s {
	uint16_t d[16];
	uint8_t index[64][16], high[8][16], scales[4][16];
	uint8_t signs[8][PANEL_VECTOR];
};

struct panel_iq1_m { /* IQ1_S as well */
	uint16_t d[16];
	uint8_t index[32][16], high[16][16], scales[8][16];
};

_Static_assert(sizeof(struct panel_q4_0) == 16 * 18, "Q4_0");
_Static_assert(sizeof(struct panel_q4_1) == 16 * 20, "Q4_1");
_Static_assert(sizeof(struct panel_q5_0) == 16 * 22, "Q5_0");
_Static_assert(sizeof(struct panel_q5_1) == 16 * 24, "Q5_1");
_Static_assert(sizeof(struct panel_q8_0) == 16 * 34, "Q8_0");
_Static_assert(sizeof(struct panel_q2_k) == 16 * 84, "Q2_K");
_Static_assert(sizeof(struct panel_q4_k) == 16 * 144, "Q4_K");
_Static_assert(sizeof(struct panel_q5_k) == 16 * 176, "Q5_K");
_Static_assert(sizeof(struct panel_q6_k) == 16 * 210, "Q6_K");
_Static_assert(sizeof(struct panel_iq2_s) == 16 * 82, "IQ2_S");
_Static_assert(sizeof(struct panel_iq3_s) == 16 * 110, "IQ3_S");
_Static_assert(sizeof(struct panel_mxfp4) == 16 * 17, "MXFP4");
_Static_assert(sizeof(struct panel_nvfp4) == 16 * 36, "NVFP4");
_Static_assert(sizeof(struct panel_q1_0) == 16 * 18, "Q1_0");
_Static_assert(sizeof(struct panel_q2_0) == 16 * 18, "Q2_0");
_Static_assert(sizeof(struct panel_tq2_0) == 16 * 66, "TQ2_0");

/* Write n blocks of one row of a file's matrix as row `row` (0..15) of n
 * blocks of a panel. Blocks are aligned to 2 bytes. */
typedef void panel_pack(const void *blocks, size_t n, size_t row, void *panel);

/* BF16 is packed as F16, IQ4_NL as Q4_0. */
panel_pack panel_pack_f32, panel_pack_f16, panel_pack_q4_0, panel_pack_q4_1, panel_pack_q5_0,
	panel_pack_q5_1, panel_pack_q8_0, panel_pack_q2_k, panel_pack_q3_k, panel_pack_q4_k,
	panel_pack_q5_k, panel_pack_q6_k, panel_pack_iq4_xs, panel_pack_iq2_xxs, panel_pack_iq2_xs,
	panel_pack_iq2_s, panel_pack_iq3_xxs, panel_pack_iq3_s, panel_pack_iq1_s, panel_pack_iq1_m,
	panel_pack_mxfp4, panel_pack_nvfp4, panel_pack_q1_0, panel_pack_q2_0, panel_pack_tq1_0,
	panel_pack_tq2_0;

#endif
