/* /help. */
#include "ui/app_help.h"

#include "ui/app.h"
#include "ui/app_panel.h"
#include "ui/command.h"
#include "ui/panel_help.h"
#include "ui/state.h"
#include "ui/tell.h"
#include "view/panel.h"

/* All keys and commands, or those that have the words. */
bool app_help(struct app *app, const struct command_call *call)
{
	const char *words = call->argument, *instead;
	struct panel *panel;
	bool found;

	if (!words[0]) {
		app_open_panel(app, panel_help_open(app->keys, app->commands), NULL, NULL);
		return true;
	}
	panel = panel_help_find(app->keys, app->commands, app->config->settings, words, &found);
	if (!panel || found) {
		app_open_panel(app, panel, NULL, NULL);
		return true;
	}
	panel_close(panel);
	instead = command_instead(words, call->argument_len);
	if (instead)
		app_message(app, STYLE_STATUS, "%s: %s", words, instead);
	else
		app_message(app, STYLE_ERROR, "no key, command or option contains '%s'; %s shows them all", words,
		            app_key(app, "help"));
	return instead != NULL;
}
