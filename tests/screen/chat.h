/* What the tests of the chat share: starting it, talking to it, and the few
 * words of its screen that they rely on. */
#ifndef SOTTO_SCREEN_CHAT_H
#define SOTTO_SCREEN_CHAT_H

#include "screen/harness.h"

/* Words on the screen. */
#define CHAT_READY "ready"
#define CHAT_LOADING "loading"
#define CHAT_NO_MODEL "no model"
#define CHAT_NEW_BELOW "new output below"
#define CHAT_QUEUED "queued:"
#define CHAT_EMPTY "type a message or /help" /* what the empty line says */
#define CHAT_NO_SAVE "no-save"

struct chat_options {
	int rows, cols;
	const char *model; /* "synthetic:..."; NULL: none at all */
	bool names_no_model; /* no -m: the guide, if it is there */
	const char *args[SCREEN_MAX_ARGS - 6];
	const char *env[SCREEN_MAX_ARGS];
	const char *keyboard; /* as in struct screen_options */
	const char *typed;
	bool leads_session, other_terminal; /* as in struct screen_options */
};

/* Starts sotto; does not wait for the model. */
struct screen *chat_start(const struct chat_options *options);
/* ... and waits until it is ready for a message. */
struct screen *chat_open(const char *model);
struct screen *chat_open_with(const struct chat_options *options);
/* With the options named: CHAT_OPEN(.model = "synthetic:", .cols = 120). */
#define CHAT_START(...) chat_start(&(struct chat_options){__VA_ARGS__})
#define CHAT_OPEN(...) chat_open_with(&(struct chat_options){__VA_ARGS__})

/* A variable of the environment that names a data directory, in the test's folder, whose guide has
 * the help of tests/vectors/guide-facts.yaml, whatever the facts say today. Its model is put into
 * CHAT_GUIDE_MODEL by who calls. */
#define CHAT_GUIDE_MODEL "pkg/models/guide.gguf" /* for test_path() */
const char *chat_guide_data(void);

/* Ready, and the cursor in the input line. */
void chat_wait_ready(struct screen *s);
bool chat_is_ready(struct screen *s);
/* screen_keys, PRESS_SHOWS, PRESS_WAIT, and then chat_wait_ready. */
void chat_send(struct screen *s, const char *keys);
#define SEND_SHOWS(s, keys, ...) (PRESS_SHOWS(s, keys, __VA_ARGS__), chat_wait_ready(s))
#define SEND_WAIT(s, keys, cond) \
	do { \
		PRESS_WAIT(s, keys, cond); \
		chat_wait_ready(s); \
	} while (0)
/* Types the text, which has to fit in the line, waits for its echo, sends it; returns when the screen
 * shows what that has led to at once. */
void chat_say(struct screen *s, const char *text);
/* ... and waits until it is ready for the next. */
void chat_ask(struct screen *s, const char *text);
/* chat_say, and then WAIT_TEXT, WAIT_GONE, WAIT or screen_quiet. */
#define SAY_SHOWS(s, line, ...) (chat_say(s, line), WAIT_TEXT(s, __VA_ARGS__))
#define SAY_HIDES(s, line, text) (chat_say(s, line), WAIT_GONE(s, text))
#define SAY_WAIT(s, line, cond) \
	do { \
		chat_say(s, line); \
		WAIT(s, cond); \
	} while (0)
#define SAY_QUIET(s, line, ms) (chat_say(s, line), screen_quiet(s, ms))
/* SAY_SHOWS, SAY_WAIT, and then chat_wait_ready. */
#define ASK_SHOWS(s, line, ...) (SAY_SHOWS(s, line, __VA_ARGS__), chat_wait_ready(s))
#define ASK_WAIT(s, line, cond) \
	do { \
		SAY_WAIT(s, line, cond); \
		chat_wait_ready(s); \
	} while (0)
/* The text stands above the input line, as a part of the conversation. */
bool chat_shows(struct screen *s, const char *text);
/* The input line (the row that has the cursor) has the text. */
bool chat_line_has(struct screen *s, const char *text);
bool chat_line_is_empty(struct screen *s);
/* Into the line, where it is seen; keys after it are keys again. */
void chat_paste(struct screen *s, const char *text, size_t len);
/* Clears the line, types /quit, checks the terminal and the exit status. */
void chat_quit(struct screen *s);

/* Scrambles the picture, asks for a redraw (Ctrl-L) and compares: the program
 * must have had on the screen what a fresh draw gives. */
void chat_expect_fresh(struct screen *s);
/* ... and then chat_quit. */
void chat_quit_fresh(struct screen *s);

/* The used tokens of "694/1024" in the bar; -1 while a message has its place. */
long chat_tokens_in_bar(struct screen *s, int n_ctx);

/* The newest chat file's content, to be freed; NULL when there is none. */
char *chat_journal(void);
/* How often the newest has the text, as YAML's double quotes spell it, on one line. */
size_t chat_journal_count(const char *text);
bool chat_journal_has(const char *text);
size_t chat_n_journals(void);

#endif
