#include "cli/conversation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/sys.h"
#include "catalog/catalog.h"
#include "chat/path.h"
#include "cli/print.h"
#include "guide/guide.h"

static enum status no_memory(struct error *err)
{
	return error_set(err, STATUS_NOMEM, "not enough memory for the conversation");
}

/* ---- opening ---- */

/* The exit status for a missing model (3) would be wrong for a chat or template. */
static enum status is_usage(enum status status, struct error *err)
{
	if (status != STATUS_NOTFOUND && status != STATUS_FORMAT)
		return status;
	if (err)
		err->status = STATUS_USAGE;
	return STATUS_USAGE;
}

/* The chat's own model, where the command line names none. */
static enum status choose_model(const struct conversation *c, struct cli_setup *setup, struct error *err)
{
	const struct node *made = path_made(c->tree);
	char note[2 * ERROR_TEXT_MAX];
	enum status status = STATUS_OK;
	struct buf path;

	if (!made || !made->model || settings_is_from(setup->settings, "model", ORIGIN_FLAG))
		return STATUS_OK;
	buf_init(&path, KIB(64));
	if (!catalog_recall(&path, made->runs[made->n_runs - 1].model.file, made->model, err)) {
		status = settings_assign(setup->settings, "model", buf_text(&path), ORIGIN_SET, err);
	} else {
		snprintf(note, sizeof note, "the model of this chat, %s, is not there: %s", made->model, err->text);
		cli_note(note);
	}
	buf_free(&path);
	return status;
}

static enum status open_chat(struct conversation *c, struct cli_setup *setup, struct error *err)
{
	const char *name = setup->ui.resume;
	size_t n_damaged = 0;
	bool forked;
	enum status status;
	char *path;

	if (name && name[0]) {
		status = journal_resolve(name, &path, err);
	} else {
		status = journal_last(&path, err);
	}
	if (!status) {
		status = journal_open(&c->journal, &c->tree, path, &forked, &n_damaged, err);
		free(path);
	}
	if (status)
		return is_usage(status, err);
	c->n_stored = tree_n(c->tree);
	if (!setup->ui.save) { /* read, but not written to */
		journal_close(c->journal);
		c->journal = NULL;
	}
	if (n_damaged)
		cli_note("parts of the chat's file are damaged and could not be read; nothing was deleted");
	return STATUS_OK;
}

/* The template that the chat began with, or switched to last. */
static void restore_template(struct conversation *c, const struct cli_setup *setup, const char *call)
{
	char note[2 * ERROR_TEXT_MAX];
	struct error err;
	enum status status = prompt_library_open_call(&c->library, setup->ui.prompt_dir, call, &c->values,
	                                              &c->tmpl, &err);

	if (!status)
		status = prompt_apply_options(c->tmpl, setup->settings, &err);
	if (!status)
		return;
	c->tmpl = NULL;
	snprintf(note, sizeof note, "the prompt template of this chat can no longer be used: %s. Its "
	         "system message stays, its options are ignored", err.text);
	cli_note(note);
}

/* Whether the chat already uses this template with these values. */
static bool is_in_use(const struct conversation *c)
{
	const struct node *system = path_system(c->tree);

	return system && system->origin && prompt_is_call(system->origin, c->tmpl->name, &c->values);
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
		status = prompt_apply_options(c->tmpl, setup->settings, err);
	if (!status)
		status = prefer_model(c->tmpl, setup, err);
	c->adds_template = !status && !is_in_use(c);
	return is_usage(status, err);
}

/* A chat that is continued keeps its template unless the command line names another. */
static enum status choose_template(struct conversation *c, struct cli_setup *setup,
                                   struct error *err)
{
	const char *name = setup->ui.prompt_template, *variables = setup->ui.variables;
	const struct node *system = path_system(c->tree);
	bool begins = tree_leaf(c->tree) == 0;

	if (name && name[0] &&
	    (begins || settings_is_from(setup->settings, "template", ORIGIN_FLAG)))
		return open_template(c, setup, name, err);
	if (variables && variables[0])
		return error_set(err, STATUS_USAGE, "-V needs a template: -T NAME");
	if (system && system->origin)
		restore_template(c, setup, system->origin);
	else
		cli_warn_unused(setup, "prompt-dir", "without a template");
	return STATUS_OK;
}

