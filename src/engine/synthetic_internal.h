/* Shared by the files of the test backend. */
#ifndef SOTTO_ENGINE_SYNTHETIC_INTERNAL_H
#define SOTTO_ENGINE_SYNTHETIC_INTERNAL_H

#include "engine/backend.h"

/* The first rows of the table. */
enum { SYNTHETIC_WORDS, SYNTHETIC_ECHO, SYNTHETIC_SYSTEM, SYNTHETIC_REASONING };

struct synthetic_mode {
	const char *name;
	const char *const *pieces; /* NULL: made by next_piece */
};
extern const struct synthetic_mode synthetic_modes[];
extern const size_t synthetic_n_modes;

enum { SYNTHETIC_NEVER = -1 };

struct synthetic {
	struct backend base;
	long rate, n_tokens, n_reasoning, load_ms, prefill_ms, n_ctx, fail_after, is_guide, aside_every;
	long hold_after, unopened, count_holds;
	bool needs_all_memory;
	size_t mode;
	uint32_t n_cached; /* words of the last conversation, which count as cached in the next */
};

/* Sleeps until `deadline` (sys_now_us), in slices; false if it was cancelled. */
bool synthetic_sleep_until(uint64_t deadline, const struct backend_host *host);

/* The reply to a turn whose prompt has been counted. */
enum status synthetic_generate(struct synthetic *s, const struct turn *turn,
                               const struct backend_host *host, struct backend_result *result,
                               struct error *err) MUST_CHECK;

#endif
