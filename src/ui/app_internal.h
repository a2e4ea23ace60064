/* What the files of the loop share: the state of the chat on the screen. Only app*.c and commands.c
 * include this. UI thread only. */
#ifndef SOTTO_UI_APP_INTERNAL_H
#define SOTTO_UI_APP_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "chat/tree.h"
#include "chat/turn.h"
#include "config/theme.h"
#include "engine/worker.h"
#include "guide/guide.h"
#include "journal/draft_file.h"
#include "journal/importer.h"
#include "journal/journal.h"
#include "prompts/prompt_template.h"
#include "search/finder.h"
#include "terminal/clipboard.h"
#include "terminal/editor.h"
#include "terminal/input.h"
#include "terminal/opener.h"
#include "terminal/term.h"
#include "ui/app.h"
#include "ui/app_line.h"
#include "ui/commands.h"
#include "ui/keymap.h"
#include "view/chat_view.h"
#include "view/panel_chats.h"

enum app_phase {
	PHASE_NO_MODEL,
	PHASE_LOADING,
	PHASE_READY,
	PHASE_PREFILL,
	PHASE_GENERATING,
};

enum {
	APP_FRAME_MS = 17,       /* tokens are drawn at most 60 times a second */
	APP_QUIT_ARM_MS = 2000,  /* between the two Ctrl+C that quit */
	APP_MESSAGE_MS = 4000,   /* how long the bar shows a message */
	APP_RETRY_MIN_MS = 1000, /* after a failed write; doubles up to ... */
	APP_RETRY_MAX_MS = 60000,
	APP_LOOK_MS = 1000,      /* between two looks of a panel at the disk */
	APP_MIN_ROWS = 5,
	APP_MIN_COLS = 20,
	APP_REASON_MAX = 96,     /* of why something fails again and again */
};

#define APP_NEVER UINT64_MAX

/* To tell whether a file has changed since it was read. */
struct file_stamp {
	int64_t seconds, nanoseconds, size; /* size -1: it is not there */
	uint64_t inode;
};

/* The prompt template in use; all owned, all NULL when there is none. */
struct app_template {
	char *call; /* name and values, as /template takes them */
	char *name;
	char *path;
	char **stops;
	size_t n_stops;
	struct file_stamp stamp;
	bool told_changed;
};

/* A message of the user's as it will stand in the chat. */
struct app_outgoing {
	char *text; /* owned; ends with a NUL */
	size_t len;
	struct attachments files; /* parts of it */
};

enum { APP_QUEUE_MAX = 20 };
struct app_queue {
	struct app_outgoing items[APP_QUEUE_MAX]; /* owned; the oldest first */
	size_t n;
	size_t edited; /* which one is in the line, from 1; 0: none */
};

/* Files that wait to be sent with the next message. */
struct app_files {
	struct attached given;     /* by /read, or with the message that is being edited */
	struct attached mentioned; /* by @path in the line */
	struct attached aside;     /* given before a message was edited */
	size_t n_left_out;         /* files that the line's patterns match but that are not text */
	char *mentions;            /* owned: what the line mentioned when it was looked at last */
	uint32_t edited;           /* the message whose files `given` are; 0: those of the next one; */
#define APP_FILES_OF_QUEUED UINT32_MAX /* ... those of the queued message that is edited */
	char *doubted;             /* owned: a line that was refused once, for what it mentions */
	bool asked;                /* the tokens of one are being counted: */
	size_t asked_index;        /* `given` first, then `mentioned` */
	unsigned version, asked_version; /* of the two lists */
	uint64_t generation;       /* of the model that they were counted for */
};

/* The model that is loaded, and the files to choose another from. */
struct app_models {
	char *path;              /* the loaded one's file; owned, NULL: none was loaded yet */
	float load_fraction;     /* 0 .. 1, while one is loaded */
	struct catalog *catalog; /* the files as last looked for; owned, NULL: not yet */
	bool advise;             /* say what was found as soon as it is */
	bool presumed;           /* nobody named the one that is being loaded */
	bool keeps;              /* once it is loaded, what was changed is to be kept */
};

/* What there was before a message was sent, to come back to if it is refused. */
struct app_sent {
	uint32_t message; /* 0: none was sent */
	uint32_t n_nodes; /* of the tree; what came after them goes with the message */
	uint32_t leaf;
	uint32_t edited;  /* the message that it replaces; 0: none */
	size_t n_stored;
	bool recorded;
	struct journal_point before, after; /* its record */
};

