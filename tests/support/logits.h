/* Logits of models from files, and how far two of them are apart: for plain
 * test programs. What fails here ends the program with a line on standard
 * output. */
#ifndef SOTTO_TESTS_LOGITS_H
#define SOTTO_TESTS_LOGITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/session.h"
#include "kernels/compute.h"
#include "kernels/threadpool.h"
#include "model/model.h"

void must(enum status status, const struct error *err);

struct model *logits_open_model(const char *path);

/* n_ctx = 0: as engine_params has it; no pool: one thread. */
struct logits_options {
	int32_t n_ctx, n_batch; /* 0: the default */
	bool no_cache;
	struct threadpool *pool;
	const struct isa *isa; /* NULL: the best of this machine */
	int kv_type;     /* enum kv_type */
};
struct session *logits_open_session(const struct model *model,
                                    const struct logits_options *options);

/* Logits of all positions, out[n][n_vocab], the ids given in two pieces. */
void logits_evaluate(struct session *session, const int32_t *ids, size_t n, size_t cut,
                     size_t n_vocab, float *out);

/* The same in a session of its own; the caller frees them. */
float *logits_of_model(const struct model *model, const struct logits_options *options,
                       const int32_t *ids, size_t n);

/* KL(p || q) in nats, the mean of n rows; softmax of both in double. */
double logits_mean_kl(const float *p, const float *q, size_t n, size_t n_vocab);

/* The most probable token, the first of equals. */
int32_t logits_best(const float *logits, size_t n_vocab);

#endif
