/* Rungs about weights on their way into products: how blocks are read, how they are packed and multiplied, and by which
 * instruction set. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "doctor/formats.h"
#include "doctor/reference.h"
#include "doctor/rung.h"
#include "kernels/isa.h"
#include "kernels/matmul.h"
#include "kernels/threadpool.h"

enum { BLOCK_MAX = 256, GROUP = 16, ROWS = 48, COLUMNS = 5, MATRICES = 16384 };
/* Inputs are rounded to 8 bits, or to bf16: about 1 % of the result. */
static const double most_product = 0.05;

/* Whether a misread scale or offset explains what came out: in each group got = a * want + b. */
static bool is_of_scales(const float *got, const double *want, size_t n)
{
	for (size_t first = 0; first < n; first += GROUP) {
		size_t count = n - first < GROUP ? n - first : GROUP;
		double x = 0, y = 0, xx = 0, xy = 0, yy = 0;

		for (size_t i = first; i < first + count; i++) {
			x += want[i] / (double)count;
			y += (double)got[i] / (double)count;
		}
		for (size_t i = first; i < first + count; i++) {
			xx += (want[i] - x) * (want[i] - x);
			xy += (want[i] - x) * ((double)got[i] - y);
			yy += ((double)got[i] - y) * ((double)got[i] - y);
		}
		/* what the line leaves of yy */
		if (yy > 0 && yy - (xx > 0 ? xy * xy / xx : 0) > 1e-6 * yy)
			return false;
	}
	return true;
}

/* One block; false where it was not read as it should be. */
static bool judge_block(const struct patient *p, const struct gguf_tensor *tensor, const struct quant *quant, uint64_t at,
                        struct diagnosis *out)
{
	const unsigned char *block = (const unsigned char *)tensor->data + at * quant->n_bytes;
	float got[BLOCK_MAX];
	double want[BLOCK_MAX], distance;
	char cause[160];

	if (!format_read_block(quant->type, block, want))
		return true;
	quant->dequantize(block, got, quant->n_elements);
	distance = reference_distance(got, want, quant->n_elements);
	out->number = fmax(out->number, distance);
	if (distance < 1e-5 || !isfinite(want[0]))
		return true;
	snprintf(cause, sizeof cause, is_of_scales(got, want, quant->n_elements)
	                                      ? "A scale is misread in blocks of the type %s."
	                                      : "Blocks of the type %s are unpacked wrongly.", quant->name);
	diagnose_finding(out, cause, "In the tensor %.*s, weights that the format makes %.6g come out as %.6g. "
	                 "The fault is the engine's, not the file's.", (int)tensor->name.len, tensor->name.data, want[0],
	                 (double)got[0]);
	diagnose_show(out, "sotto info %s", p->params.model);
	return false;
}

enum status check_blocks(struct patient *p, struct diagnosis *out, struct error *err)
{
	(void)err;
	diagnose_number(out, 0, "largest difference from the format, relative");
	for (size_t i = 0; i < gguf_n_tensors(p->gguf); i++) {
		const struct gguf_tensor *tensor = gguf_tensor_at(p->gguf, i);
		const struct quant *quant = quant_find(tensor->type);
		uint64_t n = quant ? gguf_tensor_n_elements(tensor) / quant->n_elements : 0;

		/* the first, the last, and some between */
		for (uint64_t k = 0; k < 8 && n; k++)
			if (!judge_block(p, tensor, quant, (n - 1) * k / 7, out))
				return STATUS_OK;
	}
	diagnose_fine(out, "%s", "");
	return STATUS_OK;
}

/* ---- products ---- */

struct named_matrix {
	const char *name;
	size_t layer;
	struct matrix matrix;
	const struct stack *stack; /* of which it is an expert; or NULL */
};

