/* Making one turn of a reply again, as its record says (chat/run.h). */
#ifndef SOTTO_CLI_REPLAY_RUN_H
#define SOTTO_CLI_REPLAY_RUN_H

#include "cli/replay_text.h"
#include "cli/setup.h"
#include "cli/status_line.h"
#include "dialog/dialog.h"
#include "engine/backend.h"

/* The model that is loaded; the next run often needs the same. */
struct replay {
	const struct cli_setup *setup; /* borrowed */
	struct dialog dialog;          /* the chat, which is read only; its leaf is moved */
	struct backend *backend;       /* NULL: none yet */
	struct engine_params params;   /* with which it was opened; owns its strings */
	struct model_info info;
	struct status_line waits;      /* what a server is waited for */
};

struct replay_result {
	struct model_info info;    /* of the model that was used */
	const char *template_kwargs; /* as chat/run.h has them; borrowed from the replay */
	struct turn_begin begin;
	bool same;                 /* every token, and the end */
	size_t at;                 /* the first token that is another one, or byte; n: only the end differs */
	int32_t token, recorded;   /* that token; -1: there is none */
	enum done_reason reason;
	bool by_text;              /* compared so: */
	struct replay_text text;
	char *sent;                /* what would have been sent, if that is something else: it was not; owned */
};

/* It stays where it is: the dialog points into it. No chat is held yet. */
void replay_init(struct replay *replay, const struct cli_setup *setup);
void replay_deinit(struct replay *replay);
/* The run number `index` of a reply, which has n tokens (or bytes, where it is compared by text), with the model at
 * `path`. The node is unchanged afterwards. replay_result_free in every case. */
enum status replay_run(struct replay *replay, const char *path, struct node *node, size_t index,
                       size_t n, struct replay_result *result, struct error *err) MUST_CHECK;
void replay_result_free(struct replay_result *result);
/* ": 57 tokens, the same", or where it differs, and lines of what else does. */
void replay_describe(const struct replay_result *result, const struct reply_run *run, size_t n,
                     struct buf *out);

#endif
