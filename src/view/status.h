/* The status bar: one row that says which model, what it is doing, how full
 * the context is. Transient messages and Tab's candidates take its place. */
#ifndef SOTTO_VIEW_STATUS_H
#define SOTTO_VIEW_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/theme.h"
#include "terminal/cells.h"

enum status_state {
	STATE_NO_MODEL, STATE_LOADING, STATE_READY, STATE_PREFILL, STATE_GENERATING, STATE_STOPPING,
	STATE_FAILED,
};

struct status_info {
	const char *model;    /* "" or NULL: none */
	const char *server;   /* where it runs; "" or NULL: here */
	bool is_unverified;   /* whoever answers there may be somebody else */
	const char *template; /* how the conversation is given to the model; "" or NULL: unknown */
	const char *prompt;   /* the prompt template in use; NULL: none */
	enum status_state state;
	const char *waiting;  /* in the state's place: what a server is waited for; "" or NULL: nothing */
	const char *fetching; /* how far a model is that is on its way; "" or NULL: none is */
	int fetching_percent; /* in the place of that where the bar is narrow; < 0: not known */
	float load_fraction;
	uint32_t prefill_done, prefill_total;
	double tokens_per_second; /* 0: unknown */
	uint32_t ctx_used, ctx_total; /* ctx_total 0: unknown */
	bool is_estimated;    /* ctx_used is */
	size_t n_hidden;  /* invisible characters in the input line */
	bool no_save;     /* --no-save */
	bool not_saved;   /* a write failed */
	bool mouse;
	bool is_back;     /* an earlier part of the chat is shown ... */
	int percent;      /* ... with this much of it above */
	const char *hint; /* a key to press here; "" or NULL: none */
};

/* A piece of the bar. */
enum { STATUS_SPAN_MAX = 256, STATUS_SPANS = 20, STATUS_MODEL_COLS = 32, STATUS_WAITING_COLS = 72 };
struct status_span {
	enum theme_role role;
	bool right; /* flushed to the right edge */
	unsigned priority; /* the higher, the longer it stays when the bar is narrow */
	char text[STATUS_SPAN_MAX];
};

/* What is shown at this width: the most important things are kept. Returns how many spans. A pure
 * function. */
size_t status_compose(const struct status_info *info, int cols,
                      struct status_span spans[STATUS_SPANS]);
void status_draw(WINDOW *win, int y, int cols, const struct status_info *info);

/* One text in the bar's place, in as many rows as there are: what does not fit in the last one is cut. */
void status_draw_text(WINDOW *win, int y, int rows, int cols, enum theme_role role, const char *text,
                      size_t n);
/* How many rows it takes in full, at least 1. */
int status_text_rows(int cols, const char *text, size_t n);
/* Candidates in the bar's place: as many as fit, and how many more Tab would show. Returns how many
 * were drawn. */
size_t status_draw_list(WINDOW *win, int y, int cols, const char *const *items, size_t n);
/* A row above the bar: a waiting text, and at its right what a key does with it ("": nothing). */
void status_draw_note(WINDOW *win, int y, int cols, const char *label, const char *text, size_t len,
                      const char *keys);

#endif