/* `all`: also where one of that name and type is there. */
static void add_matrix(struct named_matrix *list, size_t *n, bool all, const char *name, size_t layer,
                       const struct matrix *m, const struct stack *stack)
{
	bool is_new = true;

	for (size_t i = 0; i < *n && !all; i++)
		is_new &= list[i].matrix.quant != m->quant || strcmp(list[i].name, name) != 0;
	if (m->data && is_new && *n < MATRICES)
		list[(*n)++] = (struct named_matrix){name, layer, *m, stack};
}

/* The first and the last expert of a stack, by the panels that the engine has for them and the weights of the file. */
static void add_experts(struct named_matrix *list, size_t *n, bool all, const char *name, size_t layer,
                        const struct stack *stack)
{
	for (size_t i = 0; i < stack->n && stack->first.data; i += stack->n > 1 ? stack->n - 1 : 1) {
		struct matrix m = stack_at(stack, i);

		m.data = reference_expert(stack, i).data;
		add_matrix(list, n, all, name, layer, &m, stack);
	}
}

/* All, but of experts the first and the last; or one of each name and type. */
static size_t list_matrices(const struct patient *p, bool all, struct named_matrix list[MATRICES])
{
	size_t n = 0;

	for (size_t i = 0; i < p->plan->n_layer; i++) {
		const struct layer_weights *w = &p->weights->layers[i];
		const struct { const char *name; const struct matrix *m; } of[] = {
			{"attn_q", &w->q.matrix}, {"attn_k", &w->k.matrix}, {"attn_v", &w->v.matrix}, {"attn_output", &w->o.matrix},
			{"ffn_gate", &w->gate.matrix}, {"ffn_up", &w->up.matrix}, {"ffn_down", &w->down.matrix},
			{"ssm_in", &w->conv_in.matrix}, {"ssm_out", &w->state_out.matrix}};

		for (size_t k = 0; k < sizeof of / sizeof of[0]; k++)
			add_matrix(list, &n, all, of[k].name, i, of[k].m, NULL);
		add_experts(list, &n, all, "ffn_gate_exps", i, &w->expert_gate);
		add_experts(list, &n, all, "ffn_up_exps", i, &w->expert_up);
		add_experts(list, &n, all, "ffn_down_exps", i, &w->expert_down);
	}
	add_matrix(list, &n, all, "output", p->plan->n_layer, &p->weights->output.matrix, NULL);
	return n;
}

/* Memory for the products of one matrix. */
struct bench {
	struct compute compute;
	float *x, *y, *row, *memory; /* [COLUMNS][cols], [COLUMNS][rows], [cols], of struct activations */
};

static void bench_free(struct bench *b)
{
	free(b->x);
	free(b->y);
	free(b->row);
	free(b->memory);
	free(b->compute.pack_buffer.memory);
}

static bool bench_init(struct bench *b, const struct patient *p, const struct matrix *m)
{
	uint64_t seed = 42;
	size_t unit = model_memory(p->model).unit_bytes;

	*b = (struct bench){.compute = p->compute};
	b->x = alloc_array(COLUMNS, m->cols * sizeof *b->x);
	b->y = alloc_array(COLUMNS, m->rows * sizeof *b->y);
	b->row = alloc_array(m->cols, sizeof *b->row);
	b->memory = alloc_aligned(64, COLUMNS * activations_floats(m->cols) * sizeof *b->memory);
	b->compute.pack_buffer = (struct pack_buffer){.n_bytes = unit};
	if (unit)
		b->compute.pack_buffer.memory = alloc_aligned(64, unit * threadpool_n_threads(p->compute.pool));
	if (!b->x || !b->y || !b->row || !b->memory || (unit && !b->compute.pack_buffer.memory))
		return false;
	for (size_t i = 0; i < COLUMNS * m->cols; i++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		b->x[i] = (float)((double)(seed >> 40) / (1 << 23) - 1);
	}
	return true;
}

static void run_product(struct bench *b, const struct matrix *m, size_t n)
{
	struct activations a;

	activations_set(&a, b->memory, b->x, n, m->cols);
	matmul(&b->compute, m, &a, b->y);
}

