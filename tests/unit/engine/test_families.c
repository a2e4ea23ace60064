/* Small models of every family against logits of another program, and against themselves. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "gguf/reader.h"
#include "model/cache.h"
#include "model/model_internal.h"
#include "model/scratch.h"
#include "support/family_checks.h"
#include "support/gguf_memory.h"
#include "support/isas.h"
#include "support/logits.h"

/* The weights are the same; with these types activations are rounded, too. */
#define MAX_KL_BF16 5e-3
#define MAX_KL_Q8_0 6e-2
#define MAX_KL_CACHE 1e-2
/* For models whose tokens may then go through other experts. */
#define MAX_KL_EXPERTS 0.3

static float *logits_of(const struct model *model, const struct isa *isa, const int32_t *ids)
{
	return logits_of_model(model, &(struct logits_options){.kv_type = KV_F32, .isa = isa}, ids,
	                       REFERENCE_IDS);
}

/* Which weights are packed, and when, does not change a bit of the results. */
static void check_packings(const struct family_model *made, const int32_t *ids, const float *expected)
{
	struct logits_options options = {.kv_type = KV_F32};
	struct family_opened opened;
	struct error err;

	must(threadpool_create(&options.pool, 3, &err), &err);
	for (enum packing packing = PACKING_DENSE; packing <= PACKING_NONE; packing++) {
		struct model_memory memory;

		family_open(&opened, made, packing);
		memory = model_memory(opened.model);
		cr_assert_eq(memory.packing, packing);
		cr_assert_eq(memory.packed < memory.all, memory.in_file > 0);
		cr_assert(packing == PACKING_DENSE || memory.in_file > 0);
		for (options.n_batch = 1; options.n_batch <= 64; options.n_batch += 63) {
			float *logits = logits_of_model(opened.model, &options, ids, REFERENCE_IDS);

			cr_expect_eq(memcmp(logits, expected,
			                    REFERENCE_IDS * made->sizes.n_vocab * sizeof *logits), 0,
			             "other bits with packing %d, batches of %d", packing,
			             (int)options.n_batch);
			free(logits);
		}
		family_close(&opened);
	}
	threadpool_free(options.pool);
}

/* The packing that is chosen with this much memory available. */
static enum packing chosen(struct gguf *gguf, uint64_t available, bool whole, enum status expected)
{
	struct model_memory memory = {0};
	struct model *model;
	struct error err = {0};
	char text[32];

	snprintf(text, sizeof text, "%" PRIu64, available);
	setenv("SOTTO_TEST_MEMORY", text, 1);
	cr_assert_eq(model_open(&model, gguf, &(struct model_load){.n_ctx = 64, .whole = whole}, &err),
	             expected, "%s", err.text);
	unsetenv("SOTTO_TEST_MEMORY");
	if (!expected) {
		memory = model_memory(model);
		model_close(model);
	}
	return memory.packing;
}

Test(families, leave_in_the_file_what_does_not_fit)
{
	struct family_model made = family_model_of("qwen3moe");
	uint64_t sizes[PACKING_COUNT] = {0}, beside;
	struct family_opened opened;

	for (enum packing packing = PACKING_ALL; packing < PACKING_COUNT; packing++) {
		family_open(&opened, &made, packing);
		sizes[packing] = model_memory(opened.model).packed;
		family_close(&opened);
	}
	cr_assert(sizes[PACKING_ALL] > sizes[PACKING_DENSE] && sizes[PACKING_DENSE] > sizes[PACKING_NONE]);
	for (size_t i = 0; i < 5; i++) {
		static const struct {
			enum packing fits, chosen;
			bool whole;
			enum status status;
		} rows[] = {
			{PACKING_ALL, PACKING_ALL, false, STATUS_OK},
			{PACKING_DENSE, PACKING_DENSE, false, STATUS_OK},
			{PACKING_NONE, PACKING_NONE, false, STATUS_OK},
			{PACKING_ALL, PACKING_ALL, true, STATUS_OK},
			{PACKING_DENSE, PACKING_AUTO, true, STATUS_NOMEM},
		};
		struct gguf *gguf;

		family_open(&opened, &made, PACKING_ALL);
		must(gguf_open_memory(&gguf, opened.file.data, opened.file.len, NULL), NULL);
		beside = cache_bytes(model_plan(opened.model), 64, (struct kv_types){BLOCK_F16, BLOCK_F16}) +
		         scratch_bytes(model_plan(opened.model), 64, 64, 1);
		cr_assert_eq(chosen(gguf, (sizes[rows[i].fits] + (rows[i].whole ? 0 : beside)) / 9 * 10 + 100,
		                    rows[i].whole, rows[i].status),
		             rows[i].chosen, "row %zu", i);
		if (rows[i].status)
			gguf_close(gguf);
		family_close(&opened);
	}
}

