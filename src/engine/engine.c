#include "engine/engine.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/amount.h"
#include "base/number.h"
#include "catalog/describe.h"
#include "engine/generate.h"
#include "engine/options.h"
#include "engine/score.h"
#include "gguf/reader.h"
#include "kernels/isa.h"

/* The finished wish of --rope-* and --yarn-*; -1 and 0 are the file's. */
static enum status wish_rope(struct rope_wish *wish, const struct engine_params *params, struct error *err)
{
	*wish = (struct rope_wish){
		.scaling = (enum rope_scaling)params->rope_scaling,
		.base = params->rope_freq_base, .freq_scale = params->rope_freq_scale,
		.n_ctx_original = (uint32_t)params->yarn_orig_ctx,
		.has_extrapolation = params->yarn_ext_factor >= 0, .extrapolation = params->yarn_ext_factor,
		.has_magnitude = params->yarn_attn_factor >= 0, .magnitude = params->yarn_attn_factor,
		.has_beta_fast = params->yarn_beta_fast > 0, .beta_fast = params->yarn_beta_fast,
		.has_beta_slow = params->yarn_beta_slow > 0, .beta_slow = params->yarn_beta_slow};
	if (params->rope_scale > 0 && params->rope_freq_scale > 0)
		return error_set(err, STATUS_USAGE, "rope-scale and rope-freq-scale say the same: give only one of these options");
	if (params->rope_scale > 0)
		wish->freq_scale = 1 / params->rope_scale;
	if (wish->base > 0 && wish->base < 1)
		return error_set(err, STATUS_USAGE, "rope-freq-base: found %g, expected 0, or 1 or more",
		                 (double)wish->base);
	return STATUS_OK;
}

enum status engine_open_file(struct gguf **out, const char *path, const struct engine_params *params,
                             struct error *err)
{
	struct buf file = {.max = PATH_MAX};
	enum status status;

	*out = NULL;
	status = beside_model_path(&file, path, err);
	if (!status)
		status = gguf_open(out, buf_text(&file), err);
	buf_free(&file);
	if (!status && (status = gguf_override(*out, params->override_kv, err)))
		error_prefix(err, "--override-kv");
	if (!status)
		return STATUS_OK;
	gguf_close(*out);
	*out = NULL;
	return status;
}

enum status engine_open_model(struct model **out, const struct engine_params *params,
                              const struct compute *compute, model_progress progress, void *ctx,
                              struct error *err)
{
	struct model_load load = {
		.pool = compute->pool, .packing = (enum packing)params->packing, .locks = params->mlock,
		.n_ctx = (uint32_t)params->n_ctx, .whole = params->beside, .progress = progress, .ctx = ctx};
	struct gguf *gguf;
	enum status status = wish_rope(&load.rope, params, err);

	if (!status)
		status = engine_open_file(&gguf, params->model, params, err);
	if (status)
		return status;
	status = model_open(out, gguf, &load, err);
	if (status)
		gguf_close(gguf);
	return status;
}

static void note_context(struct model_info *info, const struct plan *plan)
{
	/* Scaled positions stretch the trained context, unless the file's length already includes that. */
	double stretched = floor((double)plan->n_ctx_original / (double)plan->ropes[0].freq_scale + 0.5);
	double reach = fmax((double)plan->n_ctx_train, stretched);

	if ((double)info->n_ctx > reach)
		model_info_note(info, NOTE_WARNING, "The context of %u tokens is longer than the %.0f "
		                "that this model was trained with: replies beyond that may make no sense.",
		                info->n_ctx, reach);
	/* LongRoPE has two sets of frequencies, and the context's length chooses for all of its positions. */
	if (plan->has_long_factors && info->n_ctx > plan->n_ctx_original)
		model_info_note(info, NOTE_WARNING, "In a context of more than %u tokens this model reads every text, from "
		                "the first word on, in the way that it learnt for long ones: short chats may come out worse. "
		                "With %u or less (the option ctx-size) it does not.", plan->n_ctx_original, plan->n_ctx_original);
}

static void note_override(struct model_info *info, const struct gguf *gguf)
{
	struct gguf_string key;

	if (gguf_unread_override(gguf, &key))
		model_info_note(info, NOTE_WARNING, "--override-kv: nothing reads the key '%.*s' of this model.",
		                key.len < 100 ? (int)key.len : 100, key.data);
}

