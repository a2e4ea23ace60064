/* A tiny checkpoint of each family that is converted: its config.json, and names and shapes of its tensors as the
 * laboratories write them. tiny_checkpoint.h makes files of it. The vectors in tests/vectors/convert were made from
 * these: a change here needs new ones. */
#ifndef SOTTO_TESTS_TINY_FAMILIES_H
#define SOTTO_TESTS_TINY_FAMILIES_H

#include <stddef.h>
#include <stdint.h>

enum { TINY_FAMILY_VOCAB = 384 };

struct tiny_weight {
	const char *name;    /* "model.layers.%u.mlp.experts.%u.up_proj.weight": the layer, then the expert */
	uint32_t layers;     /* bit i: layer i has it; 0: there is no layer in the name */
	uint32_t n_experts;  /* 0: there is no expert in the name */
	uint64_t shape[4];   /* slowest first, ended by 0 */
	const char *dtype;   /* "U8"; NULL: what the caller chooses for all */
};

struct tiny_family {
	const char *name;
	const char *config;  /* config.json */
	const struct tiny_weight *weights;
	size_t n_weights;
};

const struct tiny_family *tiny_families(size_t *n);
const struct tiny_family *tiny_family_find(const char *name); /* NULL: none */

#endif
