#include "model/model.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/sys.h"
#include "model/cache.h"
#include "model/differences.h"
#include "model/kinds.h"
#include "model/model_internal.h"
#include "model/ropes.h"
#include "model/scratch.h"
#include "model/tensor_use.h"
#include "model/work.h"

/* The context to leave room for if the caller does not say. */
enum { USUAL_CTX = 4096 };

static enum status find_family(const struct gguf *gguf, const struct family **out, struct error *err)
{
	struct gguf_string name;
	const char *other = kind_of_other(gguf);
	struct buf supported = {.max = KIB(4)};
	enum status status = gguf_get_string(gguf, "general.architecture", &name, err);

	if (other)
		return error_set(err, STATUS_UNSUPPORTED, "%s", other);
	if (status == STATUS_NOTFOUND)
		return error_set(err, STATUS_FORMAT,
		                 "key 'general.architecture' is missing, expected a string");
	if (status)
		return status;
	*out = family_find(name);
	if (*out)
		return STATUS_OK;
	family_list(&supported);
	error_set(err, STATUS_UNSUPPORTED,
	          "the architecture \"%.*s\" is not supported; supported are: %s",
	          name.len < 64 ? (int)name.len : 64, name.data, buf_text(&supported));
	buf_free(&supported);
	return STATUS_UNSUPPORTED;
}

enum status model_ropes(struct ropes *ropes, const struct model *model, size_t n_ctx,
                        struct error *err)
{
	return ropes_init(ropes, &model->weights, n_ctx, err);
}

/* Checks that sessions of any context can use the file's factors of frequencies. */
static enum status check_ropes(const struct model *model, struct error *err)
{
	struct ropes ropes;
	enum status status = model_ropes(&ropes, model, 1, err);

	if (!status) {
		ropes_deinit(&ropes);
		status = model_ropes(&ropes, model, SIZE_MAX, err);
	}
	if (!status)
		ropes_deinit(&ropes);
	return status;
}

uint64_t model_context_bytes(const struct plan *plan, size_t n_ctx, size_t n_batch,
                             struct kv_types types, size_t n_threads)
{
	uint64_t cache = cache_bytes(plan, n_ctx, types), sum;
	uint64_t scratch = scratch_bytes(plan, n_batch < n_ctx ? n_batch : n_ctx, n_ctx, n_threads);

	return __builtin_add_overflow(cache, scratch, &sum) ? UINT64_MAX : sum;
}

/* What loading leaves free beside the weights, for the context that a session will have. */
static uint64_t reserve(const struct plan *plan, uint32_t n_ctx)
{
	if (!n_ctx)
		n_ctx = plan->n_ctx_train < USUAL_CTX ? plan->n_ctx_train : USUAL_CTX;
	return model_context_bytes(plan, n_ctx, plan_micro_batch(plan),
	                           (struct kv_types){BLOCK_F16, BLOCK_F16}, 1);
}

/* Chooses how much of the weights is packed: what the caller says, or as much as fits. */
static enum status choose_packing(struct model *model, const struct model_load *load,
                                  struct error *err)
{
	bool is_auto = load->packing == PACKING_AUTO;
	uint64_t available = sys_memory_available(), limit = available / 10 * 9;
	uint64_t *bytes = &model->memory.packed;
	uint64_t beside = is_auto && !load->whole ? reserve(&model->plan, load->n_ctx) : 0, need;
	enum packing first = is_auto ? PACKING_ALL : load->packing;
	enum packing last = is_auto && !load->whole ? PACKING_NONE : first;

	model->memory.available = available;
	if (weights_packed_bytes(&model->weights, PACKING_ALL, &model->memory.all, err))
		return err->status;
	for (enum packing which = first; which <= last; which++) {
		if (weights_packed_bytes(&model->weights, which, bytes, err))
			return err->status;
		model->memory.packing = which;
		if (!available || (!__builtin_add_overflow(*bytes, beside, &need) && need <= limit))
			return STATUS_OK;
	}
	if (*bytes <= limit)
		return STATUS_OK; /* it may fit with a smaller context */
	return error_set(err, STATUS_NOMEM,
	                 "the weights take %" PRIu64 " MiB, %" PRIu64
	                 " MiB of memory are available: choose a smaller model (`sotto models --advice` names one)", *bytes >> 20, available >> 20);
}

