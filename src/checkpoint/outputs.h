/* The tensors that a conversion writes, and of which rows of the checkpoint each is made. A plan: nothing is read here. */
#ifndef SOTTO_CHECKPOINT_OUTPUTS_H
#define SOTTO_CHECKPOINT_OUTPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "checkpoint/safetensors.h"

/* Rows first, first + step, ... , n of them, of one tensor of the checkpoint (with all dimensions but the last as rows). */
struct output_run {
	const struct safetensor *tensor;
	uint64_t first, step, n;
};

enum output_change { CHANGE_NONE, CHANGE_PLUS_ONE, CHANGE_MINUS_EXP /* -exp(x) */ };

struct output {
	char *name;            /* "blk.0.attn_q.weight" */
	uint32_t n_dims;       /* 1..4 */
	uint64_t ne[4];        /* fastest first, as in GGUF */
	/* Its rows, of ne[0] elements, in order: those of runs[0], of runs[1], ... */
	struct output_run *runs;
	size_t n_runs, cap_runs;
	enum output_change change;
	uint32_t *columns;     /* [ne[0]]: element i of a row is element columns[i] of the source's; NULL: i */
	bool is_transposed;    /* each run is a whole matrix, or every step-th column of it, that is turned over */
	const float *values;   /* computed, F32, in the place of runs; owned; NULL: none */
	/* MXFP4 of gpt-oss, copied block by block: runs are rows of the tensor of blocks, these those of the scales. */
	struct output_run *scales;
	bool stays_f32;        /* whatever type the user asks for */
	uint32_t type;         /* enum block_type: filled in by outputs_choose_types */
};

struct outputs { /* {0} has none */
	struct output *items;
	size_t n, cap;
};

/* Adds one; the caller fills it in. NULL: no memory. The pointer is good until the next one is added. */
struct output *outputs_add(struct outputs *outputs, const char *name, uint32_t n_dims, const uint64_t ne[]);
bool output_add_run(struct output *output, const struct safetensor *tensor, uint64_t first, uint64_t step, uint64_t n);
void outputs_free(struct outputs *outputs);

#endif