/* The turn that runs, or ran last. */
struct app_turn {
	struct app_sent sent;
	uint64_t id;
	uint32_t reply;    /* its node, 0 before the first token */
	uint32_t take;     /* how many replies its message has already */
	uint32_t replaced; /* the leaf to go back to if there is no reply; 0: where it is */
	bool continues;    /* it continues a reply, which was in this state: */
	enum node_state state_before;
	uint32_t prefill_done, prefill_total;
	uint32_t n_left_out; /* messages, to make room; if the policy refuses that, those that would be */
	uint64_t asked_at;  /* in milliseconds */
	struct reply_run run; /* how it is made, until its first token; then the node has it */
	bool has_run;         /* the node has */
	uint64_t first_token_us, last_token_us;
	uint32_t n_tokens;
};

/* A summary that a turn waits for: of messages for which the context has no room. */
struct app_summary {
	bool running;
	bool tried;        /* one was made for this turn: it gets no other */
	uint32_t up_to;    /* the last message that it is to stand for; 0: none falls out */
	struct buf text;   /* so far */
};

/* What belongs to the chat on the screen, besides its tree and journal: another chat begins
 * with another one. */
struct app_chat {
	bool resuming;           /* another one is being opened: there is nothing to show yet */
	bool recorded;           /* the journal has something to come back to */
	bool refused_to_lose;    /* to drop unsaved messages; the second time it is done */
	size_t n_stored;         /* messages of the tree that the journal was given */
	size_t n_copied;         /* messages of the tree that /save has written to a file */
	bool is_unsaved;         /* the last write failed, and the user was told ... */
	char why_unsaved[APP_REASON_MAX]; /* ... why (app_is_news) */
	bool is_aside;           /* it is saved in the rescue folder, and the user was told */
	uint64_t retry_at;       /* when to try again to write it where it belongs; APP_NEVER: it is there */
	uint64_t retry_ms;
	uint32_t opening_leaf;   /* where a template's opening of the chat ends; 0: none */
	uint32_t edited;         /* the message that Enter replaces; 0: none */
	uint32_t picked;         /* the message that keys act on; 0: none, they act on the last one */
	uint32_t walked;         /* the take that /prev and /next went to last, while the leaf is ... */
	uint32_t walked_leaf;    /* ... this; 0: none */
	bool has_stats;
	struct turn_stats stats; /* of the last turn */
	char note[ERROR_TEXT_MAX]; /* of the engine, as last told */
};

/* How full the context is. */
struct app_gauge {
	uint32_t used;           /* tokens */
	uint32_t n_dropped;      /* messages that are left out, as last told */
	uint32_t n_next_dropped; /* that the next message will leave out, as last told */
	uint32_t leaf;           /* asked for last: this leaf, with this model */
	uint64_t generation;
	bool wants_context;      /* /context was asked for during a reply */
	bool context_as_text;    /* its answer goes to the transcript, not to a panel */
	bool context_again;      /* ... only to the panel that is open, if it still is */
};

/* What /copy copied last, or is copying. */
struct app_copy {
	struct clipboard clipboard;
	char what[64];        /* "the last reply" */
	size_t n_characters;  /* code points */
	size_t n_controls;    /* that were left out of it */
	size_t n_hidden;      /* that are in it, and that nobody sees */
	uint32_t reply;       /* whose code block was copied by key last; 0: none */
	size_t block;         /* which */
};

/* What /find has found. */
struct app_hit {
	uint32_t node;
	size_t start, end;    /* bytes of its text */
};
struct app_find {
	struct app_hit *hits; /* owned; in the order of the chat */
	size_t n, cap;        /* 0: nothing is looked for */
	size_t at;            /* the one that is shown */
};

/* The code block or link of the picked message. */
struct app_part {
	uint32_t node;        /* the message */
	size_t at;            /* which, from 1; 0: the whole message */
	size_t asked;         /* the link that the next Enter opens; 0: none */
	bool trusts;          /* a link has been opened */
	struct opener opener;
};

/* What F5 shows. */
struct app_chats {
	struct finder *finder;    /* NULL: F5 has not been pressed yet */
	struct finder_row *found; /* owned */
	struct chats_row *rows;   /* owned; the same for the panel, borrowed from them */
	size_t n, cap, cap_rows;
	enum finder_order order;
	bool in_trash;
	bool is_outdated;         /* the rows are of the question before: the first new ones replace them */
};

