#include "ui/app_confidence.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "base/words.h"
#include "chat/path.h"
#include "dialog/dialog.h"
#include "dialog/kept.h"
#include "kept/measures.h"
#include "terminal/term.h"
#include "ui/app_find.h"
#include "ui/app_pick.h"
#include "ui/command.h"
#include "ui/front.h"
#include "ui/tell.h"
#include "view/sparkline.h"

enum { PLACES_MAX = 1000000, LISTED_MAX = 20, AROUND = 28 /* bytes of context on each side */ };

/* ---- what is known ---- */

static bool is_known(const struct kept_reply *reply, enum kept_shade shade)
{
	for (size_t i = 0; i < kept_n(reply); i++)
		if (kept_band_of(kept_token(reply, i), shade) != BAND_UNKNOWN)
			return true;
	return false;
}

static const char *why_unknown(struct app *app)
{
	char *why = app->confidence->why;
	const size_t size = sizeof app->confidence->why;

	if (app->model->place[0] && !(app->model->capabilities & CAPABILITY_LOGITS))
		snprintf(why, size, "this server gives no probabilities");
	else if (app->model->place[0])
		snprintf(why, size, "probabilities not kept");
	else
		snprintf(why, size, "probabilities not kept; %s works them out", app_key(app, "tokens"));
	return why;
}

/* Of a reply, where something is known of it; otherwise *why says why not. */
static const struct kept_reply *look_by(struct app *app, uint32_t node, enum kept_shade shade, const char **why)
{
	const struct kept_reply *reply = dialog_kept_reply(app->dialog, node);

	if (reply && is_known(reply, shade))
		return reply;
	*why = tree_node(app->dialog->tree, node)->state == NODE_STREAMING ? NULL : why_unknown(app);
	return NULL;
}

static const struct kept_reply *look(void *ctx, uint32_t node, const char **why)
{
	struct app *app = ctx;

	return look_by(app, node, (enum kept_shade)app->config->ui->confidence, why);
}

void app_shade(struct app *app)
{
	const struct chat_view_shade shade = {
		.by = (enum kept_shade)app->config->ui->confidence, .look = look, .ctx = app};

	if (chat_view_set_shade(app->view, &shade))
		app_message(app, STYLE_ERROR, "not enough memory to show everything");
}

/* ---- unsure words ---- */

/* A percentage with two digits at the least. */
static void put_percent(struct buf *out, double p)
{
	buf_printf(out, p >= 0.1 ? "%.0f %%" : "%.2g %%", p * 100);
}

/* Where each stretch of unsure words begins in the answer. */
static enum status add_unsure(struct app_find *places, const struct node *node, const struct kept_reply *reply)
{
	size_t next = kept_next_unsure(reply, SIZE_MAX, 1), at = 0;

	for (size_t i = 0; i < kept_n(reply) && at < node->len; i++) {
		const struct kept_token *token = kept_token(reply, i);
		size_t end = at + token->n_bytes < node->len ? at + token->n_bytes : node->len, start = at;
		bool is_unsure = i == next;

		if (is_unsure)
			next = kept_next_unsure(reply, i, 1);
		if (token->flags & KEPT_REASONING)
			continue;
		at = end;
		while (start + 1 < end && words_is_blank(node->text[start]))
			start++;
		while (end > start + 1 && words_is_blank(node->text[end - 1]))
			end--;
		if (!is_unsure || start == end)
			continue;
		if (!alloc_grow(&places->hits, &places->cap, places->n + 1, sizeof *places->hits, PLACES_MAX))
			return STATUS_NOMEM;
		places->hits[places->n++] = (struct app_hit){node->id, start, end, token->raw_p};
	}
	return STATUS_OK;
}

/* Where the last word was that was gone to from this reply: the next one. */
static void go_on(const struct app *app, struct app_find *places, const struct node *reply)
{
	const struct app_hit *last = &app->find->last;

	for (size_t i = 0; app->confidence->reply == reply->id && i < places->n; i++)
		if (places->hits[i].node == last->node && places->hits[i].start == last->start)
			places->at = (i + 1) % places->n;
	app->confidence->reply = reply->id;
}

