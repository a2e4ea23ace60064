/* How fast one thread multiplies matrices of each type with some columns, and
 * what share of the machine's limit that is: int8 products for quants, f32 for
 * floats, bf16 for BF16 where the instruction set has them. The limit is
 * measured before each round.
 * usage: bench/matmul [ISA [TYPE [ROWS COLS [N...]]]] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "kernels/bf16.h"
#include "kernels/compute.h"
#include "kernels/matmul.h"
#include "kernels/peak_kernels.h"

enum { MAX_N = 512, ROUNDS = 5 };

static const size_t default_n[] = {1, 2, 4, 16, 64, 256};
enum { N_DEFAULT = sizeof default_n / sizeof default_n[0] };

static double limit(const struct isa *isa, const struct quant *quant)
{
	bool pairs = quant->type == BLOCK_BF16 && isa->bf16, quants = quant->n_elements > 1;
	uint32_t (*run)(size_t rounds) = pairs ? isa->bf16->peak : quants ? isa->peak->int8 : isa->peak->f32;
	size_t macs = pairs ? isa->bf16->peak_macs : quants ? isa->peak->int8_macs : isa->peak->f32_macs;
	volatile uint32_t kept;
	double start = processor_s(), rounds = 20000;

	kept = run((size_t)rounds);
	(void)kept;
	return rounds * (double)macs / (processor_s() - start);
}

/* Multiply-adds a second, the best of some rounds; the limit's best in *most. */
static double speed(const struct compute *compute, const struct matrix *m, const float *x, size_t n,
                    float *y, double *most)
{
	double work = (double)m->rows * (double)m->cols * (double)n, best = 0;
	void *room = zeros(n * activations_floats(m->cols) * sizeof(float));
	size_t times = (size_t)(2e8 / work) + 1;

	for (int round = 0; round < ROUNDS; round++) {
		double now = limit(compute->isa, m->quant), start = processor_s();

		*most = now > *most ? now : *most;
		for (size_t i = 0; i < times; i++) {
			struct activations a;

			activations_set(&a, room, x, n, m->cols);
			matmul(compute, m, &a, y);
		}
		now = work * (double)times / (processor_s() - start);
		best = now > best ? now : best;
	}
	free(room);
	return best;
}

static void measure(const struct compute *compute, const struct quant *quant, size_t rows, size_t cols,
                    const size_t *ns, size_t n_ns)
{
	struct matrix m = {.quant = quant, .rows = rows, .cols = cols};
	size_t n_bytes = rows * quant_row_bytes(quant, cols);
	unsigned char *data = zeros(n_bytes);
	void *panels = zeros(matrix_panel_bytes(&m));
	float *x = floats(MAX_N * cols), *y = zeros(MAX_N * rows * sizeof *y);

	for (size_t i = 0; i < n_bytes; i++) /* no scale denormal, codebooks looked up here and there */
		data[i] = (unsigned char)(64 | (uint32_t)i * 2654435761u >> 26);
	m.data = data;
	matrix_pack(&m, 0, matrix_n_units(&m), panels);
	m.panels = panels;
	printf("%-7s", quant->name);
	for (size_t i = 0; i < n_ns; i++) {
		double most = 0, is = speed(compute, &m, x, ns[i], y, &most);

		printf(" %6.1f %3.0f%%", is / 1e9, 100 * is / most);
		fflush(stdout);
	}
	printf("\n");
	free(data);
	free(panels);
	free(x);
	free(y);
}

int main(int argc, char **argv)
{
	struct compute compute = {0};
	struct error err = {0};
	size_t rows = argc > 4 ? strtoul(argv[3], NULL, 10) : 2048;
	size_t cols = argc > 4 ? strtoul(argv[4], NULL, 10) : 2048;
	size_t ns[MAX_N], n_ns = 0;

	if (isa_find(&compute.isa, argc > 1 ? argv[1] : NULL, &err))
		fail(err.text);
	for (int i = 5; i < argc && n_ns < MAX_N; i++)
		ns[n_ns++] = strtoul(argv[i], NULL, 10);
	if (!n_ns)
		for (; n_ns < N_DEFAULT; n_ns++)
			ns[n_ns] = default_n[n_ns];
	printf("%s, %zu x %zu, one thread: GMAC/s and share of the limit, columns:\n       ",
	       compute.isa->name, rows, cols);
	for (size_t i = 0; i < n_ns; i++) {
		if (ns[i] < 1 || ns[i] > MAX_N)
			fail("1 to 512 columns");
		printf(" %11zu", ns[i]);
	}
	printf("\n");
	for (uint32_t type = 0; type < BLOCK_TYPE_MAX; type++) {
		const struct quant *quant = quant_find(type);

		if (quant && (argc < 3 || !strcmp(argv[2], "all") || !strcmp(argv[2], quant->name)))
			measure(&compute, quant, rows, cols, ns, n_ns);
	}
	return 0;
}