/* The distance of a product of n columns from that in double precision, over some rows. */
static double distance_of(struct bench *b, const struct matrix *m, size_t n, float got[ROWS], double want[ROWS],
                          size_t *n_rows)
{
	double most = 0;

	*n_rows = m->rows < ROWS ? m->rows : ROWS;
	run_product(b, m, n);
	for (size_t c = 0; c < n; c++) {
		double distance;

		for (size_t i = 0; i < *n_rows; i++) {
			size_t row = i * (m->rows - 1) / (*n_rows > 1 ? *n_rows - 1 : 1);

			reference_multiply(m, row, 1, b->x + c * m->cols, b->row, &want[i]);
			got[i] = b->y[c * m->rows + row];
		}
		distance = reference_distance(got, want, *n_rows);
		most = fmax(most, distance);
		if (distance >= most_product)
			break;
	}
	return most;
}

/* Results where only GROUP inputs from `first` on are not zero, and these are 1 and -1 in turns of `turn`: their sum is
 * 0, so that no offset counts. */
static void multiply_group(struct bench *b, const struct matrix *m, size_t first, size_t turn, float got[ROWS],
                           double want[ROWS], size_t *n_rows)
{
	for (size_t i = 0; i < m->cols; i++)
		b->x[i] = i < first || i >= first + GROUP ? 0 : (i - first) / turn % 2 ? -1 : 1;
	(void)distance_of(b, m, 1, got, want, n_rows);
}

/* GROUP_SCALE: in each row the results of a group are wrong by the same factor whatever its inputs. */
enum group { GROUP_RIGHT, GROUP_SCALE, GROUP_WRONG };
static enum group judge_group(struct bench *b, const struct matrix *m, size_t first)
{
	float got[ROWS], other_got[ROWS];
	double want[ROWS], other_want[ROWS], largest = 0;
	size_t n_rows, n_looked = 0, n_same = 0, n_wrong = 0;

	multiply_group(b, m, first, 1, got, want, &n_rows);
	multiply_group(b, m, first, GROUP / 2, other_got, other_want, &n_rows);
	for (size_t i = 0; i < n_rows; i++)
		largest = fmax(largest, fmax(fabs(want[i]), fabs(other_want[i])));
	for (size_t i = 0; i < n_rows; i++) {
		double one = (double)got[i] / want[i], other = (double)other_got[i] / other_want[i];

		if (fabs(want[i]) < 0.1 * largest || fabs(other_want[i]) < 0.1 * largest)
			continue;
		n_looked++;
		n_same += fabs(one - other) <= 0.05 * fabs(one) + 0.01;
		n_wrong += fabs(one - 1) > 0.05;
	}
	return !n_wrong ? GROUP_RIGHT : n_same * 10 >= n_looked * 9 ? GROUP_SCALE : GROUP_WRONG;
}

static bool has_offsets(enum block_type type)
{
	return type == BLOCK_Q4_1 || type == BLOCK_Q5_1 || type == BLOCK_Q2_K || type == BLOCK_Q4_K || type == BLOCK_Q5_K;
}

/* Whether the panels are those of another expert. */
static bool is_another_expert(struct bench *b, const struct named_matrix *m)
{
	float got[ROWS];
	double want[ROWS];
	size_t n_rows;
	struct matrix other = m->matrix;

	for (size_t i = 0; m->stack && other.panels && i < m->stack->n; i++) {
		other.data = reference_expert(m->stack, i).data;
		if (distance_of(b, &other, 1, got, want, &n_rows) < most_product)
			return true;
	}
	return false;
}

static void tell_product(const struct patient *p, struct bench *b, const struct named_matrix *m, double distance,
                         struct diagnosis *out)
{
	enum group group = GROUP_RIGHT;
	bool is_other = is_another_expert(b, m);
	char cause[160];

