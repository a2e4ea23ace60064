/* The chat in lines: what is new is printed, and never changed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/sys.h"
#include "base/utf8.h"
#include "chat/path.h"
#include "dialog/dialog.h"
#include "dialog/model.h"
#include "line/input_line.h"
#include "ui/app_load.h"
#include "ui/app_models.h"
#include "ui/app_open.h"
#include "ui/app_panel.h"
#include "ui/app_reply.h"
#include "ui/app_wait.h"
#include "ui/front.h"
#include "ui/tell.h"
#include "view/first_screen.h"
#include "view/line_out.h"

enum {
	SAID_MAX = 12,          /* messages of a chat that are said when it is opened */
	PROGRESS_MS = 3000,     /* between two words about progress */
	SYSTEM_BYTES = 160,     /* of a system message that are said */
	CANDIDATES_MAX = 60,    /* of Tab's that are listed */
};

struct lines {
	struct line_out out;
	struct line_reply reply;  /* the one that streams, or did last */
	uint32_t said;            /* the message up to which the conversation was said; 0: none */
	size_t n_said;            /* bytes of that one's text */
	bool has_new_panel;
	bool is_new_chat;
	size_t n_hidden;          /* characters in the line, as last said */
	uint32_t edited;          /* the message that was said to be edited */
	enum app_phase phase;     /* as last seen */
	uint64_t progress_at;     /* when to say next how far it is */
	const char *const *listed; /* Tab's candidates that were listed last */
};

/* ---- words ---- */

static const char *word_of(enum theme_role role)
{
	return role == STYLE_ERROR ? "Error" : "Note";
}

static void say(struct app *app, enum theme_role role, const char *word, const char *text, size_t len)
{
	int rows;

	input_line_hide();
	term_size(app->term, &rows, &app->lines->out.cols);
	line_out_message(&app->lines->out, role, word, text, len);
}

static void say_as(struct app *app, enum theme_role role, const char *text)
{
	static const char error[] = "Error: ";

	if (role == STYLE_ERROR && strncmp(text, error, sizeof error - 1) == 0)
		text += sizeof error - 1;
	if (role == STYLE_STATUS) /* the bar's looks */
		role = STYLE_SYSTEM;
	say(app, role, word_of(role), text, strlen(text));
}

static void note(struct app *app, const char *fmt, ...) PRINTF_LIKE(2, 3);
static void note(struct app *app, const char *fmt, ...)
{
	char text[ERROR_TEXT_MAX];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	say_as(app, STYLE_SYSTEM, text);
}

/* ---- the conversation ---- */

static bool as_markdown(const struct app *app)
{
	return !app->lines->out.accessible && app->config->ui->markdown;
}

static int text_cols(const struct app *app)
{
	int rows, cols, width = app->config->ui->width;

	term_size(app->term, &rows, &cols);
	return width > 0 && width < cols ? width : cols;
}

/* Inline, a blank line stands between messages. */
static void put_gap(struct app *app)
{
	input_line_hide();
	line_out_end_line(&app->lines->out);
	if (!app->lines->out.accessible)
		term_send(app->term, "\n", 1);
}

/* The rest of a reply, as far as it goes. */
static void put_reply(struct app *app, const struct node *node)
{
	struct lines *line = app->lines;
	bool ended = node->state != NODE_STREAMING;

	if (ended || node->len > line->n_said)
		input_line_hide();
	if (!line->reply.as_markdown) /* with Markdown, what stands above is laid out with it */
		line->reply.cols = text_cols(app);
	if (line_reply_put(&line->out, &line->reply, node->text, node->len, ended))
		say_as(app, STYLE_ERROR, "not enough memory to show all of the reply");
	line->n_said = node->len;
	if (!ended)
		return;
	line_reply_free(&line->reply);
	if (!node->len && node->reasoning_len)
		note(app, "The model thought but did not answer. %s prints what it thought.",
		     app_key(app, "thinking"));
	if (node->state == NODE_INTERRUPTED && node->id == tree_leaf(app->dialog->tree) && !node->dropped &&
	    dialog_can_continue(app->dialog))
		note(app, "(interrupted) %s goes on", app_key(app, "continue"));
	else if (node->state == NODE_INTERRUPTED)
		note(app, "(interrupted)");
	if (!line->out.accessible)
		term_send(app->term, "\n", 1);
}

