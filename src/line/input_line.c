#include "line/input_line.h"

#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/io.h"
#include "base/limits.h"
#include "line/input_layout.h"
#include "line/pastes.h"
#include "line/readline_keys.h"

enum {
	BELL = 7,
	BELLS_MAX = 16,
	REPEAT_MAX = 999 /* a larger repeat count is a slip, and could take seconds */
};

/* Readline's own: where an abort jumps to. Its headers do not declare it, but all its versions have
 * it. See on_redisplay(). */
extern sigjmp_buf _rl_top_level;

/* Readline's callbacks take no context, so what they need is here. */
static struct {
	struct input_line_config config;
	FILE *null;
	FILE *out;         /* where readline shows the line itself: what it writes there, in memory */
	char *written;
	size_t n_written;
	bool visible;      /* it is passed on to the terminal, ... */
	int cols;          /* ... which is so wide */
	bool open;
	const char *queue; /* the current key's bytes that readline has not read */
	size_t n_queue;
	int n_bells;       /* given since the key began */
	bool reading;      /* in read_char(), whose frame is: */
	sigjmp_buf frame;
	char *submitted;   /* by Enter, until the key is done; from malloc */
	bool edit_wanted;
	struct input_layout layout;
	int width, max_rows; /* as last drawn */
	struct tab_list candidates;
	bool selected;
	struct pastes pastes;
	struct buf unfolded, unfolded_from; /* the line with its pastes, as asked for last */
	struct buf shown;    /* ... and with what is shown for them */
	const char *folded;  /* while a line is submitted: as it was in readline */
} line;

/* Readline is called only while we have bytes. If one of its commands wants more than the key had,
 * it gets the character that aborts; if it still goes on asking, it gets the end of the file. */
static int take_byte(FILE *stream)
{
	(void)stream;
	if (line.n_queue == 0)
		return line.n_bells++ < BELLS_MAX ? BELL : EOF;
	line.n_queue--;
	return (unsigned char)*line.queue++;
}

static int has_bytes(void)
{
	return line.n_queue > 0;
}

/* The loop draws after each key anyway.
 *
 * But readline comes here before each abort too (C-g, a sequence that is bound
 * to nothing, nothing to yank), and then jumps. In callback mode (8.2) it may
 * do so into a frame that is gone: readline_internal_char() leaves its own
 * behind, and it is the one that is jumped to when more input was pushed back,
 * or came from a macro, and aborts within a sequence or a repeat count. So from
 * here on it jumps to ours. */
static void on_redisplay(void)
{
	if (line.visible)
		rl_redisplay();
	if (line.reading)
		memcpy(&_rl_top_level, &line.frame, sizeof line.frame);
}

/* What readline has written goes to our standard output while the line is visible, otherwise nowhere.
 * Its redisplay (8.2) writes a NUL here and there, which is left out. A folded paste, which nothing can
 * show in one column, is a pilcrow. */
static void pass_on(void)
{
	size_t kept = 0, taken = 1;

	if (!line.out)
		return;
	fflush(line.out);
	for (size_t i = 0; i < line.n_written; i += taken) {
		if (pastes_at(&line.pastes, line.written, line.n_written, i, &taken)) {
			memcpy(line.written + kept, INPUT_LINE_FOLD, strlen(INPUT_LINE_FOLD));
			kept += strlen(INPUT_LINE_FOLD);
			continue;
		}
		taken = 1;
		if (line.written[i])
			line.written[kept++] = line.written[i];
	}
	if (line.visible) /* if the terminal is gone, poll says so */
		(void)!io_write_all(&io_system, STDOUT_FILENO, line.written, kept, &taken);
	rewind(line.out);
}

void input_line_show(int rows, int cols)
{
	if (!line.out || line.visible)
		return;
	line.visible = true;
	line.cols = cols;
	rl_set_screen_size(rows, cols);
	if (!input_line_is_searching())
		rl_set_prompt(line.config.prompt); /* what a broken-off search has left of it is not shown */
	rl_forced_update_display();
	pass_on();
}

