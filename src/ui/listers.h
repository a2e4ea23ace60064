/* What has names: one table for the completions of the screen and of the shell. */
#ifndef SOTTO_UI_LISTERS_H
#define SOTTO_UI_LISTERS_H

#include <stdbool.h>

/* `about` describes what has that name; NULL or "": nothing does. */
typedef void listed_fn(void *context, const char *name, const char *about);

/* Hands on what there is of a kind, which is called as the option that takes one: theme, preset,
 * template, resume (chats: id and title), export, model (those of servers, as far as servers.yaml names
 * them: nobody is asked), server (their names). `from`: the folder of templates, the file of servers; NULL: the usual ones. What
 * cannot be read is left out. False: there is no such kind. */
bool list_names(const char *kind, const char *from, listed_fn *listed, void *context);

#endif
