/* Events of OpenAI's kind. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/json_walk.h"
#include "base/number.h"
#include "remote/chunk.h"
#include "tokenizer/tokenizer.h"

/* Where texts stand, in a delta of a stream or in a whole message. Thoughts may come twice, under two names: those of
 * the first row count. */
struct place_of_text {
	const char *pattern;
	unsigned rank; /* of thoughts, the least is the best; 0: it is the answer's */
};
static const struct place_of_text texts[] = {
	{"content", 0},
	{"content.*.text", 0},
	{"content.*.refusal", 0},
	{"refusal", 0},
	{"content.*.thinking", 1},
	{"content.*.thinking.*.text", 1},
	{"reasoning_content", 2},
	{"reasoning", 3},
	{"thinking", 4},
	{"reasoning_details.*.text", 5},
	{"reasoning_details.*.summary", 5},
};

/* An event being read. */
struct reading {
	struct chunk *out;
	unsigned rank;            /* of the thoughts so far; 0: there are none */
	char finish[32], stop[16];  /* `stop`: which string ended it */
	bool has_usage, has_cost, has_cached;
	uint32_t index;           /* of the choice: others than the first were not asked for */
	double progress;          /* 0..1; -1: not told */
	struct { uint32_t total, cached, done; } prefill;
	struct { uint32_t n_prompt, n_cached, n_generated; } timings;
};

#define OF_OUT(field) offsetof(struct chunk, field)
static const struct json_place out_places[] = {
	{"id", JSON_PLACE_TEXT, OF_OUT(id), CHUNK_ID_MAX + 1},
	{"timings.prompt_ms", JSON_PLACE_DOUBLE, OF_OUT(usage.prefill_ms), 0},
	{"timings.predicted_ms", JSON_PLACE_DOUBLE, OF_OUT(usage.decode_ms), 0},
};
#define OF_READING(field) offsetof(struct reading, field)
static const struct json_place reading_places[] = {
	{"choices.0.finish_reason", JSON_PLACE_TEXT, OF_READING(finish), 32},
	{"choices.0.index", JSON_PLACE_U32, OF_READING(index), 0},
	{"choices.0.stop_reason", JSON_PLACE_TEXT, OF_READING(stop), 16},
	{"choices.0.matched_stop", JSON_PLACE_TEXT, OF_READING(stop), 16},
	{"x_prefill_progress", JSON_PLACE_DOUBLE, OF_READING(progress), 0},
	{"choices.0.x_prefill_progress", JSON_PLACE_DOUBLE, OF_READING(progress), 0},
	{"prompt_progress.total", JSON_PLACE_U32, OF_READING(prefill.total), 0},
	{"prompt_progress.cache", JSON_PLACE_U32, OF_READING(prefill.cached), 0},
	{"prompt_progress.processed", JSON_PLACE_U32, OF_READING(prefill.done), 0},
	{"timings.prompt_n", JSON_PLACE_U32, OF_READING(timings.n_prompt), 0},
	{"timings.cache_n", JSON_PLACE_U32, OF_READING(timings.n_cached), 0},
	{"timings.predicted_n", JSON_PLACE_U32, OF_READING(timings.n_generated), 0},
};
#define OF_USAGE(field) offsetof(struct chunk_usage, field)
static const struct json_place usage_places[] = {
	{"prompt_tokens", JSON_PLACE_U32, OF_USAGE(n_prompt), 0},
	{"input_tokens", JSON_PLACE_U32, OF_USAGE(n_prompt), 0},
	{"completion_tokens", JSON_PLACE_U32, OF_USAGE(n_generated), 0},
	{"output_tokens", JSON_PLACE_U32, OF_USAGE(n_generated), 0},
};
static const struct json_place cached_places[] = {
	{"prompt_tokens_details.cached_tokens", JSON_PLACE_U32, OF_USAGE(n_cached), 0},
	{"prompt_cache_hit_tokens", JSON_PLACE_U32, OF_USAGE(n_cached), 0},
	{"cached_tokens", JSON_PLACE_U32, OF_USAGE(n_cached), 0},
};
static const struct json_place cost_places[] = {{"cost", JSON_PLACE_DOUBLE, OF_USAGE(cost), 0}};
static const struct json_place reasoning_places[] = {
	{"completion_tokens_details.reasoning_tokens", JSON_PLACE_U32, OF_USAGE(n_reasoning), 0},
	{"reasoning_tokens", JSON_PLACE_U32, OF_USAGE(n_reasoning), 0},
};
#define COUNT(array) (sizeof(array) / sizeof (array)[0])

