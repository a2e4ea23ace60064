/* Families of models that are converted: which keys and tensors of their checkpoints become which of a GGUF file.
 * Private to this folder. What the reference (llama.cpp's conversion/, August 2026) does with a family is in a file
 * family_*.c; what tensors are called is in model/names.h. */
#ifndef SOTTO_CHECKPOINT_FAMILY_H
#define SOTTO_CHECKPOINT_FAMILY_H

#include "base/text_ends.h"
#include "checkpoint/conversion.h"
#include "checkpoint/row_map.h"
#include "checkpoint/sources.h"

/* What the model's class takes where config.json says nothing: used with a note. */
struct config_default {
	const char *name;
	double number;
};

struct checkpoint_family {
	const char *const *classes; /* "LlamaForCausalLM", ..., NULL */
	const char *model_type; /* of config.json, or of its text_config: only then; NULL: any other */
	const char *architecture;
	enum vocabulary_rule vocabulary;
	const struct config_default *defaults; /* up to one without a name */
	bool derives_head_dim; /* without a number in config.json the class has hidden_size / num_attention_heads */
	bool ignores_head_dim; /* heads are always hidden_size / num_attention_heads, and no key says so */
	/* Computed tensors, which come first; NULL: none. */
	void (*extra)(struct conversion *c);
	/* Makes the outputs of a tensor; false: family_take_usual does. NULL: always. */
	bool (*take)(struct conversion *c, const struct source *source);
	/* Whether a tensor is left out that has a name of the family; NULL: none is. */
	bool (*skips)(const char *name);
	void (*keys)(struct conversion *c);
};

#define FAMILY_CLASSES(...) (const char *const[]){__VA_ARGS__, NULL}
#define FAMILY_DEFAULTS(...) (const struct config_default[]){__VA_ARGS__, {NULL, 0}}

extern const struct checkpoint_family checkpoint_llama, checkpoint_mistral, checkpoint_mixtral, checkpoint_ministral3,
	checkpoint_mistral3, checkpoint_smollm3, checkpoint_granite, checkpoint_granitemoe, checkpoint_qwen2, checkpoint_qwen3,
	checkpoint_qwen3moe, checkpoint_qwen35, checkpoint_qwen35moe, checkpoint_gemma2, checkpoint_gemma3,
	checkpoint_gemma4, checkpoint_phi3, checkpoint_olmo2, checkpoint_olmo3, checkpoint_lfm2, checkpoint_gpt_oss;

/* ---- config.json (config.c); `names`: all that one thing has, with spaces between: the first that is there ---- */

/* NULL: none of them is there, or it is null. */
const struct setting *config_find(const struct conversion *c, const char *names);
/* Also a default. False: neither; a value of another kind is an error. */
bool config_number(struct conversion *c, const char *names, double *out);
bool config_u32(struct conversion *c, const char *names, uint32_t *out);
/* The same, where missing is an error, too; 0 then. */
double config_needed(struct conversion *c, const char *names);
uint32_t config_needed_u32(struct conversion *c, const char *names);
/* A number that was computed of config.json's, cut to a whole one; 0 and an error where it is negative or too large. */
uint32_t config_cut(struct conversion *c, const char *what, double number);
uint32_t config_n_layer(struct conversion *c); /* 1..FAMILY_MAX_LAYERS; 0: an error */
enum { FAMILY_MAX_LAYERS = 1024 };
uint32_t config_n_head_kv(struct conversion *c); /* without a number or default: as many as of queries */
/* Whether "layer_types" calls a layer so; false where it says nothing. */
bool config_layer_is(const struct conversion *c, uint32_t layer, const char *type);

/* How positions are rotated: "rope_parameters" (by kinds of layers, perhaps), or "rope_scaling" and what older files
 * say beside it. `item`: "rope_theta", "factor" ... Of layers with full attention; NULL: not there, or null. */
const struct setting *rope_find(const struct conversion *c, const char *item);
/* The same, but not of a kind of layers. */
const struct setting *rope_find_common(const struct conversion *c, const char *item);
const struct setting *rope_find_sliding_theta(const struct conversion *c);
/* A number, or `def`; another kind is an error. */
double rope_number_common(struct conversion *c, const char *item, double def);
double rope_number(struct conversion *c, const char *item, double def);
const char *rope_type(const struct conversion *c); /* ""; as it is written */

/* ---- keys, with ARCH. before them ---- */

void key_u32(struct conversion *c, const char *key, uint32_t value);
void key_f32(struct conversion *c, const char *key, double value);
void key_bool(struct conversion *c, const char *key, bool value);
void key_string(struct conversion *c, const char *key, const char *value);
void key_i32s(struct conversion *c, const char *key, const int32_t *values, size_t n);
void key_bools(struct conversion *c, const char *key, const bool *values, size_t n);
/* The value of a setting, where it is there. */
void key_u32_of(struct conversion *c, const char *key, const char *names);
void key_f32_of(struct conversion *c, const char *key, const char *names);
void key_file_type(struct conversion *c); /* a placeholder, in its place */
/* What most families have (TextModel.set_gguf_parameters). */
void keys_usual(struct conversion *c);
/* Which layers have windows, by layer_types; without: of each `period` all but the last. */
void key_window_pattern(struct conversion *c, uint32_t period);

/* ---- outputs ---- */

/* A new output without rows; NULL: an error. */
struct output *family_output(struct conversion *c, const char *name, uint32_t n_dims, const uint64_t ne[]);
/* The shape of a tensor, fastest first, without dimensions of 1 where `squeezes`. False: too many, or one is 0. */
bool family_shape(struct conversion *c, const struct safetensor *tensor, bool squeezes, uint32_t *n_dims,
                  uint64_t ne[4]);
/* All of a tensor, with its shape, as it is; NULL: an error. */
struct output *family_output_whole(struct conversion *c, const char *name, const struct safetensor *tensor);
/* The same in another order of rows, or of a vector's elements. */
struct output *family_output_mapped(struct conversion *c, const char *name, const struct safetensor *tensor,
                                    const struct row_map *map);
/* Rows in the halves of each matrix of a tensor [..., 2f, n]: half 0, named so, or half 1. */
struct output *family_output_half(struct conversion *c, const char *name, const struct safetensor *tensor,
                                  uint32_t half);
/* Numbers that were computed; takes `values` over, also in an error. */
void family_output_values(struct conversion *c, const char *name, float *values, uint64_t n);
/* A tensor as it is; experts are stacked when their layer's last one comes. */
void family_take_usual(struct conversion *c, const struct source *source);
/* "ffn_gate_exps" of "blk.3.ffn_gate_exps.weight"; the whole name of what is no layer's. */
bool family_name_is(const char *gguf_name, const char *stem);
/* Replaces the stem: "blk.3.ffn_up_exps.weight". */
void family_rename(const char *gguf_name, const char *stem, const char *with, char out[NAMES_MAX]);

/* Of a model that is llama but for a key or two. */
void llama_keys(struct conversion *c);
void llama_extra(struct conversion *c);
bool llama_take(struct conversion *c, const struct source *source);

#endif
