/* What backends of all kinds tell their host. */
#include <stdlib.h>

#include "encode/fit.h"
#include "engine/backend.h"

void backend_tell_fitted(const struct backend_host *host, const struct turn *turn, const bool *keep)
{
	size_t n;
	bool *left_out = fit_left_out(turn, keep, &n);

	if (left_out)
		backend_tell(host, &(struct event){.kind = EVENT_FITTED, .u.fitted = {left_out, n}});
	free(left_out);
}