enum status conversation_open(struct conversation *c, struct cli_setup *setup, bool raw,
                              struct error *err)
{
	static const char *const unused_if_raw[] = {"system-prompt", "template", "variable", "prompt-dir",
	                                            "chat-template", "chat-template-kwargs", "reasoning", "effort"};
	bool goes_on = setup->ui.resume_last || (setup->ui.resume && setup->ui.resume[0]);
	enum status status = STATUS_OK;

	*c = (struct conversation){.raw = raw};
	if (raw && goes_on)
		return error_set(err, STATUS_USAGE,
		                 "--raw continues a text, -C and --resume continue a chat: not both");
	if (goes_on)
		(void)((status = open_chat(c, setup, err)) || (status = choose_model(c, setup, err)));
	else if (!(c->tree = tree_create()))
		status = no_memory(err);
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

/* ---- the turn ---- */

/* The template's system message, and in a new conversation its opening. */
static enum status add_template(struct conversation *c, const char *model, struct error *err)
{
	struct prompt_rendered rendered;
	uint32_t before = tree_leaf(c->tree), id;
	struct buf call;
	enum status status = prompt_template_render(&rendered, c->tmpl, &c->values, model, err);

	if (status)
		return status;
	buf_init(&call, LIMIT_MESSAGE);
	status = tree_add(c->tree, before, ROLE_SYSTEM, rendered.system ? rendered.system : "",
	                  rendered.system ? strlen(rendered.system) : 0, &id, err);
	if (!status && (prompt_format_call(&call, c->tmpl->name, &c->values) ||
	                tree_set_origin(tree_node(c->tree, id), buf_text(&call))))
		status = no_memory(err);
	for (size_t i = 0; !status && !before && i < rendered.n_messages; i++)
		status = tree_add(c->tree, tree_leaf(c->tree), rendered.messages[i].role,
		                  rendered.messages[i].text, strlen(rendered.messages[i].text), NULL,
		                  err);
	buf_free(&call);
	prompt_rendered_free(&rendered);
	return status;
}

static enum status add_messages(struct conversation *c, const struct cli_setup *setup,
                                const char *model, const struct buf *prompt,
                                const struct attachments *files, struct error *err)
{
	const char *system = c->raw ? NULL : setup->ui.system_prompt;
	enum status status = STATUS_OK;
	uint32_t id;

	if (c->adds_template)
		status = add_template(c, model, err);
	else if (tree_leaf(c->tree) == 0 && system && system[0])
		status = tree_add(c->tree, 0, ROLE_SYSTEM, system, strlen(system), NULL, err);
	if (!status)
		status = tree_add(c->tree, tree_leaf(c->tree), ROLE_USER, buf_text(prompt), prompt->len, &id, err);
	if (!status && tree_set_attachments(tree_node(c->tree, id), files))
		status = no_memory(err);
	return status;
}

/* A user's message ends the draft of a chat; but this one is not what was typed there. */
static enum status write_messages(struct conversation *c, struct error *err)
{
	struct attachments files = {.n = 0};
	enum status status = STATUS_OK;
	char *draft;

	if (!c->journal)
		return STATUS_OK;
	draft = strdup(journal_get_draft(c->journal));
	if (!draft || attachments_copy(&files, journal_get_draft_files(c->journal)))
		status = no_memory(err);
	while (!status && c->n_stored < tree_n(c->tree))
		status = journal_node(c->journal, tree_node(c->tree, (uint32_t)++c->n_stored), err);
	if (!status && draft[0])
		status = journal_draft(c->journal, draft, strlen(draft), &files, err);
	free(draft);
	attachments_free(&files);
	return status;
}

static enum status store_messages(struct conversation *c, struct error *err)
{
	char note[ERROR_TEXT_MAX];
	enum status status = write_messages(c, err);