static void say_reply(struct app *app, const struct node *node, size_t from)
{
	put_gap(app);
	app->lines->n_said = from;
	line_reply_begin(&app->lines->reply, node->id, from, as_markdown(app), text_cols(app));
	put_reply(app, node);
}

static void say_system(struct app *app, const struct node *node)
{
	size_t first = strcspn(node->text, "\n"), shown = utf8_cut(node->text, first, SYSTEM_BYTES);
	struct buf text = {.max = LIMIT_MESSAGE};

	buf_puts(&text, node->len || !node->whole ? "System message" : "No system message");
	if (node->origin)
		buf_printf(&text, " (template %s)", node->origin);
	if (node->len)
		buf_printf(&text, ": %.*s%s", (int)shown, node->text, shown < node->len ? "\342\200\246" : "");
	say_as(app, STYLE_SYSTEM, buf_text(&text));
	buf_free(&text);
}

static void say_message(struct app *app, const struct node *node)
{
	struct lines *line = app->lines;

	line->said = node->id;
	line->n_said = node->len;
	switch (node->role) {
	case ROLE_ASSISTANT: say_reply(app, node, 0); break;
	case ROLE_SYSTEM: say_system(app, node); break;
	default:
		if (app->is_typed)
			app->is_typed = false;
		else if (line->out.accessible)
			say(app, STYLE_USER, "You", node->text, node->len);
		else {
			put_gap(app);
			term_send(app->term, "> ", 2);
			say(app, STYLE_USER, NULL, node->text, node->len);
		}
	}
}

static void repeat(struct app *app, uint32_t id)
{
	uint32_t said = app->lines->said;
	size_t n_said = app->lines->n_said;

	app->is_typed = false;
	say_message(app, tree_node(app->dialog->tree, id));
	app->lines->said = said;
	app->lines->n_said = n_said;
}

/* How many of the path's messages were said: those up to the last that leads to what was said. A
 * message's number is larger than its parent's. */
static size_t count_said(const struct app *app, const uint32_t *ids, size_t n)
{
	uint32_t said = app->lines->said;

	while (n && said) {
		if (ids[n - 1] == said)
			return n;
		if (ids[n - 1] > said)
			n--;
		else
			said = tree_node(app->dialog->tree, said)->parent;
	}
	return 0;
}

static void say_path(struct app *app)
{
	size_t n, from;
	uint32_t *ids = tree_path_ids(app->dialog->tree, &n);

	if (!ids)
		return;
	from = count_said(app, ids, n);
	if (n - from > SAID_MAX) {
		note(app, "%zu earlier messages are not repeated here; /export txt FILE writes all of them.",
		     n - from - SAID_MAX);
		from = n - SAID_MAX;
	}
	for (size_t i = from; i < n; i++)
		say_message(app, tree_node(app->dialog->tree, ids[i]));
	app->lines->said = n ? ids[n - 1] : 0;
	free(ids);
}

/* Messages that are new, and what a reply has grown by. */
static void say_conversation(struct app *app)
{
	struct lines *line = app->lines;
	const struct node *node;

	if (tree_leaf(app->dialog->tree) != line->said)
		say_path(app);
	node = tree_node(app->dialog->tree, line->said);
	if (!node || node->role != ROLE_ASSISTANT)
		return;
	if (line->reply.node == node->id)
		put_reply(app, node);
	else if (node->len > line->n_said) /* it is being continued */
		say_reply(app, node, line->n_said);
}