static void check_reference(const struct family_reference *reference)
{
	struct family_model made = family_model_of(reference->name);
	struct family_opened opened;
	int32_t ids[REFERENCE_IDS];
	size_t n_vocab = made.sizes.n_vocab;
	const char *broken;
	float *logits;

	family_open(&opened, &made, PACKING_ALL);
	family_reference_ids(reference, ids);
	for (const struct isa *isa = NULL; (isa = next_isa(isa));) {
		float distance;

		logits = logits_of(opened.model, isa, ids);
		distance = family_reference_distance(reference, logits, n_vocab);
		free(logits);
		cr_expect(distance <= family_reference_tolerance(reference), "%s on %s: off by %g",
		          reference->name, isa->name, (double)distance);
	}
	logits = logits_of(opened.model, NULL, ids);
	broken = family_check_bits(opened.model, ids, REFERENCE_IDS, logits);
	cr_expect_null(broken, "%s: %s", reference->name, broken);
	check_packings(&made, ids, logits);
	free(logits);
	family_close(&opened);
}

Test(families, give_the_logits_of_the_reference)
{
	for (const struct family_reference *r = family_references; r->name; r++)
		check_reference(r);
}

Test(families, cap_scores_and_logits)
{
	const char *broken = family_check_caps(NULL);

	cr_assert_null(broken, "%s", broken);
}

/* Every row of the table has its logits. */
Test(families, all_have_a_reference)
{
	for (size_t i = 0; family_specs[i].name || family_references[i].name; i++)
		cr_assert_str_eq(family_specs[i].name, family_references[i].name);
}

static bool has_experts(const struct family_spec *spec)
{
	return strstr(spec->tensors, "ffn_gate_inp") != NULL;
}

/* The same weights in another type. */
static double distance_as(const struct family_model *made, enum block_type type, const int32_t *ids,
                          const float *expected)
{
	struct family_model other = *made;
	struct family_opened opened;
	double furthest = 0;

	other.type = type;
	family_open(&opened, &other, PACKING_ALL);
	for (const struct isa *isa = NULL; (isa = next_isa(isa));) {
		float *logits = logits_of(opened.model, isa, ids);
		double kl = logits_mean_kl(expected, logits, REFERENCE_IDS, made->sizes.n_vocab);

		free(logits);
		if (!(kl <= furthest))
			furthest = kl;
	}
	family_close(&opened);
	return furthest;
}

Test(families, are_close_in_other_types)
{
	static const struct {
		enum block_type type;
		double max_kl, sensitive;
	} types[] = {{BLOCK_F16, 1e-9, 1e-4}, {BLOCK_BF16, MAX_KL_BF16, 0.5},
	             {BLOCK_Q8_0, MAX_KL_Q8_0, 0.5}};

	for (const struct family_reference *r = family_references; r->name; r++) {
		struct family_model made = family_model_of(r->name);
		struct family_opened opened;
		int32_t ids[REFERENCE_IDS];
		float *expected;

		family_open(&opened, &made, PACKING_ALL);
		family_reference_ids(r, ids);
		expected = logits_of(opened.model, NULL, ids);
		for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
			double kl = distance_as(&made, types[i].type, ids, expected);
			double max = made.spec->sensitive ? types[i].sensitive : types[i].max_kl;

			if (types[i].type != BLOCK_F16 && has_experts(made.spec) &&
			    max < MAX_KL_EXPERTS)
				max = MAX_KL_EXPERTS;

			cr_expect(kl <= max, "%s as %s: %g", r->name,
			          block_info(types[i].type)->name, kl);
		}
		free(expected);
		family_close(&opened);
	}
}

