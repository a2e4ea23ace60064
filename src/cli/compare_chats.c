/* Saved chats as what is compared. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "catalog/describe.h"
#include "cli/compare_text.h"
#include "cli/print.h"
#include "dialog/dialog.h"
#include "encode/encode.h"
#include "journal/journal.h"

/* What all chats are added with. Borrowed. */
struct adding {
	struct compared_text *out;
	const struct cli_setup *setup;
	const struct text_model *model;
	const struct chat_template *tmpl;
	size_t most; /* tokens of a chat; what is longer is cut */
};

/* What the model expects before each token that a reply says. A chat without one is passed over. */
static enum status add_encoded(const struct adding *adding, const char *name, const struct encoded *encoded,
                               const struct turn *turn, struct error *err)
{
	size_t n = encoded->ids.n < adding->most ? encoded->ids.n : adding->most, n_counted = 0;
	bool *counts = alloc_array(n + 1, sizeof *counts);
	enum status status = STATUS_OK;

	if (!counts)
		return error_no_memory(err, "for the chat");
	for (size_t i = 1; i < n; i++) {
		const struct token_origin *origin = &encoded->origins[i];

		counts[i - 1] = origin->is_input && turn->messages[origin->message].role == ROLE_ASSISTANT;
		n_counted += counts[i - 1];
	}
	if (n_counted)
		status = text_add(adding->out, encoded->ids.ids, counts, n, err);
	if (n_counted && !status && !(adding->out->windows[adding->out->n_windows - 1].name = strdup(name)))
		status = error_no_memory(err, "for the chat");
	if (n_counted && n < encoded->ids.n)
		cli_note("%s: its first %zu of %zu tokens are looked at", name, n, encoded->ids.n);
	free(counts);
	return status;
}

static enum status add_turn(const struct adding *adding, const char *name, const struct dialog *dialog,
                            struct error *err)
{
	struct chat_turn_source source = dialog_turn_source(dialog);
	struct chat_turn turn;
	struct encoded encoded = {0};
	enum status status = chat_turn_build(&turn, &source, err);

	if (!status)
		status = encode_for_context(&encoded, adding->model->tokenizer, adding->tmpl, &turn.turn, INT32_MAX, err);
	if (!status)
		status = add_encoded(adding, name, &encoded, &turn.turn, err);
	encoded_free(&encoded);
	chat_turn_free(&turn);
	return status;
}

enum status text_open_chat(struct dialog *dialog, const char *name, const struct cli_setup *setup, struct error *err)
{
	dialog_init(dialog, &(struct dialog_config){.settings = setup->settings, .sampler = &setup->sampler,
	                                            .engine = &setup->engine});
	return text_input_hold_chat(dialog, name, err);
}

static enum status add_chat(const struct adding *adding, const char *name, struct error *err)
{
	struct dialog dialog;
	enum status status = text_open_chat(&dialog, name, adding->setup, err);

	if (!status && (status = add_turn(adding, name, &dialog, err)) != STATUS_OK)
		error_prefix(err, "%s", name);
	dialog_deinit(&dialog);
	return status;
}

static enum status add_newest(const struct adding *adding, size_t n_wanted, struct error *err)
{
	struct journal_entry *entries;
	size_t n;
	enum status status = journal_list(&entries, &n, err);

	if (status)
		return status;
	if (n)
		qsort(entries, n, sizeof *entries, journal_compare_newest);
	for (size_t i = 0; i < n && adding->out->n_windows < n_wanted && !status; i++)
		if (!entries[i].is_damaged)
			status = add_chat(adding, entries[i].id, err);
	journal_list_free(entries, n);
	return status;
}

/* The longest chat that the model was made for, or that the command line wants. */
static size_t longest_chat(const struct cli_setup *setup, const struct text_model *model)
{
	size_t trained = describe_context(model->gguf);

	return setup->engine.n_ctx > 0 ? (size_t)setup->engine.n_ctx : trained ? trained : INT32_MAX;
}

enum status text_add_chats(struct compared_text *out, int32_t n_newest, const struct cli_setup *setup,
                           const struct text_model *model, struct error *err)
{
	struct chat_template *tmpl = NULL;
	struct adding adding = {.out = out, .setup = setup, .model = model, .most = longest_chat(setup, model)};
	enum status status = chat_template_open(&tmpl, setup->engine.chat_template, model->gguf, model->tokenizer, err);

	adding.tmpl = tmpl;
	for (int i = 0; i < setup->n_words && !status; i++)
		status = add_chat(&adding, setup->words[i], err);
	if (!status && n_newest > 0)
		status = add_newest(&adding, (size_t)n_newest, err);
	chat_template_close(tmpl);
	if (!status && !out->n_windows)
		status = error_set(err, STATUS_USAGE, !setup->n_words ? "no saved chat has a reply" : setup->n_words == 1
		                   ? "there is no reply in this chat" : "there is no reply in these chats");
	return status;
}
