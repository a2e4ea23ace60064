/* What `sotto trace` evaluates: a text, token ids, or a saved chat as the model sees it. */
#include <stdlib.h>

#include "base/server_path.h"
#include "catalog/describe.h"
#include "chat/path.h"
#include "chat/turn.h"
#include "cli/print.h"
#include "cli/trace_views.h"
#include "dialog/dialog.h"
#include "dialog/model.h"
#include "encode/chat_template.h"
#include "encode/encode.h"

/* The model; then its vocabulary, which ids alone do not need. */
static int open_model(struct evaluation *e, const struct cli_setup *setup, bool needs_vocabulary)
{
	struct error err;
	int rc = evaluation_open(e, &setup->engine);

	if (!rc && tokenizer_open(&e->tokenizer, model_gguf(e->model), &err) && needs_vocabulary)
		rc = cli_fail_model(&err);
	return rc;
}

/* ---- a chat ---- */

static enum status take_turn(struct evaluation *e, const struct chat_template *tmpl, const struct turn *turn,
                               struct error *err)
{
	size_t n_ctx = session_n_ctx(e->session);
	struct encoded encoded = {.n_dropped = 0};
	enum status status = encode_for_context(&encoded, e->tokenizer, tmpl, turn, n_ctx, err);

	if (!status && token_list_append(&e->ids, encoded.ids.ids, encoded.ids.n))
		status = error_no_memory(err, "for the chat");
	if (!status && !e->ids.n)
		status = error_set(err, STATUS_USAGE, "there is nothing to evaluate: the chat has no tokens");
	if (!status && describe_is_guide(model_gguf(e->model)))
		cli_note("the help that the guide looks up for each question is not a part of the chat, and is left out");
	if (!status && encoded.n_dropped)
		cli_note("%u messages were left out, as they do not fit in the context of %zu tokens",
		         (unsigned)encoded.n_dropped, n_ctx);
	encoded_free(&encoded);
	return status;
}

static enum status encode_chat(struct evaluation *e, struct dialog *dialog, struct error *err)
{
	const struct chat_turn_source source = dialog_turn_source(dialog);
	struct chat_template *tmpl = NULL;
	struct chat_turn turn = {.messages = NULL};
	enum status status = chat_template_open(&tmpl, dialog->config.engine->chat_template, model_gguf(e->model),
	                                        e->tokenizer, err);

	if (!status)
		status = chat_turn_build(&turn, &source, err);
	if (!status)
		status = take_turn(e, tmpl, &turn.turn, err);
	chat_turn_free(&turn);
	chat_template_close(tmpl);
	return status;
}

static enum status hold_chat(struct dialog *dialog, const char *name, struct error *err)
{
	const struct node *system;
	const char *missing;
	struct error why;
	enum status status = text_input_hold_chat(dialog, name, err);

	if (status)
		return status;
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
	int rc;

	dialog_init(&dialog, &config);
	if (hold_chat(&dialog, name, &err))
		rc = cli_fail(&err);
	else if (server_path_is(setup->engine.model))
		rc = cli_fail_with(STATUS_USAGE, "%s: a server shows nothing of what passes through a model; give a file of the "
		                   "same model with -m", setup->engine.model);
	else
		rc = open_model(e, setup, true);
	if (!rc && encode_chat(e, &dialog, &err))
		rc = cli_fail(&err);
	dialog_deinit(&dialog);
	return rc;
}

int trace_open(struct evaluation *e, struct cli_setup *setup, const struct text_input *input, bool needs_tokens)
{
	bool is_given = text_input_is_given(input);
	struct error err;
	int rc;

	if (setup->n_words > 1)
		return cli_fail_with(STATUS_USAGE, "one chat at most is traced; a text is given with -p");
	if ((needs_tokens || is_given) && text_input_check(input, (size_t)setup->n_words, &err))
		return cli_fail(&err);
	if (setup->n_words)
		return open_chat(e, setup, setup->words[0]);
	if (input->ids && text_input_ids(input->ids, &e->ids, &err))
		return cli_fail(&err);
	rc = open_model(e, setup, is_given && !input->ids);
	if (!rc && is_given && !input->ids && text_input_encode(input, e->tokenizer, &e->ids, &err))
		rc = cli_fail(&err);
	return rc;
}
