#include "cli/backends.h"
#include "cli/reply.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/sanitize.h"
#include "base/sys.h"
#include "catalog/catalog.h"
#include "cli/conversation.h"
#include "cli/print.h"
#include "cli/status_line.h"
#include "cli/stop.h"
#include "dialog/events.h"
#include "dialog/leaf.h"
#include "dialog/model.h"
#include "engine/backend.h"
#include "guide/guide.h"
#include "sampler/rng.h"

struct reply {
	struct conversation *conversation;
	struct cli_setup *setup;
	struct model_info info;   /* of the model, as it is known now */
	struct status_line waits; /* what a server is waited for */
	struct chat_turn turn; /* what is sent */
	bool terminal; /* stdout is a terminal, which only gets sanitised text */
	struct sanitize_stream sanitizer;
	struct buf out; /* of one token */
	bool told_dropped;
	bool ends_line; /* the last byte written was a newline, or none was */
	/* What the model thinks, on stderr. */
	bool show_reasoning, reasoning_open; /* open: its last line has not ended */
	bool reasoned, answered;
	struct buf reasoning;
	struct sanitize_stream reasoning_sanitizer;
	struct reply_json json;
};

/* The error goes to stderr, and as JSON to stdout if that is wanted; returns `code`. */
static int fail(const struct reply *reply, const struct error *err, int code)
{
	return reply_json_fail(reply->json.mode, err, code);
}

static bool reply_cancelled(void *ctx)
{
	(void)ctx;
	return stop_signal() != 0;
}

static void reply_params(void *ctx, uint32_t n, struct sampler_params *out)
{
	(void)n;
	*out = *((const struct reply *)ctx)->conversation->dialog.config.sampler;
}

/* Says once that messages were left out. */
static void tell_dropped(struct reply *reply, uint32_t n_dropped)
{
	if (!n_dropped || reply->told_dropped)
		return;
	reply->told_dropped = true;
	cli_note("the context is full: %s%u message%s %s left out",
	         reply->turn.turn.policy == CONTEXT_ENDS ? "" : "the oldest ", n_dropped,
	         n_dropped == 1 ? "" : "s", n_dropped == 1 ? "is" : "are");
}

/* --show-reasoning has shown it already. */
static void tell_aside(const struct reply *reply, const char *recipient, const char *text)
{
	if (reply->show_reasoning)
		return;
	if (recipient[0])
		cli_note("the model calls a tool, but sotto has no tools: %s %s", recipient, text);
	else
		cli_note("besides its answer the model says: %s", text);
}

/* Writes and empties reply->out. */
static enum status write_out(struct reply *reply, struct error *err)
{
	const char *text = buf_text(&reply->out);
	enum status status = STATUS_OK;
	size_t n = reply->out.len, done = 0;

	if (buf_status(&reply->out))
		return error_set(err, buf_status(&reply->out), "not enough memory for the reply");
	if (n)
		reply->ends_line = text[n - 1] == '\n';
	while (!status && done < n) {
		ssize_t written = write(STDOUT_FILENO, text + done, n - done);

		if (written >= 0)
			done += (size_t)written;
		else if (errno != EINTR)
			status = error_errno(err, errno, "cannot write to standard output");
		else if (stop_signal())
			status = error_set(err, STATUS_CANCELLED, "stopped");
	}
	buf_remove(&reply->out, 0, done); /* the rest goes before what ends JSON */
	return status;
}

static enum status show_reasoning(struct reply *reply, const struct token *token,
                                  struct error *err)
{
	if (!reply->show_reasoning || !token->len)
		return STATUS_OK;
	sanitize_stream_push(&reply->reasoning_sanitizer, token->bytes, token->len,
	                     &reply->reasoning);
	if (buf_status(&reply->reasoning))
		return error_set(err, buf_status(&reply->reasoning), "not enough memory for the reply");
	fputs(buf_text(&reply->reasoning), stderr);
	buf_clear(&reply->reasoning);
	reply->reasoning_open = true;
	return STATUS_OK;
}

static void end_reasoning(struct reply *reply)
{
	if (!reply->reasoning_open)
		return;
	sanitize_stream_flush(&reply->reasoning_sanitizer, &reply->reasoning);
	fprintf(stderr, "%s\n", buf_text(&reply->reasoning));
	buf_clear(&reply->reasoning);
	reply->reasoning_open = false;
}

/* JSON of foreign text: what a terminal must not see is spelt out. */
static enum status write_json(struct reply *reply, struct error *err)
{
	struct buf safe = {.max = MIB(256)};

