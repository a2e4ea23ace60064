/* The table of families. What is special about each is in a file family_*.c, as data where
 * possible. Private to this folder. */
#ifndef SOTTO_MODEL_FAMILY_H
#define SOTTO_MODEL_FAMILY_H

#include "base/buf.h"
#include "model/keys.h"
#include "model/plan.h"
#include "model/weights.h"

struct pass;

/* Replaces forward.c's steps, for a family whose layers are like no other's. */
struct family_steps {
	void (*begin)(const struct pass *p); /* after the embedding */
	void (*run_layer)(struct pass *p);
	void (*end)(const struct pass *p);   /* before the output's norm */
};

/* Which key has the experts' length. */
enum expert_lengths {
	EXPERTS_OWN_LENGTH,   /* expert_feed_forward_length */
	EXPERTS_SHARE_LENGTH, /* the same, or feed_forward_length divided by the number used */
	EXPERTS_DENSE_LENGTH, /* feed_forward_length */
};
/* Which key has the shared expert's length. */
enum shared_lengths {
	SHARED_NONE,
	SHARED_BY_COUNT,  /* expert_shared_count times that of an expert */
	SHARED_BY_LENGTH, /* expert_shared_feed_forward_length */
	SHARED_DENSE,     /* feed_forward_length */
};

/* What is special about a family's experts and not in keys. */
struct family_experts {
	bool are_needed; /* every model has them */
	enum route route;
	bool normalises, weighs_inputs;
	enum expert_lengths lengths;
	enum shared_lengths shared;
	/* without that key: the count; SHARED_BY_LENGTH: 0: no shared expert, else feed_forward_length */
	uint32_t n_shared;
};

struct family {
	const char *name; /* general.architecture, and the prefix of its keys */
	enum rope_pairing pairing;
	enum norm norm;
	enum activation activation;
	bool is_parallel, norms_after_rope; /* as in struct layer_plan */
	bool is_hybrid; /* layers without key heads have no attention, without n_ff no feed-forward */
	/* Which layers have windows, where attention.sliding_window is followed (differences.c): unless a
	 * key says otherwise, of each `window_period` layers all but the last; 1: none, 0: all. */
	uint32_t window_period, window; /* `window`: where the key is missing */
	const struct weights_group *const *weights; /* NULL at the end */
	const struct family_experts *experts; /* NULL: models with experts are refused */
	/* Called after the common keys are read; NULL: nothing more is special. */
	void (*shape)(struct keys *keys, struct plan *plan);
	const struct family_steps *steps; /* NULL: those of forward.c */
};

/* For tables: the groups of a family, beside the embedding, and those that most families have. */
#define WEIGHTS_LIST(...) {&weights_embedding, __VA_ARGS__, NULL}
#define FAMILY_WEIGHTS(...) (const struct weights_group *const[])WEIGHTS_LIST(__VA_ARGS__)
#define WEIGHTS_USUAL \
	&weights_output_norm, &weights_attn_norm, &weights_attention, &weights_keys_values
#define FAMILY_EXPERTS(...) &(const struct family_experts){__VA_ARGS__}

/* The table (families.c). NULL when there is no such row. */
const struct family *family_find(struct gguf_string name);
/* Appends the names of all rows: "llama, ...". */
enum status family_list(struct buf *out);

/* Fills the plan from the file's keys and the user's settings (`rope`; NULL: none). STATUS_FORMAT with
 * key, found and expected; STATUS_UNSUPPORTED for a valid value that is not implemented. */
enum status family_read(struct plan *plan, const struct family *family, const struct gguf *gguf,
                        const struct rope_wish *rope, struct error *err) MUST_CHECK;

/* Groups that many families share (family_weights.c). */
extern const struct weights_group
	weights_embedding,     /* token_embd, and output where it is another matrix */
	weights_output_norm, weights_output_norm_biased,
	weights_rope_freqs,    /* divisors of the frequencies, where there are any */
	weights_attn_norm,
	weights_attention,     /* queries, output; biases where the file has them */
	weights_keys_values,
	weights_qkv_biased,    /* the same two with biases of queries, keys and values */
	weights_head_norms,    /* of the queries and keys of each head, one for all heads */
	weights_own_head_norms, /* where there are any, each head has its own */
	weights_ffn_norm,
	weights_second_norm,   /* the same, which some files call post_attention_norm */
	weights_gated_ffn,
	weights_fused_ffn,     /* gate and up in one tensor, ffn_up */
	weights_experts, weights_shared_expert,
	weights_shared_gate,   /* how much the shared expert counts */
	weights_mamba2,
	weights_post_norms,    /* of what mixer and feed-forward give (post_attention_norm, post_ffw_norm) */
	weights_layer_embeddings, weights_layer_embedding_gates; /* where the plan has such */

/* All families, in the order in which users see them. family_ID is defined in one of
 * family_*.c. */
#define FAMILIES(M) \
	M(llama) M(mistral3) M(qwen2) M(qwen3) M(gemma2) M(gemma3) M(gemma4) M(phi2) M(phi3) \
	M(granite) M(smollm3) M(seed_oss) M(ernie4_5) M(olmo2) M(exaone4) M(glm4) M(command_r) \
	M(cohere2) M(bitnet) M(hunyuan_dense) M(stablelm) M(starcoder2) M(qwen35) M(lfm2) \
	M(granitehybrid) M(falcon_h1) M(nemotron_h) M(gemma3n) M(qwen2moe) M(qwen3moe) \
	M(qwen35moe) M(qwen3next) M(gpt_oss) M(granitemoe) M(lfm2moe) M(olmoe) M(phimoe) \
	M(ernie4_5_moe) M(glm4moe) M(minimax_m2) M(llama4) M(deepseek2) M(nemotron_h_moe)

#define DECLARE_FAMILY(id) extern const struct family family_##id;
FAMILIES(DECLARE_FAMILY)
#undef DECLARE_FAMILY
extern const struct family_experts granite_experts; /* of more than one row */

/* ---- for the families' own functions ---- */

/* Reads the layers' windows; both numbers are for files without these keys. */
void plan_read_windows(struct keys *keys, struct plan *plan, uint32_t window, uint32_t period);
bool plan_has_windows(const struct plan *plan);
/* Assigns rope sets to windowed and to other layers. */
void plan_set_ropes(struct plan *plan, int windowed, int others);
/* Reads the sizes of states, ssm.*, for layers with any of these mixers. */
void plan_read_states(struct keys *keys, struct plan *plan, unsigned mixers);
/* Which layers have experts, and how they choose: expert_*. */
void plan_read_experts(struct keys *keys, struct plan *plan, const struct family_experts *family);
/* A second rope set, for windowed layers: without scaling, and with the file's own base for them,
 * or `base`. */
void plan_add_window_rope(struct keys *keys, struct plan *plan, float base, uint32_t dim);
/* The last n_shared layers use keys and values of the last windowed or full layer before them. */
void plan_share_keys_values(struct keys *keys, struct plan *plan, uint32_t n_shared);

#endif
