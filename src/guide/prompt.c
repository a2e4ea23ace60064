/* What the model is told: the layout that it was trained with
 * (tools/guide/generate.py, system_message). */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "guide/guide_internal.h"

static const char default_system[] = "You are the guide of sotto, a tiny model.";

void guide_fill_text(const char *text, const struct guide_values *values, struct buf *out)
{
	const struct {
		const char *name, *value;
	} rows[] = {
		{"{memory}", values->memory},   {"{free}", values->free},
		{"{fits}", values->fits},       {"{suggestion}", values->suggestion},
		{"{version}", values->version}, {"{turn}", values->turn},
	};
	const size_t n_rows = sizeof rows / sizeof rows[0];

	while (*text) {
		size_t i = 0;

		while (i < n_rows && strncmp(text, rows[i].name, strlen(rows[i].name)) != 0)
			i++;
		if (i == n_rows) {
			buf_putc(out, *text++);
			continue;
		}
		buf_puts(out, rows[i].value);
		text += strlen(rows[i].name);
	}
}

void guide_system_prompt(const struct guide *guide, const struct guide_values *values,
                         const char *own, size_t own_len, const struct guide_hit *hits,
                         size_t n_hits, struct buf *out)
{
	if (own_len)
		buf_append(out, own, own_len);
	else
		buf_puts(out, default_system);
	if (n_hits == 0 || hits[0].fact == GUIDE_NOTHING)
		buf_puts(out, "\n\nHelp: nothing found.");
	else
		buf_puts(out, "\n\nHelp:");
	for (size_t i = 0; i < n_hits; i++) {
		if (hits[i].fact == GUIDE_NOTHING)
			continue;
		buf_puts(out, i ? " Or did you mean this? " : "\n- ");
		if (hits[i].told)
			buf_puts(out, "As I said: ");
		guide_fill_text(facts_text(&guide->facts, hits[i].fact), values, out);
	}
}

enum status guide_help(struct helped_turn *out, const struct guide *guide, const struct turn *turn,
                       struct error *err)
{
	struct message own = {.text = ""}, *messages;
	struct guide_hit hits[GUIDE_ENTRIES];
	struct guide_values values;
	size_t n = turn->n_messages, n_kept = 1, n_questions = 0;

	*out = (struct helped_turn){.turn = *turn};
	buf_init(&out->prompt, 2 * LIMIT_MESSAGE);
	if (turn->raw || !n)
		return STATUS_OK;
	messages = out->messages = alloc_array(n + 1, sizeof *messages);
	if (!messages)
		return error_set(err, STATUS_NOMEM, "not enough memory for the messages");
	for (size_t i = 0; i < n; i++) {
		n_questions += turn->messages[i].role == ROLE_USER;
		if (turn->messages[i].role == ROLE_SYSTEM)
			own = turn->messages[i];
		else
			messages[n_kept++] = turn->messages[i];
	}
	guide_values_now(&values, n_questions, turn->weight_rate);
	guide_system_prompt(guide, &values, own.text, own.len, hits,
	                    guide_look_up_last(guide, turn->messages, n, hits), &out->prompt);
	messages[0] = (struct message){
		.role = ROLE_SYSTEM, .text = buf_text(&out->prompt), .len = out->prompt.len};
	out->turn.messages = messages;
	out->turn.n_messages = n_kept;
	if (turn->policy == CONTEXT_ROLL || turn->policy == CONTEXT_ENDS) /* the others refuse */
		out->turn.prompt_goal = GUIDE_PROMPT_GOAL;
	return buf_status(&out->prompt) ? error_set(err, buf_status(&out->prompt),
	                                            "the guide's system prompt is too long") : STATUS_OK;
}

void helped_turn_free(struct helped_turn *helped)
{
	free(helped->messages);
	buf_free(&helped->prompt);
}