/* Above a byte of what readline shows: the line behind its prompt. */
static int rows_above(int at, int cols)
{
	return input_layout_rows_above(rl_display_prompt ? rl_display_prompt : line.config.prompt,
	                               rl_line_buffer, (size_t)at, cols);
}

void input_line_resize(int rows, int cols, bool reflows)
{
	const char *up;
	bool is_long;
	int above;

	if (!line.visible)
		return;
	up = rl_get_termcap("up");
	is_long = cols != line.cols && (rows_above(rl_end, line.cols) || rows_above(rl_end, cols));
	above = rows_above(rl_point, reflows ? cols : line.cols);
	if (is_long && (!up || (strcmp(up, "\033[A") != 0 && strcmp(up, "\033M") != 0))) {
		input_line_hide(); /* it cannot go back: the line is shown again below */
		return;
	}
	line.cols = cols;
	rl_set_screen_size(rows, cols);
	if (!is_long)
		return;
	above = above < rows ? above : rows - 1;
	fputs("\r", rl_outstream);
	if (above > 0) /* not `up`, which at the top may scroll */
		fprintf(rl_outstream, "\033[%dA", above);
	fputs("\033[J", rl_outstream);
	rl_forced_update_display();
	pass_on();
}

void input_line_hide(void)
{
	int point = rl_point;

	if (!line.visible)
		return;
	rl_point = rl_end;
	rl_redisplay();
	rl_point = point;
	rl_crlf();
	rl_on_new_line();
	pass_on();
	line.visible = false;
}

bool input_line_is_visible(void)
{
	return line.visible;
}

void input_line_refresh(void)
{
	if (!line.visible)
		return;
	rl_redisplay();
	pass_on();
}

/* After an abort it returns as readline's does: nothing more was done. */
static void read_char(void)
{
	if (sigsetjmp(line.frame, 0) == 0) {
		line.reading = true;
		rl_callback_read_char();
	}
	line.reading = false;
}

static void on_line(char *text)
{
	pass_on(); /* readline has gone to the next row; it would show the prompt again at once */
	line.visible = false;
	free(line.submitted);
	line.submitted = text;
}

static int on_edit(int count, int key)
{
	(void)count;
	(void)key;
	line.edit_wanted = true;
	return 0;
}

static char **on_complete(const char *text, int start, int end)
{
	struct complete_list list;
	char **matches;

	(void)text;
	rl_attempted_completion_over = 1; /* readline does not complete file names itself */
	if (start < 0 || end < start || !line.config.complete)
		return NULL;
	line.config.complete(line.config.context, rl_line_buffer, (size_t)end, &list);
	matches = complete_matches(&list, (size_t)start);
	if (matches) {
		line.candidates.shown = list.start + list.shown > (size_t)start
		                        ? list.start + list.shown - (size_t)start : 0;
		if (!matches[1] && matches[0][0]) /* a single one */
			rl_completion_suppress_append = strchr("/=", matches[0][strlen(matches[0]) - 1]) != NULL;
	}
	complete_free(&list);
	return matches;
}

/* matches[1..n] */
static void on_matches(char **matches, int n, int longest)
{
	(void)longest;
	if (n > 0)
		tab_list_show(&line.candidates, matches + 1, (size_t)n);
}