	if (status)
		return status;
	if (c->journal && journal_why_copy(c->journal)[0]) {
		snprintf(note, sizeof note, "this chat %s: new messages go to a copy, %s",
		         journal_why_copy(c->journal), journal_id(c->journal));
		cli_note(note);
	}
	return STATUS_OK;
}

/* The guide follows no instructions: a template asks for nothing else, a system message may be there
 * for other models. */
static enum status check_instructed(const struct conversation *c, struct error *err)
{
	const struct node *system = path_system(c->tree);

	if (!system || !system->text[0])
		return STATUS_OK;
	if (system->origin)
		return error_set(err, STATUS_DECLINED, "%s -m FILE takes a model that can.", GUIDE_INSTRUCTED("a template"));
	cli_note(GUIDE_INSTRUCTED("a system message"));
	return STATUS_OK;
}

enum status conversation_say(struct conversation *c, const struct cli_setup *setup,
                             const struct model_info *model, const struct buf *prompt,
                             const struct attachments *files, struct error *err)
{
	/* Summaries are made in the chat, where they can be read and changed. */
	struct chat_turn_source source = {.engine = &setup->engine, .sampler = &setup->sampler,
	                                  .no_summary = true};
	enum status status = add_messages(c, setup, model->name, prompt, files, err);

	c->model = model->capabilities & CAPABILITY_HELP ? CATALOG_GUIDE : model->name;
	if (!status && c->journal && !(model->capabilities & CAPABILITY_HELP) &&
	    catalog_remember(setup->engine.model, &model->identity, err))
		cli_note(err->text);
	if (!status && !c->raw && model->capabilities & CAPABILITY_HELP)
		status = check_instructed(c, err);
	if (!status)
		status = store_messages(c, err);
	if (!status)
		status = settings_recommend(setup->settings, model->recommended, model->n_recommended, err);
	if (status)
		return status;
	source.tree = c->tree;
	if (c->tmpl) {
		source.stops = (const char *const *)c->tmpl->stops;
		source.n_stops = c->tmpl->n_stops;
	}
	status = chat_turn_build(&c->turn, &source, err);
	c->turn.turn.raw = c->raw;
	return status ? status : run_prepare(&c->run, &c->turn.turn, c->tree, model, err);
}

/* ---- the reply ---- */

void conversation_begin(struct conversation *c, const struct turn_begin *begin)
{
	c->run.begin = *begin;
	c->run.has_begun = true;
}

enum status conversation_token(struct conversation *c, const struct sampler_params *sampler,
                               const struct token *token, struct error *err)
{
	enum status status = STATUS_OK;
	struct node *node;

	if (!c->journal)
		return STATUS_OK;
	if (!c->reply)
		status = tree_add_reply(c->tree, sampler, c->model, &c->reply);
	node = tree_node(c->tree, c->reply);
	if (!status && c->run.has_begun)
		status = tree_add_run(node, &c->run);
	if (!status)
		status = tree_append_token(node, token);
	if (status)
		return error_set(err, status, "not enough memory for the reply");
	/* What cannot be written now is written at the end of the reply. */
	(void)!journal_reply_part(c->journal, node, sys_now_ms(), NULL);
	return STATUS_OK;
}

enum status conversation_end(struct conversation *c, bool whole, enum done_reason reason,
                             struct error *err)
{
	struct node *node = c->reply ? tree_node(c->tree, c->reply) : NULL;

	if (!node)
		return STATUS_OK;
	node->state = whole ? NODE_COMPLETE : NODE_INTERRUPTED;
	if (node->n_runs)
		snprintf(node->runs[node->n_runs - 1].ended, RUN_NAME_MAX, "%s", done_reason_name(reason));
	return journal_reply_end(c->journal, node, err);
}

enum status conversation_take_back(struct conversation *c, struct error *err)
{
	const struct node *prompt = tree_node(c->tree, tree_leaf(c->tree));

	if (!c->journal || c->reply || !prompt)
		return STATUS_OK;
	tree_set_leaf(c->tree, prompt->parent);
	return journal_leaf(c->journal, prompt->parent, err);
}

void conversation_close(struct conversation *c)
{
	chat_turn_free(&c->turn);
	run_free(&c->run);
	prompt_values_free(&c->values);
	prompt_library_close(c->library);
	journal_close(c->journal);
	if (c->tree)
		tree_free(c->tree);
	*c = (struct conversation){.raw = false};
}
