/* What the user is told about the guide, the model that comes with sotto. */
#include "ui/app_guide.h"

#include "dialog/dialog.h"
#include "guide/guide.h"
#include "ui/tell.h"

const char app_guide_words[] =
	"You are talking to the guide, a tiny model that comes with sotto. It answers questions about "
	"sotto and can make small talk; /model or F6 loads a real one.";

static void tell_instructed(struct app *app)
{
	const char *system = dialog_system_message(app->dialog);

	if (app->told->instructed || !system || !system[0])
		return;
	app->told->instructed = true;
	app_notice(app, STYLE_WARNING, "%s %s or /model FILE loads a model that can.",
	           app->dialog->template.call ? GUIDE_INSTRUCTED("a template")
	                              : GUIDE_INSTRUCTED("a system message"),
	           app_key(app, "model"));
}

void app_guide_instructed(struct app *app)
{
	app->told->instructed = false;
	if (app_is_guide(app) && app->phase != PHASE_LOADING)
		tell_instructed(app);
}

void app_guide_loaded(struct app *app)
{
	if (!app_is_guide(app)) {
		app->told->instructed = false;
		return;
	}
	if (!app->told->guide && tree_leaf(app->dialog->tree)) /* else the first screen says it */
		app_notice(app, STYLE_SYSTEM, "%s", app_guide_words);
	app->told->guide = true;
	tell_instructed(app);
}
