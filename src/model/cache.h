/* What a session remembers: the keys and values of each position and the states of recurrent
 * layers. Keys can be dropped from any position on; a state belongs to one position, and only
 * checkpoints allow going back. */
#ifndef SOTTO_MODEL_CACHE_H
#define SOTTO_MODEL_CACHE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "kernels/kv_layer.h"
#include "model/plan.h"

/* Copies of all states at some positions. */
struct checkpoint {
	size_t pos;
	float *states; /* owned */
};

enum { CACHE_CHECKPOINTS = 16, CACHE_CHECKPOINTS_MIN = 2 };

struct cache {
	/* [n_layer], pointing into `memory`; without heads where a layer stores none. */
	struct kv_layer *kv;
	void *memory; /* mapped: pages cost nothing until they are written */
	size_t n_bytes;

	/* Two sets of states: those behind position `pos` - 1, and those that a micro-batch under way
	 * writes, which take their place when all its layers are done (cache_commit). */
	float *states[2]; /* into `memory`; [n_floats] each, n_floats 0: no layer is recurrent */
	size_t n_floats;
	size_t *offsets;  /* [n_layer]: of each layer's state in a set */
	size_t now;       /* index of the current set */
	size_t pos;

	struct checkpoint checkpoints[CACHE_CHECKPOINTS]; /* by rising position, n of them */
	size_t n_checkpoints, max_checkpoints;
};

/* UINT64_MAX when the product leaves 64 bits. `types`: of kernels/kv_layer.h's. Includes the
 * states and the least number of checkpoints. */
uint64_t cache_bytes(const struct plan *plan, size_t n_ctx, struct kv_types types);
/* Bytes of one set of states. */
uint64_t cache_state_bytes(const struct plan *plan);
/* Bytes that one token after n_positions reads and writes: less with windows; shared keys and
 * values are read again. */
uint64_t cache_token_bytes(const struct plan *plan, size_t n_positions, struct kv_types types);

/* `budget`: bytes for checkpoints; the least number is made in any case. */
enum status cache_init(struct cache *cache, const struct plan *plan, size_t n_ctx,
                       struct kv_types types, uint64_t budget, struct error *err) MUST_CHECK;
void cache_deinit(struct cache *cache);

/* Forgets everything: all is zero, and the memory returns to the system. */
void cache_clear(struct cache *cache);

/* Before an evaluation from `pos` on: restores the states of the latest possible position up
 * to `pos`, which is returned (0 is always possible), and forgets later positions. Without
 * states: pos. */
size_t cache_rewind(struct cache *cache, size_t pos);
/* The position that cache_rewind would return; changes nothing. */
size_t cache_reach(const struct cache *cache, size_t pos);
/* Keeps a copy of the current states. If there is no room, it replaces the oldest but the
 * first. Does nothing without states or memory. */
void cache_checkpoint(struct cache *cache);
size_t cache_last_checkpoint(const struct cache *cache); /* its position; 0: there is none */

/* A layer's state before the micro-batch, and where it stores the new one. */
const float *cache_state(const struct cache *cache, size_t layer);
float *cache_next_state(const struct cache *cache, size_t layer);
/* The micro-batch is done: its states are those behind `pos` - 1. */
void cache_commit(struct cache *cache, size_t pos);

#endif
