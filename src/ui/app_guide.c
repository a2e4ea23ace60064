/* The guide, the model that comes with sotto: what it is, and the help that each of
 * its turns begins with. The conversation itself knows nothing of that. */
#include "ui/app_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"

const char app_guide_words[] =
	"This is the guide, a tiny model that comes with sotto. It answers questions about sotto, "
	"and knows small talk; /model or F6 loads a real one.";

void app_guide_loaded(struct app *app)
{
	struct error err;

	if (!(app->model.capabilities & CAPABILITY_HELP))
		return;
	if (!app->guide && guide_open(&app->guide, NULL, &err))
		app_notice(app, STYLE_WARNING, "The guide has no help to answer from: %s", err.text);
	if (app->guide && app->catalog)
		guide_set_weight_rate(app->guide, app->catalog->weight_rate);
	if (app->told_guide)
		return;
	app->told_guide = true;
	if (tree_leaf(app->tree)) /* else the first screen says it */
		app_notice(app, STYLE_SYSTEM, "%s", app_guide_words);
}

const char *app_model_label(const struct app *app)
{
	return app->model.capabilities & CAPABILITY_HELP ? CATALOG_GUIDE : app->model.name;
}
