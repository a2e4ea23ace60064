/* A model as laboratories publish it: a folder of safetensors files (huggingface/safetensors, README), config.json and
 * what belongs to the tokenizer. All of it is foreign; nothing in it is ever executed.
 *
 * Opening checks every header against its file (lengths, shapes, offsets without holes or overlaps, names) and the
 * index against the shards. Immutable afterwards: any thread may read it. Tensors are read with pread: a file that
 * grows shorter is an error, not a signal. */
#ifndef SOTTO_CHECKPOINT_SAFETENSORS_H
#define SOTTO_CHECKPOINT_SAFETENSORS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum dtype {
	DTYPE_F64, DTYPE_F32, DTYPE_F16, DTYPE_BF16, DTYPE_F8_E4M3, DTYPE_F8_E5M2, DTYPE_U8, DTYPE_I8,
	DTYPE_OTHER, /* known to the format, of no use in a model: integers, booleans */
	DTYPE_COUNT
};

enum { SAFETENSORS_DIMS = 8 };

struct safetensor {
	const char *name;   /* UTF-8 without NUL; as in the file */
	enum dtype dtype;
	const char *dtype_name; /* "BF16" */
	uint32_t n_dims;    /* 0: a single value */
	uint64_t shape[SAFETENSORS_DIMS]; /* slowest first, as in PyTorch */
	uint64_t n_rows, n_cols; /* all dimensions but the last, and the last; 1 and n for a vector */
	uint32_t file;      /* which shard */
	uint64_t offset, n_bytes; /* in that file */
};

struct checkpoint;

/* `path`: the folder, or one of its .safetensors files. STATUS_NOTFOUND; STATUS_FORMAT with the file's name, found and
 * expected; STATUS_UNSUPPORTED for what is no such folder, or one in another format, with what to do (refused.h). */
enum status checkpoint_open(struct checkpoint **out, const char *path, struct error *err) MUST_CHECK;
void checkpoint_close(struct checkpoint *checkpoint); /* NULL is fine */
const char *checkpoint_folder(const struct checkpoint *checkpoint);

/* Sorted by name. */
size_t checkpoint_n_tensors(const struct checkpoint *checkpoint);
const struct safetensor *checkpoint_tensor_at(const struct checkpoint *checkpoint, size_t i);
const struct safetensor *checkpoint_find(const struct checkpoint *checkpoint, const char *name); /* NULL: none */

/* Bytes of a tensor, as they are. */
enum status checkpoint_read(const struct checkpoint *checkpoint, const struct safetensor *tensor, uint64_t offset,
                            void *bytes, size_t n, struct error *err) MUST_CHECK;

/* A file of the folder, "config.json": owned by the caller, NUL-terminated. STATUS_NOTFOUND where there is none;
 * STATUS_LIMIT: longer than `limit`. */
enum status checkpoint_file(const struct checkpoint *checkpoint, const char *name, size_t limit, char **text,
                            size_t *len, struct error *err) MUST_CHECK;

#endif
