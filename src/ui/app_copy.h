/* Copying a reply, a part of it or the chat. UI thread only. */
#ifndef SOTTO_UI_APP_COPY_H
#define SOTTO_UI_APP_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "terminal/clipboard.h"

struct app;
struct buf;
struct command_call;

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

/* The last reply's text, or its code block of that number (0: all of it), and what to call it. */
enum status app_take_text(const struct app *app, size_t block, struct buf *text, struct buf *what,
                          struct error *err) MUST_CHECK;
/* Of a key: the last reply's last code block, or the one before that which was copied last. */
bool app_copy_block(struct app *app, int by);
void app_copy_step(struct app *app, uint64_t now); /* says so when a copy has ended */
bool app_copy(struct app *app, const struct command_call *call);

#endif