/* Those of all replies of the path; it begins at the first of the reply that is meant. */
static enum status find_unsure(struct app *app, struct app_find *places, const struct node *reply)
{
	size_t n;
	uint32_t *ids = tree_path_ids(app->dialog->tree, &n);
	enum status status = ids ? STATUS_OK : STATUS_NOMEM;
	const char *why;

	*places = (struct app_find){.what = "unsure word"};
	for (size_t i = 0; i < n && !status; i++) {
		const struct node *node = tree_node(app->dialog->tree, ids[i]);
		const struct kept_reply *kept = node->role == ROLE_ASSISTANT
		                                ? look_by(app, node->id, SHADE_PROBABILITY, &why) : NULL;

		if (node == reply)
			places->at = places->n;
		if (kept)
			status = add_unsure(places, node, kept);
	}
	free(ids);
	return status;
}

bool app_next_unsure(struct app *app, int by)
{
	const struct node *reply = app_picked_reply(app);
	struct app_find places;
	const char *why = NULL;

	(void)by;
	if (!reply) {
		app_message(app, STYLE_STATUS, "there is no reply yet");
	} else if (!look_by(app, reply->id, SHADE_PROBABILITY, &why)) {
		app_message(app, STYLE_WARNING, "%s", why ? why : "the reply has only begun");
	} else if (find_unsure(app, &places, reply)) {
		free(places.hits);
		app_message(app, STYLE_ERROR, "not enough memory");
	} else if (places.at == places.n || places.hits[places.at].node != reply->id) {
		free(places.hits);
		app_message(app, STYLE_STATUS, "the model was sure of every word of this reply");
	} else {
		go_on(app, &places, reply);
		app_find_places(app, &places);
	}
	return true;
}

size_t app_unsure_token(struct app *app, const struct node *reply)
{
	const struct app_hit *last = &app->find->last;
	const struct kept_reply *kept = dialog_kept_reply(app->dialog, reply->id);
	size_t at = 0;

	if (!kept || last->node != reply->id || last->p <= 0)
		return 0;
	for (size_t i = 0; i < kept_n(kept); i++) {
		const struct kept_token *token = kept_token(kept, i);

		at += token->flags & KEPT_REASONING ? 0 : token->n_bytes;
		if (at > last->start)
			return i;
	}
	return 0;
}

/* ---- in lines ---- */

/* "23 %  the cat [drew] a" */
static void put_place(struct buf *out, const struct node *node, const struct app_hit *hit)
{
	size_t from = hit->start > AROUND ? hit->start - AROUND : 0, end;

	for (size_t i = from; i < hit->start; i++)
		if (node->text[i] == '\n')
			from = i + 1;
	while (from < hit->start && (node->text[from] & 0xC0) == 0x80)
		from++;
	end = hit->end + utf8_cut(node->text + hit->end, strcspn(node->text + hit->end, "\n"), AROUND);
	buf_puts(out, "\n");
	put_percent(out, (double)hit->p);
	buf_printf(out, "  %.*s[%.*s]%.*s", (int)(hit->start - from), node->text + from, (int)(hit->end - hit->start),
	           node->text + hit->start, (int)(end - hit->end), node->text + hit->end);
}

static void put_summary(struct buf *out, const struct kept_reply *reply)
{
	struct kept_summary summary;

	if (!kept_summarise(reply, &summary))
		return;
	buf_printf(out, "perplexity %.2f over %zu token%s", summary.perplexity, summary.n, summary.n == 1 ? "" : "s");
	if (isfinite(summary.entropy))
		buf_printf(out, ", entropy %.2f bits on average", summary.entropy);
}

/* What a screen shows by shading, as a list. */
static void report(struct app *app)
{
	const struct node *reply = app_picked_reply(app);
	const struct kept_reply *kept = NULL;
	struct app_find places = {.n = 0};
	struct buf text = {.max = MIB(1)};
	const char *why = NULL;

	if (reply)
		kept = look_by(app, reply->id, SHADE_PROBABILITY, &why);
	if (!kept || add_unsure(&places, reply, kept)) {
		app_message(app, STYLE_STATUS, "%s", !reply ? "there is no reply yet" : kept ? "not enough memory"
		            : why ? why : "the reply has only begun");
		free(places.hits);
		return;
	}
	buf_puts(&text, "The last reply: ");
	put_summary(&text, kept);
	buf_printf(&text, "; %zu unsure word%s", places.n, places.n == 1 ? "" : "s");
	if (places.n > LISTED_MAX)
		buf_printf(&text, ", of which the first %d are", LISTED_MAX);
	for (size_t i = 0; i < places.n && i < LISTED_MAX; i++)
		put_place(&text, reply, &places.hits[i]);
	app_notice(app, STYLE_SYSTEM, "%s", buf_text(&text));
	free(places.hits);
	buf_free(&text);
}

