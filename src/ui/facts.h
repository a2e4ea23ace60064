/* What has happened to the conversation, in words. UI thread only. */
#ifndef SOTTO_UI_FACTS_H
#define SOTTO_UI_FACTS_H

struct app;

/* Tells the facts that the last operations have left; of those about the settings, acts on them. */
void app_tell_facts(struct app *app);

#endif