/* If all experts are equally good the first ones are chosen, for every split. */
Test(families, take_the_first_of_equal_experts)
{
	static const char *const names[] = {"qwen3moe", "gpt-oss", "deepseek3", "llama4"};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		struct family_model made = family_model_of(names[i]);
		struct family_opened opened;
		int32_t ids[REFERENCE_IDS];
		const char *broken;
		float *logits;

		family_open(&opened, &made, PACKING_ALL);
		family_reference_ids(&family_references[0], ids);
		for (uint32_t layer = 0; layer < opened.model->plan.n_layer; layer++) {
			struct layer_weights *w = &opened.model->weights.layers[layer];

			w->router.scale = 0;
			w->router.bias = NULL;
			w->router_bias = NULL;
		}
		logits = logits_of(opened.model, NULL, ids);
		broken = family_check_bits(opened.model, ids, REFERENCE_IDS, logits);
		cr_expect_null(broken, "%s: %s", names[i], broken);
		free(logits);
		family_close(&opened);
	}
}

/* Sizes that fit no vector of an instruction set, other head counts, the layers `times`. */
static void check_sizes(const struct family_spec *spec, uint32_t n_head, uint32_t n_head_kv,
                        uint32_t head_dim, uint32_t times, uint64_t seed)
{
	struct family_model made = family_model_of(spec->name);
	struct family_sizes *s = &made.sizes;
	struct family_opened opened;
	int32_t ids[REFERENCE_IDS];
	const char *broken;
	float *logits;

	made.seed = seed;
	s->n_head_kv = s->n_head_kv == s->n_head ? n_head : n_head_kv;
	s->n_head = n_head;
	s->head_dim = head_dim;
	s->n_embd = 72;
	s->n_ff = 104;
	if (s->n_shared) /* as many as before have keys of their own */
		s->n_shared += (times - 1) * (s->n_layer - s->n_behind);
	s->n_layer = times * (s->n_layer - s->n_behind) + s->n_behind;
	s->window = 5;
	s->n_layer_embd = 8;
	s->n_state_head = 3 * s->n_state_group;
	s->state_key = 8;
	s->state_value = 24;
	s->n_expert = 12;
	s->n_expert_used = 5;
	s->n_expert_ff = 40;
	s->n_shared_ff = 56;
	family_reference_ids(&family_references[seed % 8], ids);
	family_open(&opened, &made, PACKING_ALL);
	logits = logits_of(opened.model, NULL, ids);
	broken = family_check_bits(opened.model, ids, REFERENCE_IDS, logits);
	cr_expect_null(broken, "%s with %u heads: %s", spec->name, (unsigned)n_head, broken);
	for (const struct isa *isa = NULL; (isa = next_isa(isa));) {
		float *others = logits_of(opened.model, isa, ids);
		double kl = logits_mean_kl(logits, others, REFERENCE_IDS, s->n_vocab);

		cr_expect(kl < (spec->sensitive ? 1e-2 : 1e-6), "%s with %u heads on %s: %g", spec->name, (unsigned)n_head, isa->name, kl);
		free(others);
	}
	free(logits);
	family_close(&opened);
}

Test(families, compute_the_same_whatever_their_sizes)
{
	for (const struct family_spec *spec = family_specs; spec->name; spec++) {
		check_sizes(spec, 6, 3, 24, 1, 2);
		check_sizes(spec, 5, 1, 40, 2, 3);
	}
}

/* With keys and values stored in fewer bits, for any length of the heads. */
Test(families, keep_keys_and_values_in_fewer_bits)
{
	for (const struct family_reference *r = family_references; r->name; r++) {
		struct family_model made = family_model_of(r->name);
		struct family_opened opened;
		int32_t ids[REFERENCE_IDS];
		size_t n_bytes = REFERENCE_IDS * made.sizes.n_vocab * sizeof(float);
		float *expected;

		double max = made.spec->sensitive ? 0.5 : has_experts(made.spec) ? MAX_KL_EXPERTS : MAX_KL_CACHE;

		family_open(&opened, &made, PACKING_ALL);
		family_reference_ids(r, ids);
		expected = logits_of(opened.model, NULL, ids);
		for (int type = KV_F16; type <= KV_Q8_0; type++) {
			struct logits_options options = {.kv_type = type};
			float *logits = logits_of_model(opened.model, &options, ids, REFERENCE_IDS), *others;
			double kl = logits_mean_kl(expected, logits, REFERENCE_IDS, made.sizes.n_vocab);

			cr_expect(kl < max, "%s with the cache's type %d: %g", r->name, type, kl);
			options.n_batch = 5;
			others = logits_of_model(opened.model, &options, ids, REFERENCE_IDS);
			cr_expect(memcmp(logits, others, n_bytes) == 0, "%s with the cache's type %d", r->name, type);
			free(logits);
			free(others);
		}
		free(expected);
		family_close(&opened);
	}
}