/* An import under way. */
struct app_import {
	struct importer *importer; /* owned; NULL: none */
	char *argument;            /* owned; of the command */
	const struct tree *tree;   /* the chat that was on the screen, and its leaf: to compare */
	uint32_t leaf;
	bool is_stopping;
	char told[80];             /* how far it is, as the bar says it */
	uint64_t look_at;          /* milliseconds */
};

/* What the user is told only once. */
struct app_told {
	bool guide;       /* what the guide is */
	bool instructed;  /* that it does not do what the system message says */
	bool seed, cold;  /* what a fixed seed, and temperature 0, mean for another reply */
	char history[APP_REASON_MAX]; /* why the lines are not kept (app_is_news) */
};

struct app {
	const struct app_config *config; /* the caller's: settings and what they fill */
	struct worker *worker;  /* the engine */
	struct term *term;
	struct input input;     /* decodes what the terminal sends */
	struct editor editor;   /* the external one, while it runs */
	struct app_copy copy;
	struct app_find find;
	struct app_part part;
	struct app_chats chats;
	struct chat_view *view; /* the transcript as it is shown */
	struct theme theme;     /* the one in use */
	struct panel *panel;    /* the open one; owned, NULL: none */
	struct app_line *line;  /* the chat in lines; owned, NULL: on the full screen */

	enum app_phase phase;
	bool stopping;          /* cancelled, the end has not come yet */
	bool failed;            /* the last turn or loading ended in an error */
	struct model_info model;
	struct app_models models;
	struct app_turn turn;
	struct app_summary summary;
	struct app_told told;
	struct app_import import;
	struct keymap keys;
	struct {
		bool is_known, is_here; /* as the terminal reported it; whether the window has it */
		uint64_t key_at;        /* when the last key or paste came, in milliseconds */
	} focus;

	struct tree *tree;       /* the chat on the screen */
	struct journal *journal; /* NULL: not saved */
	struct app_chat chat;
	struct app_gauge gauge;
	struct app_template template;
	struct app_queue queue;  /* to be sent when the reply is done */
	struct {
		char key[DRAFT_KEY_MAX]; /* of the file that has it; "": none has */
		uint32_t sum;            /* of what is in it */
		uint64_t since;          /* when something was typed that is not in it; 0: nothing was */
		uint64_t due;            /* when to write it; 0: not */
		char failed[APP_REASON_MAX]; /* why that does not work, as last told; "": it does */
	} draft;                 /* what is typed and not sent */
	struct app_files files;  /* that go with the message in the line */

	struct {
		char text[ERROR_TEXT_MAX]; /* in the status bar's place */
		enum theme_role role;
		uint64_t until;            /* milliseconds; 0: none */
		uint64_t lasts_ms;         /* from when it is drawn; 0: that has happened, or has no end */
	} message;
	struct {
		const char *const *questions; /* as last drawn; NULL: none */
		char digit;             /* that took one just now; '\0': none did */
	} first;                    /* the first screen */
	struct {
		bool now;               /* a key, a resize, the end of a reply ... */
		bool soon;              /* tokens: with the next frame */
		uint64_t at;            /* when it was done last */
	} draw;
	struct {
		bool quit;
		bool gone;              /* the terminal is gone: no farewell */
		int exit_status;
	} end;
	size_t n_hidden;        /* invisible characters in the input line */
	uint64_t armed_until;   /* a Ctrl+C before this quits; 0: not armed */
};