static void take_new_chat(struct app *app, bool is_said)
{
	struct lines *line = app->lines;

	line_reply_free(&line->reply);
	line->said = is_said ? tree_leaf(app->dialog->tree) : 0;
	line->n_said = is_said && line->said ? tree_node(app->dialog->tree, line->said)->len : 0;
	app->is_typed = false;
	line->edited = 0;
	line->is_new_chat = !is_said;
}

/* What was printed cannot be taken back, but named. */
static void recant(struct app *app)
{
	struct lines *line = app->lines;
	uint32_t node = line->reply.node;

	if (!node)
		return;
	line_reply_free(&line->reply);
	line_reply_begin(&line->reply, node, 0, as_markdown(app), text_cols(app));
	if (line->n_said)
		note(app, "The text so far is what the model thought; its answer follows.");
	line->n_said = 0;
}

static void say_reasoning(struct app *app)
{
	const struct node *node = path_reply(app->dialog->tree);

	if (!node || !node->reasoning_len)
		app_message(app, STYLE_STATUS, "the model did not think before its last reply");
	else
		say(app, STYLE_REASONING, "Thinking", node->reasoning, node->reasoning_len);
}

/* ---- what goes on ---- */

static void say_model(struct app *app)
{
	const struct model_info *model = app->model;
	struct buf text = {.max = KIB(4)};

	buf_printf(&text, "%s is ready", model->name);
	if (model->n_ctx)
		buf_printf(&text, ", with a context of %u tokens", model->n_ctx);
	if (model->place[0])
		buf_printf(&text, ". It runs on %s", model->place);
	if (model->is_unverified)
		buf_puts(&text, ", whose certificate is not verified");
	note(app, "%s.", buf_text(&text));
	buf_free(&text);
}

static void say_ready(struct app *app)
{
	const char *const *questions = first_screen_questions(app_is_guide(app));

	if (app_is_guide(app)) {
		note(app, "%s", app_guide_words);
		if (!tree_leaf(app->dialog->tree) && questions)
			note(app, "Ask it, for example: %s", questions[0]);
	} else {
		say_model(app);
	}
}

/* Loading and reading a prompt, in words, if it takes long. */
static void say_progress(struct app *app)
{
	struct lines *line = app->lines;
	uint64_t now = sys_now_ms();

	if (app->phase != line->phase) {
		if (line->phase == PHASE_LOADING && app->phase == PHASE_READY)
			say_ready(app);
		line->phase = app->phase;
		line->progress_at = now + PROGRESS_MS;
	}
	if (now < line->progress_at)
		return;
	line->progress_at = now + PROGRESS_MS;
	if (app_waits_for(app)[0])
		note(app, "%s", app_waits_for(app));
	else if (app->phase == PHASE_LOADING)
		note(app, "Loading the model: %.0f percent.", (double)app->models->load_fraction * 100);
	else if (app->phase == PHASE_PREFILL && app->dialog->turn.prefill_total)
		note(app, "Reading the prompt: %u percent.",
		     (unsigned)((uint64_t)app->dialog->turn.prefill_done * 100 / app->dialog->turn.prefill_total));
	else if (app->phase == PHASE_GENERATING && !line->n_said)
		note(app, app_can_answer_now(app) ? "The model is thinking. %s has it answer now." : "The model is thinking.",
		     app_key(app, "answer"));
}

static void say_edited(struct app *app)
{
	const struct node *node = tree_node(app->dialog->tree, app->dialog->edit.message);

	if (app->dialog->edit.message == app->lines->edited)
		return;
	app->lines->edited = app->dialog->edit.message;
	if (node)
		note(app, node->role == ROLE_USER
		     ? "Your message is in the input line: Enter sends it again, %s leaves it as it was."
		     : "The reply is in the input line: Enter continues from it, %s leaves it as it was.",
		     app_key(app, "escape"));
}

/* Those that nobody sees, which a paste may bring. */
static void say_hidden(struct app *app)
{
	if (app->n_hidden > app->lines->n_hidden)
		say_as(app, STYLE_WARNING, app->n_hidden == 1
		             ? "The input line has an invisible character."
		             : "The input line has invisible characters.");
	app->lines->n_hidden = app->n_hidden;
}

