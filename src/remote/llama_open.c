/* What must be known of a llama-server before its first reply: GET /props says the context of a slot and the chat
 * template, and whether the key is right, which /v1/models does not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/json_walk.h"
#include "base/limits.h"
#include "remote/call.h"
#include "remote/fields.h"
#include "remote/list_items.h"
#include "remote/llama_server.h"
#include "remote/raw.h"

/* Of /props. */
struct props {
	char role[16], bos[128], eos[128], file[256];
	uint32_t n_ctx, n_slots;
	bool is_sleeping, vision, audio;
	struct buf tmpl;
};

#define AT(pattern, kind, field) {pattern, JSON_PLACE_##kind, offsetof(struct props, field), sizeof ((struct props *)0)->field}
static const struct json_place props_places[] = {
	AT("role", TEXT, role),
	AT("model_path", TEXT, file),
	AT("bos_token", TEXT, bos),
	AT("eos_token", TEXT, eos),
	AT("default_generation_settings.n_ctx", U32, n_ctx),
	AT("n_ctx", U32, n_ctx), /* older ones */
	AT("total_slots", U32, n_slots),
	AT("is_sleeping", BOOL, is_sleeping),
	AT("modalities.vision", BOOL, vision),
	AT("modalities.audio", BOOL, audio),
	AT("chat_template", BUF, tmpl),
};

struct meta {
	uint32_t n_vocab, n_ctx;
};

static const struct json_place meta_places[] = {
	{"data.0.meta.n_vocab", JSON_PLACE_U32, offsetof(struct meta, n_vocab), 0},
	{"data.0.meta.n_ctx", JSON_PLACE_U32, offsetof(struct meta, n_ctx), 0},
};

static enum status get(struct remote *remote, const char *path, uint64_t ms, struct props *out, int *code,
                       struct error *err)
{
	return remote_call_values(remote, path, NULL, ms, props_places, sizeof props_places / sizeof *props_places, out,
	                          code, err);
}

/* "/props?model=ID", for a router. */
static enum status put_model_path(struct buf *path, const char *model, bool load, struct error *err)
{
	buf_puts(path, "/props?model=");
	for (const unsigned char *c = (const unsigned char *)model; *c; c++)
		if ((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') || *c == '-' ||
		    *c == '_' || *c == '.')
			buf_putc(path, (char)*c);
		else
			buf_printf(path, "%%%02X", *c);
	if (!load)
		buf_puts(path, "&autoload=false");
	return buf_status(path) ? error_no_memory(err, NULL) : STATUS_OK;
}

/* *known false: the server would have to load the model to say it. `load`: it may. */
static enum status get_props(struct llama_server *llama, struct props *props, bool load, bool *known,
                             struct error *err)
{
	struct remote *remote = llama->remote;
	struct buf path = {.max = 4096};
	int code;
	enum status status = get(remote, "/props", REMOTE_CALL_MS, props, &code, err);

	*known = true;
	if (status && code == 404) { /* a llamafile, or an old one */
		*known = llama->has_props = false;
		return STATUS_OK;
	}
	llama->has_props = true;
	llama->is_router = !status && strcmp(props->role, "router") == 0;
	if (!status && llama->is_router) {
		status = put_model_path(&path, remote->model, load, err);
		if (!status)
			status = get(remote, buf_text(&path), load ? 0 : REMOTE_CALL_MS, props, &code, err);
		if (status && !load && code == 400) { /* "model is not loaded" */
			*known = false;
			status = STATUS_OK;
		}
		buf_free(&path);
	} else if (!status && props->is_sleeping && !load) {
		*known = false;
	}
	return status;
}

/* Another number: another model. */
static uint64_t hash_props(const struct props *props)
{
	uint64_t hash = hash_more(HASH_BEGIN, props->file, strlen(props->file) + 1);

	hash = hash_more(hash, props->bos, strlen(props->bos) + 1);
	hash = hash_more(hash, props->eos, strlen(props->eos) + 1);
	hash = hash_more(hash, &props->n_ctx, sizeof props->n_ctx);
	return hash_more(hash, buf_text(&props->tmpl), props->tmpl.len);
}

/* ---- what follows from it ---- */

static const struct server_model *configured(const struct remote *remote)
{
	return server_find_model(remote->server, remote->model);
}

/* What llama.cpp takes for models that have no template (common/chat.cpp there). */
static const char usual_template[] =
	"{%- for message in messages -%}\n"
	"  {{- '<|im_start|>' + message.role + '\n' + message.content + '<|im_end|>\n' -}}\n"
	"{%- endfor -%}\n"
	"{%- if add_generation_prompt -%}\n"
	"  {{- '<|im_start|>assistant\n' -}}\n"
	"{%- endif -%}";

/* Whether the model has none: it gets the one that a file without a template gets here. */
static bool is_usual(const struct llama_server *llama, const struct buf *tmpl)
{
	static const char name[] = "<|im_start|>";

	return tmpl->len == strlen(usual_template) && memcmp(tmpl->data, usual_template, tmpl->len) == 0 &&
	       tokenizer_find(llama->tokenizer, name, strlen(name)) == TOKEN_NONE;
}

static enum status open_template(struct llama_server *llama, const struct props *props, struct error *err)
{
	const struct server_model *model = configured(llama->remote);

