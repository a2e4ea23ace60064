/* What the terminal is told besides the screen: the chat's title, and that a long reply is done. */
#include "ui/app_terminal.h"

#include <stdlib.h>

#include "base/limits.h"
#include "base/sys.h"
#include "dialog/dialog.h"
#include "dialog/open.h"
#include "terminal/osc.h"
#include "terminal/term.h"
#include "ui/state.h"

void app_show_title(struct app *app)
{
	struct buf title = {.max = KIB(1)};

	if (app->config->ui->title) {
		dialog_put_title(app->dialog, &title, APP_TITLE_BYTES);
		buf_puts(&title, title.len ? " - sotto" : "sotto");
	}
	term_set_title(app->term, buf_text(&title));
	buf_free(&title);
}

void app_set_terminal(struct app *app)
{
	term_set_mouse(app->term, app->config->ui->mouse);
	term_set_focus_reports(app->term, app->config->ui->notify != NOTIFY_OFF);
}

void app_on_focus(struct app *app, bool focused)
{
	app->focus->is_known = true;
	app->focus->is_here = focused;
}

/* Where the terminal does not report its focus, a key says where the user is. */
static bool is_watching(const struct app *app, uint64_t now, uint64_t ms)
{
	return app->focus->is_known ? app->focus->is_here : now - app->focus->key_at < ms;
}

void app_notify(struct app *app, uint64_t since, const char *text)
{
	const struct ui_params *ui = app->config->ui;
	uint64_t now = sys_now_ms(), ms = (uint64_t)ui->notify_after * 1000;
	struct buf bytes = {.max = KIB(4)};

	if (ui->notify == NOTIFY_OFF || now - since < ms || is_watching(app, now, ms))
		return;
	if (ui->notify != NOTIFY_BELL && !osc_are_taken_by(getenv("TERM")))
		return;
	if (!osc_put_notification(&bytes, (enum notify_way)ui->notify, osc_wrapper_here(), text))
		term_send(app->term, bytes.data, bytes.len);
	buf_free(&bytes);
}

void app_notify_end(struct app *app, bool failed)
{
	struct buf text = {.max = KIB(1)};

	buf_puts(&text, failed ? "The reply ended with an error: " : "The reply is done: ");
	dialog_put_title(app->dialog, &text, APP_TITLE_BYTES);
	app_notify(app, app->dialog->turn.asked_at, buf_text(&text));
	buf_free(&text);
}
