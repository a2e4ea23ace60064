#include "quantize/quantize.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "gguf/writer.h"
#include "kernels/quant.h"
#include "quantize/convert.h"
#include "quantize/part_file.h"

enum {
	QUANTIZATION_VERSION = 2, /* of the block layouts: general.quantization_version */
	COPY_BYTES = 1 << 22,     /* of a tensor that stays as it is, at a time */
};

static enum status check_tensor(const struct gguf_tensor *tensor, uint32_t type,
                                const struct quantize_job *job, struct quantize_plan *plan,
                                struct error *err)
{
	if (type == tensor->type)
		return STATUS_OK;
	if (!quant_find(tensor->type))
		return error_set(err, STATUS_UNSUPPORTED,
		                 "tensor '%.*s' has the type %s, which cannot be converted",
		                 (int)tensor->name.len, tensor->name.data,
		                 block_info(tensor->type)->name);
	if (block_info(tensor->type)->n_elements == 1)
		return STATUS_OK;
	plan->n_requantized++;
	if (job->requantize)
		return STATUS_OK;
	return error_set(err, STATUS_UNSUPPORTED,
	                 "tensor '%.*s' is quantised already (%s) and would lose more than the"
	                 " original: use that, or pass --allow-requantize",
	                 (int)tensor->name.len, tensor->name.data, block_info(tensor->type)->name);
}

enum status quantize_plan_init(struct quantize_plan *plan, const struct quantize_job *job,
                               const struct gguf *gguf, struct error *err)
{
	size_t n = gguf_n_tensors(gguf);
	enum status status;

	*plan = (struct quantize_plan){0};
	if (n == 0)
		return error_set(err, STATUS_UNSUPPORTED, "the file has no tensors");
	plan->types = alloc_array(n, sizeof *plan->types);
	if (!plan->types)
		return error_no_memory(err, "for %zu tensors", n);
	status = recipe_plan(job->recipe, job->pure, gguf, plan->types, &plan->n_fallbacks, err);
	for (size_t i = 0; i < n && !status; i++) {
		const struct gguf_tensor *tensor = gguf_tensor_at(gguf, i);
		const struct block_info *block;
		uint64_t weights = gguf_tensor_n_elements(tensor);

		/* Tables of numbers that some families keep among their tensors. */
		if (!quant_find(tensor->type) && block_info(tensor->type)->n_elements == 1)
			plan->types[i] = tensor->type;
		block = block_info(plan->types[i]);
		status = check_tensor(tensor, plan->types[i], job, plan, err);
		plan->n_weights += weights;
		plan->n_bytes_before += tensor->n_bytes;
		plan->n_bytes += weights / block->n_elements * block->n_bytes;
	}
	return status;
}

void quantize_plan_deinit(struct quantize_plan *plan)
{
	free(plan->types);
	*plan = (struct quantize_plan){0};
}

/* The file that is being written. */
struct output {
	const struct quantize_job *job;
	const struct quantize_plan *plan;
	struct part_file *part;
	uint32_t alignment; /* of the tensors' data */
	uint64_t done; /* weights of the tensors before this one */
	const struct gguf_tensor *tensor;
};

static void copy_metadata(struct gguf_writer *w, const struct gguf *gguf)
{
	static const char *const dropped[] = {"split.no", "split.count", "split.tensors.count"};

	for (size_t i = 0; i < gguf_n_kv(gguf); i++) {
		struct gguf_string key = gguf_kv_key(gguf, i);
		bool drop = false;

		for (size_t j = 0; j < sizeof dropped / sizeof *dropped; j++)
			drop = drop || gguf_string_is(key, dropped[j]);
		if (!drop)
			gguf_writer_copy(w, gguf, i);
	}
}

static void add_tensor(struct gguf_writer *w, const struct gguf_tensor *tensor, uint32_t type)
{
	const struct block_info *block = block_info(type);
	uint64_t n = gguf_tensor_n_elements(tensor);
	char name[LIMIT_GGUF_TENSOR_NAME + 1] = {0};

	memcpy(name, tensor->name.data, tensor->name.len);
	gguf_writer_add_tensor(w, name, (enum block_type)type, tensor->n_dims, tensor->ne, NULL,
	                       (size_t)(n / block->n_elements * block->n_bytes));
}

static enum status make_header(struct output *out, const struct gguf *gguf, struct buf *header,
                               struct error *err)
{
	struct gguf_writer *w = gguf_writer_create();
	enum status status;

