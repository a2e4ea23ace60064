/* The rows about chats: what scenarios.c names of scenario_chats.c. */
#ifndef SOTTO_TESTS_SCENARIO_CHATS_H
#define SOTTO_TESTS_SCENARIO_CHATS_H

#include "crash/scenario.h"

enum { CHAT_STEPS = 14, CHAT_TREE_STEPS = 3, CHAT_IMPORTS = 3, CHAT_EXPORTS = 2, CHAT_TRASH_STEPS = 4,
       CHAT_FULL_STEPS = 7, CHAT_TAKE_BACK_STEPS = 6 };

/* A conversation with every kind of record, in a file that ... */
void *chat_begin_new(void);    /* ... is made by its first message */
void *chat_begin_opened(void); /* ... is there */
void *chat_begin_torn(void);   /* ... ends in half a record */
void *chat_begin_edited(void); /* ... an editor has put a byte order mark into */
void *chat_begin_copy(void);   /* ... is a copy, since another program has the chat open */
enum status chat_step(void *state, size_t step, struct error *err);
enum status chat_retry(void *state, size_t step, struct error *err);
void chat_end(void *state);
void chat_describe(struct found *found);
const char *chat_go_on(void);

/* Messages that are refused, and others in their place. */
enum status chat_take_back_step(void *state, size_t step, struct error *err);
enum status chat_take_back_retry(void *state, size_t step, struct error *err);

/* A whole tree at once, as /fork writes it, and two messages after that. */
enum status chat_tree_step(void *state, size_t step, struct error *err);

/* Imported chats. */
void *chat_begin_import(void);
void chat_describe_all(struct found *found); /* all chats as one text */
enum status chat_import_step(void *state, size_t step, struct error *err);

/* Written to a file that the user names, first a new one, then in its place. */
enum status chat_export_step(void *state, size_t step, struct error *err);
void chat_describe_export(struct found *found);

/* The disk of the chats is full for a while, in which the chat goes on in the rescue folder. */
void *chat_begin_full(void);
enum status chat_full_step(void *state, size_t step, struct error *err);
enum status chat_full_retry(void *state, size_t step, struct error *err);

void *chat_begin_trash(void);
enum status chat_trash_step(void *state, size_t step, struct error *err);
void chat_describe_trash(struct found *found);

#endif
