#include "cli/conversation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/sanitize.h"
#include "catalog/catalog.h"
#include "chat/ledger.h"
#include "chat/path.h"
#include "cli/print.h"
#include "dialog/model.h"
#include "dialog/open.h"
#include "dialog/outgoing.h"
#include "guide/guide.h"

/* ---- opening ---- */

/* The chat's own model, where the command line names none. */
static void choose_model(const struct dialog *dialog)
{
	const char *missing;
	struct error err;

	if (!dialog_choose_chat_model(dialog, &missing, &err) && missing)
		cli_note("the model of this chat, %s, is not there: %s", missing, err.text);
}

static enum status open_chat(struct dialog *dialog, const char *name, struct error *err)
{
	struct opened chat;
	enum status status = dialog_open_saved(dialog, name, &chat, err);

	if (status)
		return status;
	dialog_hold(dialog, &chat);
	if (!dialog->config.saves) /* read, but not written to */
		dialog_close_journal(dialog);
	if (chat.n_damaged)
		cli_note("parts of the chat's file are damaged and could not be read; nothing was deleted");
	choose_model(dialog);
	return STATUS_OK;
}

/* The template that the chat began with, or switched to last. */
static void restore_template(struct dialog *dialog)
{
	struct fact fact;

	dialog_template_restore(dialog);
	while (dialog_take_fact(dialog, &fact))
		if (fact.kind == FACT_TEMPLATE_LOST)
			cli_note("the prompt template of this chat can no longer be used: %s. Its "
			         "system message stays, its options are ignored", fact.error.text);
}

/* The model that the template is meant for, where nobody names one. */
static enum status prefer_model(const struct prompt_template *tmpl, const struct cli_setup *setup, struct error *err)
{
	if (!tmpl->model || !tmpl->model[0] || !settings_is_from(setup->settings, "model", ORIGIN_DEFAULT))
		return STATUS_OK;
	return settings_assign(setup->settings, "model", tmpl->model, ORIGIN_TEMPLATE, err);
}

static enum status open_template(struct conversation *c, const struct cli_setup *setup,
                                 const char *name, struct error *err)
{
	const char *variables = setup->ui.variables;
	const struct prompt_variable *missing;
	enum status status = prompt_library_open_for(&c->library, setup->ui.prompt_dir, name,
	                                             strlen(name), &c->tmpl, err);

	if (!status && variables)
		status = prompt_parse_values(variables, strlen(variables), &c->values, err);
	if (!status) {
		missing = prompt_template_missing(c->tmpl, &c->values);
		if (missing)
			status = error_set(err, STATUS_USAGE,
			                   "the template '%s' needs a value: -V %s=...%s%s%s",
			                   c->tmpl->name, missing->name,
			                   missing->help[0] ? " (" : "", missing->help,
			                   missing->help[0] ? ")" : "");
	}
	if (!status)
		status = dialog_template_adopt(&c->dialog, c->tmpl, &c->values, err);
	if (!status)
		status = prefer_model(c->tmpl, setup, err);
	if (!status && dialog_template_is(&c->dialog, c->tmpl->name, &c->values))
		c->tmpl = NULL; /* its message is there */
	return status;
}

/* A chat that is continued keeps its template unless the command line names another. */
static enum status choose_template(struct conversation *c, struct cli_setup *setup,
                                   struct error *err)
{
	const char *name = setup->ui.prompt_template, *variables = setup->ui.variables;
	const struct node *system = path_system(c->dialog.tree);
	bool begins = tree_leaf(c->dialog.tree) == 0;

	if (name && name[0] &&
	    (begins || settings_is_from(setup->settings, "template", ORIGIN_FLAG)))
		return open_template(c, setup, name, err);
	if (variables && variables[0])
		return error_set(err, STATUS_USAGE, "-V needs a template: -T NAME");
	if (system && system->origin)
		restore_template(&c->dialog);
	else
		cli_warn_unused(setup, "prompt-dir", "without a template");
	return STATUS_OK;
}

static enum status open_new(struct dialog *dialog, struct error *err)
{
	struct opened chat;
	enum status status = dialog_open_new(dialog, &chat, err);

	if (!status)
		dialog_hold(dialog, &chat);
	return status;
}

enum status conversation_open(struct conversation *c, struct cli_setup *setup, bool raw,
                              struct error *err)
{
	static const char *const unused_if_raw[] = {"system-prompt", "template", "variable", "prompt-dir",
	                                            "chat-template", "chat-template-kwargs", "reasoning", "effort"};
	const bool goes_on = setup->ui.resume_last || (setup->ui.resume && setup->ui.resume[0]);
	/* Summaries are made in the chat, where they can be read and changed. */
	const struct dialog_config config = {
		.settings = setup->settings, .sampler = &setup->sampler, .engine = &setup->engine,
		.prompt_dir = setup->ui.prompt_dir, .system_prompt = raw ? NULL : setup->ui.system_prompt, .is_raw = raw,
		.saves = goes_on && setup->ui.save,
		.keeps_candidates = goes_on && setup->ui.save ? &setup->ui.keep_candidates : NULL};
	enum status status;