enum status input_line_open(const struct input_line_config *config, struct error *err)
{
	line.config = *config;
	line.unfolded.max = line.unfolded_from.max = LIMIT_MESSAGE;
	line.shown.max = 2 * LIMIT_MESSAGE;
	line.null = fopen("/dev/null", "r+e");
	if (!line.null)
		return error_errno(err, errno, "/dev/null: cannot open");
	if (config->prompt) {
		line.out = open_memstream(&line.written, &line.n_written);
		if (!line.out) {
			fclose(line.null);
			return error_no_memory(err, "for the line");
		}
	}
	rl_readline_name = "sotto"; /* for $if in inputrc */
	rl_instream = line.null;
	rl_outstream = line.out ? line.out : line.null;
	rl_catch_signals = 0;
	rl_catch_sigwinch = 0;
	rl_change_environment = 0;
	rl_prep_term_function = NULL;
	rl_deprep_term_function = NULL;
	rl_getc_function = take_byte;
	rl_input_available_hook = has_bytes;
	rl_attempted_completion_function = on_complete;
	rl_completion_display_matches_hook = on_matches;
	rl_completion_query_items = -1; /* never ask */
	rl_sort_completion_matches = 0; /* they are: commands come before options */
	rl_basic_word_break_characters = " \n";
	rl_completer_word_break_characters = " \n";
	rl_add_defun("edit-and-execute-command", on_edit, -1);
	/* Before the inputrc is read, so that it can override this. */
	rl_variable_bind("show-all-if-ambiguous", "on");
	rl_variable_bind("enable-bracketed-paste", "off");
	if (config->prompt) /* it learns what the terminal can do only if it is to draw itself */
		rl_initialize();
	rl_redisplay_function = on_redisplay;
	rl_callback_handler_install(config->prompt ? config->prompt : "> ", on_line);
	if (line.out)
		rl_tty_set_echoing(1); /* which readline finds out only where it sets the terminal's modes */
	line.open = true;
	readline_keys_bind(on_edit);
	return STATUS_OK;
}

void input_line_close(void)
{
	if (!line.open)
		return;
	rl_callback_handler_remove();
	tab_list_clear(&line.candidates);
	clear_history();
	free(line.submitted);
	input_layout_deinit(&line.layout);
	pastes_free(&line.pastes);
	buf_free(&line.unfolded);
	buf_free(&line.unfolded_from);
	buf_free(&line.shown);
	rl_instream = rl_outstream = NULL;
	if (line.out)
		fclose(line.out);
	free(line.written);
	fclose(line.null);
	memset(&line, 0, sizeof line);
}

/* A history line that was edited and then left keeps its undo list in its entry and restores it
 * later; some commands of readline (8.2) then free the list but not the entry's pointer, and it is
 * freed twice. So no entry keeps one: the price is that an edit of an older line cannot be undone
 * after leaving that line. */
static void disown_undo_lists(void)
{
	HIST_ENTRY **entries = history_list();

	for (size_t i = 0; entries && entries[i]; i++)
		entries[i]->data = NULL;
}

static size_t unfolded_length(void)
{
	return pastes_length(&line.pastes, rl_line_buffer, (size_t)rl_end);
}

/* Hands over the line, unfolded. */
static void submit(void)
{
	char *text = line.submitted;
	struct buf unfolded = {.max = LIMIT_MESSAGE};

	line.submitted = NULL;
	line.folded = text;
	if (pastes_unfold(&line.pastes, text, strlen(text), &unfolded) == STATUS_OK)
		line.config.submit(line.config.context, buf_text(&unfolded));
	else /* the next line would not have the memory either: it stays */
		rl_insert_text(text);
	buf_free(&unfolded);
	line.folded = NULL;
	free(text);
}

/* Lets readline process the bytes, then does what it asked for. */
static void pump(const char *bytes, size_t n)
{
	line.queue = bytes;
	line.n_queue = n;
	line.n_bells = 0;
	while (line.n_queue || RL_ISSTATE(RL_STATE_INPUTPENDING)) {
		read_char();
		disown_undo_lists();
		if (rl_numeric_arg > REPEAT_MAX)
			rl_numeric_arg = REPEAT_MAX;
		while (unfolded_length() > LIMIT_MESSAGE && rl_do_undo())
			; /* for example a yank of more than a message holds */
		if (line.submitted)
			submit();
	}
	pass_on();
	if (line.edit_wanted) {
		line.edit_wanted = false;
		line.config.edit(line.config.context);
	}
}

