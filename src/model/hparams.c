#include "model/hparams.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "kernels/attention.h"

/* Ranges: wide enough for every published model, narrow enough that no
 * product of a few of them leaves 64 bits. */
#define MAX_EMBD (1u << 20)
#define MAX_FF (1u << 22)
#define MAX_HEADS 4096u
#define MAX_CTX (1u << 28)

struct reader {
	const struct gguf *gguf;
	const char *arch;
	struct error *err;
	char key[128]; /* of the field that is being read */
};

static const char *field_key(struct reader *r, const char *field)
{
	snprintf(r->key, sizeof r->key, "%s.%s", r->arch, field);
	return r->key;
}

static enum status missing(struct reader *r, const char *expected)
{
	return error_set(r->err, STATUS_FORMAT, "key '%s' is missing, expected %s", r->key, expected);
}

static enum status check_u32(struct reader *r, uint32_t value, uint32_t min, uint32_t max)
{
	if (value >= min && value <= max)
		return STATUS_OK;
	return error_set(r->err, STATUS_FORMAT, "key '%s': found %" PRIu32 ", expected %" PRIu32
	                 " to %" PRIu32, r->key, value, min, max);
}

/* A key that may be absent: *out then keeps its value, which is checked too. */
static enum status optional_u32(struct reader *r, const char *field, uint32_t min, uint32_t max,
                                uint32_t *out)
{
	enum status status = gguf_get_u32(r->gguf, field_key(r, field), out, r->err);

	if (status && status != STATUS_NOTFOUND)
		return status;
	return check_u32(r, *out, min, max);
}

static enum status required_u32(struct reader *r, const char *field, uint32_t min, uint32_t max,
                                uint32_t *out)
{
	if (!gguf_has(r->gguf, field_key(r, field)))
		return missing(r, "an integer");
	return optional_u32(r, field, min, max, out);
}

/* Absent: *out keeps its value. */
static enum status optional_f32(struct reader *r, const char *field, double min, double max,
                                float *out)
{
	enum status status = gguf_get_f32(r->gguf, field_key(r, field), out, r->err);

	if (status == STATUS_NOTFOUND)
		return STATUS_OK;
	if (status)
		return status;
	if (!((double)*out >= min && (double)*out <= max)) /* NaN as well */
		return error_set(r->err, STATUS_FORMAT, "key '%s': found %g, expected %g to %g",
		                 r->key, (double)*out, min, max);
	return STATUS_OK;
}

/* One integer for all layers, or an array of one for each. `offset`: of the
 * field in struct layer_hparams. */
static enum status per_layer_u32(struct reader *r, const char *field, uint32_t min, uint32_t max,
                                 size_t offset, struct hparams *hp)
{
	struct gguf_array array;
	enum gguf_type type = GGUF_I32;
	enum status status;
	uint32_t value;
	bool is_array;

	field_key(r, field);
	status = gguf_get_array(r->gguf, r->key, type, &array, NULL);
	if (status == STATUS_FORMAT) {
		type = GGUF_U32;
		status = gguf_get_array(r->gguf, r->key, type, &array, NULL);
	}
	is_array = status == STATUS_OK;
	if (is_array && array.n != hp->n_layer)
		return error_set(r->err, STATUS_FORMAT,
		                 "key '%s': found an array of %zu, expected one of %" PRIu32
		                 " (the layers)", r->key, array.n, hp->n_layer);
	if (!is_array && (status = required_u32(r, field, min, max, &value)))
		return status;
	for (uint32_t i = 0; i < hp->n_layer; i++) {
		if (is_array && type == GGUF_I32 && gguf_array_i32(&array, i) < 0)
			return error_set(r->err, STATUS_FORMAT,
			                 "key '%s': found %" PRId32 " for layer %" PRIu32
			                 ", expected %" PRIu32 " to %" PRIu32, r->key,
			                 gguf_array_i32(&array, i), i, min, max);
		if (is_array)
			value = gguf_array_u32(&array, i);
		if ((status = check_u32(r, value, min, max)))
			return status;
		memcpy((char *)&hp->layers[i] + offset, &value, sizeof value);
	}
	return STATUS_OK;
}

static enum status read_heads(struct reader *r, struct hparams *hp)
{
	enum status status;
	uint32_t n_head;

