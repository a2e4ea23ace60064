/* What is said of two takes: where they part, why, and how likely both tokens were in each. */
#include "view/panel_takes_internal.h"

#include <stdio.h>
#include <string.h>

#include "kept/measures.h"
#include "view/candidate_rows.h"
#include "view/token_text.h"

enum { FATE_MAX = 48, LINE_MAX = 200 };

/* ---- the tokens where they part ---- */

const struct kept_token *takes_parting(const struct takes_panel *takes, int side)
{
	const struct kept_reply *kept = takes->source.kept[side];

	return takes->has_at && kept && takes->at < kept_n(kept) ? kept_token(kept, takes->at) : NULL;
}

/* The text of a token of the take `side`; of one without a name, that which stands there. */
static const char *text_of(const struct takes_panel *takes, int side, int32_t id, size_t *len)
{
	const struct kept_reply *kept = takes->source.kept[side];
	const struct column *column = &takes->columns[side];
	const char *text = kept ? kept_text(kept, id, len) : NULL;

	if (text)
		return text;
	*len = column->token_end - column->from;
	return column->text + column->from;
}

/* Whether it is the reply from its beginning: what the user has written is not in it. */
static bool is_whole(const struct kept_reply *kept, const struct node *reply)
{
	return kept_n(kept) && kept_bytes(kept, kept_n(kept)) == (uint64_t)reply->len + reply->reasoning_len;
}

/* By the texts of tokens that a model or a server named. */
static bool has_same_text(const struct takes_panel *takes, int32_t a, int32_t b)
{
	size_t len_a, len_b;
	const char *text_a = kept_text(takes->source.kept[0], a, &len_a);
	const char *text_b = kept_text(takes->source.kept[1], b, &len_b);

	return text_a && text_b && len_a == len_b && memcmp(text_a, text_b, len_a) == 0;
}

void takes_find_parting(struct takes_panel *takes)
{
	const struct kept_reply *a = takes->source.kept[0], *b = takes->source.kept[1];
	const struct takes *of = &takes->takes;

	takes->at = of->n_shared;
	takes->has_at = of->by_tokens || (a && b && is_whole(a, of->a) && is_whole(b, of->b));
	while (!of->by_tokens && takes->has_at && takes->at < kept_n(a) && takes->at < kept_n(b) &&
	       has_same_text(takes, kept_token(a, takes->at)->id, kept_token(b, takes->at)->id))
		takes->at++;
}

/* The token `id` of the take `from` among the candidates of the take `side`; NULL: it is none of them. */
static const struct kept_candidate *find(const struct takes_panel *takes, int side, int from, int32_t id)
{
	const struct kept_token *token = takes_parting(takes, side);
	size_t len, n;
	const char *text = text_of(takes, from, id, &len), *other;

	for (size_t i = 0; token && i < token->n_candidates; i++) {
		const struct kept_candidate *candidate = &token->candidates[i];

		if (takes->takes.by_tokens && candidate->id == id)
			return candidate;
		other = takes->takes.by_tokens ? NULL : kept_text(takes->source.kept[side], candidate->id, &n);
		if (other && n == len && memcmp(other, text, len) == 0)
			return candidate;
	}
	return NULL;
}

/* "31.2%, after the samplers 40.1%": of the token `id` of the take `from` in the take `side`; "" where that is not
 * known. */
