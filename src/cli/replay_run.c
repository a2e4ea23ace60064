#include "cli/backends.h"
#include "cli/replay_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "cli/stop.h"
#include "dialog/recorded.h"
#include "engine/options.h"
#include "guide/guide.h"
#include "kernels/isa.h"

void replay_init(struct replay *replay, const struct cli_setup *setup)
{
	*replay = (struct replay){.setup = setup, .waits = status_line_begin()};
	dialog_init(&replay->dialog, &(struct dialog_config){.settings = setup->settings, .sampler = &setup->sampler,
	                                                     .engine = &replay->params});
}

void replay_deinit(struct replay *replay)
{
	backend_close(replay->backend);
	engine_params_free(&replay->params);
	dialog_deinit(&replay->dialog);
}

/* ---- the host ---- */

struct listener {
	struct status_line *waits;
	const struct reply_run *run; /* NULL, and all else: a model is being opened */
	const int32_t *ids; /* as recorded */
	size_t n, n_told;
	bool is_cut;        /* it did not end by itself: stop where the record does */
	bool is_over;       /* enough is known */
	uint32_t n_sampled; /* tokens asked for so far */
	struct replay_result *result;
};

/* The last token has been sampled and told by the time that this is asked again: what the engine
 * still holds back comes when it is stopped. */
static bool replay_cancelled(void *ctx)
{
	const struct listener *l = ctx;

	return stop_signal() || l->is_over ||
	       (l->run && !l->result->by_text && l->is_cut && l->n_sampled >= l->n);
}

static void replay_params(void *ctx, uint32_t n, struct sampler_params *out)
{
	struct listener *l = ctx;

	*out = run_params_at(l->run, n);
	if (l->n_sampled || l->result->begin.n_prompt) /* not the question before the reply begins */
		l->n_sampled = n + 1;
}

static void compare_token(struct listener *l, const struct token *token)
{
	size_t at = l->n_told;

	if (token->rest)
		return;
	l->n_told++;
	if (l->is_over || (at >= l->n && l->is_cut))
		return;
	if (at < l->n && l->ids[at] == token->id)
		return;
	l->result->at = at;
	l->result->token = token->id;
	l->result->recorded = at < l->n ? l->ids[at] : -1;
	l->is_over = true;
}

/* What a cut reply has is all that is wanted of it. */
static void compare_text(struct listener *l, const struct token *token)
{
	struct replay_text *text = &l->result->text;

	if (!replay_text_take(text, token) ||
	    (l->is_cut && text->thinks.len + text->says.len >= text->thought.len + text->said.len))
		l->is_over = true;
}

/* A server is not asked anything else than before. */
static void compare_sent(struct listener *l, const char *sent)
{
	if (l->run && l->run->sent && strcmp(l->run->sent, sent) != 0 && !l->result->sent) {
		l->result->sent = alloc_strndup(sent, strlen(sent));
		l->is_over = true;
	}
}

static enum status replay_event(void *ctx, const struct event *event, struct error *err)
{
	struct listener *l = ctx;

	(void)err;
	status_line_clear(l->waits);
	switch (event->kind) {
	case EVENT_WAITING: status_line_show(l->waits, event->u.waiting.text); break;
	case EVENT_SENT: compare_sent(l, event->u.sent); break;
	case EVENT_BEGIN: l->result->begin = event->u.begin; break;
	case EVENT_TOKEN:
		if (l->result->by_text)
			compare_text(l, &event->u.token);
		else
			compare_token(l, &event->u.token);
		break;
	default: break;
	}
	return STATUS_OK;
}

/* ---- opening ---- */

static int kv_type_of(const char *name, size_t len)
{
	for (int i = 0; engine_kv_types[i]; i++)
		if (strlen(engine_kv_types[i]) == len && strncmp(engine_kv_types[i], name, len) == 0)
			return i;
	return KV_F16;
}

static bool replace(char **field, const char *text)
{
	char *copy = text && text[0] ? alloc_strndup(text, strlen(text)) : NULL;

	if (!copy && text && text[0])
		return false;
	free(*field);
	*field = copy;
	return true;
}

static bool is_usable(const char *isa)
{
	const struct isa *found;

	return isa[0] && isa_find(&found, isa, NULL) == STATUS_OK;
}

static bool is_flag(const void *settings, const char *name)
{
	return settings_is_from(settings, name, ORIGIN_FLAG);
}