	status = per_layer_u32(r, "attention.head_count", 1, MAX_HEADS,
	                       offsetof(struct layer_hparams, n_head), hp);
	if (status)
		return status;
	if (gguf_has(r->gguf, field_key(r, "attention.head_count_kv"))) {
		status = per_layer_u32(r, "attention.head_count_kv", 1, MAX_HEADS,
		                       offsetof(struct layer_hparams, n_head_kv), hp);
		if (status)
			return status;
	} else {
		for (uint32_t i = 0; i < hp->n_layer; i++)
			hp->layers[i].n_head_kv = hp->layers[i].n_head;
	}
	for (uint32_t i = 0; i < hp->n_layer; i++)
		if (hp->layers[i].n_head % hp->layers[i].n_head_kv)
			return error_set(r->err, STATUS_FORMAT,
			                 "key '%s': found %" PRIu32 ", expected a divisor of the %" PRIu32
			                 " heads", field_key(r, "attention.head_count_kv"),
			                 hp->layers[i].n_head_kv, hp->layers[i].n_head);

	/* Heads share the embedding unless the file gives their length. */
	n_head = hp->layers[0].n_head;
	if (!gguf_has(r->gguf, field_key(r, "attention.key_length"))) {
		if (hp->n_embd % n_head)
			return error_set(r->err, STATUS_FORMAT,
			                 "key '%s': found %" PRIu32
			                 ", expected a divisor of the embedding length %" PRIu32,
			                 field_key(r, "attention.head_count"), n_head, hp->n_embd);
		hp->head_dim_k = hp->n_embd / n_head;
	}
	hp->head_dim_v = hp->n_embd / n_head;
	status = optional_u32(r, "attention.key_length", 2, ATTENTION_MAX_DIM, &hp->head_dim_k);
	if (status)
		return status;
	if (hp->n_embd % n_head)
		hp->head_dim_v = hp->head_dim_k;
	return optional_u32(r, "attention.value_length", 1, ATTENTION_MAX_DIM, &hp->head_dim_v);
}

/* Which layers have the window: all, or by a pattern: of N layers the first
 * N - 1, or one flag a layer. */
static enum status read_window(struct reader *r, struct hparams *hp)
{
	struct gguf_array flags;
	uint32_t window = 0, pattern = 0;
	enum status status;
	bool by_flags;

	status = optional_u32(r, "attention.sliding_window", 0, MAX_CTX, &window);
	if (status || window == 0)
		return status;
	status = gguf_get_array(r->gguf, field_key(r, "attention.sliding_window_pattern"), GGUF_BOOL,
	                        &flags, NULL);
	by_flags = status == STATUS_OK;
	if (by_flags && flags.n != hp->n_layer)
		return error_set(r->err, STATUS_FORMAT,
		                 "key '%s': found an array of %zu, expected one of %" PRIu32
		                 " (the layers)", r->key, flags.n, hp->n_layer);
	if (!by_flags) {
		status = optional_u32(r, "attention.sliding_window_pattern", 0, HPARAMS_MAX_LAYERS,
		                      &pattern);
		if (status)
			return status;
	}
	for (uint32_t i = 0; i < hp->n_layer; i++)
		if (by_flags ? gguf_array_bool(&flags, i)
		             : pattern == 0 || i % pattern < pattern - 1)
			hp->layers[i].window = window;
	return STATUS_OK;
}

static bool string_is(struct gguf_string string, const char *text)
{
	return string.len == strlen(text) && memcmp(string.data, text, string.len) == 0;
}

static enum status read_rope(struct reader *r, struct hparams *hp)
{
	struct gguf_string type = {"linear", 6};
	enum status status;
	float factor = 1;

	hp->rope_dim = hp->head_dim_k;
	status = optional_u32(r, "rope.dimension_count", 2, hp->head_dim_k, &hp->rope_dim);
	if (status)
		return status;
	if (hp->rope_dim % 2)
		return error_set(r->err, STATUS_FORMAT, "key '%s': found %" PRIu32
		                 ", expected an even number", r->key, hp->rope_dim);
	hp->rope_base = 10000;
	if ((status = optional_f32(r, "rope.freq_base", 1, 1e15, &hp->rope_base)))
		return status;
	hp->rope_attn_scale = 1;
	if ((status = optional_f32(r, "rope.scaling.attn_factor", 0.01, 100, &hp->rope_attn_scale)))
		return status;