	if (model && model->chat_template)
		return chat_template_open(&llama->tmpl, model->chat_template, NULL, llama->tokenizer, err);
	if (!props->tmpl.len || is_usual(llama, &props->tmpl))
		return chat_template_open(&llama->tmpl, NULL, NULL, llama->tokenizer, err);
	return chat_template_open_text(&llama->tmpl, TEMPLATE_OWN, props->tmpl.data, props->tmpl.len, llama->tokenizer,
	                               err);
}

static enum status open_vocabulary(struct llama_server *llama, const struct props *props, struct error *err)
{
	const struct outside_names names = {.bos = llama->bos, .eos = llama->eos, .n_vocab = llama->n_vocab};

	snprintf(llama->bos, sizeof llama->bos, "%s", props->bos);
	snprintf(llama->eos, sizeof llama->eos, "%s", props->eos);
	return tokenizer_open_outside(&llama->tokenizer, &llama_vocabulary, llama, &names, err);
}

static void describe_raw(struct llama_server *llama)
{
	struct remote *remote = llama->remote;
	struct model_info *info = &remote->info;
	const struct chat_template *tmpl = llama->tmpl;

	llama->mode = LLAMA_RAW;
	remote->tokenizer = llama->tokenizer;
	info->capabilities = CAPABILITY_LOGITS | CAPABILITY_BRANCH | CAPABILITY_CONTINUE;
	if (tmpl->knows_reasoning)
		info->capabilities |= CAPABILITY_ANSWER_NOW;
	raw_describe(remote, tmpl);
}

/* Messages are sent, and the server makes the prompt of them. */
static void describe_chat(struct llama_server *llama, const char *why)
{
	struct remote *remote = llama->remote;
	struct model_info *info = &remote->info;

	llama->mode = LLAMA_CHAT;
	remote->tokenizer = NULL;
	remote->tmpl = NULL;
	remote->has_inline_thoughts = !llama->has_props; /* newer ones find them */
	info->capabilities = CAPABILITY_LOGITS | CAPABILITY_BRANCH | CAPABILITY_CONTINUE | CAPABILITY_REASONING |
	                     CAPABILITY_SWITCH | CAPABILITY_EFFORT | CAPABILITY_ANSWER_NOW;
	snprintf(info->template_name, sizeof info->template_name, "server's own");
	model_info_note(info, NOTE_WARNING, "The server makes the prompt itself (%s): a name of a control token that you type becomes one.",
	                why);
}

static void take_context(struct llama_server *llama, uint32_t n_ctx)
{
	struct remote *remote = llama->remote;
	const struct server_model *model = configured(remote);

	n_ctx = list_context_within(n_ctx, model ? model->n_ctx : 0);
	n_ctx = list_context_within(n_ctx, remote->wanted_ctx);
	remote->info.n_ctx = remote->info.identity.n_ctx = n_ctx;
}

static enum status use_props(struct llama_server *llama, const struct props *props, struct error *err)
{
	enum status status;
	bool by_ids;

