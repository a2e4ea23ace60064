/* /stats: how fast the last reply was. */
#include "ui/app_stats.h"

#include "base/date.h"
#include "base/limits.h"
#include "chat/path.h"
#include "dialog/dialog.h"
#include "ui/command.h"
#include "ui/state.h"
#include "ui/tell.h"

/* "12 tokens in 340 ms (35.3 tok/s)"; no rate where the clock is too coarse for one. */
static void append_rate(struct buf *out, uint32_t tokens, double ms)
{
	buf_printf(out, "%u token%s in %.0f ms", tokens, tokens == 1 ? "" : "s", ms);
	if (ms >= 1)
		buf_printf(out, " (%.1f tok/s)", (double)tokens * 1e3 / ms);
}

/* What the chat's file has of a reply that was made before the chat was opened here. */
static void put_kept(struct buf *text, const struct node *reply)
{
	const struct reply_run *run = reply->n_runs ? &reply->runs[reply->n_runs - 1] : NULL;
	char date[DATE_TEXT_MAX];

	if (run && run->has_begun)
		buf_printf(text, "prompt   %u tokens\n", run->begin.n_prompt);
	buf_puts(text, "reply    ");
	if (reply->n_ids)
		buf_printf(text, "%zu token%s", reply->n_ids, reply->n_ids == 1 ? "" : "s");
	else
		buf_printf(text, "%zu bytes", reply->len);
	if (reply->n_reasoning_ids)
		buf_printf(text, ", %zu of them thought", reply->n_reasoning_ids);
	date_text(reply->created, date);
	buf_printf(text, ", by %s, %s\nIts times are not known: nothing was measured since this chat was opened.",
	           tree_speaker(reply), date);
}

static void put_measured(struct buf *text, const struct turn_stats *s, uint32_t n_ctx)
{
	buf_printf(text, "prompt   %u tokens, %u of them in the cache; ", s->n_prompt, s->n_cached);
	append_rate(text, s->n_evaluated, s->prefill_ms);
	if (s->n_again)
		buf_printf(text, "\nstates   kept up to token %u: the %u after it %s evaluated again",
		           s->n_cached, s->n_again, s->n_again == 1 ? "was" : "were");
	buf_puts(text, "\nreply    ");
	append_rate(text, s->n_generated, s->decode_ms);
	buf_printf(text, "\ncontext  %u of %u tokens", s->n_ctx_used, n_ctx);
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
		put_measured(&text, &app->dialog->turn.stats, app->model->n_ctx);
	else
		put_kept(&text, reply);
	if (!buf_status(&text))
		app_notice(app, STYLE_SYSTEM, "%s", buf_text(&text));
	buf_free(&text);
	return true;
}
