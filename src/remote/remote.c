#include "remote/remote.h"

static enum status open_remote(struct backend **out, const struct engine_params *params,
                               const struct backend_host *host, struct model_info *info, struct error *err)
{
	(void)out;
	(void)params;
	(void)host;
	(void)info;
	return error_set(err, STATUS_UNSUPPORTED, "servers are not there yet");
}

const struct backend_ops remote_backend = {
	.prefix = REMOTE_PREFIX,
	.open = open_remote,
};