/* Ends a search at the line that it has found. Readline does this itself for a key that is not part
 * of the search, but for a key of several bytes it jumps (8.2, callback mode) into a frame that is
 * gone. */
static void end_search(void)
{
	rl_callback_sigcleanup();
	rl_clear_message();
	disown_undo_lists();
}

/* A failed forward search leaves (8.2) a position in a long line together with a shorter line, and
 * searching backward from there reads beyond the end. */
static bool turns_failed_search(const char *bytes, size_t n)
{
	static const char failed_forward[] = "(failed i-search)";

	return input_line_is_searching() &&
	       strncmp(rl_display_prompt, failed_forward, sizeof failed_forward - 1) == 0 &&
	       rl_function_of_keyseq_len(bytes, n, NULL, NULL) == rl_reverse_search_history;
}

static bool is_vi_command(void)
{
	return rl_editing_mode == 0 && rl_get_keymap() == vi_movement_keymap;
}

/* "> ", or what a search or a repeat count asks readline to show. */
static const char *prompt(void)
{
	if (rl_display_prompt && rl_display_prompt != rl_prompt && rl_display_prompt[0])
		return rl_display_prompt;
	return is_vi_command() ? ": " : "> ";
}

/* The line as it is shown. *point: the caret in it. */
static const char *shown_text(size_t *len, size_t *point)
{
	*len = (size_t)rl_end;
	*point = (size_t)rl_point;
	if (!input_line_is_folded())
		return rl_line_buffer;
	buf_clear(&line.shown);
	if (pastes_show(&line.pastes, rl_line_buffer, *len, point, &line.shown)) {
		*point = (size_t)rl_point;
		return rl_line_buffer;
	}
	*len = line.shown.len;
	return buf_text(&line.shown);
}

static const struct input_layout *lay_out(int width, int max)
{
	size_t len, point;
	const char *text = shown_text(&len, &point);

	line.width = width;
	line.max_rows = max;
	input_layout_update(&line.layout, prompt(), text, len, point, width, max);
	return &line.layout;
}

/* Up and down within a line of several rows; at its edges they move through the history. */
static bool move_by_row(struct key key)
{
	size_t len, point;
	const char *text;

	if (input_line_is_searching() || line.width == 0)
		return false;
	lay_out(line.width, line.max_rows);
	text = shown_text(&len, &point);
	if (!input_layout_move(&line.layout, key.name == K_UP ? -1 : 1, text, len, &point))
		return false;
	rl_point = (int)(text == rl_line_buffer
	                 ? point : pastes_find(&line.pastes, rl_line_buffer, (size_t)rl_end, point));
	return true;
}

static void do_key(struct key key, const char *bytes, size_t n)
{
	if ((key_is(key, K_UP, 0) || key_is(key, K_DOWN, 0)) && move_by_row(key))
		return;
	if (unfolded_length() >= LIMIT_MESSAGE && key.name == K_CHAR && !key.mods)
		return;
	if (key.name == K_CHAR && pastes_wants(bytes, n, false)) { /* looks like a folded paste */
		(void)!input_line_insert(bytes, n, NULL);
		return;
	}
	if (input_line_is_searching() && readline_keys_begins(bytes, n))
		end_search();
	if (turns_failed_search(bytes, n)) {
		end_search();
		pump(bytes, n); /* begins a new search; a second one takes the old one's text */
	}
	if (n > 1 && bytes[0] == '\033' && !readline_keys_has(bytes, n)) {
		/* In vi mode an Alt chord is an Esc followed at once by the next key. */
		if (rl_editing_mode == 0 && key.mods == MOD_ALT && key.name == K_CHAR) {
			pump(bytes, 1);
			pump(bytes + 1, n - 1);
			return;
		}
		bytes = readline_keys_usual(key);
		if (!bytes)
			return;
		n = strlen(bytes);
	}
	pump(bytes, n);
}

