/* Parameters of ollama's models (its api/types.go, Options): some of them are options here. */
#include "catalog/beside_internal.h"

#include <string.h>

#include "base/alloc.h"
#include "base/json_walk.h"
#include "base/limits.h"
#include "base/number.h"
#include "catalog/describe.h"

static const struct {
	const char *key, *option;
} params[] = {
	{"temperature", "temp"},
	{"top_k", "top-k"},
	{"top_p", "top-p"},
	{"min_p", "min-p"},
	{"typical_p", "typical"},
	{"repeat_penalty", "repeat-penalty"},
	{"repeat_last_n", "repeat-last-n"},
	{"presence_penalty", "presence-penalty"},
	{"frequency_penalty", "frequency-penalty"},
	{"mirostat", "mirostat"},
	{"mirostat_tau", "mirostat-ent"},
	{"mirostat_eta", "mirostat-lr"},
};
enum { N_PARAMS = sizeof params / sizeof params[0] };
_Static_assert((int)N_PARAMS <= (int)RECOMMENDED_MAX, "there is room for all of them");

static enum status add_stop(struct beside *beside, const struct json_item *item, struct error *err)
{
	char *copy;

	if (item->len == 0 || strlen(item->text) != item->len || beside->n_stops == LIMIT_OLLAMA_STOPS)
		return STATUS_OK;
	copy = alloc_strndup(item->text, item->len);
	if (!copy || !alloc_grow(&beside->stops, &beside->cap_stops, beside->n_stops + 1, sizeof *beside->stops,
	                         LIMIT_OLLAMA_STOPS)) {
		free(copy);
		return error_no_memory(err, "for the stop strings");
	}
	beside->stops[beside->n_stops++] = copy;
	return STATUS_OK;
}

static enum status take_param(void *ctx, const char *path, const struct json_item *item, struct error *err)
{
	struct beside *beside = ctx;
	uint64_t n_ctx;
	double value;

	if (item->kind == JSON_STRING && (json_path_is(path, "stop.*") || strcmp(path, "stop") == 0))
		return add_stop(beside, item, err);
	if (item->kind != JSON_NUMBER)
		return STATUS_OK;
	if (strcmp(path, "num_ctx") == 0 && json_read_count(item, UINT32_MAX, &n_ctx))
		beside->n_ctx = (uint32_t)n_ctx;
	for (size_t i = 0; i < N_PARAMS; i++)
		if (strcmp(path, params[i].key) == 0 && number_parse_double(item->text, &value))
			describe_recommend(beside->sampling, &beside->n_sampling, params[i].option, value);
	return STATUS_OK;
}

enum status beside_read_params(struct beside *beside, const char *json, size_t len, struct error *err)
{
	return json_walk(json, len, take_param, beside, err);
}
