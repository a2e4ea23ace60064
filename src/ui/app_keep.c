/* Writing what was changed in the chat to the configuration: /keep, and Ctrl+K in the panels of the
 * sampler, the models and the themes. */
#include "ui/app_keep.h"

#include "base/home_path.h"
#include "base/limits.h"
#include "ui/app_models.h"
#include "ui/tell.h"

bool app_keep(struct app *app, const struct command_call *call)
{
	struct settings *settings = app->config->settings;
	struct settings_kept kept;
	struct buf guide = {.max = KIB(64)}, file = {.max = KIB(64)};
	struct error err;
	bool has_guide;

	(void)call;
	app->models->keeps = app->phase == PHASE_LOADING; /* a file that cannot be loaded is no use at the next start */
	if (app->models->keeps) {
		app_message(app, STYLE_STATUS, "kept as soon as the model is loaded");
		return true;
	}
	has_guide = !catalog_guide_path(&guide, NULL);
	if (settings_keep(settings, &io_system,
	                  has_guide ? &(struct settings_alias){buf_text(&guide), CATALOG_GUIDE} : NULL, &kept,
	                  &err)) {
		app_notice(app, STYLE_ERROR, "Not kept: %s%s%s", err.text,
		           kept.lines.len ? "\nTo put in by hand:\n" : "", buf_text(&kept.lines));
	} else {
		home_path_put_short(&file, settings_file(settings));
		if (kept.n)
			app_notice(app, STYLE_SYSTEM, "Kept %s in %s.", buf_text(&kept.told), buf_text(&file));
		else
			app_message(app, STYLE_STATUS, "there is nothing to keep that %s does not say", buf_text(&file));
	}
	buf_free(&file);
	buf_free(&guide);
	settings_kept_free(&kept);
	return true;
}