/* app.c */
/* In the bar's place for a while. */
void app_message(struct app *app, enum theme_role role, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* In the transcript. */
void app_notice(struct app *app, enum theme_role role, const char *fmt, ...) PRINTF_LIKE(3, 4);
void app_notice_until(struct app *app, enum notice_life life, enum theme_role role, const char *fmt,
                      ...) PRINTF_LIKE(4, 5);
void app_error(struct app *app, const struct error *err); /* of a command: until the next one */
/* For what fails again and again: whether its reason, with which the error ends, is another one than
 * was told last. It is kept in `told`, which is "" at first. */
bool app_is_news(char told[APP_REASON_MAX], const struct error *err);
/* What is wrong with NAME.yaml, for a row of a list: without its folder. */
const char *app_short_error(const struct error *err, const char *name);
void app_quit(struct app *app, int exit_status);
static inline bool app_is_busy(const struct app *app)
{
	return app->phase == PHASE_LOADING || app->phase == PHASE_PREFILL ||
	       app->phase == PHASE_GENERATING;
}
static inline bool app_is_guide(const struct app *app) /* the model that comes with sotto is loaded */
{
	return app->model.capabilities & CAPABILITY_HELP;
}

/* app_import.c */
uint64_t app_import_deadline(const struct app *app);
void app_import_step(struct app *app, uint64_t now);
bool app_import_stop(struct app *app); /* false: there is none */
void app_import_end(struct app *app);  /* stops it, and waits */

/* app_draw.c */
void app_draw(struct app *app);
/* A row above the bar: a waiting text, and at its right what a key does with it ("": nothing). */
void app_draw_note(int y, int cols, const char *label, const char *text, size_t len, const char *keys);

/* app_first.c: the first screen of an empty chat */
/* Draws it into the transcript's upper rows; returns how many it takes. */
int app_draw_first(struct app *app, int rows, int cols);
/* Tab and digits put one of its questions into the empty line. True: the key was taken. */
bool app_take_question(struct app *app, struct key key);

/* app_keys.c */
void app_on_input(void *context, const struct input_event *event); /* an input_emit_fn */
void app_on_submit(void *context, const char *line);
void app_on_edit(void *context);
void app_interrupt(struct app *app); /* Ctrl+C, or a SIGINT from outside */
void app_after_editor(struct app *app);

/* app_keymap.c: what the keys do */
/* Reads keys.yaml. False: something is wrong with it, and the user was told; the rest applies. */
bool app_load_keys(struct app *app);
/* The key of a command or action, for a hint (keymap_hint). Borrowed. */
const char *app_key(const struct app *app, const char *name);

/* app_panel.c: the open panel */
/* Takes the panel (NULL: out of memory; the user is told) and its state, in place of the open one.
 * `use` NULL: its answers mean nothing to the app. */
void app_open_panel(struct app *app, struct panel *panel, const struct panel_use *use, void *state);
void app_close_panel(struct app *app);
/* What the open one answered to a key, the mouse or a paste. False: it was not for it. */
bool app_panel_answered(struct app *app, unsigned result);
uint64_t app_panel_deadline(const struct app *app); /* when it looks at the disk again */
void app_panel_look(struct app *app);

/* app_branch.c: other branches of the chat */
/* Moves the leaf; the prompt template follows. */
void app_move_leaf(struct app *app, uint32_t leaf);
void app_go_to(struct app *app, uint32_t leaf); /* in the journal too */

/* app_chats.c: choosing a chat */
enum { APP_DATE_MAX = 32 };
/* "Nov 21 09:30"; with the year instead of the time when it is another one. */
void app_date_text(int64_t when, char text[APP_DATE_MAX]);

/* app_chats_panel.c: searching all chats, and what can be done with them */
void app_open_chats(struct app *app);
void app_take_found(struct app *app); /* the finder has news */
void app_chats_free(struct app *app);

/* app_turn.c: sending, and what the worker answers */
/* A message from the user; it replaces the one being edited, and is queued while a reply runs.
 * False: it stays in the line. */
bool app_send(struct app *app, const char *text, size_t len);
/* The settings' parameters; a fixed seed is changed for another reply to the same message. */
struct sampler_params app_sampler(const struct app *app);
/* Asks for a reply to the leaf, which has `take` already; or if the leaf is a reply, for the rest of
 * it. False: it was refused, and the user was told. */
bool app_generate(struct app *app, uint32_t take);
/* The same for the turn that a summary was made for: there is no other. */
bool app_generate_with_summary(struct app *app);
bool app_refuse_without_model(struct app *app); /* and says so */
/* Sends the queue's first message, after a reply has ended or a model was loaded. After a
 * cancellation or an error nothing is sent without another Enter: app_queue_to_line. */
void app_send_queued(struct app *app);
void app_cancel(struct app *app);
void app_take_events(struct app *app);
/* The conversation up to the leaf, as it is sent. Borrows the app. */
struct chat_turn_source app_turn_source(const struct app *app);
double app_tokens_per_second(const struct app *app);

/* app_summary.c: what falls out of the context, summed up */
/* A turn has ended: if its policy wants a summary first, begins to make one. */
bool app_summary_begins(struct app *app, const struct worker_event *done);
/* An event of the turn that makes it. */
void app_summary_event(struct app *app, const struct worker_event *event);
/* The path's last summary; NULL: there is none, and the user was told. */
const struct node *app_find_summary(struct app *app);
/* Another wording of a summary, from here on; "": none. False: the user was told why not. */
bool app_summary_replace(struct app *app, const struct node *old, const char *text, size_t len);

/* app_queue.c: messages that wait for the reply to end */
/* Takes the message over; false: says why, and the message is still the caller's. */
bool app_queue_add(struct app *app, struct app_outgoing *message);
void app_outgoing_free(struct app_outgoing *message);
/* A message of the chat, to be sent before the others. False: there is no room. */
bool app_queue_put_first(struct app *app, const struct node *node);
void app_queue_drop_first(struct app *app); /* there is one */
void app_queue_clear(struct app *app);
/* Puts all of them into the input line, before what is there. */
void app_queue_to_line(struct app *app);
size_t app_outgoing_words(const struct app_outgoing *message); /* bytes of its text that were typed */
/* Appends the words of all but the edited one, one below the other, and their files. */
enum status app_queue_join(const struct app *app, struct buf *words, struct attached *files) MUST_CHECK;
/* Keeps them, and what is in the line, as the chat's draft. */
void app_queue_keep(struct app *app);
/* A message as a line, and the line as one: a slash in front is doubled there, so that Enter does not
 * take it for a command. */
void app_message_to_line(struct buf *line, const char *text, size_t len);
const char *app_line_as_message(size_t *len); /* borrowed from the line */
/* Puts a message before what is in the input line. False: it does not fit; nothing has changed. */
bool app_line_prepend(const char *text, size_t len);
void app_queue_draw(const struct app *app, int y, int rows, int cols);

/* app_draft.c: what is typed and not sent */
void app_draft_touch(struct app *app); /* something may have been typed */
/* Now; nothing is done if nothing has changed. False: what is typed is not on the disk. */
bool app_draft_save(struct app *app);
uint64_t app_draft_deadline(const struct app *app);
void app_draft_step(struct app *app, uint64_t now);
void app_draft_leave(struct app *app); /* before another chat is opened, and at the end */
void app_draft_restore(struct app *app, bool is_copy); /* of the chat that was opened */
void app_draft_restore_lost(struct app *app); /* of a chat that had not begun when its process died */

/* app_queue_edit.c: a queued message in the line, to be changed; until then it stays as it was */
/* Puts the last one there. False: the line is not empty, or there is none. */
bool app_queue_edit(struct app *app);
/* Up and Down go to the others while nothing has been changed. True: the key was taken. */
bool app_queue_key(struct app *app, struct key key);
/* Enter on a changed one; takes it over. False: says why. */
bool app_queue_replace(struct app *app, struct app_outgoing *message);
void app_queue_remove(struct app *app); /* the line was emptied */
void app_queue_edit_leave(struct app *app); /* it stays as it was, and the line is empty */
void app_queue_edit_end(struct app *app);   /* the same, but the line now has another use */
void app_queue_edit_keep(struct app *app);  /* ... with what is in the line, which is empty then;
                                             * where that does not fit, it stays in the line */

/* app_files.c: files that wait to be sent */
void app_files_init(struct app *app);
void app_files_free(struct app *app);
/* The message in the line, with them. False: says why. */
bool app_files_join(struct app *app, const char *words, size_t len, struct app_outgoing *out);
void app_files_clear(struct app *app); /* the lists are empty again */
/* Replaces the given ones; `files` is empty afterwards. */
void app_files_give(struct app *app, struct attached *files);
/* Adds those of a message. False: they do not fit, and the user was told. */
bool app_files_take_from(struct app *app, const char *text, const struct attachments *list);
/* While a message is edited, its files are there instead. False: there is not enough memory. */
bool app_files_edit(struct app *app, uint32_t edited, const char *text, const struct attachments *list);
void app_files_settle(struct app *app); /* after an edit has ended: the others are back */
void app_files_keep_edited(struct app *app); /* or those of the edited message stay */
/* Whether they can be sent, as far as is known; says what is too long. */
bool app_files_have_room(struct app *app);
void app_files_count(struct app *app); /* asks for their tokens, if these are not known */
void app_files_counted(struct app *app, const struct worker_event *event);
size_t app_files_n(const struct app *app); /* how many there are */
void app_files_draw(const struct app *app, int y, int rows, int cols);
/* Reads the files that a path or pattern names, as it was typed, into the list; a file replaces one of
 * the same name. Files that match a pattern but are not text are left out and counted. */
enum status app_files_read(struct attached *into, const char *name, size_t *n_left_out,
                           struct error *err) MUST_CHECK;

/* app_mention.c: @path in the line */
/* Brings the mentioned files up to date with the line. */
void app_mentions_update(struct app *app);
void app_mentions_update_for(struct app *app, const char *line, size_t len); /* that has been taken out */
/* Enter on a line that mentions what cannot be attached, or files that have not been shown yet: says
 * so, once. True: it is not to be sent yet. */
bool app_mentions_refuse(struct app *app, const char *line, size_t len);

/* app_copy.c, app_write.c: copying or writing a reply, a part of it or the chat */
/* The last reply's text, or its code block of that number (0: all of it), and what to call it. */
enum status app_take_text(const struct app *app, size_t block, struct buf *text, struct buf *what,
                          struct error *err) MUST_CHECK;
/* "Chat written to x.md (in FOLDER), 12 bytes": what, and where. 0 bytes: not told. */
void app_tell_written(struct app *app, const char *what, const char *path, size_t bytes);
/* Writes a text to the file that was typed; over another one only if the command has a "!". Says
 * what came of it. */
bool app_write_file(struct app *app, const char *name, const struct buf *text, const char *what,
                    const struct command_call *call);
/* The last reply's last code block, or the one before that which was copied last. */
void app_copy_block(struct app *app);
void app_copy_step(struct app *app, uint64_t now); /* says so when a copy has ended */

/* app_refused.c: a message whose reply never began */
/* What there is before a message is sent; and that it is stored. */
struct app_sent app_sent_begin(const struct app *app);
void app_sent_stored(const struct app *app, struct app_sent *sent, uint32_t message);
/* Takes the message out of the chat and its file, as if it had not been sent. False: it stays. */
bool app_take_back(struct app *app, const struct app_sent *sent);
/* Puts the leaf, which was refused, back into the line: without a trace, where it can be taken back.
 * `too_long`: one that was sent before and not answered, too. False: it stays. */
bool app_give_back(struct app *app, bool too_long);

/* app_edit.c: a sent message, back in the input line */
/* The user's message that a command's argument counts back to, by default the last. NULL: there is
 * none, and the user was told; *done is false if the argument can be corrected. */
const struct node *app_count_back(struct app *app, const struct command_call *call, bool *done);
/* Puts the text of `node` into the line, to be sent in the place of another message, or its own. False:
 * it does not fit, and the user was told. */
bool app_edit_as(struct app *app, const struct node *node, uint32_t edited);
void app_edit_leave(struct app *app); /* the message stays as it was */
bool app_edit_is_changed(const struct app *app); /* ... and the line would be lost */

/* app_pick.c: the message that keys act on */
void app_pick(struct app *app, int step); /* the one above (-1) or below (1) */
bool app_unpick(struct app *app); /* false: there was none */
uint32_t app_picked(const struct app *app); /* 0: none */
/* The keys that act on the picked message. */
void app_pick_hints(const struct app *app, int cols, struct buf *out);
/* app_part.c: the picked message's code blocks and links */
/* Tab, Shift+Tab, Enter and Esc, while a message is picked and the line is empty. True: the key was
 * taken. */
bool app_part_key(struct app *app, struct key key);
void app_part_none(struct app *app); /* back to the whole message */
/* Appends the address that is picked. False: none is; *block is the number of the code block that is,
 * else as it was. */
bool app_part_take(const struct app *app, struct buf *text, size_t *block);
void app_part_look(struct app *app); /* a child has ended: did the link open? */
/* app_scrollback.c: what stays in the terminal */
/* Appends the last messages of the path, as many as fit `rows` rows of `cols` columns, and how many
 * were left out. Only what may be shown. */
void app_scrollback_put(const struct tree *tree, size_t rows, int cols, struct buf *out);
/* Prints them, once the screen is closed. */
void app_scrollback_print(const struct app *app);
/* app_find.c: looking for words in the chat */
void app_find_end(struct app *app); /* nothing is marked any more */
/* n, N and Esc, while something is marked; other keys end it. True: the key was taken. */
bool app_find_key(struct app *app, struct key key);

/* app_guide.c: the model that comes with sotto */
extern const char app_guide_words[]; /* what it is */
void app_guide_loaded(struct app *app); /* says what it is */
/* A template, a system message or the chat is new: says once that the guide follows no
 * instructions. */
void app_guide_instructed(struct app *app);
/* The system message in force: of an empty chat, what it will be; NULL or "": none. */
const char *app_system_message(const struct app *app);
const char *app_model_label(const struct app *app); /* who speaks in the transcript */

/* app_inspect.c: what the model sees */
/* Asks for what /context or F8 show. False: it was refused, and the user was told. */
bool app_ask_context(struct app *app, enum inspect_purpose purpose);
void app_show_context(struct app *app, const struct worker_event *event); /* app_context.c */
/* app_marks.c: what /pin and /drop do to the picked message, which is not one of the system's. */
void app_toggle_pinned(struct app *app, uint32_t message);
void app_toggle_dropped(struct app *app, uint32_t message);
/* Asks how full the context is, if that may have changed. */
void app_update_gauge(struct app *app);
/* How many messages are left out now to make room; says so when it has changed. */
void app_tell_dropped(struct app *app, uint32_t n);
void app_on_fitted(struct app *app, const struct worker_event *event); /* marks them */
void app_on_inspect(struct app *app, const struct worker_event *event);

/* app_template.c: the prompt template in use */
/* Uses a template: its system message for the whole conversation or from here on, its options, and
 * in an empty chat its opening messages. */
enum status app_template_use(struct app *app, const struct prompt_template *tmpl,
                             const struct prompt_values *values, bool whole, struct error *err);
bool app_template_none(struct app *app); /* ... without one */
void app_template_start(struct app *app);   /* -T, in a new chat */
void app_template_restore(struct app *app); /* the one of the path's last system message */
void app_template_forget(struct app *app);  /* its options and stop strings no longer apply */
void app_template_free(struct app_template *used);
void app_template_check(struct app *app);   /* tells once if its file has changed */
/* Nothing has been said yet except what a template opens a chat with. */
bool app_template_is_fresh(const struct app *app);

/* app_library.c: choosing one */
void app_open_templates(struct app *app);
void app_template_ask(struct app *app, const struct prompt_template *tmpl,
                      const struct prompt_values *values, bool whole);

/* app_terminal.c: what the terminal is told beside the screen */
enum { APP_TITLE_BYTES = 80 };
/* The chat's title: the one it was given, or the first line of its first message; at most `max`
 * bytes. Nothing for an empty chat. */
void app_put_title(const struct app *app, struct buf *out, size_t max);
void app_show_title(struct app *app); /* in the window's frame; after a refresh */
void app_set_terminal(struct app *app); /* its modes, as the settings say */
void app_on_focus(struct app *app, bool focused);
void app_notify_end(struct app *app, bool failed); /* of the turn, if it was long and nobody looks */

/* app_themes.c: choosing a theme */
bool app_set_theme(struct app *app, const char *name); /* false: it failed, and has been told */
void app_use_theme(struct app *app); /* the one that the settings name */

/* app_models.c: choosing a model */
void app_look_for_models(struct app *app);
void app_on_catalog(struct app *app, struct worker_event *event); /* takes the catalog */

/* app_load.c: loading a model */
/* Appends a path as it was typed after a command: without quotes around it, with the home folder for ~. */
enum status app_take_path(struct buf *out, const char *name, struct error *err) MUST_CHECK;
/* The file that a model's name stands for. */
enum status app_model_path(const struct app *app, struct buf *out, const char *name, struct error *err);
/* Sets which model is loaded next. */
enum status app_set_model(struct app *app, const char *name, struct error *err);
/* The file of the model that made the chat's last reply; errors as catalog_recall's. *name: as the reply
 * has it, NULL: nothing is known of it, and there is no error to tell. */
enum status app_chat_model(const struct app *app, struct buf *out, const char **name,
                           struct error *err) MUST_CHECK;
/* That file is loaded at the start, unless the command line names another or it is not there. */
void app_take_chat_model(struct app *app);
void app_load_first(struct app *app);
void app_offer_chat_model(struct app *app); /* says how to load it where it is another one's */
/* Loads what the settings name; says so if they name none. */
void app_load_model(struct app *app);
/* Loads another one. False: it was refused, and the user was told. */
bool app_switch_model(struct app *app, const char *name);
void app_on_model(struct app *app, const struct model_info *model);
void app_on_load_failed(struct app *app, const struct worker_event *event);

/* The commands that are not in commands.c itself, by file. */
bool app_previous_take(struct app *app, const struct command_call *call); /* app_branch.c */
bool app_next_take(struct app *app, const struct command_call *call);
bool app_branches(struct app *app, const struct command_call *call);
bool app_load(struct app *app, const struct command_call *call);       /* app_chats.c */
bool app_list_chats(struct app *app, const struct command_call *call);
bool app_copy(struct app *app, const struct command_call *call);       /* app_copy.c */
bool app_edit(struct app *app, const struct command_call *call);       /* app_edit.c */
bool app_undo(struct app *app, const struct command_call *call);
bool app_read(struct app *app, const struct command_call *call);       /* app_files.c */
bool app_detach(struct app *app, const struct command_call *call);
bool app_find(struct app *app, const struct command_call *call);       /* app_find.c */
bool app_import(struct app *app, const struct command_call *call);     /* app_import.c */
bool app_context(struct app *app, const struct command_call *call);    /* app_context.c */
bool app_inspect(struct app *app, const struct command_call *call);    /* app_inspect.c */
bool app_keep(struct app *app, const struct command_call *call);       /* app_keep.c */
bool app_show_keys(struct app *app, const struct command_call *call);  /* app_keymap.c */
bool app_pin(struct app *app, const struct command_call *call);        /* app_marks.c */
bool app_drop(struct app *app, const struct command_call *call);
bool app_undrop(struct app *app, const struct command_call *call);
bool app_model(struct app *app, const struct command_call *call);      /* app_models.c */
bool app_set(struct app *app, const struct command_call *call);        /* app_settings.c */
bool app_show(struct app *app, const struct command_call *call);
bool app_mouse(struct app *app, const struct command_call *call);
bool app_plain(struct app *app, const struct command_call *call);
bool app_think(struct app *app, const struct command_call *call);
bool app_new_chat(struct app *app, const struct command_call *call);   /* app_store.c */
bool app_fork(struct app *app, const struct command_call *call);
bool app_template_command(struct app *app, const struct command_call *call); /* app_template.c */
bool app_theme(struct app *app, const struct command_call *call);      /* app_themes.c */
bool app_preset(struct app *app, const struct command_call *call);     /* app_presets.c */
bool app_regenerate(struct app *app, const struct command_call *call); /* app_reply.c */
bool app_continue(struct app *app, const struct command_call *call);
bool app_export(struct app *app, const struct command_call *call);     /* app_write.c */
bool app_write(struct app *app, const struct command_call *call);

/* commands.c */
/* Runs a command or sends a message, unless that has to wait until the worker is idle. False: it
 * was refused, and the user was told. */
bool app_call(struct app *app, const struct command_call *call);
bool app_refuse_while_busy(struct app *app); /* and says so */

/* app_settings.c */
void app_after_settings(struct app *app); /* options have changed */

/* app_store.c: the tree and the journal behind it */
/* An empty chat, so that there always is one; false without memory. */
bool app_start_chat(struct app *app);
bool app_wants_resume(const struct app *app); /* -C or --resume */
enum status app_resume_chat(struct app *app, struct error *err) MUST_CHECK;
/* By id, title or path; the chat on the screen stays when it cannot be opened. */
bool app_open_chat(struct app *app, const char *name);
/* The message, and those before it that the journal has not seen yet. */
void app_store_message(struct app *app, uint32_t id);
void app_store_part(struct app *app, uint32_t id);
void app_store_end(struct app *app, uint32_t id);
void app_store_marks(struct app *app, uint32_t id); /* a message was pinned or dropped, or no longer */
void app_store_leaf(struct app *app); /* it was moved without a new message */
void app_store_draft(struct app *app, const char *text, size_t len, const struct attachments *files);
/* After each journal call: badge and back-off. */
void app_store_check(struct app *app, enum status status, const struct error *err);
void app_store_retry(struct app *app);
/* There are messages that should be saved and are not. */
bool app_has_unsaved(const struct app *app);
/* Whether messages would be lost, which is refused once: says so, and how to do it anyway
 * (`anyway`). */
bool app_refuse_to_lose(struct app *app, const char *anyway);
void app_leave(struct app *app, bool forced); /* quits, unless that is refused */

#endif
