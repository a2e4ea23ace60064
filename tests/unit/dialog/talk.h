/* A conversation for tests: held without a screen, a worker or a model. */
#ifndef SOTTO_TESTS_TALK_H
#define SOTTO_TESTS_TALK_H

#include <criterion/criterion.h>

#include "chat_support.h"
#include "dialog/dialog.h"
#include "dialog/events.h"
#include "dialog/open.h"

extern struct dialog talk;
extern struct sampler_params talk_sampler;
extern struct engine_params talk_engine;
extern struct model_info talk_model;
extern bool talk_fails; /* every write does */

/* A folder of its own, and an empty chat whose writes can be made to fail. */
void talk_begin(void);
void talk_end(void);
const char *talk_folder(void); /* where else a test may write */

/* The user's message; fails the test where it cannot be sent. */
void talk_say(const char *text);
/* Asks, as a worker would be: the turn that was built is in talk_turn until the next one. */
extern struct chat_turn talk_turn;
void talk_ask(void);
enum turn_news talk_token(const char *text);
/* Its end; `status` is that of the error, for DONE_ERROR. */
enum turn_news talk_done(enum done_reason reason, enum status status);
/* A whole reply to what was said last. */
void talk_reply(const char *text);

/* "you: hello|model: hi": the path's messages. */
void talk_expect_path(const char *text);
/* What the journal's file has, read anew, in the same form. */
void talk_expect_saved(const char *text);
/* Takes all facts; fails unless they are these, in their order. */
void talk_expect_facts(size_t n, const enum fact_kind *kinds);
#define EXPECT_FACTS(...) \
	talk_expect_facts(sizeof (enum fact_kind[]){__VA_ARGS__} / sizeof (enum fact_kind), \
	                  (enum fact_kind[]){__VA_ARGS__})
#define EXPECT_NO_FACTS() talk_expect_facts(0, NULL)

#endif