static void put_fate(const struct takes_panel *takes, int side, int from, int32_t id, char out[FATE_MAX])
{
	const struct kept_token *token = takes_parting(takes, side);
	const struct kept_candidate *candidate = find(takes, side, from, id);
	const char *cut = candidate ? kept_cut_name(candidate->cut_by) : NULL;
	char before[8], after[8];

	out[0] = '\0';
	if (token && token->flags & KEPT_PICKED && side == from && !candidate)
		snprintf(out, FATE_MAX, "your choice");
	if (!token || !token->n_candidates)
		return;
	if (!candidate) {
		snprintf(out, FATE_MAX, "not among the best %zu", token->n_candidates);
		return;
	}
	candidate_percent(before, kept_candidate_p(token, candidate->logit));
	candidate_percent(after, candidate->chosen_p);
	if (!candidates_tell_after(token))
		snprintf(out, FATE_MAX, "%s", before);
	else if (candidate->chosen_p > 0 || !cut)
		snprintf(out, FATE_MAX, "%s, after the samplers %s", before, after);
	else
		snprintf(out, FATE_MAX, "%s, cut by %s", before, cut);
}

/* The token that the take `side` has there. False: it is not known, or there is none. */
static bool token_of(const struct takes_panel *takes, int side, int32_t *id, struct buf *name)
{
	const struct node *node = takes_node(takes, side);
	const struct kept_token *token = takes_parting(takes, side);
	size_t len = 0;
	const char *bytes;

	if (takes->takes.by_tokens ? takes->at >= node->n_ids : !token)
		return false;
	*id = takes->takes.by_tokens ? node->ids[takes->at] : token->id;
	bytes = text_of(takes, side, *id, &len);
	token_text_put(name, bytes, len);
	return true;
}

/* ---- its lines ---- */

static void say_where(const struct takes_panel *takes, takes_sink *sink, void *ctx)
{
	const struct takes *of = &takes->takes;
	char line[LINE_MAX];

	if (of->is_same)
		snprintf(line, sizeof line, "The two are the same.");
	else if (takes->has_at)
		snprintf(line, sizeof line, "They part at token %zu.", takes->at + 1);
	else if (!of->shared.text && !of->shared.reasoning)
		snprintf(line, sizeof line, "They part at their very beginning.");
	else
		snprintf(line, sizeof line, "They part after %zu bytes.", of->shared.text + of->shared.reasoning);
	sink(ctx, STYLE_PANEL_MARK, line);
}

/* "drew: 31.2%, after the samplers 40.1% | 12.0%, cut by top-k" */
static void say_tokens(const struct takes_panel *takes, takes_sink *sink, void *ctx)
{
	for (int side = 0; side < 2 && !takes->takes.is_same; side++) {
		struct buf line = {.max = LINE_MAX * 4};
		char left[FATE_MAX], right[FATE_MAX];
		int32_t id;

		if (!token_of(takes, side, &id, &line)) {
			buf_free(&line);
			continue;
		}
		put_fate(takes, 0, side, id, left);
		put_fate(takes, 1, side, id, right);
		if (!left[0] && !right[0])
			buf_puts(&line, ": no candidates are kept");
		else
			buf_printf(&line, ": %s | %s", left[0] ? left : "not kept", right[0] ? right : "not kept");
		sink(ctx, STYLE_PANEL, buf_text(&line));
		buf_free(&line);
	}
}

static void say_why(const struct takes_panel *takes, takes_sink *sink, void *ctx)
{
	const struct takes *of = &takes->takes;
	char line[LINE_MAX];

	for (size_t i = 0; i < of->n_reasons; i++) {
		const struct take_reason *reason = &of->reasons[i];

		snprintf(line, sizeof line, "%s%s: %s | %s", i ? "     " : "Why: ", reason->what,
		         reason->a[0] ? reason->a : "none", reason->b[0] ? reason->b : "none");
		sink(ctx, STYLE_PANEL, line);
	}
	if (!of->is_known)
		sink(ctx, STYLE_PANEL_HINT, "How one of them was made is not recorded: there may be other reasons.");
	else if (!of->n_reasons && !of->is_same)
		sink(ctx, STYLE_PANEL_HINT, "Why: nothing that is recorded was another.");
}

void takes_say(const struct takes_panel *takes, takes_sink *sink, void *ctx)
{
	say_where(takes, sink, ctx);
	say_why(takes, sink, ctx);
	say_tokens(takes, sink, ctx);
}
