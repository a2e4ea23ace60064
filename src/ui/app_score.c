#include "ui/app_score.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "base/words.h"
#include "dialog/dialog.h"
#include "engine/worker.h"
#include "terminal/term.h"
#include "ui/app_examine.h"
#include "ui/app_reply.h"
#include "ui/app_wait.h"
#include "ui/command.h"
#include "ui/tell.h"

enum { QUOTED = 60, BAR_COLS = 10, BARS_FROM = 60 /* columns of the terminal */ };

void app_score_free(struct app_score *score)
{
	for (size_t i = 0; i < score->n; i++)
		free(score->texts[i]);
	*score = (struct app_score){.turn = 0};
}

/* ---- the texts ---- */

/* Whether a blank belongs between the reply so far and a text: it goes on with another word. */
static bool wants_blank(const struct app *app, const char *text)
{
	const struct node *leaf = tree_node(app->dialog->tree, tree_leaf(app->dialog->tree));

	return app->score->is_rest && leaf->len && !words_is_blank(leaf->text[leaf->len - 1]) &&
	       (isalnum((unsigned char)text[0]) || (text[0] & 0x80));
}

/* One text, without the blanks around it; in "quotes" with all that is in them. */
static enum status add_text(struct app *app, const char *text, size_t len)
{
	struct app_score *score = app->score;
	struct buf out = {.max = LIMIT_MESSAGE};
	bool is_quoted;

	words_trim(&text, &len);
	is_quoted = len > 1 && text[0] == '"' && text[len - 1] == '"';
	if (!len || (is_quoted && len == 2))
		return STATUS_OK;
	if (!is_quoted && wants_blank(app, text))
		buf_putc(&out, ' ');
	buf_append(&out, text + is_quoted, len - 2 * is_quoted);
	if (!buf_status(&out) && (score->texts[score->n] = buf_take(&out, NULL))) {
		score->n++;
		return STATUS_OK;
	}
	buf_free(&out);
	return STATUS_NOMEM;
}

static enum status add_texts(struct app *app, const char *list, struct error *err)
{
	for (;;) {
		size_t len = strcspn(list, "|");

		if (app->score->n == SCORED_MAX)
			return error_set(err, STATUS_USAGE, "/score takes up to %d texts", SCORED_MAX);
		if (add_text(app, list, len))
			return error_no_memory(err, "for the texts");
		if (!list[len])
			break;
		list += len + 1;
	}
	return app->score->n ? STATUS_OK : error_set(err, STATUS_USAGE, "/score takes texts with | between them");
}

/* ---- asking ---- */

/* In the place of the last reply, if that is whole. */
static enum status build(struct app *app, struct chat_turn *turn, struct error *err)
{
	struct chat_turn_source source = dialog_turn_source(app->dialog);
	enum status status;

	source.continues = app->score->is_rest;
	source.no_summary = true;
	status = chat_turn_build(turn, &source, err);
	if (status)
		return status;
	if (turn->turn.answered) {
		turn->turn.answered = false;
		turn->turn.n_messages--;
	}
	if (!turn->turn.n_messages || turn->turn.messages[turn->turn.n_messages - 1].role == ROLE_SYSTEM)
		return error_set(err, STATUS_USAGE, "there is no message yet that a text could answer");
	if (app->model->capabilities & CAPABILITY_SWITCH)
		turn->turn.reasoning.mode = REASONING_OFF; /* the texts are answers, not thoughts */
	turn->turn.answers = (const char *const *)app->score->texts;
	turn->turn.n_answers = app->score->n;
	return STATUS_OK;
}

static void tell_progress(struct app *app)
{
	snprintf(app->wait->text, sizeof app->wait->text, "weighing %zu/%zu", app->score->n_done, app->score->n);
	app->draw.soon = true;
}

static enum status post(struct app *app, struct error *err)
{
	struct chat_turn turn;
	enum status status = build(app, &turn, err);

	if (!status)
		status = worker_post_score(app->worker, &turn.turn, &app->score->turn, err);
	chat_turn_free(&turn);
	if (status)
		return status;
	app->phase = PHASE_PREFILL;
	app->stopping = false;
	tell_progress(app);
	return STATUS_OK;
}

static bool refuse(struct app *app)
{
	if (app_refuse_without_model(app))
		return true;
	if (app->model->capabilities & CAPABILITY_EXAMINE)
		return false;
	app_message(app, STYLE_WARNING, "%s runs on a server, which cannot weigh texts: a model on this machine can",
	            app->model->name);
	return true;
}

bool app_score(struct app *app, const struct command_call *call)
{
	const struct node *leaf = tree_node(app->dialog->tree, tree_leaf(app->dialog->tree));
	struct error err;
	enum status status;

	if (refuse(app))
		return true;
	app_score_free(app->score);
	app->score->is_rest = leaf && leaf->role == ROLE_ASSISTANT && leaf->state == NODE_INTERRUPTED && !leaf->dropped;
	status = add_texts(app, call->argument, &err);
	if (!status)
		status = post(app, &err);
	if (!status)
		return true;
	app_score_free(app->score);
	app_message(app, status == STATUS_USAGE ? STYLE_WARNING : STYLE_ERROR, "%s", err.text);
	return false;
}

