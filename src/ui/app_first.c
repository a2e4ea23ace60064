/* The first screen of an empty chat, and putting one of its questions into the line. */
#include "ui/app_first.h"

#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "dialog/dialog.h"
#include "line/input_line.h"
#include "ui/app_load.h"
#include "ui/app_offer.h"
#include "ui/app_pull.h"
#include "ui/keymap.h"
#include "ui/tell.h"
#include "view/first_screen.h"

/* What Enter does where there is no model yet, or how far that is. */
static void put_offer(const struct app *app, struct buf *out)
{
	if (app_pull_name(app)) {
		app_pull_put_sentence(app, out);
		buf_puts(out, app_is_guide(app) ? ". The guide answers meanwhile." : ".");
	} else if (app_offer_put(app, out)) {
		buf_putc(out, '.');
	}
}

int app_draw_first(struct app *app, int rows, int cols)
{
	char who[sizeof app->model->name + sizeof app->model->place + 96], who_short[sizeof who];
	struct first_screen first = {.who = who, .who_short = who_short,
	                             .help_key = app_key(app, "help"),
	                             .quit_key = keymap_key_of(app->keys, "end-of-file")};
	int width = app->config->ui->width > 0 && app->config->ui->width < cols
	                    ? app->config->ui->width : cols;
	struct first_layout layout;
	struct buf offer = {.max = KIB(4)};

	if (app->phase == PHASE_NO_MODEL) {
		first.who = first.who_short = NULL;
	} else if (app->phase == PHASE_LOADING) {
		snprintf(who, sizeof who, "The model is being loaded.");
		snprintf(who_short, sizeof who_short, "%s", who);
	} else if (app_is_guide(app)) {
		first.who = app_guide_words;
		snprintf(who_short, sizeof who_short, "The guide answers questions about sotto.");
	} else if (app->model->place[0]) {
		first.is_elsewhere = true;
		snprintf(who, sizeof who, "%s answers, on %s%s. %s shows other models.", app->model->name, app->model->place,
		         app->model->is_unverified ? ", which is not verified" : "", app_key(app, "model"));
		snprintf(who_short, sizeof who_short, "%s on %s answers.", app->model->name,
		         app->model->identity.server[0] ? app->model->identity.server : app->model->place);
	} else {
		snprintf(who, sizeof who, "%s answers. %s shows other models.",
		         app->model->name, app_key(app, "model"));
		snprintf(who_short, sizeof who_short, "%s answers.", app->model->name);
	}
	if (app_has_model(app))
		first.questions = first_screen_questions(app_is_guide(app));
	put_offer(app, &offer);
	first.offer = offer.len ? buf_text(&offer) : NULL;
	layout = first_screen_layout(&first, rows, width);
	for (int y = 0; y < layout.rows; y++)
		cells_fill(stdscr, y, 0, cols, STYLE_ASSISTANT);
	first_screen_draw(&first, &layout, stdscr, width);
	app->first->questions = layout.has_questions ? first.questions : NULL;
	buf_free(&offer);
	return layout.rows;
}

/* The question that is in the line; -1: none. */
static int question_in_line(const struct app *app)
{
	size_t len;
	const char *line = input_line_text(&len);

	for (int i = 0; i < FIRST_QUESTIONS; i++)
		if (strlen(app->first->questions[i]) == len && memcmp(app->first->questions[i], line, len) == 0)
			return i;
	return -1;
}

static void put_in_line(struct app *app, const char *text)
{
	struct error err;

	app_went_well(app, input_line_set(text, strlen(text), &err), &err);
}

bool app_take_question(struct app *app, struct key key)
{
	const char digit[] = {app->first->digit, '\0'};
	bool typed = key.name == K_CHAR && !(key.mods & (MOD_CTRL | MOD_ALT));

	app->first->digit = '\0';
	/* A message may have been sent since the questions were drawn. */
	if (!app->first->questions || tree_leaf(app->dialog->tree) || input_line_is_searching())
		return false;
	/* Text that goes on after the digit was no choice: "2+2". */
	if (digit[0] && typed && question_in_line(app) >= 0)
		put_in_line(app, digit);
	if (key_is(key, K_TAB, 0) && (input_line_is_empty() || question_in_line(app) >= 0)) {
		put_in_line(app, app->first->questions[(question_in_line(app) + 1) % FIRST_QUESTIONS]);
		return true;
	}
	if (!typed || !input_line_is_empty() || key.cp < '1' || key.cp >= '1' + FIRST_QUESTIONS)
		return false;
	app->first->digit = (char)key.cp;
	put_in_line(app, app->first->questions[key.cp - '1']);
	return true;
}