static void note_difference(void *info, const char *text)
{
	model_info_note(info, NOTE_WARNING, "%s", text);
}

/* Bytes a second; anything faster comes from the system's cache. */
static const double most_disk_rate = 8e9;

/* Tells the user why the model is slower than it could be, or could not be locked. */
static void note_memory(struct model_info *info, const struct model *model,
                        enum packing wanted)
{
	struct model_memory memory = model_memory(model);
	char all[AMOUNT_TEXT_MAX], available[AMOUNT_TEXT_MAX], rate[AMOUNT_TEXT_MAX];
	bool is_read = memory.read_rate > 0 && memory.read_rate < most_disk_rate; /* otherwise it was cached */

	amount_bytes(rate, (uint64_t)memory.read_rate);
	if (wanted == PACKING_AUTO && memory.packing != PACKING_ALL)
		model_info_note(info, NOTE_WARNING,
		                "The weights take %s, but only %s of memory is free: %s read from the file when "
		                "needed, which is slower%s%s%s.", amount_bytes(all, memory.all),
		                amount_bytes(available, memory.available),
		                memory.packing == PACKING_DENSE ? "experts are" : "all are",
		                is_read ? " (it was read at " : "", is_read ? rate : "",
		                is_read ? " a second)" : "");
	if (memory.lock_error.status)
		model_info_note(info, NOTE_WARNING, "The weights could not be locked in memory: %.200s.",
		                memory.lock_error.text);
}

/* What `sotto replay` compares. */
static void identify(const struct engine *engine, const struct engine_params *params,
                     struct model_identity *out)
{
	snprintf(out->file, sizeof out->file, "%016" PRIx64, gguf_fingerprint(engine->gguf));
	snprintf(out->tmpl, sizeof out->tmpl, "%016" PRIx64, engine->tmpl->source_hash);
	snprintf(out->isa, sizeof out->isa, "%s", engine->compute.isa->name);
	snprintf(out->cache, sizeof out->cache, "%s %s", engine_kv_types[params->kv_type_k],
	         engine_kv_types[params->kv_type_v]);
	out->n_ctx = (uint32_t)session_n_ctx(engine->session);
}

/* What is said beside the file goes before what it says itself. */
static void describe_beside(const struct beside *beside, struct model_info *info)
{
	size_t len = beside->system ? strlen(beside->system) : 0;
	double value;

	for (size_t i = 0; i < beside->n_sampling; i++)
		if (number_parse_double(beside->sampling[i].value, &value))
			describe_recommend(info->recommended, &info->n_recommended, beside->sampling[i].name, value);
	if (len > 0 && len < sizeof info->system)
		memcpy(info->system, beside->system, len + 1);
	beside_note(beside, info);
}

static void describe(const struct engine *engine, struct model_info *info)
{
	const struct plan *plan = model_plan(engine->model);
	struct gguf_string name = describe_name(engine->gguf);
	char modalities[MODALITIES_NOTE_MAX];

	memcpy(info->name, name.data, name.len < sizeof info->name ? name.len : sizeof info->name - 1);
	info->n_ctx = (uint32_t)session_n_ctx(engine->session);
	if (engine->tmpl->note[0])
		model_info_note(info, NOTE_TEMPLATE, "%s", engine->tmpl->note);
	if (tokenizer_warning(engine->tokenizer))
		model_info_note(info, NOTE_WARNING, "The vocabulary: %s.", tokenizer_warning(engine->tokenizer));
	note_context(info, plan);
	model_differences(engine->model, note_difference, info);
	note_override(info, engine->gguf);
	note_memory(info, engine->model, engine->packing);
	info->capabilities = CAPABILITY_LOGITS | CAPABILITY_BRANCH | CAPABILITY_LIVE_PARAMS | CAPABILITY_COUNTS |
	                     CAPABILITY_IDS | CAPABILITY_CONTINUE | CAPABILITY_EXAMINE;
	if (engine->tmpl->knows_reasoning)
		info->capabilities |= CAPABILITY_REASONING;
	if (engine->tmpl->can.effort)
		info->capabilities |= CAPABILITY_EFFORT;
	if (engine->tmpl->can.reasoning || engine->tmpl->can.opens_reasoning)
		info->capabilities |= CAPABILITY_SWITCH;
	if (describe_is_guide(engine->gguf))
		info->capabilities |= CAPABILITY_HELP;
	info->n_recommended = describe_sampling(engine->gguf, info->recommended);
	memcpy(info->template_name, engine->tmpl->name, sizeof info->template_name);
	describe_beside(&engine->beside, info);
	if (describe_modalities(engine->gguf, modalities))
		model_info_note(info, NOTE_PLAIN, "%s", modalities);
}

