#include "cli/evaluate_input.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/server_path.h"
#include "catalog/describe.h"
#include "chat/path.h"
#include "chat/turn.h"
#include "cli/input.h"
#include "cli/print.h"
#include "dialog/dialog.h"
#include "dialog/model.h"
#include "dialog/open.h"
#include "encode/chat_template.h"
#include "encode/encode.h"
#include "tokenizer/tokenizer.h"

static int refuse_server(const struct engine_params *params)
{
	return cli_fail_with(STATUS_USAGE, "%s: a server shows nothing of what passes through a model; "
	                     "give a file of the same model with -m", params->model);
}

/* The model; then its vocabulary, which ids alone do not need. */
static int open_model(struct evaluation *e, const struct cli_setup *setup, bool needs_vocabulary)
{
	struct error err;
	int rc = evaluation_open_model(e, &setup->engine);

	if (!rc && tokenizer_open(&e->tokenizer, model_gguf(e->model), &err) && needs_vocabulary)
		rc = cli_fail_model(&err);
	return rc;
}

static enum status take_ids(struct evaluation *e, struct token_list *ids, struct error *err)
{
	if (!ids->n)
		return error_set(err, STATUS_USAGE, "there is nothing to evaluate: the text has no tokens");
	e->ids = ids->ids;
	e->n_ids = ids->n;
	*ids = (struct token_list){.n = 0};
	return STATUS_OK;
}

/* ---- a text ---- */

static enum status encode_text(struct evaluation *e, const struct evaluate_input *input, struct error *err)
{
	struct buf text = {.max = LIMIT_TOKENIZE_INPUT};
	struct token_list ids = {0};
	enum status status = STATUS_OK;

	if (input->file)
		status = input_is_stdin(input->file) ? input_read_stdin(&text, err) : input_read_file(input->file, &text, err);
	else if (buf_puts(&text, input->text))
		status = error_set(err, STATUS_USAGE, "the text is too long");
	if (!status)
		status = tokenizer_encode(e->tokenizer, buf_text(&text), text.len, ENCODE_BOS, &ids, err);
	if (!status)
		status = take_ids(e, &ids, err);
	token_list_free(&ids);
	buf_free(&text);
	return status;
}

/* ---- a chat ---- */

static enum status encode_chat(struct evaluation *e, struct dialog *dialog, struct error *err)
{
	const struct chat_turn_source source = dialog_turn_source(dialog);
	struct chat_template *tmpl = NULL;
	struct chat_turn turn = {.messages = NULL};
	struct encoded encoded = {.n_dropped = 0};
	enum status status = chat_template_open(&tmpl, dialog->config.engine->chat_template, model_gguf(e->model),
	                                        e->tokenizer, err);

	if (!status)
		status = chat_turn_build(&turn, &source, err);
	if (!status)
		status = encode_for_context(&encoded, e->tokenizer, tmpl, &turn.turn, session_n_ctx(e->session), err);
	if (!status && describe_is_guide(model_gguf(e->model)))
		cli_note("the help that the guide looks up for each question is not a part of the chat, and is left out");
	if (!status && encoded.n_dropped)
		cli_note("%u messages were left out, as they do not fit in the context of %zu tokens",
		         (unsigned)encoded.n_dropped, session_n_ctx(e->session));
	if (!status)
		status = take_ids(e, &encoded.ids, err);
	encoded_free(&encoded);
	chat_turn_free(&turn);
	chat_template_close(tmpl);
	return status;
}

static enum status hold_chat(struct dialog *dialog, const char *name, struct error *err)
{
	struct opened chat;
	const struct node *system;
	const char *missing;
	struct error why;
	enum status status = dialog_open_read(name, &chat, err);

	if (status == STATUS_NOTFOUND || status == STATUS_FORMAT)
		return err->status = STATUS_USAGE; /* no chat, rather than no model */
	if (status)
		return status;
	if (chat.n_damaged)
		cli_note("parts of the chat's file are damaged and could not be read");
	dialog_hold(dialog, &chat);
	system = path_system(dialog->tree);
	if (system && system->origin) /* its options count, too */
		dialog_template_restore(dialog);
	if (!dialog_choose_chat_model(dialog, &missing, &why) && missing)
		cli_note("the model of this chat, %s, is not there: %s", missing, why.text);
	return STATUS_OK;
}

static int open_chat(struct evaluation *e, struct cli_setup *setup, const char *name)
{
	const struct dialog_config config = {.settings = setup->settings, .sampler = &setup->sampler,
	                                     .engine = &setup->engine, .prompt_dir = setup->ui.prompt_dir};
	struct dialog dialog;
	struct error err;
	int rc = 0;

	dialog_init(&dialog, &config);
	if (hold_chat(&dialog, name, &err))
		rc = cli_fail(&err);
	else if (server_path_is(setup->engine.model))
		rc = refuse_server(&setup->engine);
	if (!rc)
		rc = open_model(e, setup, true);
	if (!rc && encode_chat(e, &dialog, &err))
		rc = cli_fail(&err);
	dialog_deinit(&dialog);
	return rc;
}

int evaluation_open_without(struct evaluation *e, const struct cli_setup *setup)
{
	return server_path_is(setup->engine.model) ? refuse_server(&setup->engine) : open_model(e, setup, false);
}

int evaluation_open_input(struct evaluation *e, struct cli_setup *setup, const struct evaluate_input *input)
{
	int n = !!input->ids + !!input->text + !!input->file + !!input->chat;
	struct error err;
	int rc;

	if (n != 1)
		return cli_fail_with(STATUS_USAGE, n ? "give one of these alone: -p TEXT, -f FILE, --ids IDS, a chat"
		                                     : "there is nothing to evaluate: give -p TEXT, --ids IDS or a chat");
	if (input->chat)
		return open_chat(e, setup, input->chat);
	if (server_path_is(setup->engine.model))
		return refuse_server(&setup->engine);
	if (input->ids && evaluation_read_ids(e, input->ids, &err))
		return cli_fail(&err);
	rc = open_model(e, setup, !input->ids);
	if (!rc && !input->ids && encode_text(e, input, &err))
		rc = cli_fail(&err);
	return rc;
}