/* What follows `prefix` in a path; NULL: it begins otherwise. */
static const char *path_after(const char *path, const char *prefix)
{
	size_t n = strlen(prefix);

	return strncmp(path, prefix, n) == 0 ? path + n : NULL;
}

static const char *path_of_usage(const char *path)
{
	static const char *const prefixes[] = {"usage.", "x_groq.usage.", "choices.0.usage."};
	const char *rest = NULL;

	for (size_t i = 0; i < COUNT(prefixes) && !rest; i++)
		rest = path_after(path, prefixes[i]);
	return rest;
}

static void take_usage(struct reading *r, const char *path, const struct json_item *item)
{
	struct chunk_usage *usage = &r->out->usage;

	r->has_usage |= json_put_place(usage_places, COUNT(usage_places), usage, path, item);
	r->has_cached |= json_put_place(cached_places, COUNT(cached_places), usage, path, item);
	r->has_cost |= json_put_place(cost_places, COUNT(cost_places), usage, path, item);
	(void)json_put_place(reasoning_places, COUNT(reasoning_places), usage, path, item);
}

static void take_text(struct reading *r, const char *path, const struct json_item *item)
{
	for (size_t i = 0; i < COUNT(texts); i++) {
		if (!json_path_is(path, texts[i].pattern))
			continue;
		if (!texts[i].rank) {
			buf_append(&r->out->text, item->text, item->len);
			return;
		}
		if (!item->len || (r->rank && texts[i].rank > r->rank))
			return; /* it has come under a better name */
		if (texts[i].rank < r->rank)
			buf_clear(&r->out->reasoning);
		r->rank = texts[i].rank;
		buf_append(&r->out->reasoning, item->text, item->len);
		return;
	}
}

static void put_candidate_text(struct token_candidate *candidate, const struct json_item *item)
{
	candidate->len = (uint8_t)(item->len < sizeof candidate->text ? item->len : sizeof candidate->text);
	memcpy(candidate->text, item->text, candidate->len);
}

/* "3.logprob" of choices.0.logprobs.content.0.top_logprobs. */
static void take_candidate(struct chunk *out, const char *path, const struct json_item *item)
{
	struct token_candidate *candidate;
	char *rest;
	unsigned long i = strtoul(path, &rest, 10);
	double logprob;
	int64_t id;

	if (rest == path || *rest != '.' || i >= TOKEN_CANDIDATES_MAX)
		return;
	candidate = &out->candidates[i];
	while (out->n_candidates <= i)
		out->candidates[out->n_candidates++] = (struct token_candidate){.id = TOKEN_NONE, .logit = -INFINITY};
	rest++;
	if (strcmp(rest, "token") == 0 && item->kind == JSON_STRING)
		put_candidate_text(candidate, item);
	else if (strcmp(rest, "logprob") == 0 && item->kind == JSON_NUMBER && number_parse_double(item->text, &logprob)) {
		candidate->logit = (float)(logprob < 0 ? logprob : 0);
		candidate->probability = expf(candidate->logit);
	} else if ((strcmp(rest, "id") == 0 || strcmp(rest, "token_id") == 0) && item->kind == JSON_NUMBER &&
	           number_parse_int(item->text, &id) && id >= 0 && id <= INT32_MAX)
		candidate->id = (int32_t)id;
}

void chunk_take_logprob(struct chunk *out, const char *path, const struct json_item *item)
{
	const char *rest = path_after(path, "top_logprobs.");
	double logprob;

	if (rest)
		take_candidate(out, rest, item);
	else if (strcmp(path, "logprob") == 0 && item->kind == JSON_NUMBER && number_parse_double(item->text, &logprob))
		out->probability = (float)exp(logprob < 0 ? logprob : 0);
}

