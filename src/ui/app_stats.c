#include "ui/app_stats.h"

#include <stdio.h>
#include <string.h>

#include "base/date.h"
#include "base/limits.h"
#include "chat/path.h"
#include "dialog/dialog.h"
#include "ui/app_confidence.h"
#include "ui/command.h"
#include "ui/tell.h"

/* "12 tokens", and where it was measured " in 340 ms (35.3 tok/s)"; no rate where the clock is too coarse for
 * one. */
static void append_rate(struct buf *out, uint32_t tokens, double ms, bool is_told)
{
	buf_printf(out, "%u token%s", tokens, tokens == 1 ? "" : "s");
	if (ms > 0 || is_told)
		buf_printf(out, " in %.0f ms", ms);
	if (ms >= 1)
		buf_printf(out, " (%.1f tok/s)", (double)tokens * 1e3 / ms);
}

/* What the chat's file has of a reply that was made before the chat was opened here. */
static void put_kept(struct buf *text, const struct node *reply)
{
	const struct reply_run *run = reply->n_runs ? &reply->runs[reply->n_runs - 1] : NULL;
	char date[DATE_TEXT_MAX];

	if (run && run->has_begun && run->begin.n_prompt)
		buf_printf(text, "prompt   %u tokens\n", run->begin.n_prompt);
	buf_puts(text, "reply    ");
	if (reply->n_ids)
		buf_printf(text, "%zu token%s", reply->n_ids, reply->n_ids == 1 ? "" : "s");
	else
		buf_printf(text, "%zu bytes", reply->len);
	if (reply->n_reasoning_ids)
		buf_printf(text, ", %zu of them thought", reply->n_reasoning_ids);
	date_text(reply->created, date);
	buf_printf(text, ", by %s, %s", tree_speaker(reply), date);
	if (run && run->model.server[0])
		buf_printf(text, "\nserver   %s, %s; model %s", run->model.server, run->model.dialect, run->model.model);
	buf_puts(text, "\nIts times are not known: nothing was measured since this chat was opened.");
}

static void put_prompt(struct buf *text, const struct turn_stats *s, const struct cache_difference *difference,
                       bool is_server)
{
	buf_printf(text, "prompt   %s%u token%s", s->estimated ? "~" : "", s->n_prompt, s->n_prompt == 1 ? "" : "s");
	if (s->cached_unknown) {
		buf_puts(text, "; how many of them were in the cache, the server does not tell");
	} else {
		buf_printf(text, ", %u of them in the cache; ", s->n_cached);
		append_rate(text, s->n_evaluated, s->prefill_ms, !is_server);
		if (is_server && s->n_cached)
			buf_puts(text, "; what changed, the server does not tell");
	}
	if (difference->kind) {
		buf_puts(text, "\ncache    kept up to there: ");
		cache_difference_put(difference, true, text);
	}
	if (s->n_again)
		buf_printf(text, "\nstates   kept up to token %u: the %u after it %s evaluated again",
		           s->n_cached, s->n_again, s->n_again == 1 ? "was" : "were");
}

/* Dollars, with as many digits as there are: "$0.0015". */
static void put_cost(struct buf *text, double cost)
{
	char number[64];
	size_t n = (size_t)snprintf(number, sizeof number, "%.6f", cost);

	if (cost > 0 && cost < 1e-6) {
		buf_puts(text, "\ncost     less than $0.000001");
		return;
	}
	while (n > 4 && number[n - 1] == '0' && number[n - 3] != '.')
		n--;
	buf_printf(text, "\ncost     $%.*s", (int)n, number);
}

static void put_measured(struct buf *text, const struct dialog_turn *turn, const struct model_info *model)
{
	const struct turn_stats *s = &turn->stats;

	put_prompt(text, s, &turn->difference, model->place[0] != '\0');
	buf_puts(text, "\nreply    ");
	append_rate(text, s->n_generated, s->decode_ms, true);
	if (s->n_reasoning)
		buf_printf(text, ", %u of them thought", s->n_reasoning);
	buf_printf(text, "\ncontext  %s%u ", s->estimated ? "~" : "", s->n_ctx_used);
	if (model->n_ctx)
		buf_printf(text, "of %u tokens", model->n_ctx);
	else
		buf_puts(text, "tokens; how many there is room for, the server does not tell");
	if (s->has_cost)
		put_cost(text, s->cost);
	if (model->place[0])
		buf_printf(text, "\nserver   %s, %s; model %s", model->place, model->identity.dialect, model->identity.model);
}

bool app_stats(struct app *app, const struct command_call *call)
{
	const struct node *reply = path_reply(app->dialog->tree);
	struct buf text = {.max = KIB(4)};

	(void)call;
	if (!app->dialog->turn.has_stats && !reply) {
		app_message(app, STYLE_STATUS, "there is no reply yet");
		return true;
	}
	if (app->dialog->turn.has_stats)
		put_measured(&text, &app->dialog->turn, app->model);
	else
		put_kept(&text, reply);
	app_confidence_put(app, reply, &text);
	if (!buf_status(&text))
		app_notice(app, STYLE_SYSTEM, "%s", buf_text(&text));
	buf_free(&text);
	return true;
}
