/* A command mentions nothing. */
#include "ui/app_mention.h"

#include "dialog/dialog.h"
#include "dialog/mention.h"
#include "line/input_line.h"
#include "ui/command.h"
#include "ui/state.h"
#include "ui/tell.h"

static size_t mentioning(const char *line, size_t len)
{
	return command_is(line, len) ? 0 : len;
}

void app_mentions_update_for(struct app *app, const char *line, size_t len)
{
	dialog_mentions_update(app->dialog, line, mentioning(line, len));
}

void app_mentions_update(struct app *app)
{
	size_t len;
	const char *line = input_line_text(&len);

	app_mentions_update_for(app, line, len);
}

bool app_mentions_refuse(struct app *app, const char *line, size_t len)
{
	const struct dialog_files *files = &app->dialog->files;
	struct error err;
	size_t n;

	if (!dialog_mentions_doubt(app->dialog, line, mentioning(line, len), &err))
		return false;
	n = files->mentioned.list.n;
	if (err.status)
		app_message(app, STYLE_WARNING, "%s; Enter again sends the message without it", err.text);
	else if (files->n_left_out)
		app_message(app, STYLE_WARNING, "%zu file%s attached, %zu left out because %s not text; Enter sends",
		            n, n == 1 ? "" : "s", files->n_left_out, files->n_left_out == 1 ? "it is" : "they are");
	else
		app_message(app, STYLE_STATUS, "%zu file%s attached; Enter sends", n, n == 1 ? "" : "s");
	return true;
}