/* ---- panels ---- */

static void print_panel(struct app *app)
{
	struct buf text = {.max = 2 * LIMIT_MESSAGE};

	if (!app->lines->has_new_panel || !app->panel || app->waits)
		return;
	app->lines->has_new_panel = false;
	app->panel->ops->print(app->panel, &text);
	say_as(app, STYLE_SYSTEM, buf_text(&text));
	buf_free(&text);
}

static void take_panel(struct app *app)
{
	app->lines->has_new_panel = true;
	if (app->panel->ops->answer)
		return; /* it may get its rows yet */
	print_panel(app);
	app_close_panel(app);
}

/* Tab's candidates, once. */
static void list_candidates(struct app *app)
{
	size_t n;
	const char *const *candidates = input_line_candidates(&n);
	struct buf text = {.max = KIB(64)};

	if (candidates == app->lines->listed)
		return;
	app->lines->listed = candidates;
	if (!n)
		return;
	for (size_t i = 0; i < n && i < CANDIDATES_MAX; i++)
		buf_printf(&text, "%s%s", i ? "  " : "", candidates[i]);
	if (n > CANDIDATES_MAX)
		buf_printf(&text, "  and %zu more", n - CANDIDATES_MAX);
	input_line_candidates_drawn(n < CANDIDATES_MAX ? n : CANDIDATES_MAX);
	say_as(app, STYLE_HINT, buf_text(&text));
	buf_free(&text);
}

/* ---- all of it ---- */

static void draw_lines(struct app *app)
{
	int rows, cols;

	if (app->chat->resuming)
		return; /* there is nothing to say yet */
	if (app->lines->is_new_chat) {
		app->lines->is_new_chat = false;
		if (!tree_leaf(app->dialog->tree))
			note(app, "A new chat%s. /help lists the commands, /quit leaves, Ctrl+C stops a reply.",
			     app->config->ui->save ? "" : ", which is not saved");
	}
	say_conversation(app);
	say_progress(app);
	say_edited(app);
	say_hidden(app);
	print_panel(app);
	list_candidates(app);
	if (app_is_busy(app) || app->waits || app->end.quit) {
		input_line_hide();
	} else if (input_line_is_visible()) {
		input_line_refresh();
	} else {
		line_out_end_line(&app->lines->out);
		term_size(app->term, &rows, &cols);
		input_line_show(rows, cols);
	}
}

static void resize(struct app *app)
{
	int rows, cols;

	term_size(app->term, &rows, &cols);
	input_line_resize(rows, cols, term_reflows(app->term));
}

static void restyle(struct app *app)
{
	if (!app->lines->out.accessible)
		style_put_sgr(&app->lines->out.sgr, app->theme);
}

static enum status open_lines(struct app *app, struct error *err)
{
	enum status status = term_open_plain(&app->term, err);

	if (status)
		return status;
	app->lines = alloc_array(1, sizeof *app->lines);
	if (!app->lines)
		return error_set(err, STATUS_NOMEM, "not enough memory");
	app->lines->out.term = app->term;
	app->lines->out.accessible = app->config->ui->accessible;
	return STATUS_OK;
}

static void close_lines(struct app *app)
{
	struct lines *line = app->lines;

	if (!line)
		return;
	input_line_hide();
	if (!app->end.gone)
		line_out_end_line(&line->out);
	line_reply_free(&line->reply);
	free(line);
	app->lines = NULL;
}

static enum status put_notice(struct app *app, enum notice_life life, enum theme_role role,
                              const char *text, size_t n)
{
	(void)life;
	(void)n;
	say_as(app, role, text);
	return STATUS_OK;
}

const struct front front_lines = {
	.open = open_lines, .close = close_lines, .draw = draw_lines, .resized = resize,
	.restyle = restyle, .say = say_as, .notice = put_notice, .new_chat = take_new_chat,
	.recanted = recant, .repeat = repeat, .reasoning = say_reasoning, .new_panel = take_panel,
};