	*c = (struct conversation){.raw = raw};
	dialog_init(&c->dialog, &config);
	if (raw && goes_on)
		return error_set(err, STATUS_USAGE,
		                 "--raw continues a text, -C and --resume continue a chat: not both");
	status = goes_on ? open_chat(&c->dialog, setup->ui.resume, err) : open_new(&c->dialog, err);
	if (status)
		return status;
	if (raw) {
		for (size_t i = 0; i < sizeof unused_if_raw / sizeof unused_if_raw[0]; i++)
			cli_warn_unused(setup, unused_if_raw[i], "with --raw");
		return STATUS_OK;
	}
	cli_warn_unused_of_chat(setup);
	return choose_template(c, setup, err);
}

/* ---- the prompt ---- */

/* The guide follows no instructions: a template asks for nothing else, a system message may be there
 * for other models. */
static enum status check_instructed(const struct dialog *dialog, struct error *err)
{
	const struct node *system = path_system(dialog->tree);
	const char *text = dialog_system_message(dialog);

	if (!dialog_is_with_guide(dialog) || !text || !text[0])
		return STATUS_OK;
	if (system && system->origin)
		return error_set(err, STATUS_DECLINED, "%s -m FILE takes a model that can.", GUIDE_INSTRUCTED("a template"));
	cli_note(GUIDE_INSTRUCTED("a system message"));
	return STATUS_OK;
}

/* A message ends the draft of a chat; but this one is not what was typed there. */
static enum status send(struct dialog *dialog, const struct buf *prompt, const struct attachments *files,
                        struct error *err)
{
	struct outgoing message = {.text = (char *)buf_text(prompt), .len = prompt->len, .files = *files};
	const char *kept = dialog->journal ? journal_get_draft(dialog->journal) : "";
	struct attachments kept_files = {.n = 0};
	char *draft = strdup(kept);
	enum status status = STATUS_OK;

	if (!draft || (draft[0] && attachments_copy(&kept_files, journal_get_draft_files(dialog->journal))))
		status = error_no_memory(err, "for the conversation");
	if (!status)
		status = dialog_send(dialog, &message, err);
	if (!status && draft[0])
		dialog_store_draft(dialog, draft, strlen(draft), &kept_files);
	free(draft);
	attachments_free(&kept_files);
	if (!status && dialog->store.is_unsaved) {
		*err = dialog->store.why;
		status = err->status;
	}
	return status;
}

static void tell_copy(const struct dialog *dialog)
{
	if (dialog->journal && journal_why_copy(dialog->journal)[0])
		cli_note("this chat %s: new messages go to a copy, %s",
		         journal_why_copy(dialog->journal), journal_id(dialog->journal));
}

enum status conversation_say(struct conversation *c, struct cli_setup *setup,
                             const struct model_info *model, const struct buf *prompt,
                             const struct attachments *files, struct error *err)
{
	struct dialog *dialog = &c->dialog;
	enum status status = STATUS_OK;

	dialog->model = model;
	if (c->tmpl)
		status = dialog_template_use(dialog, c->tmpl, &c->values, model->name, false, err);
	if (!status && dialog->journal && !dialog_is_with_guide(dialog) &&
	    catalog_remember(setup->engine.model, &model->identity, err))
		cli_note("%s", err->text);
	if (!status && !c->raw)
		status = check_instructed(dialog, err);
	if (!status)
		status = send(dialog, prompt, files, err);
	if (status)
		return status;
	tell_copy(dialog);
	return settings_recommend(setup->settings, model->recommended, model->n_recommended, err);
}

enum status conversation_show_context(const struct conversation *c, struct backend *backend,
                                      const struct backend_host *host, const struct turn *turn,
                                      struct error *err)
{
	size_t n = turn->n_messages;
	struct inspection inspect = {.messages = alloc_array(n, sizeof *inspect.messages),
	                                     .n_messages = n};
	struct ledger ledger = {.n = 0};
	struct buf table = {.max = MIB(16)}, text = {.max = MIB(64)};
	enum status status = STATUS_OK;

	if (inspect.messages)
		status = backend_inspect(backend, turn, host, &inspect, err);
	else
		status = error_no_memory(err, "to count the conversation");
	if (!status && !ledger_make(&ledger, c->dialog.tree, &(struct ledger_counts){
			.messages = inspect.messages, .n = n, .help = inspect.help, .total = inspect.total,
			.cached = inspect.cached, .n_ctx = inspect.n_ctx, .reserve = inspect.reserve,
			.estimated = inspect.estimated}))
		status = error_no_memory(err, "to count the conversation");
	if (!status) {
		buf_puts(&table, "Context: ");
		ledger_put_sum(&table, &ledger);
		buf_putc(&table, '\n');
		ledger_put_text(&table, &ledger);
		buf_putc(&table, '\n');
		sanitize_text(&text, buf_text(&table), table.len);
		fputs(buf_text(&text), stderr);
	}
	ledger_free(&ledger);
	buf_free(&table);
	buf_free(&text);
	free(inspect.messages);
	return status;
}

void conversation_close(struct conversation *c)
{
	prompt_values_free(&c->values);
	prompt_library_close(c->library);
	dialog_deinit(&c->dialog);
}
