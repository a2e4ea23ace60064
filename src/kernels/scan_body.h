/* The kernels of scan.h on the names of simd.h; a part of ops_body.h. */

static void conv_row(const float *const *rows, size_t n_taps, const float *taps, const float *bias,
                     bool activated, size_t n, float *out)
{
	size_t i = 0;

	for (; i + SIMD_LANES <= n; i += SIMD_LANES) {
		vf sum = bias ? load_f32(bias + i) : splat_f32(0);

		for (size_t j = 0; j < n_taps; j++)
			sum = fma_f32(load_f32(taps + j * n + i), load_f32(rows[j] + i), sum);
		store_f32(out + i, activated ? silu(sum) : sum);
	}
	if (i < n) {
		vf sum = bias ? load_part(bias + i, n - i) : splat_f32(0);

		for (size_t j = 0; j < n_taps; j++)
			sum = fma_f32(load_part(taps + j * n + i, n - i), load_part(rows[j] + i, n - i), sum);
		store_part(out + i, activated ? silu(sum) : sum, n - i);
	}
}

enum { SCAN_ROWS = 4 }; /* computed side by side: the sums of one row have a long latency */

/* n_rows rows of n_vectors vectors, both constants: the rows stay in registers. A token's output is
 * computed from the state s before this token, as decay * (s . q) + delta * (k . q) with
 * delta = beta * (v - decay * (s . k)): so a row's two sums across lanes are taken at one time. */
INLINE void scan_block(const struct scan *s, size_t head, size_t row, size_t n_rows, size_t n_vectors)
{
	size_t group = s->groups_alternate ? head % s->n_group : head / (s->n_head / s->n_group);
	size_t at = (head * s->n_value + row) * s->n_key, in_group = group * s->n_key;
	const float *v = s->v + head * s->n_value + row;
	float *out = s->out + head * s->n_value + row;
	vf state[SCAN_ROWS][16];

#pragma GCC unroll 4
	for (size_t r = 0; r < n_rows; r++)
#pragma GCC unroll 16
		for (size_t i = 0; i < n_vectors; i++)
			state[r][i] = load_f32(s->before + at + r * s->n_key + i * SIMD_LANES);
	for (size_t t = 0; t < s->n; t++) {
		const float *k = s->k + t * s->stride + in_group;
		const float *q = s->q + t * s->stride + in_group;
		float decay = s->decay[t * s->n_head + head], beta = s->beta[t * s->n_head + head];
		vf state_k[SCAN_ROWS], state_q[SCAN_ROWS], key_query = splat_f32(0);
		float delta[SCAN_ROWS], product;

#pragma GCC unroll 4
		for (size_t r = 0; r < n_rows; r++)
			state_k[r] = state_q[r] = splat_f32(0);
#pragma GCC unroll 16
		for (size_t i = 0; i < n_vectors; i++) {
			vf key = load_f32(k + i * SIMD_LANES);

			key_query = fma_f32(key, load_f32(q + i * SIMD_LANES), key_query);
#pragma GCC unroll 4
			for (size_t r = 0; r < n_rows; r++) {
				if (s->is_delta)
					state_k[r] = fma_f32(state[r][i], key, state_k[r]);
				state_q[r] = fma_f32(state[r][i], load_f32(q + i * SIMD_LANES), state_q[r]);
			}
		}
		product = sum_lanes(key_query);
#pragma GCC unroll 4
		for (size_t r = 0; r < n_rows; r++) {
			float predicted = s->is_delta ? decay * sum_lanes(state_k[r]) : 0;

			delta[r] = beta * (v[t * s->stride + r] - predicted);
			out[t * s->n_head * s->n_value + r] = decay * sum_lanes(state_q[r]) + delta[r] * product;
		}
#pragma GCC unroll 4
		for (size_t r = 0; r < n_rows; r++)
#pragma GCC unroll 16
			for (size_t i = 0; i < n_vectors; i++)
				state[r][i] = fma_f32(splat_f32(delta[r]), load_f32(k + i * SIMD_LANES),
				                      state[r][i] * splat_f32(decay));
	}
#pragma GCC unroll 4
	for (size_t r = 0; r < n_rows; r++)
#pragma GCC unroll 16
		for (size_t i = 0; i < n_vectors; i++)
			store_f32(s->next + at + r * s->n_key + i * SIMD_LANES, state[r][i]);
}

/* A row of any length, whose state stays in memory. */
static void scan_any_row(const struct scan *s, size_t head, size_t row)
{
	size_t group = s->groups_alternate ? head % s->n_group : head / (s->n_head / s->n_group);
	size_t at = (head * s->n_value + row) * s->n_key, value = head * s->n_value + row;
	float *state = s->next + at;

	memcpy(state, s->before + at, s->n_key * sizeof *state);
	for (size_t t = 0; t < s->n; t++) {
		const float *k = s->k + t * s->stride + group * s->n_key;
		const float *q = s->q + t * s->stride + group * s->n_key;
		float decay = s->decay[t * s->n_head + head], sum = 0, delta;

		for (size_t i = 0; i < s->n_key; i++) {
			state[i] *= decay;
			sum += s->is_delta ? state[i] * k[i] : 0;
		}
		delta = s->beta[t * s->n_head + head] * (s->v[t * s->stride + value] - sum);
		sum = 0;
		for (size_t i = 0; i < s->n_key; i++) {
			state[i] += delta * k[i];
			sum += state[i] * q[i];
		}
		s->out[t * s->n_head * s->n_value + value] = sum;
	}
}

static void scan_rows(const struct scan *s, size_t head, size_t begin, size_t end)
{
	size_t row = begin;

#define SCAN(vectors) \
	if (s->n_key == (vectors) * SIMD_LANES) { \
		for (; row + SCAN_ROWS <= end; row += SCAN_ROWS) \
			scan_block(s, head, row, SCAN_ROWS, vectors); \
		for (; row < end; row++) \
			scan_block(s, head, row, 1, vectors); \
		return; \
	}
	SCAN(4)
	SCAN(8)
	SCAN(16)
#undef SCAN
	for (; row < end; row++)
		scan_any_row(s, head, row);
}
