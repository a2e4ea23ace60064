/* Ollama, by its own /api/chat. Its /v1 cannot say how large the context is to be, cuts a conversation that is too
 * long without a word, and hides errors within a stream. Facts from its sources: api/types.go, server/routes.go,
 * llm/llama_server.go. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_walk.h"
#include "base/limits.h"
#include "base/sys.h"
#include "remote/call.h"
#include "remote/dialect_ollama.h"
#include "remote/estimate.h"
#include "remote/fields.h"
#include "remote/list.h"
#include "remote/messages.h"

enum { KEPT_MS = 4 * 60 * 1000, CANDIDATES_MAX = 20 };

static const struct remote_field ollama_fields[] = {
	{.option = "temp", .field = "options.temperature"},
	{.option = "top-k", .field = "options.top_k"},
	{.option = "top-p", .field = "options.top_p"},
	{.option = "min-p", .field = "options.min_p"},
	{.option = "typical", .field = "options.typical_p"},
	{.option = "repeat-penalty", .field = "options.repeat_penalty"},
	{.option = "repeat-last-n", .field = "options.repeat_last_n", .below_is_context = true},
	{.option = "presence-penalty", .field = "options.presence_penalty"},
	{.option = "frequency-penalty", .field = "options.frequency_penalty"},
	{.option = "seed", .field = ""},
	{.option = "predict", .field = "options.num_predict"},
	{.option = "stop", .field = ""},
	{.option = "reasoning", .field = ""},
	{.option = "effort", .field = ""},
};

static int knows(const struct probe *probe)
{
	return probe->port == 11434 || strcmp(probe->owner, "library") == 0;
}

/* Loads nothing. */
static enum status ask_show(struct remote *remote, struct ollama_model *out, struct error *err)
{
	struct buf body = {.max = KIB(64)};
	struct json_writer json = {.out = &body};
	struct http_answer answer;
	enum status status;

	json_put_begin(&json, NULL, '{');
	json_put_string(&json, "model", remote->model);
	json_put_end(&json, '}');
	status = remote_call(remote, remote->http, "/api/show", &body, REMOTE_CALL_MS, &answer, err);
	if (!status)
		ollama_read_show(out, buf_text(&answer.body), answer.body.len);
	else if (answer.code == 404)
		status = error_set(err, STATUS_NOTFOUND,
		                   "%s: there is no model '%s': ollama pull %s gets it",
		                   remote->server->name, remote->model, remote->model);
	http_answer_free(&answer);
	buf_free(&body);
	return status;
}

/* The context that it is loaded with; 0: it is not. */
static uint32_t ask_loaded(struct remote *remote)
{
	struct list_answer loaded;
	uint32_t n_ctx = 0;

	(void)!remote_list_get(remote, "/api/ps", &loaded, NULL, NULL); /* where that fails it is empty */
	for (size_t i = 0; i < loaded.list.n; i++)
		if (ollama_is_same(loaded.list.items[i].id, remote->model))
			n_ctx = loaded.list.items[i].n_ctx;
	list_answer_free(&loaded);
	return n_ctx;
}

/* The context of the session. A request with another one would load the model anew, so it is the same in all. */
static void choose_context(struct remote *remote, struct ollama_model *model)
{
	const struct server_model *said = server_find_model(remote->server, remote->model);
	uint32_t loaded = model->is_elsewhere ? 0 : ask_loaded(remote);
	const uint32_t wishes[] = {said ? said->n_ctx : 0, remote->wanted_ctx, loaded,
	                           model->n_ctx};
	uint32_t n_ctx = 0;

	if (model->is_elsewhere) { /* nothing here says it */
		model->n_ctx = said && said->n_ctx ? said->n_ctx : model->n_ctx_max;
		return;
	}
	for (size_t i = 0; n_ctx == 0 && i < sizeof wishes / sizeof wishes[0]; i++)
		n_ctx = wishes[i];
	model->is_guess = n_ctx == 0;
	if (n_ctx == 0)
		n_ctx = OLLAMA_USUAL_CONTEXT;
	model->n_ctx = model->n_ctx_max && n_ctx > model->n_ctx_max ? model->n_ctx_max : n_ctx;
	model->is_loaded = loaded == model->n_ctx;
}