	if (reply->terminal && !buf_status(&reply->out)) {
		sanitize_text(&safe, buf_text(&reply->out), reply->out.len);
		buf_free(&reply->out);
		reply->out = safe;
	}
	return write_out(reply, err);
}

/* Prints what the sanitiser held back, and a newline if the text does not end with one. */
static enum status end_line(struct reply *reply, struct error *err)
{
	if (reply->terminal)
		sanitize_stream_flush(&reply->sanitizer, &reply->out);
	if (reply->out.len)
		reply->ends_line = buf_text(&reply->out)[reply->out.len - 1] == '\n';
	if (!reply->ends_line)
		buf_putc(&reply->out, '\n');
	return write_out(reply, err);
}

static enum status json_token(struct reply *reply, const struct token *token, struct error *err)
{
	reply->answered = (reply->answered && !token->recants) || (!token->reasoning && token->len);
	reply_json_token(&reply->json, token, &reply->out);
	return write_json(reply, err);
}

/* What was printed cannot be taken back, but named. */
static enum status tell_recanted(struct reply *reply, struct error *err)
{
	enum status status = end_line(reply, err);

	reply->answered = false;
	if (!status)
		cli_note("the text so far is what the model thought; its answer follows");
	return status;
}

static enum status show_token(struct reply *reply, const struct token *token, struct error *err)
{
	if (reply->json.mode)
		return json_token(reply, token, err);
	if (token->recants && tell_recanted(reply, err))
		return err->status;
	if (token->reasoning)
		return show_reasoning(reply, token, err);
	if (!token->len)
		return STATUS_OK;
	reply->answered = true;
	end_reasoning(reply);
	if (reply->terminal)
		sanitize_stream_push(&reply->sanitizer, token->bytes, token->len, &reply->out);
	else
		buf_append(&reply->out, token->bytes, token->len);
	return write_out(reply, err);
}

/* Not in the middle of a line of the reply, which is on the same terminal. */
static void tell_waiting(struct reply *reply, const char *text)
{
	if ((reply->ends_line || !reply->terminal) && !reply->reasoning_open)
		status_line_show(&reply->waits, text);
}

/* Options of the command line that change nothing with this model, [from, n_idle) of its list. */
static void warn_idle(struct reply *reply, size_t from)
{
	const struct model_info *info = &reply->info;
	char where[256];

	for (size_t i = from; i < info->n_idle; i++) {
		snprintf(where, sizeof where, "on this model: %s", info->idle[i].why);
		cli_warn_unused(reply->setup, info->idle[i].name, where);
	}
}

/* Once it has been asked, more is known of a server's model; the list only grows. */
static void take_learnt(struct reply *reply, const struct model_info *info)
{
	size_t n_known = reply->info.n_idle;

	if (!reply->conversation->dialog.model) /* it is still being opened */
		return;
	reply->info = *info;
	warn_idle(reply, n_known);
}

static enum status reply_event(void *ctx, const struct event *event, struct error *err)
{
	struct reply *reply = ctx;

	if (event->kind != EVENT_WAITING)
		status_line_clear(&reply->waits);
	if (dialog_event(&reply->conversation->dialog, event, sys_now_us(), err) == TURN_IS_LOST)
		return err->status;
	switch (event->kind) {
	case EVENT_PREFILLING: tell_dropped(reply, event->u.prefilling.n_dropped); break;
	case EVENT_WAITING: tell_waiting(reply, event->u.waiting.text); break;
	case EVENT_LEARNT: take_learnt(reply, event->u.model); break;
	case EVENT_NOTE: cli_note("%s", event->u.note); break;
	case EVENT_ASIDE: tell_aside(reply, event->u.aside.recipient, event->u.aside.text); break;
	case EVENT_TOKEN:
		reply->reasoned |= event->u.token.reasoning;
		return show_token(reply, &event->u.token, err);
	default: break;
	}
	return STATUS_OK;
}

/* Ends the text, with a newline unless it is the rest of another text. A character that the end has cut is shown as one that cannot be read. */
static enum status finish_text(struct reply *reply, const struct backend_result *result,
                               struct error *err)
{
	const struct token cut = {.bytes = "\xEF\xBF\xBD", .len = 3, .rest = true,
	                          .reasoning = !reply->answered && reply->reasoned};

