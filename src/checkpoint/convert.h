/* safetensors to GGUF: what llama.cpp's convert_hf_to_gguf.py writes (August 2026), key for key and tensor for tensor;
 * where it differs and why stands in ARCHITECTURE.md. Tensors are read, changed and written one after another, so that
 * memory stays bounded whatever the model's size; they may be quantised on the way. */
#ifndef SOTTO_CHECKPOINT_CONVERT_H
#define SOTTO_CHECKPOINT_CONVERT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/io.h"
#include "kernels/threadpool.h"
#include "quantize/recipe.h"

struct convert_job {
	const char *folder;
	const struct recipe *recipe; /* "Q4_K_M", "F16", "BF16", "F32", "Q8_0"; NULL: as the reference's `auto` */
	bool (*progress)(void *ctx, uint64_t done, uint64_t all, const char *tensor); /* weights; false: STATUS_CANCELLED */
	/* Tries the file before it gets its name, as a model: the caller has the engine, this folder does not. NULL: only
	 * that it is a GGUF file. */
	enum status (*check)(void *ctx, const char *path, struct error *err);
	void *ctx;
	const struct io_ops *io;
};

struct convert_plan; /* all that is known before a weight is read; borrows the job */

enum status convert_plan_create(struct convert_plan **out, const struct convert_job *job, struct error *err) MUST_CHECK;
void convert_plan_free(struct convert_plan *plan);
const char *convert_plan_notes(const struct convert_plan *plan); /* lines for the user; "" */
uint64_t convert_plan_bytes(const struct convert_plan *plan);    /* of the file */
uint64_t convert_plan_weights(const struct convert_plan *plan);
const char *convert_plan_architecture(const struct convert_plan *plan); /* "llama" */
struct output; /* outputs.h */
/* Tensor i as it will be written; NULL: there are fewer. Borrowed. */
const struct output *convert_plan_output(const struct convert_plan *plan, size_t i);
/* Writes PATH.*.part, syncs and tries it, and renames it. STATUS_USAGE where there is something that is not a GGUF file;
 * free space is checked before. STATUS_UNSUPPORTED: weights that the type cannot hold. */
enum status convert_save(const struct convert_plan *plan, const char *path, struct threadpool *pool,
                         struct error *err) MUST_CHECK;

/* Whether a path is such a folder, or a .safetensors file in one: reads next to nothing. */
bool convert_is_checkpoint(const char *path);

#endif
