#include "engine/prompt.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { PIECES_PER_MESSAGE = 3 };

static void add(struct prompt *prompt, size_t message, const char *text, size_t len, bool is_input)
{
	size_t n = prompt->n;

	prompt->pieces[prompt->n++] = (struct prompt_piece){
		.span = {.text = text, .len = len, .is_input = is_input},
		.message = message,
		.starts_part = n > 0 && prompt->pieces[n - 1].message != message,
	};
}

static void add_markup(struct prompt *prompt, size_t message, const char *text)
{
	add(prompt, message, text, strlen(text), false);
}

static void add_message(struct prompt *prompt, const struct worker_turn *turn, size_t i)
{
	const struct worker_message *message = &turn->messages[i];
	const char *line_break = prompt->n ? "\n" : "";

	if (message->role == ROLE_SYSTEM) {
		add_markup(prompt, i, line_break);
		add(prompt, i, message->text, message->len, true);
		add_markup(prompt, i, "\n");
		return;
	}
	if (message->role == ROLE_USER)
		add_markup(prompt, i, prompt->n ? "\nUser: " : "User: ");
	else /* with ids, the blank after the colon is the model's own */
		add_markup(prompt, i, message->n_ids ? "\nAssistant:" : "\nAssistant: ");
	add(prompt, i, message->text, message->len, true);
	prompt->pieces[prompt->n - 1].is_reply = message->role == ROLE_ASSISTANT;
}

enum status prompt_render(struct prompt *out, const struct worker_turn *turn, const bool *keep,
                          struct error *err)
{
	size_t n;

	*out = (struct prompt){0};
	if (turn->n_messages == 0)
		return error_set(err, STATUS_USAGE, "there is nothing to answer");
	if (mul_overflows(turn->n_messages, PIECES_PER_MESSAGE, &n) || add_overflows(n, 1, &n) ||
	    !(out->pieces = alloc_array(n, sizeof *out->pieces)))
		return error_set(err, STATUS_NOMEM, "not enough memory for the prompt");
	for (size_t i = 0; i < turn->n_messages; i++) {
		if (!keep[i])
			continue;
		if (turn->raw)
			add(out, 0, turn->messages[i].text, turn->messages[i].len, true);
		else
			add_message(out, turn, i);
	}
	if (!turn->raw) {
		/* Tokenised apart, as it will be when the reply follows it. */
		add_markup(out, turn->n_messages - 1, "\nAssistant:");
		out->pieces[out->n - 1].starts_part = true;
	}
	return STATUS_OK;
}

void prompt_free(struct prompt *prompt)
{
	free(prompt->pieces);
	prompt->pieces = NULL;
	prompt->n = 0;
}

struct prompt_ends prompt_ends(const struct worker_turn *turn)
{
	static const char *const none[] = {NULL}, *const plain[] = {"\nUser:", NULL};

	return (struct prompt_ends){.stops = turn->raw ? none : plain, .skip_blanks = !turn->raw};
}