/* ---- what came of it ---- */

/* Of these texts alone, 0 to 1. */
static double share(const struct app_score *score, size_t i)
{
	double most = -INFINITY, sum = 0;

	for (size_t k = 0; k < score->n; k++)
		most = fmax(most, score->log_p[k]);
	for (size_t k = 0; k < score->n; k++)
		sum += exp(score->log_p[k] - most);
	return exp(score->log_p[i] - most) / sum;
}

/* The likeliest first. */
static void sort(const struct app_score *score, size_t order[SCORED_MAX])
{
	for (size_t i = 0; i < score->n; i++) {
		size_t at = i;

		for (; at && score->log_p[order[at - 1]] < score->log_p[i]; at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
}

static void put_bar(struct buf *out, double part)
{
	int full = (int)(part * BAR_COLS + 0.5);

	for (int i = 0; i < BAR_COLS; i++)
		buf_puts(out, i < full ? "\u2588" : "\u2591");
	buf_puts(out, "  ");
}

static void put_text(const char *text, struct buf *out)
{
	for (const char *c = text; *c; c++)
		buf_putc(out, *c == '\n' ? ' ' : *c);
}

/* A table, with bars where there is room. */
static void put_table(const struct app *app, const size_t *order, struct buf *out)
{
	const struct app_score *score = app->score;
	int rows, cols;
	bool has_bars;

	term_size(app->term, &rows, &cols);
	has_bars = cols >= BARS_FROM;
	buf_printf(out, "\n  share%*s    ln p  tokens   each", has_bars ? BAR_COLS + 4 : 2, "");
	for (size_t row = 0; row < score->n; row++) {
		size_t i = order[row];
		uint32_t n = score->n_tokens[i];

		buf_printf(out, "\n%5.1f %%  ", share(score, i) * 100);
		if (has_bars)
			put_bar(out, share(score, i));
		buf_printf(out, "%8.2f %7u %6.2f  ", score->log_p[i], n, score->log_p[i] / (n ? n : 1));
		put_text(score->texts[i], out);
	}
}

/* The same in words. */
static void put_words(const struct app_score *score, const size_t *order, struct buf *out)
{
	for (size_t row = 0; row < score->n; row++) {
		size_t i = order[row];
		uint32_t n = score->n_tokens[i];

		buf_puts(out, "\n");
		put_text(score->texts[i], out);
		buf_printf(out, ": %.1f %% of these, ln p %.2f, %u token%s", share(score, i) * 100, score->log_p[i], n,
		           n == 1 ? "" : "s");
		if (n > 1)
			buf_printf(out, ", %.2f each", score->log_p[i] / n);
	}
}

/* "as a reply to "Is it so?"", or "as what the last reply goes on with". */
static void put_heading(const struct app *app, struct buf *out)
{
	const struct node *node = tree_node(app->dialog->tree, tree_leaf(app->dialog->tree));
	size_t len;

	if (app->score->is_rest) {
		buf_puts(out, "As what the last reply goes on with");
	} else {
		while (node && node->role != ROLE_USER)
			node = tree_node(app->dialog->tree, node->parent);
		len = node ? utf8_cut(node->text, strcspn(node->text, "\n"), QUOTED) : 0;
		buf_printf(out, "As a reply to \"%.*s%s\"", (int)len, node ? node->text : "",
		           node && len < node->len ? "\u2026" : "");
	}
	buf_puts(out, ", before all samplers:");
}

static void put_scores(const struct app *app, struct buf *out)
{
	size_t order[SCORED_MAX];

	put_heading(app, out);
	sort(app->score, order);
	if (app->config->ui->accessible)
		put_words(app->score, order, out);
	else
		put_table(app, order, out);
}

static void tell_end(struct app *app, const struct event *event)
{
	struct buf text = {.max = MIB(1)};

	if (event->u.done.reason == DONE_ERROR) {
		app_error(app, event->error);
		return;
	}
	if (event->u.done.reason == DONE_CANCELLED || app->score->n_done < app->score->n) {
		app_message(app, STYLE_STATUS, "the weighing was stopped");
		return;
	}
	put_scores(app, &text);
	if (!buf_status(&text))
		app_notice(app, STYLE_SYSTEM, "%s", buf_text(&text));
	buf_free(&text);
}

bool app_score_event(struct app *app, const struct event *event, bool *ended)
{
	struct app_score *score = app->score;

	*ended = false;
	if (!score->turn || event->turn != score->turn)
		return false;
	if (event->kind == EVENT_SCORED && event->u.scored.answer < score->n) {
		score->log_p[event->u.scored.answer] = event->u.scored.log_p;
		score->n_tokens[event->u.scored.answer] = event->u.scored.n;
		score->n_done++;
		tell_progress(app);
	}
	if (event->kind != EVENT_DONE)
		return true;
	tell_end(app, event);
	app->wait->text[0] = '\0';
	app_score_free(score);
	*ended = true;
	return true;
}