	if (result->in_character && show_token(reply, &cut, err))
		return err->status;
	end_reasoning(reply);
	if (reply->json.mode || (reply->conversation->raw && !reply->terminal))
		return STATUS_OK;
	return end_line(reply, err);
}

/* The object that ends JSON. */
static enum status end_json(struct reply *reply, const struct backend_result *result,
                            const struct error *failure, int code, struct error *err)
{
	const struct conversation *c = reply->conversation;
	const struct reply_json_end end = {
		.result = result,
		.model = dialog_is_with_guide(&c->dialog) ? CATALOG_GUIDE : c->dialog.model->name,
		.identity = &c->dialog.model->identity,
		.chat_template = c->raw ? NULL : c->dialog.model->template_name,
		.prompt_template = c->dialog.template.name,
		.chat = c->dialog.journal ? journal_id(c->dialog.journal) : NULL,
		.seed = (uint64_t)c->dialog.config.sampler->seed,
		.n_ctx = c->dialog.model->n_ctx,
		.err = failure,
		.code = code,
	};

	reply_json_end(&reply->json, &end, &reply->out);
	return write_json(reply, err);
}

static int exit_status(struct reply *reply, enum status status, const struct backend_result *result,
                       const struct error *err)
{
	int code = stop_signal() ? 128 + stop_signal() : status ? cli_fail(err) : 0;
	struct error write_error;

	if (reply->json.mode && end_json(reply, result, code && !stop_signal() ? err : NULL, code, &write_error))
		return code ? code : cli_fail(&write_error);
	if (!code && result->reason == DONE_CONTEXT)
		fputs(reply->info.identity.server[0] ? "sotto: the context is full\n"
		                                     : "sotto: the context is full; -c sets its size\n", stderr);
	if (!code && result->reason == DONE_FILTERED)
		cli_note("the server withheld the rest of the reply");
	return code;
}

/* The turn has ended. A prompt that was refused stays in the chat's file, but the chat continues without it. */
static enum status end_turn(struct dialog *dialog, const struct backend_result *result, const struct error *failure,
                            struct error *err)
{
	const enum status status = failure ? failure->status : STATUS_OK;
	const struct event event = {.kind = EVENT_DONE, .error = failure,
	                            .u.done = {.reason = status ? DONE_ERROR : result->reason, .stats = result->stats}};
	const struct node *prompt = tree_node(dialog->tree, tree_leaf(dialog->tree));

	dialog_event(dialog, &event, sys_now_us(), err);
	if (!dialog->turn.has_reply && (status == STATUS_CONTEXT || status == STATUS_DECLINED))
		dialog_go_to(dialog, prompt->parent);
	if (!dialog->store.is_unsaved)
		return STATUS_OK;
	*err = dialog->store.why;
	return err->status;
}

static int run_turn(struct backend *backend, const struct backend_host *host, struct reply *reply)
{
	struct backend_result result = {.reason = DONE_ERROR};
	struct error err, write_error;
	enum status status = backend_run(backend, &reply->turn.turn, BACKEND_REPLY, host, &result, &err);
	enum status finished;

	status_line_clear(&reply->waits);
	finished = finish_text(reply, &result, &write_error);
	if (!status && finished) {
		status = finished;
		err = write_error;
	}
	if (end_turn(&reply->conversation->dialog, &result, status ? &err : NULL, &write_error) && !status) {
		status = write_error.status;
		err = write_error;
		error_prefix(&err, "the reply could not be saved");
	}
	if (!status && result.reason == DONE_EARLY) /* what there is of it is in the chat */
		status = error_set(&err, STATUS_IO, "%s ended the reply early: it is not complete", reply->info.identity.server);
	if (!status && !stop_signal() && reply->reasoned && !reply->answered)
		cli_note("the model has thought but not answered");
	return exit_status(reply, status, &result, &err);
}

/* An option of the command line that the model's template cannot follow, or its server, if that makes the prompt. */
static void warn_cannot(struct reply *reply, const char *option, const char *what)
{
	const struct model_info *info = &reply->info;
	bool by_server = info->identity.server[0] && !(info->capabilities & CAPABILITY_IDS);
	char where[256];

	if (model_info_idle(info, option))
		return; /* that says why */
	snprintf(where, sizeof where, "on this model: its %s %s", by_server ? "server" : "template", what);
	cli_warn_unused(reply->setup, option, where);
}

