/* What is told to the user, by all files. */
#include "ui/tell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/front.h"
#include "ui/keymap.h"

enum {
	MESSAGE_MS = 4000, /* how long the bar shows a message */
	ERROR_LINES_MAX = 4,
};

void app_message(struct app *app, enum theme_role role, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(app->bar->text, sizeof app->bar->text, fmt, args);
	va_end(args);
	app->bar->role = role;
	app->bar->until = APP_NEVER;
	app->bar->lasts_ms = MESSAGE_MS;
	app->draw.now = true;
	app->front->say(app, role, app->bar->text);
}

bool app_went_well(struct app *app, enum status status, const struct error *err)
{
	if (status)
		app_message(app, STYLE_ERROR, "%s", err->text);
	return !status;
}

static void put_notice(struct app *app, enum notice_life life, enum theme_role role, const char *fmt,
                       va_list args)
{
	char *text = NULL;
	int n = vasprintf(&text, fmt, args);

	if (n < 0 || app->front->notice(app, life, role, text, (size_t)n))
		app_message(app, STYLE_ERROR, "not enough memory");
	if (n >= 0)
		free(text);
	app->draw.now = true;
}

void app_notice(struct app *app, enum theme_role role, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	put_notice(app, NOTICE_STAYS, role, fmt, args);
	va_end(args);
}

void app_notice_until(struct app *app, enum notice_life life, enum theme_role role, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	put_notice(app, life, role, fmt, args);
	va_end(args);
}

/* A server's text may have any number of lines, of which the first ones say the most. */
static size_t first_lines(const char *text)
{
	size_t n = 0, lines = 0;

	while (text[n] && (text[n] != '\n' || ++lines < ERROR_LINES_MAX))
		n++;
	return n;
}

void app_error_until(struct app *app, enum notice_life life, const struct error *err)
{
	size_t n = first_lines(err->text);

	app_notice_until(app, life, STYLE_ERROR, "Error: %.*s%s", (int)n, err->text, err->text[n] ? " \u2026" : "");
}

void app_error(struct app *app, const struct error *err)
{
	app_error_until(app, NOTICE_UNTIL_COMMAND, err);
}

const char *app_short_error(const struct error *err, const char *name)
{
	const char *found = err->text;
	size_t len = strlen(name);

	while ((found = strchr(found, '/'))) {
		found++;
		if (strncmp(found, name, len) == 0 && strncmp(found + len, ".yaml:", 6) == 0)
			return found;
	}
	return err->text;
}

void app_quit(struct app *app, int exit_status)
{
	app->end.quit = true;
	app->end.exit_status = exit_status;
}

bool app_refuse_while_busy(struct app *app)
{
	if (!app_is_busy(app))
		return false;
	app_message(app, STYLE_WARNING, app->phase == PHASE_LOADING
	            ? "a model is being loaded; %s stops it" : "a reply is under way; %s stops it",
	            app_key(app, "escape"));
	return true;
}

const char *app_key(const struct app *app, const char *name)
{
	return keymap_hint(app->keys, name);
}