static bool load_progress(void *ctx, float fraction)
{
	const struct backend_host *host = ctx;

	backend_tell(host, &(struct event){.kind = EVENT_LOADING, .u.loading = fraction});
	return !host->cancelled(host->ctx);
}

static void close_engine(struct backend *backend)
{
	struct engine *engine = (struct engine *)backend;

	sampler_free(engine->sampler);
	free(engine->bias_words);
	free(engine->breaker_words);
	cached_prompt_free(&engine->cached);
	session_free(engine->session);
	compute_close(&engine->compute);
	chat_template_close(engine->tmpl);
	tokenizer_close(engine->tokenizer);
	model_close(engine->model);
	beside_free(&engine->beside);
	free(engine);
}

static enum status make_sampler(struct engine *engine, struct error *err)
{
	/* Logits beyond the vocabulary are padding and must not be sampled. */
	size_t n_rows = model_plan(engine->model)->n_vocab, n_vocab = tokenizer_n_vocab(engine->tokenizer);
	enum status status;

	if (n_vocab > n_rows)
		n_vocab = n_rows;
	status = sampler_create(&engine->sampler, n_vocab, err);
	for (size_t id = 0; id < n_vocab && !status; id++)
		if (tokenizer_is_suppressed(engine->tokenizer, (int32_t)id))
			status = sampler_forbid(engine->sampler, (int32_t)id, err);
	return status;
}

/* The context is the one that is recommended beside the file, where nobody asks for another. */
static enum status make_session(struct engine *engine, const struct engine_params *params, struct error *err)
{
	struct engine_params wanted = *params;

	wanted.n_ctx_recommended = engine->beside.n_ctx < INT32_MAX ? (int32_t)engine->beside.n_ctx : INT32_MAX;
	return session_create(&engine->session, engine->model, &engine->compute, &wanted, err);
}

static enum status open_engine(struct backend **out, const struct engine_params *params,
                               const struct backend_host *host, struct model_info *info,
                               struct error *err)
{
	struct backend_host copy = *host; /* the callback's context is not const */
	struct engine *engine = alloc_array(1, sizeof *engine);
	enum status status;

	if (!engine)
		return error_no_memory(err, NULL);
	engine->base.ops = &engine_backend;
	engine->packing = (enum packing)params->packing;
	status = beside_read(&engine->beside, params->model, err);
	if (!status)
		status = compute_open(&engine->compute, params->isa, (size_t)params->n_threads, err);
	if (!status)
		status = engine_open_model(&engine->model, params, &engine->compute, load_progress, &copy,
		                           err);
	if (!status) {
		engine->gguf = model_gguf(engine->model);
		status = tokenizer_open(&engine->tokenizer, engine->gguf, err);
	}
	if (!status)
		status = chat_template_open(&engine->tmpl, params->chat_template, engine->gguf,
		                            engine->tokenizer, err);
	if (!status)
		status = make_session(engine, params, err);
	if (!status)
		status = make_sampler(engine, err);
	/* The vocabulary and the template were also read from the mapped file. */
	if (!status)
		status = gguf_check_unchanged(engine->gguf, err);
	if (status) {
		close_engine(&engine->base);
		return status;
	}
	describe(engine, info);
	identify(engine, params, &info->identity);
	engine_params_recorded(params, info->options, sizeof info->options);
	*out = &engine->base;
	return STATUS_OK;
}

static enum status check_file(const struct engine_params *params, struct error *err)
{
	struct buf file = {.max = PATH_MAX};
	enum status status = beside_model_path(&file, params->model, err);

	if (!status)
		status = gguf_check(buf_text(&file), err);
	buf_free(&file);
	return status;
}

static enum status run_turn(struct backend *backend, const struct turn *turn, enum backend_mode mode,
                            const struct backend_host *host, struct backend_result *result, struct error *err)
{
	return mode == BACKEND_SCORE ? score_turn(backend, turn, host, result, err)
	                             : generate_turn(backend, turn, mode, host, result, err);
}

const struct backend_ops engine_backend = {
	.prefix = "",
	.check = check_file,
	.open = open_engine,
	.run = run_turn,
	.inspect = engine_inspect,
	.close = close_engine,
};
