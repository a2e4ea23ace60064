/* The panel of tokens where there is no screen: a reply with its least sure tokens, or the candidates of one. */
#include "view/panel_tokens_internal.h"

enum { PRINTED_UNSURE = 10 };

/* "  12   4.1% drew": a token that the model was not sure of. */
static void print_unsure(const struct tokens_panel *tokens, size_t i, struct buf *out)
{
	const struct kept_token *token = tokens_at(tokens, i);
	char percent[8];

	candidate_percent(percent, kept_p(token));
	buf_printf(out, "%5zu %7s  ", i + 1, percent);
	token_text_put_id(out, tokens->source.tokens, token->id);
	buf_putc(out, '\n');
}

static void print_overview(const struct tokens_panel *tokens, struct buf *out)
{
	const size_t n = tokens_n(tokens);
	size_t told = 0;

	buf_printf(out, "%s, %zu:\n", tokens->panel.title, n);
	buf_append(out, buf_text(&tokens->text.shown), tokens->text.shown.len);
	buf_puts(out, "\n");
	for (size_t i = kept_next_unsure(tokens->source.tokens, SIZE_MAX, 1); i < n && told < PRINTED_UNSURE; told++) {
		if (!told)
			buf_puts(out, "Those it was not sure of:\n");
		print_unsure(tokens, i, out);
		i = kept_next_unsure(tokens->source.tokens, i, 1);
	}
	buf_puts(out, "The number of a token shows its candidates; an empty line ends this.\n");
}

/* Why it was this one, and what the first thing did that cut another. */
static void print_why(const struct tokens_panel *tokens, struct buf *out)
{
	size_t cut = 0;

	tokens_put_foot(tokens, tokens->selected, out);
	buf_putc(out, '\n');
	while (cut < tokens->n_rows && (!tokens->rows[cut].cut_by || tokens->rows[cut].after > 0))
		cut++;
	if (cut == tokens->n_rows)
		return;
	tokens_put_foot(tokens, cut, out);
	buf_putc(out, '\n');
}

void tokens_print(const struct panel *panel, struct buf *out)
{
	const struct tokens_panel *tokens = (const struct tokens_panel *)panel;
	char line[TOKENS_LINE_MAX];

	if (tokens->at >= tokens_n(tokens)) {
		print_overview(tokens, out);
		return;
	}
	tokens_put_figures(tokens, TOKENS_LINE_MAX, line);
	buf_printf(out, "Token %s\n", line);
	if (!tokens_has_candidates(tokens)) {
		buf_printf(out, "%s\n", tokens_why_none(tokens));
		return;
	}
	buf_printf(out, "     %8s %7s  %-18s token (* is the reply's)\n", "logit", "before",
	           candidates_tell_after(tokens_at(tokens, tokens->at)) ? "after the samplers" : "(after: not told)");
	for (size_t i = 0; i < tokens->n_rows; i++)
		candidate_row_print(&tokens->rows[i], i + 1, out);
	print_why(tokens, out);
	buf_puts(out, "A number makes another reply that goes on with that one; an empty line ends this.\n");
}

unsigned tokens_answer(struct panel *panel, const char *line)
{
	struct tokens_panel *tokens = (struct tokens_panel *)panel;
	const bool is_overview = tokens->at >= tokens_n(tokens);
	size_t number = SIZE_MAX;
	unsigned result = panel_answer_number(line, is_overview ? tokens_n(tokens) : tokens->n_rows, &number);

	if (number == SIZE_MAX)
		return result ? result : PANEL_TAKEN;
	if (!is_overview) {
		tokens->selected = number;
		return tokens_choose(tokens);
	}
	tokens_go_to(tokens, number);
	return PANEL_TAKEN;
}
