#include "quantize/quantize.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "gguf/writer.h"
#include "kernels/quant.h"
#include "quantize/convert.h"

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
	const struct io_ops *io;
	const char *path;
	int fd;
	uint32_t alignment; /* of the tensors' data */
	uint64_t done; /* weights of the tensors before this one */
	const struct gguf_tensor *tensor;
};

/* Any error about the output file is a failure to write. */
static enum status io_failed(const struct output *out, const char *what, int errnum,
                             struct error *err)
{
	error_errno(err, errnum, "%s: cannot %s", out->path, what);
	if (err)
		err->status = STATUS_IO;
	return STATUS_IO;
}

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

static enum status write_bytes(const struct output *out, const void *bytes, size_t n,
                               struct error *err)
{
	size_t done;
	int error = io_write_all(out->io, out->fd, bytes, n, &done);

	return error ? io_failed(out, "write", error, err) : STATUS_OK;
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
	enum status status = write_bytes(out, blocks, n_bytes, err);

	return status ? status : report(out, weights, err);
}

static enum status copy_tensor(const struct output *out, const struct gguf_tensor *tensor,
                               struct error *err)
{
	const unsigned char *data = tensor->data;
	enum status status = STATUS_OK;

	for (uint64_t at = 0; at < tensor->n_bytes && !status; at += COPY_BYTES) {
		uint64_t left = tensor->n_bytes - at;

		status = write_bytes(out, data + at, left < COPY_BYTES ? (size_t)left : COPY_BYTES, err);
		if (!status)
			status = report(out, 0, err);
	}
	return status;
}

static enum status write_padding(const struct output *out, uint64_t n_bytes, struct error *err)
{
	static const char zeros[256];
	uint64_t n = (out->alignment - n_bytes % out->alignment) % out->alignment;
	enum status status = STATUS_OK;

	for (; n > 0 && !status; n -= n < sizeof zeros ? n : sizeof zeros)
		status = write_bytes(out, zeros, n < sizeof zeros ? (size_t)n : sizeof zeros, err);
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
			status = write_padding(out, n / block->n_elements * block->n_bytes, err);
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

/* The folder of `path`, or ".". NULL without memory. */
static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? alloc_strndup(path, slash == path ? 1 : (size_t)(slash - path))
	             : alloc_strndup(".", 1);
}

/* Checked now rather than after an hour. A file system that does not tell its free space is
 * assumed to have enough. */
static enum status check_room(const char *path, uint64_t need, struct error *err)
{
	char *folder = folder_of(path);
	struct statvfs fs;
	uint64_t room;
	enum status status = STATUS_OK;

	if (!folder)
		return error_no_memory(err, NULL);
	if (statvfs(folder, &fs) == 0 && fs.f_blocks > 0 &&
	    !__builtin_mul_overflow((uint64_t)fs.f_bavail, (uint64_t)fs.f_frsize, &room) && room < need)
		status = error_set(err, STATUS_IO, "%s: no room on the disk: %" PRIu64 " MiB are needed, %" PRIu64
		                   " MiB are free", path, need >> 20, room >> 20);
	free(folder);
	return status;
}

/* Neither overwrite the input nor replace a device. */
static enum status check_place(const struct io_ops *io, const struct gguf *gguf, const char *path,
                               struct error *err)
{
	struct stat in, out;

	if (io->stat(path, &out) != 0)
		return STATUS_OK; /* to be created; otherwise opening it gives the error */
	for (uint32_t i = 0; i < gguf_n_parts(gguf); i++) {
		const char *part = gguf_part_path(gguf, i);

		if (*part && io->stat(part, &in) == 0 && in.st_dev == out.st_dev &&
		    in.st_ino == out.st_ino)
			return error_set(err, STATUS_USAGE,
			                 "%s is the input itself: name another output file", path);
	}
	if (S_ISDIR(out.st_mode))
		return error_set(err, STATUS_USAGE, "%s is a folder: name an output file", path);
	if (!S_ISREG(out.st_mode))
		return error_set(err, STATUS_USAGE, "%s is not a regular file", path);
	return STATUS_OK;
}

/* All of the file into out->fd, durably. */
static enum status fill(struct output *out, const struct gguf *gguf, const struct buf *header,
                        struct threadpool *pool, struct error *err)
{
	enum status status = write_bytes(out, header->data, header->len, err);

	if (!status)
		status = write_tensors(out, gguf, pool, err);
	if (!status && out->io->fsync(out->fd) != 0)
		status = io_failed(out, "sync", errno, err);
	return status;
}

/* Through a temporary file beside it. */
static enum status replace(struct output *out, const struct gguf *gguf, const struct buf *header,
                           struct threadpool *pool, struct error *err)
{
	const struct io_ops *io = out->io;
	struct buf temp = {.max = MIB(1)};
	enum status status;
	int error;

	if (buf_printf(&temp, "%s.%ld.part", out->path, (long)getpid()))
		return error_set(err, buf_status(&temp), "%s: the name is too long", out->path);
	error = io_open(io, temp.data, O_WRONLY | O_CREAT | O_EXCL, 0666, &out->fd);
	if (error) {
		status = io_failed(out, "create", error, err);
		goto out;
	}
	status = fill(out, gguf, header, pool, err);
	error = io_close(io, out->fd);
	if (error && !status)
		status = io_failed(out, "close", error, err);
	if (!status && io->rename(temp.data, out->path) != 0)
		status = io_failed(out, "rename", errno, err);
	if (status)
		io->unlink(temp.data);
	else if ((error = io_sync_folder(io, out->path)))
		status = io_failed(out, "sync the folder of", error, err);
out:
	buf_free(&temp);
	return status;
}

enum status quantize_save(const struct quantize_plan *plan, const struct quantize_job *job,
                          const struct gguf *gguf, const char *path, struct threadpool *pool,
                          const struct io_ops *io, struct error *err)
{
	struct output out = {.job = job, .plan = plan, .io = io, .path = path};
	struct buf header = {.max = LIMIT_GGUF_METADATA};
	enum status status = check_place(io, gguf, path, err);

	if (status)
		return status;
	status = make_header(&out, gguf, &header, err);
	if (!status)
		status = check_room(path, plan->n_bytes + header.len, err);
	if (!status)
		status = replace(&out, gguf, &header, pool, err);
	buf_free(&header);
	return status;
}