static void warn_no_reasoning(struct reply *reply)
{
	const struct engine_params *engine = &reply->setup->engine;
	unsigned can = reply->info.capabilities;

	if (engine->reasoning == REASONING_ON && !(can & CAPABILITY_REASONING))
		warn_cannot(reply, "reasoning", "does not support reasoning");
	else if (engine->reasoning != REASONING_AUTO && can & CAPABILITY_REASONING && !(can & CAPABILITY_SWITCH))
		warn_cannot(reply, "reasoning", "cannot switch reasoning on or off");
	if (engine->effort != EFFORT_AUTO && !(can & CAPABILITY_EFFORT))
		warn_cannot(reply, "effort", "has no such setting");
}

/* Notes and warnings about the model. */
static void tell_notes(struct reply *reply, bool raw)
{
	const struct model_info *info = &reply->info;

	warn_idle(reply, 0);
	if (!raw)
		warn_no_reasoning(reply);
	for (size_t i = 0; i < info->n_notes; i++)
		if (info->notes[i].kind != NOTE_TEMPLATE || !raw)
			cli_note("%s", info->notes[i].text);
}

static int interrupted(const struct reply *reply)
{
	struct error err;

	error_set(&err, STATUS_CANCELLED, "interrupted while the model was being loaded");
	return fail(reply, &err, 128 + stop_signal());
}

static enum status build_turn(struct reply *reply, struct cli_setup *setup, struct error *err)
{
	struct dialog *dialog = &reply->conversation->dialog;
	enum status status;

	/* JSON says which seed makes this reply again. */
	if (reply->json.mode && setup->sampler.seed < 0)
		setup->sampler.seed = (int64_t)(rng_fresh_seed() & UINT32_MAX);
	status = dialog_build_turn(dialog, &reply->turn, err);
	reply->turn.turn.raw = reply->conversation->raw;
	if (!status)
		dialog_turn_runs(dialog, 0, sys_now_ms());
	return status;
}

static int load_and_reply(struct reply *reply, struct cli_setup *setup, const struct buf *prompt,
                          const struct reply_options *options)
{
	const struct backend_host host = {.ctx = reply,
	                                  .others = cli_backends,
	                                  .decorate = guide_decorate_strict,
	                                  .cancelled = reply_cancelled,
	                                  .params = reply_params,
	                                  .event = reply_event,
	                                  .log = setup->log};
	struct backend *backend;
	enum status status;
	struct error err;
	int rc;

	stop_catch_signals();
	status = backend_open(&backend, &setup->engine, &host, &reply->info, &err);
	status_line_clear(&reply->waits);
	if (status)
		return stop_signal() ? interrupted(reply) : fail(reply, &err, cli_fail_model(&err));
	if (conversation_say(reply->conversation, setup, &reply->info, prompt, &options->files, &err) ||
	    build_turn(reply, setup, &err)) {
		rc = fail(reply, &err, cli_fail(&err));
	} else {
		tell_notes(reply, options->raw);
		if (options->show_context && conversation_show_context(reply->conversation, backend, &host,
		                                                       &reply->turn.turn, &err))
			cli_note("%s", err.text);
		rc = run_turn(backend, &host, reply);
	}
	chat_turn_free(&reply->turn);
	backend_close(backend);
	return rc;
}

int reply_print(struct cli_setup *setup, const struct buf *prompt,
                const struct reply_options *options)
{
	struct conversation conversation;
	struct reply reply = {.conversation = &conversation, .setup = setup, .waits = status_line_begin(), .terminal = isatty(STDOUT_FILENO) != 0,
	                      .show_reasoning = options->show_reasoning, .ends_line = true,
	                      .out = {.max = MIB(128)}, .reasoning = {.max = MIB(16)},
	                      .json = {.mode = options->json, .reply = {.max = LIMIT_MESSAGE},
	                               .reasoning = {.max = LIMIT_MESSAGE}}};
	struct error err;
	int rc;

	sanitize_stream_init(&reply.sanitizer);
	sanitize_stream_init(&reply.reasoning_sanitizer);
	/* Errors in the chat or template are found before a model is loaded. */
	rc = conversation_open(&conversation, setup, options->raw, &err)
	             ? fail(&reply, &err, cli_fail_usage(&err))
	             : load_and_reply(&reply, setup, prompt, options);
	conversation_close(&conversation);
	sanitize_stream_deinit(&reply.reasoning_sanitizer);
	sanitize_stream_deinit(&reply.sanitizer);
	buf_free(&reply.json.reasoning);
	buf_free(&reply.json.reply);
	buf_free(&reply.reasoning);
	buf_free(&reply.out);
	return rc;
}