	for (size_t first = 0; first + GROUP <= m->matrix.cols && first < BLOCK_MAX && group == GROUP_RIGHT; first += GROUP)
		group = judge_group(b, &m->matrix, first);
	if (is_other)
		snprintf(cause, sizeof cause, "The order of the experts is wrong: another one computes in the place of one.");
	else if (group == GROUP_SCALE)
		snprintf(cause, sizeof cause, "A scale is misread in blocks of the type %s.", m->matrix.quant->name);
	else if (group == GROUP_RIGHT && has_offsets(m->matrix.quant->type)) /* only what is added whatever the weight */
		snprintf(cause, sizeof cause, "A scale is misread in blocks of the type %s, that of its offsets.",
		         m->matrix.quant->name);
	else
		snprintf(cause, sizeof cause, "Products with weights of the type %s are wrong.", m->matrix.quant->name);
	diagnose_finding(out, cause, "Those with %s of layer %zu are off by %.2g of their size%s. The weights are packed or "
	                 "multiplied wrongly on this machine (%s).", m->name, m->layer, distance,
	                 group == GROUP_SCALE ? ", a group of inputs by a factor of its own" : "", p->compute.isa->name);
	diagnose_show(out, "sotto logits -m %s --isa generic --ids \"1 2 3\" -o generic.f32", p->params.model);
}

/* `isas`: each other set against plain C; else the set in use against double precision. */
static bool judge_matrix(const struct patient *p, const struct named_matrix *m, bool isas, struct bench *b,
                         struct diagnosis *out)
{
	static const size_t counts[] = {1, COLUMNS};
	float got[ROWS];
	double want[ROWS], distance;
	size_t n_rows;

	for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
		for (size_t i = 0; i < (isas ? isa_n : 1); i++) {
			if (isas && !isa_usable(&isa_table[i]))
				continue;
			b->compute.isa = isas ? &isa_table[i] : p->compute.isa;
			distance = distance_of(b, &m->matrix, counts[k], got, want, &n_rows);
			out->number = fmax(out->number, distance);
			if (distance < most_product)
				continue;
			if (!isas) {
				tell_product(p, b, m, distance, out);
			} else {
				diagnose_finding(out, "The kernels of an instruction set are wrong on this machine.",
				                 "With %s, products with %s (%s) are off by %.2g of their size.", isa_table[i].name,
				                 m->name, m->matrix.quant->name, distance);
				diagnose_show(out, "sotto run -m %s --isa generic Hello", p->params.model);
			}
			return false;
		}
	}
	return true;
}

static enum status judge_matrices(struct patient *p, bool isas, struct diagnosis *out, struct error *err)
{
	struct named_matrix *list = alloc_array(MATRICES, sizeof *list);
	size_t n = list ? list_matrices(p, !isas, list) : 0;
	bool is_fine = true, has_memory = list != NULL;

	for (size_t i = 0; i < n && is_fine && has_memory; i++) {
		struct bench b;

		has_memory = bench_init(&b, p, &list[i].matrix);
		if (has_memory)
			is_fine = judge_matrix(p, &list[i], isas, &b, out);
		bench_free(&b);
	}
	free(list);
	return has_memory ? STATUS_OK : error_no_memory(err, NULL);
}

enum status check_products(struct patient *p, struct diagnosis *out, struct error *err)
{
	diagnose_fine(out, "With %s.", p->compute.isa->name);
	diagnose_number(out, 0, "largest difference from double precision, relative");
	return judge_matrices(p, false, out, err);
}

enum status check_isas(struct patient *p, struct diagnosis *out, struct error *err)
{
	size_t n = 0;

	for (size_t i = 0; i < isa_n; i++)
		n += isa_usable(&isa_table[i]);
	diagnose_fine(out, "%zu sets.", n);
	diagnose_number(out, 0, "largest difference, relative");
	return judge_matrices(p, true, out, err);
}