/* ---- several matrices in one tensor, as published files of Phi 3 have them ---- */

static const struct gguf_tensor *tensor_of(const struct gguf *gguf, uint32_t layer, const char *part)
{
	char name[48];

	snprintf(name, sizeof name, "blk.%u.%s.weight", (unsigned)layer, part);
	return gguf_find_tensor(gguf, name);
}

/* Checks that another model gives bit-identical logits. */
static void expect_same_logits(const struct family_opened *one, const struct family_opened *other,
                               const struct family_model *made, const int32_t *ids)
{
	float *expected = logits_of(one->model, NULL, ids), *found = logits_of(other->model, NULL, ids);

	cr_expect(memcmp(expected, found, REFERENCE_IDS * made->sizes.n_vocab * sizeof *found) == 0);
	free(expected);
	free(found);
}

/* The same model with queries, keys and values in attn_qkv, with `surplus` extra rows; opened
 * only if that is 0. */
static enum status open_fused(struct family_opened *out, const struct gguf *gguf, uint32_t n_layer,
                              uint64_t surplus, struct error *err)
{
	struct gguf_writer *w = gguf_writer_create();
	char name[48], *fused[8];
	struct gguf *own;
	enum status status;

	for (size_t i = 0; i < gguf_n_kv(gguf); i++)
		gguf_writer_copy(w, gguf, i);
	for (size_t i = 0; i < gguf_n_tensors(gguf); i++) {
		const struct gguf_tensor *t = gguf_tensor_at(gguf, i);

		snprintf(name, sizeof name, "%.*s", (int)t->name.len, t->name.data);
		if (!strstr(name, "attn_q.") && !strstr(name, "attn_k.") && !strstr(name, "attn_v."))
			gguf_writer_add_tensor(w, name, t->type, t->n_dims, t->ne, t->data, (size_t)t->n_bytes);
	}
	for (uint32_t layer = 0; layer < n_layer; layer++) {
		const struct gguf_tensor *q = tensor_of(gguf, layer, "attn_q");
		const struct gguf_tensor *k = tensor_of(gguf, layer, "attn_k");
		const struct gguf_tensor *v = tensor_of(gguf, layer, "attn_v");
		uint64_t ne[2] = {q->ne[0], q->ne[1] + k->ne[1] + v->ne[1] + surplus};
		size_t row = (size_t)(q->n_bytes / q->ne[1]), n_bytes = row * (size_t)ne[1];
		char *at = fused[layer] = calloc(1, n_bytes);

		cr_assert_not_null(at);
		memcpy(at, q->data, (size_t)q->n_bytes);
		memcpy(at + q->n_bytes, k->data, (size_t)k->n_bytes);
		memcpy(at + q->n_bytes + k->n_bytes, v->data, (size_t)v->n_bytes);
		snprintf(name, sizeof name, "blk.%u.attn_qkv.weight", (unsigned)layer);
		gguf_writer_add_tensor(w, name, q->type, 2, ne, at, n_bytes);
	}
	buf_init(&out->file, MIB(4));
	cr_assert_eq(gguf_writer_write(w, &out->file, err), STATUS_OK, "%s", err->text);
	gguf_writer_free(w);
	for (uint32_t layer = 0; layer < n_layer; layer++)
		free(fused[layer]);
	cr_assert_eq(gguf_open_memory(&own, out->file.data, out->file.len, err), STATUS_OK);
	status = model_open(&out->model, own, NULL, err);
	if (status)
		gguf_close(own);
	return status;
}

Test(families, read_matrices_that_are_parts_of_a_tensor)
{
	static const enum block_type types[] = {BLOCK_F32, BLOCK_BF16, BLOCK_Q8_0};
	int32_t ids[REFERENCE_IDS];

	family_reference_ids(&family_references[0], ids);
	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
		struct family_model made = family_model_of("phi4-mini");
		struct family_opened apart, fused;
		struct error err = {0};

		made.type = types[i];
		family_open(&apart, &made, PACKING_ALL);
		cr_assert_eq(open_fused(&fused, model_gguf(apart.model), made.sizes.n_layer, 0, &err),
		             STATUS_OK, "%s", err.text);
		expect_same_logits(&apart, &fused, &made, ids);
		family_close(&fused);
		cr_expect_eq(open_fused(&fused, model_gguf(apart.model), made.sizes.n_layer, 1, &err),
		             STATUS_FORMAT);
		cr_expect(strstr(err.text, "'blk.0.attn_qkv.weight': found shape 64x129x1x1, expected 64x128"),
		          "%s", err.text);
		buf_free(&fused.file);
		family_close(&apart);
	}
}

