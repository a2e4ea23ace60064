/* The system message: /system. */
#include "ui/app_system.h"

#include <string.h>

#include "dialog/dialog.h"
#include "ui/app_guide.h"
#include "ui/command.h"
#include "ui/facts.h"
#include "ui/state.h"
#include "ui/tell.h"

bool app_system(struct app *app, const struct command_call *call)
{
	bool clears = call->quoted ? !call->argument_len : strcmp(call->argument, "none") == 0;
	const char *text = clears ? "" : call->argument;
	const char *current = dialog_system_message(app->dialog);
	struct error err;

	if (!text[0] && !clears) {
		app_notice(app, STYLE_SYSTEM, current && current[0] ? "System message: %s"
		           : "There is no system message.", current ? current : "");
		return true;
	}
	if (clears && (!current || !current[0])) {
		app_message(app, STYLE_STATUS, "there is no system message");
		return true;
	}
	if (dialog_set_system(app->dialog, text, clears, &err)) {
		app_message(app, STYLE_ERROR, "%s", err.text);
		return false;
	}
	app_tell_facts(app);
	app_guide_instructed(app);
	return true;
}
