/* vLLM and SGLang: OpenAI's interface, a tokenizer that can be asked, and prompts that are ids. Facts from their
 * sources: vllm/entrypoints, sglang/srt/entrypoints. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_walk.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/text_file.h"
#include "remote/call.h"
#include "remote/list.h"
#include "remote/raw.h"
#include "remote/vllm.h"

#define ROW(name, in_request)                                                                      \
	{                                                                                          \
		.option = name, .field = in_request                                                \
	}
/* The off of top_k is that of SGLang, and of vLLM before it took 0, which still takes it. */
#define SAMPLING                                                                                   \
	ROW("temp", "temperature"), {.option = "top-k", .field = "top_k", .off = "-1"},            \
		ROW("top-p", "top_p"), ROW("min-p", "min_p"),                                      \
		ROW("repeat-penalty", "repetition_penalty"),                                       \
		ROW("presence-penalty", "presence_penalty"),                                       \
		ROW("frequency-penalty", "frequency_penalty"), ROW("logit-bias", "logit_bias"),    \
		ROW("seed", "seed"), ROW("predict", "max_tokens"), ROW("stop", "stop"),            \
		ROW("usage", "stream_options.include_usage")
#define OF_MESSAGES                                                                                \
	ROW("reasoning", "chat_template_kwargs.enable_thinking"),                                  \
		ROW("effort", "reasoning_effort"),                                                 \
		ROW("chat-template-kwargs", "chat_template_kwargs.*"),                             \
		{.option = "candidates", .field = "logprobs", .max = 20},                          \
		ROW("continue", "continue_final_message")
/* Where the template is rendered here, it is told. */
#define TOLD ROW("reasoning", ""), ROW("effort", ""), ROW("chat-template-kwargs", "")

static const struct remote_field chat_fields[] = {SAMPLING, OF_MESSAGES};
static const struct remote_field raw_fields[] = {SAMPLING, TOLD};
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static int knows_vllm(const struct probe *probe)
{
	return strcmp(probe->owner, "vllm") == 0 ? 2 : 0;
}

static int knows_sglang(const struct probe *probe)
{
	return strcmp(probe->owner, "sglang") == 0 ? 2 : 0;
}

/* ---- the template ---- */

/* What vLLM tells, where it was started with --enable-tokenizer-info-endpoint. */
struct tokenizer_info {
	struct buf tmpl;
	char bos[64], eos[64];
};

static void ask_tokenizer_info(struct remote *remote, struct tokenizer_info *info)
{
	static const struct json_place places[] = {
		{"chat_template", JSON_PLACE_BUF, offsetof(struct tokenizer_info, tmpl), 0},
		{"bos_token", JSON_PLACE_TEXT, offsetof(struct tokenizer_info, bos), 64},
		{"bos_token.content", JSON_PLACE_TEXT, offsetof(struct tokenizer_info, bos), 64},
		{"eos_token", JSON_PLACE_TEXT, offsetof(struct tokenizer_info, eos), 64},
		{"eos_token.content", JSON_PLACE_TEXT, offsetof(struct tokenizer_info, eos), 64},
	};

	if (remote_call_values(remote, "/tokenizer_info", NULL, REMOTE_CALL_MS, places, COUNT(places), info, NULL, NULL))
		buf_clear(&info->tmpl);
}

/* The template's text, which the caller frees: of the file that servers.yaml names, else what the server tells; NULL if
 * neither does. */
static enum status read_template(struct remote *remote, struct vllm *vllm, char **text, size_t *len,
                                 struct error *err)
{
	const struct server_model *said = server_find_model(remote->server, remote->model);
	struct tokenizer_info info = {.tmpl = {.max = LIMIT_JINJA_TEMPLATE}};

	if (remote->dialect == &dialect_vllm)
		ask_tokenizer_info(remote, &info);
	memcpy(vllm->bos, info.bos, sizeof vllm->bos);
	memcpy(vllm->eos, info.eos, sizeof vllm->eos);
	if (said && said->chat_template) {
		buf_free(&info.tmpl);
		return text_file_read(said->chat_template, LIMIT_JINJA_TEMPLATE, text, len, err);
	}
	*text = info.tmpl.len > 0 ? buf_take(&info.tmpl, len) : NULL;
	buf_free(&info.tmpl);
	return STATUS_OK;
}

