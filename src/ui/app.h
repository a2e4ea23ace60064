/* The chat, on a screen or in lines: one loop that waits in poll on the terminal, the signal pipe, the worker
 * and jobs. What a key changes is drawn at once, tokens at most 60 times a second. */
#ifndef SOTTO_UI_APP_H
#define SOTTO_UI_APP_H

#include "base/error.h"
#include "config/settings.h"
#include "sampler/params.h"
#include "turn/engine_params.h"
#include "ui/params.h"

struct backend_ops;
struct log;

struct app_config {
	struct settings *settings;       /* borrowed; /set goes through it */
	struct sampler_params *sampler;  /* a target of settings */
	struct engine_params *engine;    /* a target of settings; engine->model may be NULL */
	struct ui_params *ui;            /* a target of settings */
	const struct backend_ops *const *backends; /* besides the engine's own (backend_host.others); NULL: none */
	/* Whether a file that was converted works as a model, before it gets its name; any thread. NULL: that is not tried. */
	enum status (*try_model)(const char *path, struct error *err);
	struct log *log;                 /* borrowed; /log changes what is in it (base/log.h); NULL: nothing is logged */
	const char *notice;              /* shown at the start (a broken config file); NULL: none */
};

/* Runs until the user quits. The terminal is restored on every way out. *exit_status is what the
 * program should exit with: 0, 128 + signal, or 3 where the model that the command line names could
 * not be loaded and no other was. Fails where the chat to continue cannot be opened. */
enum status app_run(const struct app_config *config, int *exit_status, struct error *err) MUST_CHECK;

#endif
