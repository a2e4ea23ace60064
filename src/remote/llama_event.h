/* An event of a llama-server's /completion. Inside of remote/. */
#ifndef SOTTO_REMOTE_LLAMA_EVENT_H
#define SOTTO_REMOTE_LLAMA_EVENT_H

#include "base/buf.h"
#include "turn/turn.h"

enum { EVENT_IDS_MAX = 8 };

struct llama_event {
	struct buf content;
	int32_t ids[EVENT_IDS_MAX];
	size_t n_ids;
	bool stop, truncated, has_progress, has_predicted;
	char stop_type[16];
	uint32_t predicted, evaluated;
	uint32_t total, cache, processed;
	uint32_t cache_n;
	bool knows_cached;
	double prompt_ms, predicted_ms;
	struct token_candidate candidates[TOKEN_CANDIDATES_MAX];
	size_t n_candidates;
	float probability; /* of the token; 0: not told */
};

/* Fills in an empty event, whose content has a limit. STATUS_FORMAT: it is not JSON. */
enum status llama_event_read(struct llama_event *event, const char *json, size_t len, struct error *err) MUST_CHECK;

#endif
