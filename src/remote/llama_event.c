#include "remote/llama_event.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_walk.h"
#include "remote/raw.h"

#define AT(pattern, kind, field) \
	{pattern, JSON_PLACE_##kind, offsetof(struct llama_event, field), sizeof ((struct llama_event *)0)->field}
static const struct json_place places[] = {
	AT("content", BUF, content),
	AT("stop", BOOL, stop),
	AT("truncated", BOOL, truncated),
	AT("stop_type", TEXT, stop_type),
	AT("tokens_predicted", U32, predicted),
	AT("tokens_evaluated", U32, evaluated),
	AT("prompt_progress.total", U32, total),
	AT("prompt_progress.cache", U32, cache),
	AT("prompt_progress.processed", U32, processed),
	AT("timings.cache_n", U32, cache_n),
	AT("timings.prompt_ms", DOUBLE, prompt_ms),
	AT("timings.predicted_ms", DOUBLE, predicted_ms),
};

static void take_candidate(struct llama_event *event, const char *path, const struct json_item *item)
{
	struct token_candidate *last = event->n_candidates ? &event->candidates[event->n_candidates - 1] : NULL;

	if (item->kind == JSON_OBJECT && json_path_is(path, "completion_probabilities.0.top_logprobs.*") &&
	    event->n_candidates < TOKEN_CANDIDATES_MAX)
		event->candidates[event->n_candidates++] = (struct token_candidate){.id = TOKEN_NONE, .logit = -INFINITY};
	if (item->kind == JSON_NUMBER && json_path_is(path, "completion_probabilities.0.logprob"))
		event->probability = expf(fminf(strtof(item->text, NULL), 0));
	if (!last || item->kind != JSON_NUMBER)
		return;
	if (json_path_is(path, "completion_probabilities.0.top_logprobs.*.id"))
		last->id = raw_read_id(item);
	else if (json_path_is(path, "completion_probabilities.0.top_logprobs.*.logprob"))
		last->logit = fminf(strtof(item->text, NULL), 0);
	else if (json_path_is(path, "completion_probabilities.0.top_logprobs.*.bytes.*") && last->len < sizeof last->text)
		last->text[last->len++] = (char)strtol(item->text, NULL, 10);
}

static enum status take(void *ctx, const char *path, const struct json_item *item, struct error *err)
{
	struct llama_event *event = ctx;

	(void)err;
	event->has_progress |= strcmp(path, "prompt_progress") == 0;
	event->has_predicted |= strcmp(path, "tokens_predicted") == 0;
	event->knows_cached |= strcmp(path, "timings.cache_n") == 0;
	if (json_put_place(places, sizeof places / sizeof *places, event, path, item))
		return STATUS_OK;
	if (item->kind == JSON_NUMBER && json_path_is(path, "tokens.*") && event->n_ids < EVENT_IDS_MAX)
		event->ids[event->n_ids++] = raw_read_id(item);
	else if (strncmp(path, "completion_probabilities.", 25) == 0)
		take_candidate(event, path, item);
	return STATUS_OK;
}

enum status llama_event_read(struct llama_event *event, const char *json, size_t len, struct error *err)
{
	return json_walk(json, len, take, event, err);
}