/* Whether the key has another effect on a selected line than on another: true where the line is as the
 * key wants it. */
static bool replace_selected(struct key key)
{
	bool erases = key_is(key, K_BACKSPACE, 0) || key_is(key, K_DELETE, 0);
	bool types = key.name == K_CHAR && !key.mods;

	if (!line.selected)
		return false;
	line.selected = false;
	if ((!erases && !types) || is_vi_command())
		return false;
	input_line_clear();
	return erases;
}

void input_line_key(struct key key, const char *bytes, size_t n)
{
	line.candidates.listed = false;
	if (!replace_selected(key))
		do_key(key, bytes, n);
	if (!line.candidates.listed)
		tab_list_clear(&line.candidates);
}

enum origin {
	ORIGIN_KEYS,
	ORIGIN_PASTE,
	ORIGIN_BEFORE, /* it was in the line before: its pastes are known */
};

/* Replaces the text by its folded form, if it is to be folded. A line with too many pastes gets it as it is. */
static enum status fold(struct buf *text, enum origin origin)
{
	bool clashes = pastes_wants(buf_text(text), text->len, false);
	bool whole = pastes_wants(buf_text(text), text->len, origin == ORIGIN_PASTE);
	enum status status = STATUS_OK;
	struct buf folded = {.max = LIMIT_MESSAGE};

	if (!whole && origin != ORIGIN_BEFORE)
		return STATUS_OK;
	status = whole ? pastes_put(&line.pastes, buf_text(text), text->len, &folded)
	               : pastes_fold(&line.pastes, buf_text(text), text->len, &folded);
	if (!status) {
		buf_free(text);
		*text = folded;
	} else {
		buf_free(&folded);
		if (!clashes)
			status = STATUS_OK;
	}
	return status;
}

static enum status insert(const char *text, size_t n, enum origin origin, struct error *err)
{
	struct buf clean_text = {.max = LIMIT_MESSAGE};
	enum status status;

	tab_list_clear(&line.candidates);
	status = pastes_clean(&clean_text, text, n);
	if (!status && clean_text.len + unfolded_length() > LIMIT_MESSAGE)
		status = STATUS_LIMIT;
	if (!status)
		status = fold(&clean_text, origin);
	if (status) {
		status = error_set(err, status, "a message holds at most %zu MiB", LIMIT_MESSAGE >> 20);
	} else {
		if (line.selected)
			input_line_clear();
		if (input_line_is_searching())
			pump("\007", 1); /* a paste ends the search; the line is as it was before */
		rl_begin_undo_group();
		rl_insert_text(buf_text(&clean_text));
		rl_end_undo_group();
	}
	buf_free(&clean_text);
	return status;
}

enum status input_line_insert(const char *text, size_t n, struct error *err)
{
	return insert(text, n, ORIGIN_KEYS, err);
}

enum status input_line_paste(const char *text, size_t n, struct error *err)
{
	return insert(text, n, ORIGIN_PASTE, err);
}

bool input_line_is_folded(void)
{
	return pastes_are_in(&line.pastes, rl_line_buffer, (size_t)rl_end);
}

bool input_line_unfold(void)
{
	struct buf unfolded = {.max = LIMIT_MESSAGE};
	bool done;

	if (!input_line_is_folded())
		return false;
	done = !pastes_unfold(&line.pastes, rl_line_buffer, (size_t)rl_end, &unfolded) &&
	       !pastes_wants(buf_text(&unfolded), unfolded.len, false);
	if (done) { /* one step to undo */
		rl_begin_undo_group();
		rl_delete_text(0, rl_end);
		rl_point = 0;
		rl_insert_text(buf_text(&unfolded));
		rl_end_undo_group();
	}
	buf_free(&unfolded);
	return done;
}