	/* The second key is what files of 2023 have. */
	status = optional_f32(r, "rope.scale_linear", 0, 1e6, &factor);
	if (!status)
		status = optional_f32(r, "rope.scaling.factor", 0, 1e6, &factor);
	if (status)
		return status;
	status = gguf_get_string(r->gguf, field_key(r, "rope.scaling.type"), &type, r->err);
	if (status && status != STATUS_NOTFOUND)
		return status;
	if (string_is(type, "none"))
		factor = 1;
	else if (!string_is(type, "linear"))
		return error_set(r->err, STATUS_UNSUPPORTED,
		                 "key '%s': found \"%.*s\", supported are none, linear and the "
		                 "rope_freqs.weight of Llama 3", r->key,
		                 type.len < 32 ? (int)type.len : 32, type.data);
	hp->rope_freq_scale = factor > 0 ? 1 / factor : 1; /* converters write 0 for none */
	return STATUS_OK;
}

/* The vocabulary's size: its tokens where the file has them, else the rows of
 * the embedding. */
static enum status read_vocab(struct reader *r, struct hparams *hp)
{
	const struct gguf_tensor *embedding = gguf_find_tensor(r->gguf, "token_embd.weight");
	struct gguf_array tokens;
	enum status status;
	uint64_t n;

	snprintf(r->key, sizeof r->key, "tokenizer.ggml.tokens");
	status = gguf_get_array(r->gguf, r->key, GGUF_STRING, &tokens, r->err);
	if (status && status != STATUS_NOTFOUND)
		return status;
	n = status == STATUS_OK ? tokens.n : embedding ? embedding->ne[1] : 0;
	if (status && !embedding)
		return error_set(r->err, STATUS_FORMAT, "tensor 'token_embd.weight' is missing");
	if (n < 1 || n > LIMIT_VOCAB)
		return error_set(r->err, STATUS_FORMAT, "%s: found %" PRIu64
		                 " tokens, expected 1 to %zu",
		                 status ? "tensor 'token_embd.weight'" : "key 'tokenizer.ggml.tokens'",
		                 n, LIMIT_VOCAB);
	hp->n_vocab = (uint32_t)n;
	return STATUS_OK;
}

enum status hparams_read(struct hparams *hp, const struct gguf *gguf, const char *arch,
                         struct error *err)
{
	struct reader r = {.gguf = gguf, .arch = arch, .err = err};
	enum status status;
	bool causal = true;

	*hp = (struct hparams){0};
	if ((status = required_u32(&r, "context_length", 1, MAX_CTX, &hp->n_ctx_train)) ||
	    (status = required_u32(&r, "embedding_length", 1, MAX_EMBD, &hp->n_embd)) ||
	    (status = required_u32(&r, "block_count", 1, HPARAMS_MAX_LAYERS, &hp->n_layer)) ||
	    (status = per_layer_u32(&r, "feed_forward_length", 1, MAX_FF,
	                            offsetof(struct layer_hparams, n_ff), hp)) ||
	    (status = read_heads(&r, hp)) || (status = read_window(&r, hp)) ||
	    (status = read_rope(&r, hp)) || (status = read_vocab(&r, hp)))
		return status;
	if (!gguf_has(gguf, field_key(&r, "attention.layer_norm_rms_epsilon")))
		return missing(&r, "a float");
	status = optional_f32(&r, "attention.layer_norm_rms_epsilon", 1e-12, 1, &hp->norm_eps);
	if (status)
		return status;
	status = gguf_get_bool(gguf, field_key(&r, "attention.causal"), &causal, err);
	if (status && status != STATUS_NOTFOUND)
		return status;
	if (!causal)
		return error_set(err, STATUS_UNSUPPORTED,
		                 "key '%s': found false; models that look ahead are not supported",
		                 r.key);
	hp->attention_scale = 1 / sqrtf((float)hp->head_dim_k);
	return STATUS_OK;
}

uint32_t hparams_max_head(const struct hparams *hp)
{
	uint32_t max = 0;

	for (uint32_t i = 0; i < hp->n_layer; i++)
		if (hp->layers[i].n_head > max)
			max = hp->layers[i].n_head;
	return max;
}

uint32_t hparams_max_head_kv(const struct hparams *hp)
{
	uint32_t max = 0;

	for (uint32_t i = 0; i < hp->n_layer; i++)
		if (hp->layers[i].n_head_kv > max)
			max = hp->layers[i].n_head_kv;
	return max;
}

uint32_t hparams_max_ff(const struct hparams *hp)
{
	uint32_t max = 0;

	for (uint32_t i = 0; i < hp->n_layer; i++)
		if (hp->layers[i].n_ff > max)
			max = hp->layers[i].n_ff;
	return max;
}
