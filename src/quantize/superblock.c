/* First every group gets the scale that is best for it alone. Then the block's own scale is
 * fitted to those, each counting as much as its group's error grows when it is missed. Then
 * two steps alternate: each group takes the best of the stored scales around its own, with
 * levels rounded again for each; for these, the block's scale is solved by least squares. */
#include "quantize/superblock.h"

#include <math.h>
#include <string.h>

#include "kernels/dot.h"
#include "kernels/float16.h"

enum { ROUNDS = 3, LARGE = 16384 };

/* A block of large weights is fitted in a unit, a power of two, so that no sum of products
 * overflows: this changes no bit. Returns the unit; `scaled` becomes the weights in it. */
static float choose_unit(const float *x, float scaled[SUPER_WEIGHTS])
{
	float largest = fabsf(fit_extreme(x, SUPER_WEIGHTS)), unit = 1;

	while (largest / unit > LARGE)
		unit *= 2;
	for (size_t i = 0; i < SUPER_WEIGHTS; i++)
		scaled[i] = x[i] / unit;
	return unit;
}

static uint16_t out_of_unit(uint16_t scale, float unit)
{
	return f16_from_f32(f32_from_f16(scale) * unit);
}

static float weighted_square(const float *w, const float *r, size_t n)
{
	float wr[FIT_MAX];

	for (size_t i = 0; i < n; i++)
		wr[i] = w[i] * r[i];
	return dot(wr, r, n);
}

/* Finds the levels of a group for its scale d; returns the error that they leave. */
static float try_levels(const struct levels *levels, const float *x, const float *w, float d,
                        size_t n, float *q)
{
	float rest[FIT_MAX];

	levels_nearest(levels, x, fit_inverse(d), n, q);
	for (size_t i = 0; i < n; i++)
		rest[i] = x[i] - d * q[i];
	return weighted_square(w, rest, n);
}

/* The best of the scales about `from`; returns the error. */
static float choose_scale(const struct scaled_format *f, const float *x, const float *w, float d,
                          float from, float *scale, float *q)
{
	float best = INFINITY;

	for (float s = from - 1; s <= from + 1; s++) {
		float tried[FIT_MAX], error;

		if (s < f->scales.low || s > f->scales.high)
			continue;
		error = try_levels(&f->levels, x, w, d * s, f->group, tried);
		if (error < best) {
			best = error;
			*scale = s;
			memcpy(q, tried, f->group * sizeof *q);
		}
	}
	return best;
}

/* All groups for the block's scale; `from` are the scales to look around. */
static float choose_scales(const struct scaled_format *f, const float *x, const float *w,
                           const float *from, struct scaled_block *block)
{
	float d = f32_from_f16(block->d), error = 0;

	for (size_t g = 0; g < SUPER_WEIGHTS / f->group; g++) {
		size_t at = g * f->group;

		error += choose_scale(f, x + at, w + at, d, from[g], &block->scales[g],
		                      block->q + at);
	}
	return error;
}

/* The block's scale that is best for all its levels and scales. */
static float solve_scaled(const struct scaled_format *f, const float *x, const float *w,
                          const struct scaled_block *block)
{
	float xq = 0, qq = 0, wq[FIT_MAX];

	for (size_t g = 0; g < SUPER_WEIGHTS / f->group; g++) {
		const float *q = block->q + g * f->group;

		for (size_t i = 0; i < f->group; i++)
			wq[i] = w[g * f->group + i] * q[i];
		xq += block->scales[g] * dot(wq, x + g * f->group, f->group);
		qq += block->scales[g] * block->scales[g] * dot(wq, q, f->group);
	}
	return qq > 0 ? xq / qq : 0;
}

void fit_scaled_block(const struct scaled_format *f, const float *weights, struct scaled_block *out)
{
	size_t n_groups = SUPER_WEIGHTS / f->group;
	float alone[SUPER_GROUPS], weight[SUPER_GROUPS], from[SUPER_GROUPS];
	struct scaled_block block;
	float x[SUPER_WEIGHTS], w[SUPER_WEIGHTS], error, best, unit = choose_unit(weights, x);

	fit_importance(x, SUPER_WEIGHTS, w);
	for (size_t g = 0; g < n_groups; g++) {
		size_t at = g * f->group;

		alone[g] = fit_scale(&f->levels, x + at, w + at, f->group, block.q + at);
		weight[g] = weighted_square(w + at, block.q + at, f->group);
	}
	block.d = fit_half(fit_scale(&f->scales, alone, weight, n_groups, from), unit);
	levels_nearest(&f->scales, alone, fit_inverse(f32_from_f16(block.d)), n_groups, from);
	best = choose_scales(f, x, w, from, &block);
	*out = block;
	for (int round = 0; round < ROUNDS; round++) {
		block.d = fit_half(solve_scaled(f, x, w, &block), unit);
		memcpy(from, block.scales, sizeof from);
		error = choose_scales(f, x, w, from, &block);
		if (!(error < best))
			break;
		best = error;
		*out = block;
	}
	out->d = out_of_unit(out->d, unit);
}

/* Scale and offset of a group, as stored. */
struct scale_offset {
	float scale, offset;
};

