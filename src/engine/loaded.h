/* The model in memory, and how another one takes its place. */
#ifndef SOTTO_ENGINE_LOADED_H
#define SOTTO_ENGINE_LOADED_H

#include "engine/backend.h"

struct loaded {
	struct backend *backend;       /* owned; NULL: none, all else is 0 then */
	struct engine_params params;   /* it was opened with; owned */
	struct model_info info;
	uint64_t n_loads;
};

/* Opens what params->model names. The old model stays, with its cache, until the new one is
 * there, and for good when that fails. Where memory is too small for both the old one goes
 * first; if the new one fails it is loaded again, without what was in its cache: through
 * `firm`, a host that does not cancel. The error is the new one's. */
enum status loaded_replace(struct loaded *loaded, const struct engine_params *params,
                           const struct backend_host *host, const struct backend_host *firm,
                           struct error *err) MUST_CHECK;
void loaded_close(struct loaded *loaded);

#endif
