/* What tensors are called in checkpoints, as laboratories publish them, and in GGUF files: one table of all families
 * that are converted, for both directions. "model.layers.0.self_attn.q_proj.weight" is "blk.0.attn_q.weight". */
#ifndef SOTTO_MODEL_NAMES_H
#define SOTTO_MODEL_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NAMES_MAX = 128, NAMES_NONE = -1 };

struct tensor_name {
	char text[NAMES_MAX];
	int32_t layer, expert; /* NAMES_NONE: of none */
};

/* A tensor of a checkpoint, without what a vision model puts before its language model's names ("language_model.").
 * Tensors of single experts have the name of those in which all are. False: the architecture has no such tensor. */
bool names_to_gguf(const char *architecture, const char *name, struct tensor_name *out);
/* Back; where checkpoints differ, what is usual. `expert`: of a tensor with all experts; NAMES_NONE: 0. */
bool names_to_checkpoint(const char *architecture, const char *name, int32_t expert, struct tensor_name *out);

/* How many tensors each expert of a checkpoint has, where they are single ones: 0: they never are. */
size_t names_of_experts(const char *architecture);
/* The index-th of these in the GGUF file: "blk.3.ffn_gate_exps.weight". */
bool names_expert_at(const char *architecture, size_t index, int32_t layer, struct tensor_name *out);

/* Whether all tensors are there that every model of an architecture has, by GGUF's names. Else `missing` has the name
 * of the first that is not. */
typedef bool (*names_has)(void *ctx, const char *name);
bool names_complete(const char *architecture, int32_t n_layer, names_has has, void *ctx, struct tensor_name *missing);

#endif