static float choose_pair(const struct affine_format *f, const float *x, const float *w, float d,
                         float dmin, struct scale_offset from, struct scale_offset *pair, float *q)
{
	const struct levels levels = {.high = f->q_max};
	float best = INFINITY;

	for (float s = from.scale - 1; s <= from.scale + 1; s++)
		for (float m = from.offset - 1; m <= from.offset + 1; m++) {
			float y[FIT_MAX], tried[FIT_MAX], error;

			if (s < 0 || s > f->scale_max || m < 0 || m > f->scale_max)
				continue;
			for (size_t i = 0; i < f->group; i++)
				y[i] = x[i] + dmin * m;
			error = try_levels(&levels, y, w, d * s, f->group, tried);
			if (error < best) {
				best = error;
				*pair = (struct scale_offset){s, m};
				memcpy(q, tried, f->group * sizeof *q);
			}
		}
	return best;
}

static float choose_pairs(const struct affine_format *f, const float *x, const float *w,
                          const struct scale_offset *from, struct affine_block *block)
{
	float d = f32_from_f16(block->d), dmin = f32_from_f16(block->dmin), error = 0;

	for (size_t g = 0; g < SUPER_WEIGHTS / f->group; g++) {
		size_t at = g * f->group;
		struct scale_offset pair = {0, 0};

		error += choose_pair(f, x + at, w + at, d, dmin, from[g], &pair, block->q + at);
		block->scales[g] = pair.scale;
		block->offsets[g] = pair.offset;
	}
	return error;
}

/* d and dmin for all levels, scales and offsets: two unknowns, x ~ d * a - dmin * b. */
static void solve_affine(const struct affine_format *f, const float *x, const float *w, float unit,
                         struct affine_block *block)
{
	float aa = 0, ab = 0, bb = 0, xa = 0, xb = 0, det;

	for (size_t g = 0; g < SUPER_WEIGHTS / f->group; g++) {
		const float *q = block->q + g * f->group, *wg = w + g * f->group;
		const float *xg = x + g * f->group;
		float s = block->scales[g], m = block->offsets[g];
		float wq[FIT_MAX], one[FIT_MAX];

		for (size_t i = 0; i < f->group; i++) {
			wq[i] = wg[i] * q[i];
			one[i] = 1;
		}
		aa += s * s * dot(wq, q, f->group);
		ab += s * m * dot(wq, one, f->group);
		bb += m * m * dot(wg, one, f->group);
		xa += s * dot(wq, xg, f->group);
		xb += m * dot(wg, xg, f->group);
	}
	det = aa * bb - ab * ab;
	if (det > 1e-5f * aa * bb) {
		block->d = fit_half((bb * xa - ab * xb) / det, unit);
		block->dmin = fit_half((ab * xa - aa * xb) / det, unit);
	} else if (aa > 0) {
		block->d = fit_half((xa + ab * f32_from_f16(block->dmin)) / aa, unit);
	}
}

void fit_affine_block(const struct affine_format *f, const float *weights, struct affine_block *out)
{
	const struct levels stored = {.low = 0, .high = f->scale_max};
	size_t n_groups = SUPER_WEIGHTS / f->group;
	float scales[SUPER_GROUPS], offsets[SUPER_GROUPS], scale_weights[SUPER_GROUPS];
	float offset_weights[SUPER_GROUPS], rounded[SUPER_GROUPS], error, best;
	float x[SUPER_WEIGHTS], w[SUPER_WEIGHTS], unit = choose_unit(weights, x);
	struct scale_offset from[SUPER_GROUPS];
	struct affine_block block;

	fit_importance(x, SUPER_WEIGHTS, w);
	for (size_t g = 0; g < n_groups; g++) {
		size_t at = g * f->group;
		struct affine alone = fit_affine(f->q_max, true, x + at, w + at, f->group, block.q + at);

		scales[g] = alone.d;
		offsets[g] = alone.m;
		scale_weights[g] = weighted_square(w + at, block.q + at, f->group);
		offset_weights[g] = 0;
		for (size_t i = 0; i < f->group; i++)
			offset_weights[g] += w[at + i];
	}
	block.d = fit_half(fit_scale(&stored, scales, scale_weights, n_groups, rounded), unit);
	block.dmin = fit_half(fit_scale(&stored, offsets, offset_weights, n_groups, rounded), unit);
	levels_nearest(&stored, scales, fit_inverse(f32_from_f16(block.d)), n_groups, rounded);
	for (size_t g = 0; g < n_groups; g++)
		from[g].scale = rounded[g];
	levels_nearest(&stored, offsets, fit_inverse(f32_from_f16(block.dmin)), n_groups, rounded);
	for (size_t g = 0; g < n_groups; g++)
		from[g].offset = rounded[g];
	best = choose_pairs(f, x, w, from, &block);
	*out = block;
	for (int round = 0; round < ROUNDS; round++) {
		solve_affine(f, x, w, unit, &block);
		for (size_t g = 0; g < n_groups; g++)
			from[g] = (struct scale_offset){block.scales[g], block.offsets[g]};
		error = choose_pairs(f, x, w, from, &block);
		if (!(error < best))
			break;
		best = error;
		*out = block;
	}
	out->d = out_of_unit(out->d, unit);
	out->dmin = out_of_unit(out->dmin, unit);
}
