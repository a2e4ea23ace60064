/* Writes the tensors of a conversion, one after another. Private to this folder. */
#ifndef SOTTO_CHECKPOINT_WRITE_H
#define SOTTO_CHECKPOINT_WRITE_H

#include "checkpoint/conversion.h"
#include "checkpoint/convert.h"
#include "checkpoint/floats.h"
#include "quantize/part_file.h"

struct write_job {
	const struct conversion *c;
	const struct floats *floats;
	const struct convert_job *job; /* progress */
	struct threadpool *pool;
	struct part_file *part;
	uint32_t alignment;
	uint64_t n_weights, done; /* of all; of the tensors before this one */
};

enum status write_outputs(struct write_job *w, struct error *err) MUST_CHECK;
/* Experts of gpt-oss, as they are: mxfp4.c. */
enum status write_mxfp4(struct write_job *w, const struct output *output, struct error *err) MUST_CHECK;
/* After each part of a tensor; STATUS_CANCELLED. */
enum status write_report(struct write_job *w, const struct output *output, uint64_t weights,
                         struct error *err) MUST_CHECK;

#endif
