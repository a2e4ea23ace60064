#include "crash/fetching.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/sys.h"
#include "pull/fetch.h"
#include "pull/fetch_state.h"

static enum status locate(void *ctx, struct web_place *out, struct web *web, struct error *err)
{
	const struct fetching *fetching = ctx;

	(void)web;
	*out = (struct web_place){.base = strdup(fetching->server->url), .path = strdup("/file")};
	return out->base && out->path ? STATUS_OK : error_no_memory(err, NULL);
}

static bool is_cancelled(void *ctx)
{
	const struct fetching *fetching = ctx;

	if (fetching->tick)
		fetching->tick(fetching->ctx);
	return false;
}

enum status fetching_run(const struct fetching *fetching, const char *path, struct error *err)
{
	struct fetch_progress progress = {0};
	struct fetch fetch = {
		.path = path, .size = fetching->size, .digest = fetching->digest, .locate = locate, .ctx = (void *)fetching,
		.progress = &progress, .cancelled = is_cancelled, .io = &io_system,
	};

	return fetch_file(&fetch, err);
}

bool fetching_is_right(const void *bytes, uint64_t from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (((const unsigned char *)bytes)[i] != byte_server_at(from + i))
			return false;
	return true;
}

bool fetching_is_there(const char *path)
{
	return access(path, F_OK) == 0;
}

static const char *judge_file(const struct fetching *fetching, const char *path)
{
	char *bytes;
	size_t n;
	bool is_whole;

	if (!fetching_is_there(path))
		return "";
	if (sys_read_file(path, MIB(64), &bytes, &n, NULL) != STATUS_OK)
		return "the file cannot be read";
	is_whole = n == fetching->size && fetching_is_right(bytes, 0, n);
	free(bytes);
	return is_whole ? "" : "there is a file that is not whole";
}

static const char *judge_claims(const char *path)
{
	struct fetch_state state;
	const char *why = "";
	char part[512], *bytes;
	size_t n;

	snprintf(part, sizeof part, "%s" FETCH_PART, path);
	if (fetch_state_load(&state, path, NULL) != STATUS_OK)
		return "";
	if (sys_read_file(part, MIB(64), &bytes, &n, NULL) == STATUS_OK) {
		for (size_t i = 0; i < state.n; i++) {
			uint64_t from = state.ranges[2 * i], to = state.ranges[2 * i + 1];

			to = to < n ? to : n; /* of a part that is cut nothing is believed behind its end */
			if (from < to && !fetching_is_right(bytes + from, from, (size_t)(to - from)))
				why = "the state claims bytes that are not there";
		}
		free(bytes);
	}
	fetch_state_free(&state);
	return why;
}

const char *fetching_judge(const struct fetching *fetching, const char *path)
{
	const char *why = judge_file(fetching, path);

	return *why ? why : judge_claims(path);
}
