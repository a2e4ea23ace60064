#include "llama_server/talk.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "engine/options.h"
#include "remote/remote.h"
#include "support/folder.h"

static bool is_cancelled(void *ctx)
{
	return ((struct talk *)ctx)->cancelled;
}

static void give_params(void *ctx, uint32_t n, struct sampler_params *out)
{
	(void)n;
	*out = ((struct talk *)ctx)->params;
}

static bool wants_answer(void *ctx)
{
	const struct talk *talk = ctx;

	return talk->answer_at && talk->n_tokens >= talk->answer_at;
}

static void take_token(struct talk *talk, const struct token *token)
{
	struct buf *out = token->reasoning ? &talk->reasoning : &talk->text;

	buf_append(out, token->bytes, token->len);
	if (token->rest)
		return;
	cr_assert_eq(token_list_push(&talk->ids, token->id), STATUS_OK);
	if (talk->n_tokens < TALK_TOKENS_MAX)
		for (size_t i = 0; i < 2 && i < token->n_candidates; i++)
			talk->candidates[talk->n_tokens][i] = token->candidates[i];
	talk->n_tokens++;
	if ((talk->cancel_at && talk->n_tokens >= talk->cancel_at) || (talk->cancel_at_text && talk->text.len))
		talk->cancelled = true;
	if (talk->act && talk->act_at == talk->n_tokens)
		talk->act(talk->act_ctx);
}

static enum status take_event(void *ctx, const struct event *event, struct error *err)
{
	struct talk *talk = ctx;

	(void)err;
	if (event->kind == EVENT_TOKEN)
		take_token(talk, &event->u.token);
	if (event->kind == EVENT_LEARNT) {
		talk->info = *event->u.model;
		talk->n_learnt++;
	}
	if (event->kind == EVENT_WAITING && talk->n_waiting++ == 0 && talk->act && !talk->act_at)
		talk->act(talk->act_ctx);
	return STATUS_OK;
}

enum status talk_open(struct talk *talk, const char *model, const char *server, const char *chat_template)
{
	static const struct backend_ops *const others[] = {&remote_backend, NULL};
	struct engine_params params = {.n_predict = -1, .kv_cache = true};
	char path[] = "/tmp/sotto-llama-server-XXXXXX", text[256], name[256];
	enum status status;

	*talk = (struct talk){
		.host = {.ctx = talk, .others = others, .cancelled = is_cancelled, .params = give_params, .event = take_event,
		         .wants_answer = wants_answer},
		.params = sampler_params_default(), .text = {.max = LIMIT_MESSAGE}, .reasoning = {.max = LIMIT_MESSAGE}};
	talk->params.temp = 0;
	option_set_defaults(engine_options, engine_n_options, &params);
	snprintf(name, sizeof name, "%s%s%s", server ? "server:box" : model, server && *model ? "/" : "", server ? model : "");
	params.model = name;
	params.chat_template = chat_template ? (char *)(size_t)chat_template : NULL;
	params.kv_type_k = params.kv_type_v = KV_F32;
	params.n_threads = 1;
	if (server) {
		close(mkstemp(path));
		snprintf(text, sizeof text, "box:\n  url: %s\n  dialect: llama-server\n", server);
		write_text(path, text);
		params.servers = path;
		params.chat_template = NULL;
	}
	status = backend_open(&talk->backend, &params, &talk->host, &talk->info, &talk->err);
	if (server)
		unlink(path);
	return status;
}

void talk_close(struct talk *talk)
{
	backend_close(talk->backend);
	buf_free(&talk->text);
	buf_free(&talk->reasoning);
	token_list_free(&talk->ids);
	free(talk->inspection.tokens);
	free(talk->inspection.text);
	free(talk->inspection.request);
}

enum status talk_run(struct talk *talk, const struct turn *turn)
{
	talk->cancelled = false;
	talk->n_tokens = talk->n_waiting = talk->n_learnt = 0;
	talk->ids.n = 0;
	buf_clear(&talk->text);
	buf_clear(&talk->reasoning);
	talk->result = (struct backend_result){.reason = DONE_END};
	return backend_run(talk->backend, turn, BACKEND_REPLY, &talk->host, &talk->result, &talk->err);
}

enum status talk_inspect(struct talk *talk, const struct turn *turn, enum inspect_purpose purpose)
{
	free(talk->inspection.tokens);
	free(talk->inspection.text);
	free(talk->inspection.request);
	talk->inspection = (struct inspection){.purpose = purpose, .messages = talk->counts};
	return backend_inspect(talk->backend, turn, &talk->host, &talk->inspection, &talk->err);
}