/* Whether replies keep their marks as text: those of gpt-oss and Mistral are control tokens, which do not come. */
static bool shows_marks(const struct chat_template *tmpl)
{
	return !tmpl->reasoning ||
	       (!tmpl->reasoning->channels && tmpl->reasoning->close[0] == '<' &&
	        tmpl->reasoning->close[1] == '/');
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* `file`: of the template, NULL if the server has told it. */
static enum status try_raw(struct vllm *vllm, const char *file, const char *text, size_t len,
                           struct error *err)
{
	enum status status = vllm_open_vocabulary(vllm, err);

	if (!status)
		status = chat_template_open_text(&vllm->tmpl, file ? last_part(file) : TEMPLATE_OWN,
		                                 text, len, vllm->tokenizer, err);
	if (!status && !shows_marks(vllm->tmpl))
		status = error_set(err, STATUS_UNSUPPORTED,
		                   "its model's marks around thoughts do not come as text");
	return status;
}

static void close_raw(struct vllm *vllm)
{
	chat_template_close(vllm->tmpl);
	tokenizer_close(vllm->tokenizer);
	vllm->tmpl = NULL;
	vllm->tokenizer = NULL;
}

static enum status open_raw(struct remote *remote, struct vllm *vllm, struct error *err)
{
	const struct server_model *said = server_find_model(remote->server, remote->model);
	struct error why;
	char *text = NULL;
	size_t len = 0;
	enum status status = read_template(remote, vllm, &text, &len, err);

	if (!status && text) {
		enum status raw = try_raw(vllm, said ? said->chat_template : NULL, text, len, &why);

		vllm->is_raw = !raw;
		if (raw)
			close_raw(vllm);
		if (raw == STATUS_CANCELLED || raw == STATUS_NOMEM)
			status = error_set(err, raw, "%s", why.text);
		else if (raw)
			model_info_note(&remote->info, NOTE_PLAIN,
			                "The prompt is made by the server, not here: %s", why.text);
	}
	free(text);
	return status;
}

/* ---- opening ---- */

static void describe_chat(struct remote *remote, struct vllm *vllm)
{
	const struct message hello = {.role = ROLE_USER, .text = "a", .len = 1};
	const struct turn turn = {.messages = &hello, .n_messages = 1};
	uint32_t n;

	vllm->counts = vllm_count(remote, &turn, NULL, &n, NULL) == STATUS_OK;
	if (vllm->counts)
		remote->info.capabilities |= CAPABILITY_COUNTS;
	remote->info.capabilities |= CAPABILITY_REASONING | CAPABILITY_SWITCH | CAPABILITY_EFFORT;
	remote->has_inline_thoughts = true; /* without --reasoning-parser */
}

static void describe_raw(struct remote *remote, const struct vllm *vllm)
{
	raw_describe(remote, vllm->tmpl);
	remote->has_inline_thoughts = true; /* the template's marks are looked for in the text */
	remote->fields = raw_fields;
	remote->n_fields = COUNT(raw_fields);
}

static void close_model(struct remote *remote)
{
	struct vllm *vllm = remote->own;

	if (vllm) {
		close_raw(vllm);
		token_list_free(&vllm->prompt);
		vllm_free_kept(vllm);
	}
	free(vllm);
	remote->own = NULL;
	remote->tmpl = NULL;
}

static enum status open_model(struct remote *remote, struct error *err)
{
	struct vllm *vllm = calloc(1, sizeof *vllm);
	enum status status;

	if (!vllm)
		return error_no_memory(err, "for the model");
	close_model(remote);
	vllm->remote = remote;
	remote->own = vllm;
	status = open_raw(remote, vllm, err);
	if (status) {
		close_model(remote);
		return status;
	}
	remote->info.capabilities = CAPABILITY_BRANCH | CAPABILITY_LOGITS | CAPABILITY_CONTINUE;
	if (vllm->is_raw)
		describe_raw(remote, vllm);
	else
		describe_chat(remote, vllm);
	return STATUS_OK;
}

/* ---- reading ---- */

/* "... maximum context length is 4096 tokens. However, you requested 512 output tokens and your prompt contains at
 * least 4000 input tokens": the number of the prompt is not the largest one. */
static void find_prompt(struct chunk *out)
{
	const char *at = strstr(out->error.text, "contains");

	while (at && *at && !isdigit((unsigned char)*at))
		at++;
	if (at && *at)
		out->n_prompt = (uint32_t)strtoul(at, NULL, 10);
}

/* Candidates of /v1/completions: an object of texts, beside the token's own. */
static enum status take_candidate(void *ctx, const char *path, const struct json_item *item,
                                  struct error *err)
{
	static const char where[] = "choices.0.logprobs.top_logprobs.0.";
	struct chunk *out = ctx;
	const char *text = path + strlen(where);
	struct token_candidate *candidate;
	double logprob;

	(void)err;
	if (strcmp(path, "choices.0.logprobs.token_logprobs.0") == 0 && item->kind == JSON_NUMBER &&
	    number_parse_double(item->text, &logprob))
		out->probability = (float)exp(logprob < 0 ? logprob : 0);
	if (strncmp(path, where, strlen(where)) != 0 || item->kind != JSON_NUMBER ||
	    strlen(text) == 0 || out->n_candidates >= TOKEN_CANDIDATES_MAX ||
	    !number_parse_double(item->text, &logprob))
		return STATUS_OK;
	candidate = &out->candidates[out->n_candidates++];
	*candidate = (struct token_candidate){.id = TOKEN_NONE, .logit = (float)(logprob < 0 ? logprob : 0)};
	candidate->probability = expf(candidate->logit);
	candidate->len = (uint8_t)(strlen(text) < sizeof candidate->text ? strlen(text)
	                                                                 : sizeof candidate->text);
	memcpy(candidate->text, text, candidate->len);
	return STATUS_OK;
}

static enum status read_event(struct remote *remote, const char *json, size_t len,
                              struct chunk *out, struct error *err)
{
	const struct vllm *vllm = remote->own;
	enum status status = chunk_read_openai(out, json, len, err);

	if (!status && vllm && vllm->is_raw && out->n_candidates == 0)
		status = json_walk(json, len, take_candidate, out, err);
	if (!status && out->error.status == STATUS_CONTEXT)
		find_prompt(out);
	return status;
}

const struct dialect dialect_vllm = {
	.name = "vllm",
	.title = "vLLM",
	.fields = chat_fields,
	.n_fields = COUNT(chat_fields),
	.knows = knows_vllm,
	.list = remote_list_loaded,
	.open = open_model,
	.close = close_model,
	.write = vllm_write,
	.read = read_event,
	.inspect = vllm_inspect,
};

const struct dialect dialect_sglang = {
	.name = "sglang",
	.title = "SGLang",
	.fields = chat_fields,
	.n_fields = COUNT(chat_fields),
	.knows = knows_sglang,
	.list = remote_list_loaded,
	.open = open_model,
	.close = close_model,
	.write = vllm_write,
	.read = read_event,
	.inspect = vllm_inspect,
};