	take_context(llama, props->n_ctx);
	status = open_vocabulary(llama, props, err);
	by_ids = status != STATUS_UNSUPPORTED && status != STATUS_FORMAT;
	if (!status) {
		status = open_template(llama, props, err);
		by_ids = status != STATUS_FORMAT && status != STATUS_LIMIT;
	}
	if (status && by_ids)
		return status;
	if (status)
		describe_chat(llama, err ? err->text : "its template cannot be used here");
	else
		describe_raw(llama);
	if (props->vision || props->audio)
		model_info_note(&llama->remote->info, NOTE_PLAIN, "The model also takes %s, which sotto does not send.",
		                props->vision && props->audio ? "pictures and sounds" : props->vision ? "pictures" : "sounds");
	return STATUS_OK;
}

/* The size of the vocabulary; that of a router's models it does not say. */
static void get_meta(struct llama_server *llama, struct meta *meta)
{
	if (remote_call_values(llama->remote, "/v1/models", NULL, REMOTE_CALL_MS, meta_places,
	                       sizeof meta_places / sizeof *meta_places, meta, NULL, NULL) == STATUS_OK &&
	    !llama->is_router)
		llama->n_vocab = meta->n_vocab;
}

static enum status find_out(struct llama_server *llama, bool load, struct error *err)
{
	struct props props = {.tmpl = {.max = LIMIT_JINJA_TEMPLATE}};
	struct meta meta = {0};
	bool known;
	enum status status = get_props(llama, &props, load, &known, err);

	llama->remote->info.n_notes = llama->n_notes;
	if (!status && (known || !llama->has_props))
		get_meta(llama, &meta);
	llama->props = hash_props(&props);
	if (!props.n_ctx && !llama->is_router)
		props.n_ctx = meta.n_ctx;
	if (!status && !llama->has_props) {
		take_context(llama, props.n_ctx);
		describe_chat(llama, "it is an older one");
	} else if (!status && known) {
		status = use_props(llama, &props, err);
	} else if (!status) {
		take_context(llama, llama->is_router ? 0 : props.n_ctx);
		llama->mode = LLAMA_ASLEEP;
		llama->remote->info.capabilities = CAPABILITY_LOGITS | CAPABILITY_BRANCH | CAPABILITY_CONTINUE |
		                                   CAPABILITY_REASONING | CAPABILITY_SWITCH | CAPABILITY_EFFORT;
	}
	llama->remote->is_asleep = llama->mode == LLAMA_ASLEEP;
	buf_free(&props.tmpl);
	return status;
}

enum status llama_open(struct remote *remote, struct error *err)
{
	struct llama_server *llama = alloc_array(1, sizeof *llama);
	enum status status;

	if (!llama)
		return error_no_memory(err, NULL);
	llama->remote = remote;
	llama->separator = llama->reply.held = TOKEN_NONE;
	llama->n_notes = remote->info.n_notes;
	remote->own = llama;
	status = find_out(llama, false, err);
	if (status)
		llama_close(remote);
	return status;
}

static void forget_model(struct llama_server *llama)
{
	struct remote *remote = llama->remote;

	llama_reply_free(&llama->reply);
	chat_template_close(llama->tmpl);
	tokenizer_close(llama->tokenizer);
	llama->tmpl = NULL;
	llama->tokenizer = NULL;
	llama->has_separator = false;
	llama->separator = TOKEN_NONE;
	remote->tokenizer = NULL;
	remote->tmpl = NULL;
}

/* A server may have been started anew, with another model, whose tokens are others. Whether it answers at all is
 * told by the request itself, which is waited for as long as it takes. */
static enum status check_model(struct llama_server *llama, bool *changed, struct error *err)
{
	struct props props = {.tmpl = {.max = LIMIT_JINJA_TEMPLATE}};
	bool known, has_props = llama->has_props;
	enum status status = get_props(llama, &props, false, &known, err);

	*changed = !status && known && hash_props(&props) != llama->props;
	llama->has_props = has_props;
	buf_free(&props.tmpl);
	return status == STATUS_CANCELLED ? status : STATUS_OK;
}

enum status llama_wake(struct remote *remote, struct error *err)
{
	struct llama_server *llama = remote->own;
	unsigned before = remote->info.capabilities;
	uint32_t n_ctx = remote->info.n_ctx;
	bool changed = false;
	enum status status = STATUS_OK;

	if (llama->mode == LLAMA_RAW && llama->props && !llama->is_router)
		status = check_model(llama, &changed, err);
	if (status || (llama->mode != LLAMA_ASLEEP && !changed))
		return status;
	if (changed)
		forget_model(llama);
	status = find_out(llama, true, err);
	if (status) {
		llama->mode = LLAMA_ASLEEP;
		return status;
	}
	if (changed)
		model_info_note(&remote->info, NOTE_WARNING, "%s has been started anew, with another model or another context.",
		                remote->server->name);
	remote->has_learnt |= changed || remote->info.capabilities != before || remote->info.n_ctx != n_ctx;
	return STATUS_OK;
}

void llama_close(struct remote *remote)
{
	struct llama_server *llama = remote->own;

	if (!llama)
		return;
	forget_model(llama);
	free(llama);
	remote->own = NULL;
}