/* Whether this is the line that is being submitted, which comes back as it was. */
static bool is_submitted(const char *text, size_t n)
{
	struct buf unfolded = {.max = LIMIT_MESSAGE};
	bool same;

	if (!line.folded)
		return false;
	same = !pastes_unfold(&line.pastes, line.folded, strlen(line.folded), &unfolded) &&
	       unfolded.len == n && memcmp(buf_text(&unfolded), text, n) == 0;
	buf_free(&unfolded);
	return same;
}

enum status input_line_set(const char *text, size_t n, struct error *err)
{
	input_line_clear();
	if (!is_submitted(text, n))
		return insert(text, n, ORIGIN_BEFORE, err);
	rl_insert_text(line.folded);
	return STATUS_OK;
}

void input_line_select(void)
{
	line.selected = rl_end > 0;
}

bool input_line_is_selected(void)
{
	return line.selected;
}

void input_line_clear(void)
{
	line.selected = false;
	tab_list_clear(&line.candidates);
	if (input_line_is_searching())
		pump("\007", 1);
	rl_callback_sigcleanup(); /* half a key sequence */
	rl_clear_message();
	/* Goes from a history line back to the one being written, with readline's own command,
	 * since rl_replace_line would free the undo list that the entry keeps. The next Up begins
	 * at the latest entry again. */
	rl_end_of_history(1, 0);
	rl_replace_line("", 1);
	rl_point = rl_mark = 0;
}

bool input_line_kill(void)
{
	char *text = rl_end > 0 && !input_line_is_searching() ? alloc_strndup(rl_line_buffer, (size_t)rl_end)
	                                                      : NULL;

	input_line_clear();
	if (!text)
		return false;
	/* In the line being written: a line of the history would keep an undo list that nobody frees. */
	rl_insert_text(text);
	rl_kill_text(0, rl_end);
	rl_replace_line("", 1);
	free(text);
	return true;
}

const char *input_line_text(size_t *len)
{
	size_t n = (size_t)rl_end;

	*len = n;
	if (!input_line_is_folded())
		return rl_line_buffer;
	if (line.unfolded_from.len != n || memcmp(line.unfolded_from.data, rl_line_buffer, n) != 0) {
		buf_clear(&line.unfolded);
		buf_clear(&line.unfolded_from);
		buf_append(&line.unfolded_from, rl_line_buffer, n);
		pastes_unfold(&line.pastes, rl_line_buffer, n, &line.unfolded);
	}
	*len = line.unfolded.len;
	return buf_text(&line.unfolded);
}

bool input_line_is_empty(void)
{
	return rl_end == 0 && !input_line_is_searching();
}

bool input_line_is_at_end(void)
{
	return rl_point == rl_end;
}

bool input_line_is_searching(void)
{
	return RL_ISSTATE(RL_STATE_ISEARCH | RL_STATE_NSEARCH) != 0;
}

bool input_line_is_mid_sequence(void)
{
	return RL_ISSTATE(RL_STATE_MULTIKEY | RL_STATE_METANEXT) != 0;
}

bool input_line_wants_escape(void)
{
	return input_line_is_searching() || input_line_is_mid_sequence() ||
	       (rl_editing_mode == 0 && !is_vi_command());
}

const char *const *input_line_candidates(size_t *n)
{
	*n = line.candidates.found.n - line.candidates.page;
	return *n ? (const char *const *)line.candidates.found.items + line.candidates.page : NULL;
}

void input_line_candidates_drawn(size_t n)
{
	line.candidates.page_n = n;
}

int input_line_rows(int width, int max)
{
	return lay_out(width, max)->height;
}

void input_line_draw(WINDOW *win, int y, int x, int rows, int cols, int *caret_y, int *caret_x)
{
	const struct input_layout *l = lay_out(cols, rows);
	size_t len, point;
	const char *text = shown_text(&len, &point);

	input_layout_draw(l, win, y, x, rows, cols, prompt(),
	                  line.selected ? STYLE_SELECTION : STYLE_INPUT, text, len);
	*caret_y = y + l->caret_row;
	*caret_x = x + l->caret_col;
}