static void describe(struct remote *remote, const struct ollama_model *model)
{
	struct model_info *info = &remote->info;

	info->n_ctx = model->n_ctx;
	info->capabilities = CAPABILITY_BRANCH | CAPABILITY_LOGITS | CAPABILITY_CONTINUE;
	if (model->thinks)
		info->capabilities |= CAPABILITY_REASONING;
	if (model->thinks && !model->always_thinks)
		info->capabilities |= CAPABILITY_SWITCH;
	if (model->has_levels)
		info->capabilities |= CAPABILITY_EFFORT;
	if (model->is_guess)
		model_info_note(info, NOTE_PLAIN,
		                "Nothing says how large the context of %s is to be: it is %" PRIu32
		                " tokens; --ctx-size, or context in servers.yaml, changes it",
		                remote->model, model->n_ctx);
	if (model->is_elsewhere)
		model_info_note(info, NOTE_WARNING,
		                "%s does not run at %s: Ollama hands what you write on to %s",
		                remote->model, remote->host, model->host);
}

static enum status open_model(struct remote *remote, struct error *err)
{
	struct ollama_model *model = calloc(1, sizeof *model);
	enum status status =
		model ? ask_show(remote, model, err) : error_no_memory(err, "for the model");

	if (status) {
		free(model);
		return status;
	}
	choose_context(remote, model);
	describe(remote, model);
	remote->has_inline_thoughts = !model->thinks;
	free(remote->own);
	remote->own = model;
	return STATUS_OK;
}

static void close_model(struct remote *remote)
{
	free(remote->own);
	remote->own = NULL;
}

static void put_think(struct json_writer *json, const struct ollama_model *model,
                      const struct turn *turn)
{
	const struct reasoning_wish *wish = &turn->reasoning;

	if (!model->thinks) /* "does not support thinking" would be the answer */
		return;
	if (turn->continued && !model->always_thinks)
		json_put_bool(json, "think", false); /* what is continued is the answer */
	else if (wish->mode == REASONING_OFF && !model->always_thinks)
		json_put_bool(json, "think", false);
	else if (wish->effort != EFFORT_AUTO && model->has_levels)
		json_put_string(json, "think", reasoning_efforts[wish->effort]);
	else if (wish->mode == REASONING_ON)
		json_put_bool(json, "think", true);
}

/* They take the place of the Modelfile's, which are said again. */
static void put_stops(struct json_writer *json, const struct ollama_model *model,
                      const struct turn *turn)
{
	if (turn->n_stops == 0)
		return;
	json_put_begin(json, "stop", '[');
	for (size_t i = 0; i < model->n_stops; i++)
		json_put_string(json, NULL, model->stops[i]);
	for (size_t i = 0; i < turn->n_stops; i++)
		json_put_string(json, NULL, turn->stops[i]);
	json_put_end(json, ']');
}

static enum status put_options(struct json_writer *json, const struct remote *remote,
                               const struct remote_ask *ask, struct error *err)
{
	const struct ollama_model *model = remote->own;
	enum status status;

	json_put_begin(json, "options", '{');
	if (!model->is_elsewhere)
		json_put_number(json, "num_ctx", "%" PRIu32, model->n_ctx);
	fields_put_seed(json, "seed", ask->seed);
	put_stops(json, model, ask->turn);
	status = fields_write(json, remote, "options", ask, err);
	json_put_end(json, '}');
	return status;
}

static enum status put_request(struct remote *remote, const struct remote_ask *ask,
                               struct remote_request *out, struct error *err)
{
	static const struct messages_style style = {.takes_all = false, .reasoning = "thinking"};
	struct json_writer json = {.out = &out->body};
	enum status status;

	json_put_begin(&json, NULL, '{');
	json_put_string(&json, "model", remote->model);
	status = messages_write(&json, "messages", ask->turn, out->keep, &style, &out->changes, err);
	if (status)
		return status;
	json_put_bool(&json, "stream", true);
	json_put_bool(&json, "truncate", false); /* too long is an error, not a cut */
	json_put_bool(&json, "shift", false);
	put_think(&json, remote->own, ask->turn);
	status = put_options(&json, remote, ask, err);
	if (ask->turn->n_candidates > 0) {
		json_put_bool(&json, "logprobs", true);
		json_put_number(&json, "top_logprobs", "%zu",
		                ask->turn->n_candidates < CANDIDATES_MAX ? ask->turn->n_candidates : CANDIDATES_MAX);
	}
	json_put_end(&json, '}');
	return status;
}

/* Whether the server has to load the model first. It keeps one for five minutes, unless it is told otherwise. */
static bool has_to_load(struct remote *remote, struct ollama_model *model)
{
	if (model->is_loaded && model->asked_ms && sys_now_ms() - model->asked_ms > KEPT_MS)
		model->is_loaded = ask_loaded(remote) == model->n_ctx;
	model->asked_ms = sys_now_ms();
	return !model->is_elsewhere && !model->is_loaded;
}

