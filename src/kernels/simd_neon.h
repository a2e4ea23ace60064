/* Arm's Advanced SIMD of 64-bit processors, with its dot products of bytes. */
#ifndef SOTTO_KERNELS_SIMD_NEON_H
#define SOTTO_KERNELS_SIMD_NEON_H

#include <arm_neon.h>

/* Of 32 registers, a tile of 6 columns of a product takes 24 for its sums, one of 8 rows of
 * attention 16: enough to hide the latency of a multiply-add. */
enum { SIMD_LANES = 4, SIMD_COLS = 6, SIMD_BIAS = 0, SIMD_SIGNED = 1, SIMD_WHOLE = 0, SIMD_ROWS = 8 };

/* Groups of a block are unrolled: their shifts are constants. */
#define UNROLL_GROUPS _Pragma("GCC unroll 16")

#include "kernels/simd.h"

INLINE vf fma_f32(vf a, vf b, vf c)
{
	return (vf)vfmaq_f32((float32x4_t)c, (float32x4_t)a, (float32x4_t)b);
}

/* acc + four products a lane; weights of 0..127, which are the same bytes signed. */
INLINE vi dot4(vi acc, vi w, vi a)
{
	return (vi)vdotq_s32((int32x4_t)acc, (int8x16_t)w, (int8x16_t)a);
}

/* As dot4, of signed bytes, as the instruction takes them: SIMD_BIAS is 0. */
INLINE vi dot4_biased(vi acc, vi w, vi a)
{
	return dot4(acc, w, a);
}

#include "kernels/simd_wide_sums.h"

INLINE vf select_f32(vi mask, vf a, vf b)
{
	return (vf)vbslq_f32((uint32x4_t)mask, (float32x4_t)a, (float32x4_t)b);
}

/* The instructions FMAX and FMAXNM treat NaN in another way. */
#include "kernels/simd_select.h"

INLINE vf round_f32(vf v)
{
	return (vf)vrndnq_f32((float32x4_t)v);
}

INLINE vf scale_f32(vf v, vf n)
{
	vi exponent = (vi)vcvtq_s32_f32((float32x4_t)n), half = exponent >> 1;

	return v * power_of_two(half) * power_of_two(exponent - half);
}

/* Adds the lanes in the order of simd_generic.h. */
INLINE float sum_lanes(vf v)
{
	float32x2_t s = vadd_f32(vget_low_f32((float32x4_t)v), vget_high_f32((float32x4_t)v));

	return vget_lane_f32(vpadd_f32(s, s), 0);
}

INLINE float max_lanes(vf v)
{
	return vmaxvq_f32((float32x4_t)v);
}

INLINE int32_t sum_lanes_i32(vi v)
{
	return vaddvq_s32((int32x4_t)v);
}

INLINE int32_t max_lanes_i32(vi v)
{
	return vmaxvq_s32((int32x4_t)v);
}

INLINE vf load_f16(const uint16_t *from)
{
	return (vf)vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(from)));
}

INLINE void store_f16(uint16_t *to, vf v)
{
	vst1_u16(to, vreinterpret_u16_f16(vcvt_f16_f32((float32x4_t)v)));
}

/* Four bytes in the lower half of a vector. */
INLINE uint8x8_t load_bytes(const void *from)
{
	uint32_t bytes;

	memcpy(&bytes, from, sizeof bytes);
	return vreinterpret_u8_u32(vdup_n_u32(bytes));
}

/* One value a lane, widened. */
INLINE vi load_u8(const uint8_t *from)
{
	return (vi)vmovl_u16(vget_low_u16(vmovl_u8(load_bytes(from))));
}

INLINE vi load_i8(const int8_t *from)
{
	int8x8_t bytes = vreinterpret_s8_u8(load_bytes(from));

	return (vi)vmovl_s16(vget_low_s16(vmovl_s8(bytes)));
}

INLINE vf load_bf16(const uint16_t *from)
{
	return (vf)vshlq_n_u32(vmovl_u16(vld1_u16(from)), 16);
}

/* The low byte of each lane. */
INLINE void store_low_bytes(int8_t *to, vi v)
{
	uint16x4_t low = vmovn_u32((uint32x4_t)v);
	uint32_t bytes = vget_lane_u32(vreinterpret_u32_u8(vmovn_u16(vcombine_u16(low, low))), 0);

	memcpy(to, &bytes, sizeof bytes);
}

/* levels[byte] for each byte, 0..15. */
INLINE vi look_up(const int8_t levels[16], vi index)
{
	return (vi)vqtbl1q_s8(vld1q_s8(levels), (uint8x16_t)index);
}

/* table[index] for each lane. */
INLINE vi look_up_u16(const uint16_t *table, vi index)
{
	int32_t at[SIMD_LANES];

	store(at, index);
	return (vi){table[at[0]], table[at[1]], table[at[2]], table[at[3]]};
}

#endif