/* As the record says, where the command line does not say otherwise. */
static enum status params_of(const struct replay *replay, const struct reply_run *run,
                             const char *path, struct engine_params *out, struct error *err)
{
	const struct settings *settings = replay->setup->settings;
	size_t first = strcspn(run->model.cache, " ");
	enum status status = engine_params_copy(out, &replay->setup->engine, err);

	if (status)
		return status;
	out->n_ctx = (int32_t)run->model.n_ctx;
	out->kv_type_k = kv_type_of(run->model.cache, first);
	out->kv_type_v = kv_type_of(run->model.cache + first + (run->model.cache[first] == ' '),
	                            strlen(run->model.cache + first + (run->model.cache[first] == ' ')));
	out->n_predict = run->n_predict;
	out->context_policy = (int)run->policy;
	out->reasoning = (int)run->wish.mode;
	out->effort = (int)run->wish.effort;
	status = engine_params_take_recorded(out, run->options, is_flag, settings, err);
	if (!status && replace(&out->model, path) && replace(&out->samplers, run->samplers) &&
	    replace(&out->logit_bias, run->logit_bias) &&
	    replace(&out->dry_breakers, run->dry_breakers) &&
	    replace(&out->stop, NULL) && /* they are with the run's other ones */
	    (is_flag(settings, "chat-template-kwargs") || replace(&out->template_kwargs, run->template_kwargs)) &&
	    (is_flag(settings, "isa") || !is_usable(run->model.isa) || replace(&out->isa, run->model.isa)))
		return STATUS_OK;
	engine_params_free(out);
	return status ? status : error_no_memory(err, NULL);
}

static bool same_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") == 0;
}

static bool same_model(const struct engine_params *a, const struct engine_params *b)
{
	char of_a[MODEL_OPTIONS_MAX], of_b[MODEL_OPTIONS_MAX];

	return same_text(engine_params_recorded(a, of_a, sizeof of_a), engine_params_recorded(b, of_b, sizeof of_b)) &&
	       same_text(a->model, b->model) && same_text(a->isa, b->isa) && a->n_ctx == b->n_ctx &&
	       a->kv_type_k == b->kv_type_k && a->kv_type_v == b->kv_type_v;
}

/* Takes the parameters. */
static enum status open_model(struct replay *replay, struct engine_params *params, struct error *err)
{
	struct listener listener = {.waits = &replay->waits};
	const struct backend_host host = {.ctx = &listener, .cancelled = replay_cancelled, .event = replay_event,
	                                  .decorate = guide_decorate, .others = cli_backends};
	bool is_open = replay->backend && same_model(&replay->params, params);
	enum status status = STATUS_OK;

	if (!is_open) {
		backend_close(replay->backend);
		replay->backend = NULL;
		replay->info = (struct model_info){.n_ctx = 0};
		status = backend_open(&replay->backend, params, &host, &replay->info, err);
		status_line_clear(&replay->waits);
	}
	engine_params_free(&replay->params);
	replay->params = *params;
	return status;
}

/* ---- running ---- */

static bool ended_by_itself(const struct reply_run *run)
{
	return strcmp(run->ended, done_reason_name(DONE_END)) == 0 ||
	       strcmp(run->ended, done_reason_name(DONE_STOP)) == 0;
}

static void judge_ids(const struct listener *l)
{
	struct replay_result *result = l->result;

	if (!l->is_over && l->n_told < l->n) { /* it ended too early */
		result->at = l->n_told;
		result->recorded = l->ids[l->n_told];
	} else if (!l->is_over) {
		result->same = l->is_cut || strcmp(l->run->ended, done_reason_name(result->reason)) == 0;
	}
}

static void judge_text(const struct listener *l)
{
	struct replay_result *result = l->result;
	bool has_all;

	result->at = replay_text_same(&result->text);
	has_all = result->at == l->n && (l->is_cut || !replay_text_goes_on(&result->text));
	result->same = !result->sent && has_all &&
	               (l->is_cut || strcmp(l->run->ended, done_reason_name(result->reason)) == 0);
}

/* A server's failure that ended the recorded reply, too, or that came when enough was known. */
static bool is_known_failure(const struct listener *l)
{
	return l->result->by_text && (l->is_over || strcmp(l->run->ended, done_reason_name(DONE_ERROR)) == 0);
}

enum status replay_run(struct replay *replay, const char *path, struct node *node, size_t index,
                       size_t n, struct replay_result *result, struct error *err)
{
	const struct reply_run *run = &node->runs[index];
	struct listener listener = {.waits = &replay->waits, .run = run, .n = n,
	                            .ids = node->n_ids ? node->ids + run->from_id : NULL,
	                            .is_cut = !ended_by_itself(run), .result = result};
	const struct backend_host host = {.ctx = &listener, .cancelled = replay_cancelled,
	                                  .params = replay_params, .event = replay_event};
	struct backend_result done = {.reason = DONE_ERROR};
	struct engine_params params;
	struct chat_turn turn;
	enum status status;

	*result = (struct replay_result){.at = n, .token = -1, .recorded = -1, .by_text = replay_is_by_text(node, run)};
	if (!run->has_begun)
		return error_set(err, STATUS_FORMAT, "reply %" PRIu32 ": how it was made cannot be read",
		                 node->id);
	status = params_of(replay, run, path, &params, err);
	if (!status)
		status = open_model(replay, &params, err);
	if (status)
		return status;
	replay_text_of(node, index, &result->text);
	result->info = replay->info;
	result->template_kwargs = replay->params.template_kwargs;
	status = dialog_build_recorded_turn(&replay->dialog, node, index, &turn, err);
	if (!status)
		status = backend_run(replay->backend, &turn.turn, BACKEND_REPLY, &host, &done, err);
	status_line_clear(&replay->waits);
	chat_turn_free(&turn);
	result->reason = done.reason;
	if (status && is_known_failure(&listener))
		status = STATUS_OK;
	if (!status && stop_signal())
		status = error_set(err, STATUS_CANCELLED, "stopped");
	if (status)
		return status;
	if (result->by_text)
		judge_text(&listener);
	else
		judge_ids(&listener);
	return STATUS_OK;
}

