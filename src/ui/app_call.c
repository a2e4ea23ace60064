/* Running a command, or sending a message. */
#include "ui/app_call.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "dialog/dialog.h"
#include "ui/app_send.h"
#include "ui/command.h"
#include "ui/front.h"
#include "ui/state.h"
#include "ui/tell.h"

/* Whether it has to wait until nothing runs. This includes an edited message, which is not queued,
 * since by then another branch may be on the screen. */
static bool needs_idle(const struct app *app, const struct command_call *call)
{
	if (!call->command)
		return app->dialog->edited;
	return call->command->flags & COMMAND_NEEDS_IDLE ||
	       (call->command->flags & COMMAND_ARGUMENT_NEEDS_IDLE &&
	        (call->argument_len || call->quoted));
}

bool app_call(struct app *app, const struct command_call *call)
{
	struct command_call whole = *call;
	char *argument;
	bool done;

	if (needs_idle(app, call) && app_refuse_while_busy(app))
		return false;
	chat_view_drop_notices(app->view, NOTICE_UNTIL_COMMAND);
	if (!call->command)
		return app_send(app, call->argument, call->argument_len);
	if (!app->front->is_screen && call->command->flags & COMMAND_NEEDS_SCREEN) {
		app_message(app, STYLE_WARNING, "/%s works only on the full screen; here the terminal does that",
		            call->command->name);
		return true;
	}
	argument = alloc_strndup(call->argument_len ? call->argument : "", call->argument_len);
	if (!argument) {
		app_message(app, STYLE_ERROR, "not enough memory");
		return false;
	}
	whole.argument = argument;
	done = call->command->run(app, &whole);
	free(argument);
	return done;
}
