#include "kernels/rope.h"

#include <math.h>

void rope_table(const double *frequency, size_t n_pairs, size_t pos, size_t n, float scale,
                float *table)
{
	for (size_t t = 0; t < n; t++)
		for (size_t i = 0; i < n_pairs; i++) {
			double angle = (double)(pos + t) * frequency[i];

			*table++ = (float)cos(angle) * scale;
			*table++ = (float)sin(angle) * scale;
		}
}

void rope(enum rope_pairing pairing, const float *table, size_t n_pairs, size_t n, size_t n_heads,
          size_t dim, float *x)
{
	size_t step = pairing == ROPE_ADJACENT ? 2 : 1;
	size_t partner = pairing == ROPE_ADJACENT ? 1 : n_pairs;

	for (size_t t = 0; t < n; t++, table += 2 * n_pairs)
		for (size_t head = 0; head < n_heads; head++, x += dim)
			for (size_t i = 0; i < n_pairs; i++) {
				float c = table[2 * i], s = table[2 * i + 1];
				float a = x[i * step], b = x[i * step + partner];

				x[i * step] = a * c - b * s;
				x[i * step + partner] = a * s + b * c;
			}
}
