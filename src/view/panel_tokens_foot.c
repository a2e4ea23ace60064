/* Under the candidates of a token: why it was this one, what cut another, or what Enter does with it. */
#include <stdio.h>
#include <string.h>

#include "base/option_value.h"
#include "sampler/params.h"
#include "view/panel_tokens_internal.h"

/* How many candidates of a token the samplers left. */
size_t tokens_count_left(const struct kept_token *token)
{
	size_t n = 0;

	for (size_t i = 0; i < token->n_candidates; i++)
		n += token->candidates[i].chosen_p > 0;
	return n;
}

/* The one that was the likeliest when a token was drawn. */
static const struct candidate_row *find_likeliest(const struct tokens_panel *tokens)
{
	const struct candidate_row *best = &tokens->rows[0];

	for (size_t i = 1; i < tokens->n_rows; i++)
		if (tokens->rows[i].after > best->after)
			best = &tokens->rows[i];
	return best;
}

static void put_taken(const struct tokens_panel *tokens, const struct candidate_row *row, struct buf *out)
{
	const struct kept_token *token = tokens_at(tokens, tokens->at);
	const struct candidate_row *best = find_likeliest(tokens);
	char percent[8], most[8];

	candidate_percent(percent, row->after);
	candidate_percent(most, best->after);
	if (token->flags & KEPT_PICKED)
		buf_puts(out, "You put this token there.");
	else if (tokens->source.reader)
		buf_puts(out, "The reply's token, which another model chose.");
	else if (!candidates_tell_after(token))
		buf_puts(out, "The reply's token. What its samplers left, the server does not tell.");
	else if (!(row->after > 0))
		buf_puts(out, "The reply's token.");
	else if (best == row && tokens_count_left(token) == 1)
		buf_puts(out, "The reply's token: the samplers left no other.");
	else if (best == row)
		buf_printf(out, "The reply's token: the likeliest of what the samplers left, at %s.", percent);
	else {
		buf_printf(out, "The reply's token, drawn by chance at %s: \u201c", percent);
		token_text_put(out, best->bytes, best->len);
		buf_printf(out, "\u201d was likelier, at %s.", most);
	}
}

/* "0.05": the value of a sampler's option when the token was chosen; nothing if it is not recorded. */
static void put_value(const struct tokens_panel *tokens, const struct option *option, struct buf *out)
{
	const struct reply_run *run = node_run_at(tokens->source.reply, tokens->at);
	struct sampler_params params;
	struct buf value = {.max = 64};

	if (!run)
		return;
	params = run_params_of(run, tokens->at);
	if (!option_print(option, &params, &value))
		buf_printf(out, " %s", buf_text(&value));
	buf_free(&value);
}

static void put_cut(const struct tokens_panel *tokens, const struct candidate_row *row, struct buf *out)
{
	const struct option *option = option_find(sampler_options, sampler_n_options, row->cut_by);

	buf_printf(out, "Cut by %s", row->cut_by);
	if (option)
		put_value(tokens, option, out);
	buf_printf(out, ": %s", option ? option->help : "its logit is no number");
}

void tokens_put_foot(const struct tokens_panel *tokens, size_t selected, struct buf *out)
{
	const struct candidate_row *row = &tokens->rows[selected];

	if (selected >= tokens->n_rows || !tokens_has_candidates(tokens))
		return;
	if (row->is_taken)
		put_taken(tokens, row, out);
	else if (row->cut_by && !(row->after > 0))
		put_cut(tokens, row, out);
	else
		buf_puts(out, "Enter makes another reply that goes on with this token.");
}