/* ---- the command ---- */

static void explain(struct app *app, enum kept_shade shade)
{
	static const char *const words[] = {
		[SHADE_PROBABILITY] = "by how probable the model took each word for: plain above 95 %, underlined from 70 %, bold "
		                      "from 30 %, both below",
		[SHADE_ENTROPY] = "by how open it was what comes next: plain below 0.25 bits, underlined up to 1, bold up to 2.5, "
		                  "both above"};

	if (app->confidence->explained & 1U << shade)
		return;
	app->confidence->explained |= 1U << shade;
	app_notice(app, STYLE_SYSTEM, "Replies are shaded %s. %s goes to the next unsure word, %s shades by another "
	           "figure or ends it, /stats has the perplexity.", words[shade], app_key(app, "next-unsure"),
	           app_key(app, "confidence"));
}

static void tell(struct app *app, enum kept_shade shade)
{
	const struct node *reply = path_reply(app->dialog->tree);
	const char *why = NULL;

	if (!shade) {
		app_message(app, STYLE_STATUS, "replies are not shaded any more");
	} else if (reply && !look_by(app, reply->id, shade, &why) && why) {
		app_message(app, STYLE_WARNING, "the last reply: %s", why);
	} else {
		app_message(app, STYLE_STATUS, "replies are shaded by %s", kept_shade_names[shade]);
		explain(app, shade);
	}
}

/* Without an argument the next of them. */
bool app_confidence(struct app *app, const struct command_call *call)
{
	int now = app->config->ui->confidence;
	const char *value = strcmp(call->argument, "on") == 0 ? kept_shade_names[SHADE_PROBABILITY]
	                    : call->argument[0] ? call->argument : kept_shade_names[now + 1];
	struct error err;

	if (!app->front->is_screen && !call->argument[0]) {
		report(app);
		return true;
	}
	if (!app_went_well(app, settings_set(app->config->settings, "confidence", value ? value : kept_shade_names[0], &err),
	                   &err))
		return false;
	app->draw.now = true;
	if (app->front->is_screen)
		tell(app, (enum kept_shade)app->config->ui->confidence);
	else
		report(app);
	return true;
}

/* ---- /stats ---- */

static void put_row(struct buf *out, const char *name, const struct sparkline_range *range, const char *unit,
                    const struct buf *line, bool has_line)
{
	if (isnan(range->most))
		return;
	buf_printf(out, range->most < 100 ? "\n%s%.1f to %.1f %s" : "\n%s%.0f to %.0f %s", name, range->least, range->most,
	           unit);
	if (has_line)
		buf_printf(out, "  %s", buf_text(line));
}

void app_confidence_put(struct app *app, const struct node *reply, struct buf *out)
{
	const struct kept_reply *kept = reply ? dialog_kept_reply(app->dialog, reply->id) : NULL;
	struct buf line = {.max = KIB(4)};
	struct sparkline_range range;
	struct kept_summary summary;
	bool has_line = !app->config->ui->accessible;
	int rows, cols;

	if (!kept || !kept_summarise(kept, &summary))
		return;
	term_size(app->term, &rows, &cols);
	cols = cols > 72 ? 40 : cols > 40 ? cols - 34 : 6; /* beside the figures */
	buf_puts(out, "\nsure     ");
	put_summary(out, kept);
	range = sparkline_put_entropy(&line, kept, cols);
	put_row(out, "entropy  ", &range, "bits", &line, has_line);
	buf_clear(&line);
	range = sparkline_put_speed(&line, kept, cols);
	put_row(out, "speed    ", &range, "tok/s", &line, has_line);
	buf_free(&line);
}
