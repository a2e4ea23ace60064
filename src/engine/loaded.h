/* The model in memory, and how it is replaced by another. */
#ifndef SOTTO_ENGINE_LOADED_H
#define SOTTO_ENGINE_LOADED_H

#include "engine/backend.h"

struct loaded {
	struct backend *backend;       /* owned; NULL: none, and all else is 0 */
	struct engine_params params;   /* those it was opened with; owned */
	struct model_info info;
	uint64_t n_loads;
};

/* Opens what params->model names. The old model and its cache stay until the new one is loaded,
 * and for good if that fails. If memory is too small for both, the old model is closed first; if
 * the new one then fails, the old one is loaded again, with an empty cache and through `firm`, a
 * host that does not cancel. The error is always the new model's. */
enum status loaded_replace(struct loaded *loaded, const struct engine_params *params,
                           const struct backend_host *host, const struct backend_host *firm,
                           struct error *err) MUST_CHECK;
void loaded_close(struct loaded *loaded);

#endif