static enum status pack_weights(struct model *model, const struct model_load *load,
                                struct error *err)
{
	uint64_t left = model->memory.available, packed = model->memory.packed;
	uint64_t beside = reserve(&model->plan, load->n_ctx);
	struct weights_packing how = {.which = model->memory.packing, .pool = load->pool,
	                              .locks = load->locks, .progress = load->progress,
	                              .ctx = load->ctx};
	enum status status;

	left -= left < packed ? left : packed;
	how.read_bytes = (left - (left < beside ? left : beside)) / 10 * 9;
	status = weights_pack(&model->weights, &how, err);
	if (status)
		return status;
	model->memory.in_file = model->weights.in_file_bytes;
	model->memory.unit_bytes = model->weights.unit_bytes;
	model->memory.read_rate = how.read_rate;
	model->memory.lock_error = how.lock_error;
	if (load->progress && !load->progress(load->ctx, 1))
		return error_set(err, STATUS_CANCELLED, "loading was cancelled");
	return STATUS_OK;
}

enum status model_open(struct model **out, struct gguf *gguf, const struct model_load *load,
                       struct error *err)
{
	static const struct model_load defaults;
	struct model *model = alloc_array(1, sizeof *model);
	enum status status;

	*out = NULL;
	if (!model)
		return error_no_memory(err, NULL);
	if (!load)
		load = &defaults;
	if ((status = find_family(gguf, &model->family, err)) ||
	    (status = family_read(&model->plan, model->family, gguf, &load->rope, err)) ||
	    (status = weights_load(&model->weights, model->family->weights, gguf, &model->plan,
	                           err)) ||
	    (status = check_ropes(model, err)) || (status = choose_packing(model, load, err)) ||
	    (status = pack_weights(model, load, err))) {
		if (gguf_path(gguf)[0])
			error_prefix(err, "%s", gguf_path(gguf));
		model_close(model);
		return status;
	}
	/* Nor was the file cut short: missing data reads as zeros, and within the last page even
	 * without a fault. */
	if ((status = gguf_check_unchanged(gguf, err))) {
		model_close(model);
		return status;
	}
	model->gguf = gguf;
	*out = model;
	return STATUS_OK;
}

enum status model_check(struct plan *plan, const struct gguf *gguf, struct error *err)
{
	const struct family *family;
	enum status status = find_family(gguf, &family, err);

	if (!status)
		status = family_read(plan, family, gguf, NULL, err);
	for (size_t i = 0; !status && i < gguf_n_tensors(gguf); i++) {
		const struct gguf_tensor *tensor = gguf_tensor_at(gguf, i);
		const struct block_info *block = block_info(tensor->type);

		if (tensor_is_needed(tensor->name, plan) && (!block || !block->computes))
			status = error_set(err, STATUS_UNSUPPORTED,
			                   "tensor '%.*s': the block type %s is not supported",
			                   (int)tensor->name.len, tensor->name.data, block ? block->name : "?");
	}
	return status;
}

void model_close(struct model *model)
{
	if (!model)
		return;
	weights_free(&model->weights);
	gguf_close(model->gguf);
	free(model);
}

const struct plan *model_plan(const struct model *model)
{
	return &model->plan;
}

const struct gguf *model_gguf(const struct model *model)
{
	return model->gguf;
}

const struct weights *model_weights(const struct model *model)
{
	return &model->weights;
}

void model_differences(const struct model *model, void (*say)(void *ctx, const char *text), void *ctx)
{
	differences_tell(model->plan.differences, model->gguf, model->family->name, say, ctx);
}

const float *model_sinks(const struct model *model, size_t layer)
{
	return model->weights.layers[layer].sinks;
}

uint64_t model_n_params(const struct model *model)
{
	return model->weights.n_params;
}

uint64_t model_weight_bytes(const struct model *model)
{
	uint64_t memory = model_work_of(model->gguf, &model->plan).memory, in_file = model->memory.all - model->memory.packed;

	/* Of tiny matrices, panels are larger than what they are made of. */
	return memory > in_file ? memory - in_file : 0;
}

struct model_memory model_memory(const struct model *model)
{
	return model->memory;
}