static enum status take(void *ctx, const char *path, const struct json_item *item, struct error *err)
{
	struct reading *r = ctx;
	const char *rest;

	(void)err;
	if (item->kind > JSON_STRING || item->kind == JSON_NULL)
		return STATUS_OK;
	rest = path_of_usage(path);
	if (rest) {
		take_usage(r, rest, item);
		return STATUS_OK;
	}
	rest = path_after(path, "choices.0.logprobs.content.0.");
	if (rest) {
		chunk_take_logprob(r->out, rest, item);
		return STATUS_OK;
	}
	rest = path_after(path, "choices.0.delta.");
	rest = rest ? rest : path_after(path, "choices.0.message.");
	if (rest && item->kind == JSON_STRING)
		take_text(r, rest, item);
	else if (strcmp(path, "choices.0.text") == 0 && item->kind == JSON_STRING)
		buf_append(&r->out->text, item->text, item->len);
	else if (!json_put_place(out_places, COUNT(out_places), r->out, path, item))
		(void)json_put_place(reading_places, COUNT(reading_places), r, path, item);
	return STATUS_OK;
}

enum chunk_end chunk_end_named(const char *reason)
{
	static const struct {
		const char *name;
		enum chunk_end end;
	} ends[] = {
		{"", CHUNK_GOES_ON},
		{"length", CHUNK_LENGTH},
		{"max_tokens", CHUNK_LENGTH},
		{"model_length", CHUNK_CONTEXT},
		{"content_filter", CHUNK_FILTERED},
		{"safety", CHUNK_FILTERED},
		{"recitation", CHUNK_FILTERED},
	};

	for (size_t i = 0; i < COUNT(ends); i++)
		if (strcasecmp(reason, ends[i].name) == 0)
			return ends[i].end;
	return CHUNK_END; /* "stop", "eos", "tool_calls" */
}

/* What a server counts in two ways is told in one. */
static void finish_usage(struct reading *r)
{
	struct chunk_usage *usage = &r->out->usage;

	if (!r->has_usage && r->timings.n_prompt + r->timings.n_generated) {
		usage->n_prompt = r->timings.n_prompt + r->timings.n_cached;
		usage->n_generated = r->timings.n_generated;
		r->has_usage = true;
	}
	if (!r->has_cached && r->timings.n_cached) {
		usage->n_cached = r->timings.n_cached;
		r->has_cached = true;
	}
	usage->is_known = r->has_usage;
	usage->knows_cached = r->has_cached;
	usage->knows_cost = r->has_cost && usage->cost >= 0;
}

static void finish_progress(struct reading *r)
{
	enum { PERCENT = 100 };

	if (r->prefill.total) {
		r->out->progress.is_known = true;
		r->out->progress.total = r->prefill.total;
		r->out->progress.cached = r->prefill.cached;
		r->out->progress.done = r->prefill.done;
	} else if (r->progress >= 0 && r->progress <= 1) {
		r->out->progress.is_known = true;
		r->out->progress.total = PERCENT;
		r->out->progress.done = (uint32_t)(r->progress * PERCENT);
	}
}

enum status chunk_read_openai(struct chunk *out, const char *json, size_t len, struct error *err)
{
	struct reading r = {.out = out, .progress = -1};
	enum status status = json_walk_bytes(json, len, take, &r, err);

	if (status)
		return status;
	finish_usage(&r);
	finish_progress(&r);
	out->end = r.index ? CHUNK_GOES_ON : chunk_end_named(r.finish);
	if (r.index) {
		buf_clear(&out->text);
		buf_clear(&out->reasoning);
		out->n_candidates = 0;
	}
	if (out->end == CHUNK_END && r.stop[0])
		out->end = CHUNK_STOP;
	chunk_read_error(out, json, len, false);
	if (!out->error.status && (strcmp(r.finish, "error") == 0 || strcmp(r.finish, "abort") == 0))
		error_set(&out->error, STATUS_IO, "the server ended the reply with an error");
	if (buf_status(&out->text) || buf_status(&out->reasoning))
		return error_no_memory(err, "for the reply");
	return STATUS_OK;
}