void replay_result_free(struct replay_result *result)
{
	replay_text_free(&result->text);
	free(result->sent);
}

/* ---- what came of it ---- */

static void tell_difference(struct buf *out, const char *what, const char *then, const char *now)
{
	if (strcmp(then, now) != 0)
		buf_printf(out, "    %s: it was %s, here it is %s\n", what, then[0] ? then : "not recorded", now);
}

static void describe_text(const struct replay_result *result, const struct reply_run *run, size_t n, struct buf *out)
{
	const char *s = n == 1 ? "" : "s";

	if (result->sent)
		buf_printf(out, ": not compared, as something else would be sent: it was %s, here it is %s\n", run->sent,
		           result->sent);
	else if (result->same)
		buf_printf(out, ": %zu byte%s, the same\n", n, s);
	else if (result->at < n) {
		buf_printf(out, ": it differs after %zu of %zu byte%s: ", result->at, n, s);
		replay_text_put_difference(&result->text, out);
		buf_putc(out, '\n');
	} else if (replay_text_goes_on(&result->text))
		buf_printf(out, ": here it continues after its %zu byte%s\n", n, s);
	else
		buf_printf(out, ": %zu byte%s, the same, but it ended with \"%s\", here with \"%s\"\n", n, s, run->ended,
		           done_reason_name(result->reason));
}

static void describe_ids(const struct replay_result *result, const struct reply_run *run, size_t n, struct buf *out)
{
	const char *s = n == 1 ? "" : "s";

	if (result->same)
		buf_printf(out, ": %zu token%s, the same\n", n, s);
	else if (result->at == n && result->recorded < 0 && result->token < 0)
		buf_printf(out, ": %zu token%s, the same, but it ended with \"%s\", here with \"%s\"\n", n,
		           s, run->ended, done_reason_name(result->reason));
	else if (result->recorded < 0)
		buf_printf(out, ": here it continues after its %zu token%s, with %" PRId32 "\n", n, s,
		           result->token);
	else if (result->token < 0)
		buf_printf(out, ": here it ends after %zu of %zu token%s\n", result->at, n, s);
	else
		buf_printf(out, ": token %zu of %zu differs, %" PRId32 " instead of %" PRId32 "\n",
		           result->at + 1, n, result->token, result->recorded);
}

void replay_describe(const struct replay_result *result, const struct reply_run *run, size_t n,
                     struct buf *out)
{
	const struct model_identity *then = &run->model, *now = &result->info.identity;
	const char *now_options = result->info.options;

	(result->by_text ? describe_text : describe_ids)(result, run, n, out);
	if (result->sent)
		return;
	if (strcmp(then->file, now->file) != 0)
		buf_puts(out, run_is_remote(run) ? "    it was made by another server or model\n"
		                                 : "    it was made with another model file\n");
	if (strcmp(then->tmpl, now->tmpl) != 0)
		buf_puts(out, "    it was made with another chat template\n");
	if (!run_is_remote(run)) {
		tell_difference(out, "instruction set", then->isa, now->isa);
		tell_difference(out, "cache", then->cache, now->cache);
	}
	if (run->options || strcmp(now_options, "none") != 0)
		tell_difference(out, "options of the model", run->options ? run->options : "", now_options);
	tell_difference(out, "chat-template-kwargs", run->template_kwargs ? run->template_kwargs : "none",
	                result->template_kwargs ? result->template_kwargs : "none");
	tell_difference(out, "program", run->program, PACKAGE_STRING);
	if (then->n_ctx != now->n_ctx)
		buf_printf(out, "    context: it was %" PRIu32 " tokens, here it is %" PRIu32 "\n", then->n_ctx,
		           now->n_ctx);
	if (result->begin.prompt_hash != run->begin.prompt_hash)
		buf_printf(out, "    the prompt differs: it had %" PRIu32 " tokens, here %" PRIu32 "%s\n",
		           run->begin.n_prompt, result->begin.n_prompt,
		           run->marks.known ? "" : "; which messages were pinned or dropped is not recorded");
}
