/* /import. UI thread only. */
#ifndef SOTTO_UI_APP_IMPORT_H
#define SOTTO_UI_APP_IMPORT_H

#include <stdbool.h>
#include <stdint.h>

struct app;
struct command_call;
struct importer;
struct tree;

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

void app_import_step(struct app *app, uint64_t now);
bool app_import_stop(struct app *app); /* false: there is none */
void app_import_end(struct app *app);  /* stops it, and waits */
bool app_import(struct app *app, const struct command_call *call);

#endif