static enum status write_request(struct remote *remote, const struct remote_ask *ask,
                                 struct remote_request *out, struct error *err)
{
	struct ollama_model *model = remote->own;
	const struct turn *turn = ask->turn;
	const struct message *last =
		turn->n_messages ? &turn->messages[turn->n_messages - 1] : NULL;
	enum status status;

	if (turn->raw)
		return error_set(err, STATUS_DECLINED,
		                 "%s: texts without a template cannot be sent to Ollama's models",
		                 remote->server->name);
	if (turn->continued && last && last->len == 0)
		return error_set(err, STATUS_DECLINED,
		                 "%s: a reply that was cut in the middle of thinking cannot be "
		                 "continued: ask again",
		                 remote->server->name);
	status = estimate_fit(remote, turn, out, err);
	if (status)
		return status;
	model->n_predict = turn->n_predict;
	remote->is_loading = has_to_load(remote, model); /* so that who waits is told */
	buf_puts(&out->path, "/api/chat");
	return put_request(remote, ask, out, err);
}

/* A line of the answer, apart from its texts. */
struct line {
	struct chunk *out;
	char reason[24];
	bool is_done;
	uint32_t n_prompt, n_generated;
	double prompt_ns, eval_ns;
};

static enum status take_line(void *ctx, const char *path, const struct json_item *item,
                             struct error *err)
{
	static const struct json_place places[] = {
		{"done", JSON_PLACE_BOOL, offsetof(struct line, is_done), 0},
		{"done_reason", JSON_PLACE_TEXT, offsetof(struct line, reason), 24},
		{"prompt_eval_count", JSON_PLACE_U32, offsetof(struct line, n_prompt), 0},
		{"eval_count", JSON_PLACE_U32, offsetof(struct line, n_generated), 0},
		{"prompt_eval_duration", JSON_PLACE_DOUBLE, offsetof(struct line, prompt_ns), 0},
		{"eval_duration", JSON_PLACE_DOUBLE, offsetof(struct line, eval_ns), 0},
	};
	static const char logprobs[] = "logprobs.0.";
	struct line *line = ctx;

	(void)err;
	if (item->kind == JSON_STRING && strcmp(path, "message.content") == 0)
		buf_append(&line->out->text, item->text, item->len);
	else if (item->kind == JSON_STRING && strcmp(path, "message.thinking") == 0)
		buf_append(&line->out->reasoning, item->text, item->len);
	else if (strncmp(path, logprobs, strlen(logprobs)) == 0)
		chunk_take_logprob(line->out, path + strlen(logprobs), item);
	else
		(void)json_put_place(places, sizeof places / sizeof places[0], line, path, item);
	return STATUS_OK;
}

/* It says "length" for its whole context, too. */
static enum chunk_end end_of(const struct line *line, const struct ollama_model *model)
{
	enum chunk_end end = line->reason[0] ? chunk_end_named(line->reason) : CHUNK_END;
	bool is_at_limit =
		model && model->n_predict >= 0 && line->n_generated >= (uint32_t)model->n_predict;

	if (end == CHUNK_LENGTH && model && model->n_ctx > 0 && !is_at_limit)
		return CHUNK_CONTEXT;
	return end;
}

static enum status read_line(struct remote *remote, const char *json, size_t len, struct chunk *out,
                             struct error *err)
{
	struct ollama_model *model = remote->own;
	struct line line = {.out = out};
	enum status status = json_walk(json, len, take_line, &line, err);

	if (status)
		return status;
	chunk_read_error(out, json, len, false);
	remote->is_loading = false;
	if (model && !out->error.status)
		model->is_loaded = true;
	out->is_last = line.is_done;
	if (line.is_done)
		out->end = end_of(&line, model);
	if (line.n_prompt > 0) {
		out->usage.is_known = true;
		out->usage.n_prompt = line.n_prompt;
		out->usage.n_generated = line.n_generated;
		out->usage.prefill_ms = line.prompt_ns / 1e6;
		out->usage.decode_ms = line.eval_ns / 1e6;
	}
	if (buf_status(&out->text) || buf_status(&out->reasoning))
		return error_no_memory(err, "for the reply");
	return STATUS_OK;
}

const struct dialect dialect_ollama = {
	.name = "ollama",
	.title = "Ollama",
	.fields = ollama_fields,
	.n_fields = sizeof ollama_fields / sizeof ollama_fields[0],
	.knows = knows,
	.list = remote_list_ollama,
	.open = open_model,
	.close = close_model,
	.write = write_request,
	.read = read_line,
};
