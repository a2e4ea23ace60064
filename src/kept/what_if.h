/* What a reply would have been with other sampling parameters: the chain over the candidates that are kept, with the
 * random numbers of the seed that it was made with (sampler/again.h), up to the first token that comes out otherwise.
 * From there on the model would have been asked something else. */
#ifndef SOTTO_KEPT_WHAT_IF_H
#define SOTTO_KEPT_WHAT_IF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "kept/kept.h"
#include "sampler/again.h"

/* One token of a reply with other parameters. `state` as in sampler_again. STATUS_NOMEM; STATUS_UNSUPPORTED: nothing
 * is kept of it. */
enum status kept_again(const struct kept_reply *reply, size_t i, const struct sampler_order *order,
                       const struct sampler_params *params, struct sampler_state *state, struct again *out,
                       struct error *err) MUST_CHECK;

/* A turn that made a reply or went on with it. */
struct what_if_run {
	size_t from;      /* its first token */
	int64_t seed;
	bool first_is_put; /* the user chose that one */
};

enum what_if_end {
	WHAT_IF_SAME,     /* all tokens are the same */
	WHAT_IF_OTHER,    /* token `at` would have been `id` */
	WHAT_IF_UNKNOWN,  /* they are up to token `at`, for which what is kept is not enough: `lacks` */
};

struct what_if {
	size_t from;       /* the first token that was tried: how those before it were made is not known */
	enum what_if_end end;
	size_t at;
	int32_t id;
	float probability; /* that it would have had among what was left */
	const char *lacks; /* static */
	struct again again; /* what the chain did with that token, unless all are the same */
};

/* `runs` [n_runs] in the order of their tokens; those before the first run are taken as they are. STATUS_NOMEM. */
enum status kept_what_if(const struct kept_reply *reply, const struct what_if_run *runs, size_t n_runs,
                         const struct sampler_order *order, const struct sampler_params *params,
                         struct what_if *out, struct error *err) MUST_CHECK;

#endif
