/* Choosing a model. UI thread only. */
#ifndef SOTTO_UI_APP_MODELS_H
#define SOTTO_UI_APP_MODELS_H

#include <stdbool.h>

#include "catalog/searcher.h"
#include "remote/lister.h"

struct app;
struct command_call;

/* The model that is loaded, and those to choose another from. */
struct app_models {
	char *path;              /* the loaded one's file; owned, NULL: none was loaded yet */
	float load_fraction;     /* 0 .. 1, while one is loaded */
	struct searcher searcher;
	struct catalog *catalog; /* the files as last looked for; owned, NULL: not yet */
	struct lister lister;
	struct remote_list *remote; /* the servers' models as last asked for; owned, NULL: not yet */
	double weight_rate;      /* of the last catalog; 0: not known yet */
	bool advise;             /* say what was found as soon as it is */
	bool presumed;           /* nobody named the one that is being loaded */
	bool keeps;              /* once it is loaded, what was changed is to be kept */
};

void app_take_catalog(struct app *app); /* of the search, which is over */
void app_take_servers(struct app *app); /* of the lister, which is done */
bool app_model(struct app *app, const struct command_call *call);

#endif
