#include <string.h>

#include "base/sys.h"
#include "pull/fetch_head.h"
#include "pull/fetch_run.h"

enum status fetch_run_save(struct fetch_run *run, struct error *err)
{
	const struct fetch *fetch = run->fetch;
	struct fetch_state state = {.n = 0};
	enum status status;

	pthread_mutex_lock(&run->lock);
	state.size = run->size;
	if (fetch_head_is_strong(run->version))
		memcpy(state.etag, run->version, sizeof state.etag);
	/* Before the sync, which then has all of it. */
	status = fetch_state_note(&state, &run->spans, err);
	run->unsaved = 0;
	run->saved_at = sys_now_ms();
	pthread_mutex_unlock(&run->lock);
	memcpy(state.digest, fetch->digest, strnlen(fetch->digest, DIGEST_TEXT_MAX - 1));
	if (status == STATUS_OK && state.n > 0)
		status = fetch_state_save(&state, fetch->path, run->fd, fetch->io, err);
	fetch_state_free(&state);
	return status;
}