	if (!w)
		return error_no_memory(err, "for the metadata");
	copy_metadata(w, gguf);
	gguf_writer_set_u32(w, "general.quantization_version", QUANTIZATION_VERSION);
	gguf_writer_set_u32(w, "general.file_type", out->job->recipe->file_type);
	for (size_t i = 0; i < gguf_n_tensors(gguf); i++)
		add_tensor(w, gguf_tensor_at(gguf, i), out->plan->types[i]);
	status = gguf_writer_header(w, header, err);
	out->alignment = gguf_writer_alignment(w);
	gguf_writer_free(w);
	return status;
}

static enum status report(const struct output *out, uint64_t weights, struct error *err)
{
	const struct quantize_job *job = out->job;

	if (job->progress && !job->progress(job->ctx, out->done + weights, out->plan->n_weights,
	                                    out->tensor))
		return error_set(err, STATUS_CANCELLED, "interrupted");
	return STATUS_OK;
}

static enum status write_blocks(void *ctx, const void *blocks, size_t n_bytes, uint64_t weights,
                                struct error *err)
{
	const struct output *out = ctx;
	enum status status = part_file_write(out->part, blocks, n_bytes, err);

	return status ? status : report(out, weights, err);
}

static enum status copy_tensor(const struct output *out, const struct gguf_tensor *tensor,
                               struct error *err)
{
	const unsigned char *data = tensor->data;
	enum status status = STATUS_OK;

	for (uint64_t at = 0; at < tensor->n_bytes && !status; at += COPY_BYTES) {
		uint64_t left = tensor->n_bytes - at;

		status = part_file_write(out->part, data + at, left < COPY_BYTES ? (size_t)left : COPY_BYTES, err);
		if (!status)
			status = report(out, 0, err);
	}
	return status;
}

static enum status write_tensors(struct output *out, const struct gguf *gguf,
                                 struct threadpool *pool, struct error *err)
{
	struct converter *converter;
	enum status status = converter_create(&converter, pool, err);

	if (status)
		return status;
	for (size_t i = 0; i < gguf_n_tensors(gguf) && !status; i++) {
		const struct gguf_tensor *tensor = gguf_tensor_at(gguf, i);
		const struct block_info *block = block_info(out->plan->types[i]);
		uint64_t n = gguf_tensor_n_elements(tensor);

		out->tensor = tensor;
		status = out->plan->types[i] == tensor->type
		                 ? copy_tensor(out, tensor, err)
		                 : converter_run(converter, tensor, out->plan->types[i],
		                                 out->job->recipe->plain, write_blocks, out, err);
		if (!status)
			status = part_file_pad(out->part, n / block->n_elements * block->n_bytes, out->alignment, err);
		out->done += n;
	}
	converter_free(converter);
	if (status == STATUS_FORMAT || status == STATUS_UNSUPPORTED)
		error_prefix(err, "%s", gguf_path(gguf));
	if (!status && gguf_was_truncated(gguf))
		status = error_set(err, STATUS_FORMAT, "%s: the file was cut short while it was read",
		                   gguf_truncated_path(gguf));
	return status ? status : gguf_check_unchanged(gguf, err);
}

/* Not to overwrite the input. */
static enum status check_place(const struct io_ops *io, const struct gguf *gguf, const char *path,
                               struct error *err)
{
	struct stat in, out;

	if (io->stat(path, &out) != 0)
		return STATUS_OK;
	for (uint32_t i = 0; i < gguf_n_parts(gguf); i++) {
		const char *part = gguf_part_path(gguf, i);

		if (*part && io->stat(part, &in) == 0 && in.st_dev == out.st_dev &&
		    in.st_ino == out.st_ino)
			return error_set(err, STATUS_USAGE,
			                 "%s is the input itself: name another output file", path);
	}
	return STATUS_OK;
}

enum status quantize_save(const struct quantize_plan *plan, const struct quantize_job *job,
                          const struct gguf *gguf, const char *path, struct threadpool *pool,
                          const struct io_ops *io, struct error *err)
{
	struct part_file part;
	struct output out = {.job = job, .plan = plan, .part = &part};
	struct buf header = {.max = LIMIT_GGUF_METADATA};
	enum status status = check_place(io, gguf, path, err);

	if (!status)
		status = make_header(&out, gguf, &header, err);
	if (!status)
		status = part_file_check(io, path, plan->n_bytes + header.len, err);
	if (status || (status = part_file_begin(&part, io, path, err))) {
		buf_free(&header);
		return status;
	}
	status = part_file_write(&part, header.data, header.len, err);
	if (!status)
		status = write_tensors(&out, gguf, pool, err);
	if (!status)
		status = part_file_end(&part, err);
	if (!status)
		status = part_file_publish(&part, err);
	part_file_drop(&part);
	buf_free(&header);
	return status;
}
