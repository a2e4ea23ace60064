#include "ui/app_offer.h"

#include "base/limits.h"
#include "catalog/recommended_models.h"
#include "dialog/dialog.h"
#include "ui/app_load.h"
#include "ui/app_models.h"
#include "ui/app_pull.h"
#include "ui/front.h"
#include "ui/tell.h"

/* In an empty chat, in which at most the guide answers, and while nothing is on its way. */
static bool is_offered(const struct app *app)
{
	return app->pull->offered && !app_pull_name(app) && !app->pull->is_fetched && !tree_leaf(app->dialog->tree) &&
	       (app->phase == PHASE_NO_MODEL || (app->phase == PHASE_READY && app_is_guide(app)));
}

bool app_offer_put(const struct app *app, struct buf *out)
{
	struct buf name = {.max = KIB(4)};

	if (!is_offered(app))
		return false;
	recommended_pull_name(app->pull->offered, &name);
	if (!pull_lacks())
		buf_puts(out, app_pull_was_stopped(app, buf_text(&name)) ? "Enter goes on fetching " : "Enter fetches ");
	recommended_put_short(app->pull->offered, app->models->weight_rate, out);
	if (pull_lacks())
		buf_printf(out, " suits this machine, but this sotto was built without %s, and fetches no models: /model FILE.gguf "
		           "loads one", pull_lacks());
	buf_free(&name);
	return true;
}

/* On the screen the empty chat shows it. */
static void say(struct app *app)
{
	struct buf text = {.max = KIB(4)};

	if (!app->front->is_screen && app_offer_put(app, &text))
		app_notice(app, STYLE_SYSTEM, "%s; %s shows others.", buf_text(&text), app_key(app, "model"));
	buf_free(&text);
}

void app_offer(struct app *app)
{
	const struct catalog *catalog = app->models->catalog;

	if (app->pull->offered)
		return;
	app->pull->offered = recommended_choose(catalog->available, catalog->weight_rate);
	if (!recommended_fits(app->pull->offered, catalog->available))
		app->pull->offered = NULL;
	say(app);
	app->draw.now = true;
}

bool app_offer_take(struct app *app)
{
	struct buf name = {.max = KIB(4)};
	bool is = !pull_lacks() && is_offered(app);

	if (is) {
		recommended_pull_name(app->pull->offered, &name);
		chat_view_drop_notices(app->view, NOTICE_UNTIL_COMMAND); /* why it was stopped before */
		app_pull_begin(app, buf_text(&name));
	}
	buf_free(&name);
	return is;
}