/* ---- latent attention in files of 2024: what makes keys and values is one tensor ---- */

/* For each head the rows of its keys, then those of its values; both are [heads][rows][rank]
 * floats. */
static float *join(const struct gguf *gguf, uint32_t layer, uint64_t ne[2])
{
	const struct gguf_tensor *k = tensor_of(gguf, layer, "attn_k_b"), *v = tensor_of(gguf, layer, "attn_v_b");
	uint64_t key = k->ne[0], rank = k->ne[1], n = k->ne[2], value = v->ne[1];
	const float *keys = (const float *)k->data, *values = (const float *)v->data;
	float *out = malloc(n * (key + value) * rank * sizeof *out), *to = out;

	cr_assert_not_null(out);
	for (uint64_t head = 0; head < n; head++) {
		for (uint64_t row = 0; row < key; row++)
			for (uint64_t i = 0; i < rank; i++)
				*to++ = keys[(head * rank + i) * key + row];
		for (uint64_t i = 0; i < value * rank; i++)
			*to++ = values[head * value * rank + i];
	}
	ne[0] = rank;
	ne[1] = n * (key + value);
	return out;
}

static void open_joined(struct family_opened *out, const struct gguf *gguf, const struct family_sizes *sizes)
{
	struct gguf_writer *w = gguf_writer_create();
	struct error err = {0};
	struct gguf *own;
	float *joined[8];
	char name[48];

	for (size_t i = 0; i < gguf_n_kv(gguf); i++) {
		snprintf(name, sizeof name, "%.*s", (int)gguf_kv_key(gguf, i).len, gguf_kv_key(gguf, i).data);
		if (!strstr(name, "_mla") && !strstr(name, "attention.key_length") &&
		    !strstr(name, "attention.value_length"))
			gguf_writer_copy(w, gguf, i);
	}
	gguf_writer_set_u32(w, "deepseek2.attention.key_length", sizes->latent_key + sizes->head_dim);
	gguf_writer_set_u32(w, "deepseek2.attention.value_length", sizes->latent_value);
	for (size_t i = 0; i < gguf_n_tensors(gguf); i++) {
		const struct gguf_tensor *t = gguf_tensor_at(gguf, i);

		snprintf(name, sizeof name, "%.*s", (int)t->name.len, t->name.data);
		if (!strstr(name, "attn_k_b") && !strstr(name, "attn_v_b"))
			gguf_writer_add_tensor(w, name, t->type, t->n_dims, t->ne, t->data, (size_t)t->n_bytes);
	}
	for (uint32_t layer = 0; layer < sizes->n_layer; layer++) {
		uint64_t ne[2];

		joined[layer] = join(gguf, layer, ne);
		snprintf(name, sizeof name, "blk.%u.attn_kv_b.weight", (unsigned)layer);
		gguf_writer_add_tensor(w, name, BLOCK_F32, 2, ne, joined[layer],
		                       (size_t)(ne[0] * ne[1]) * sizeof(float));
	}
	buf_init(&out->file, MIB(8));
	cr_assert_eq(gguf_writer_write(w, &out->file, &err), STATUS_OK, "%s", err.text);
	gguf_writer_free(w);
	for (uint32_t layer = 0; layer < sizes->n_layer; layer++)
		free(joined[layer]);
	cr_assert_eq(gguf_open_memory(&own, out->file.data, out->file.len, &err), STATUS_OK);
	cr_assert_eq(model_open(&out->model, own, NULL, &err), STATUS_OK, "%s", err.text);
}

Test(families, read_keys_and_values_of_latent_attention_from_one_tensor)
{
	struct family_model made = family_model_of("deepseek3");
	struct family_opened split, joined;
	int32_t ids[REFERENCE_IDS];

	family_reference_ids(&family_references[0], ids);
	family_open(&split, &made, PACKING_ALL);
	open_joined(&joined, model_gguf(split.model), &made.sizes);
	expect_same_logits(&split, &joined, &made, ids);
	family_close(&joined);
	family_close(&split);
}
