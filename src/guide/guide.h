/* The guide is the model that comes with sotto (models/guide.gguf): tiny, it
 * answers from help entries. For each question the best entries of the facts
 * file are looked up and stand in the system prompt of that turn alone, so that
 * the view of what the model sees shows them, and no transcript keeps them.
 *
 * The look-up is specified by tools/guide/retrieve.py, which training uses.
 * Immutable after opening: one may serve several threads. */
#ifndef SOTTO_GUIDE_GUIDE_H
#define SOTTO_GUIDE_GUIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "engine/backend.h"

struct guide;

/* As backend_host.decorate: where the model is the guide (CAPABILITY_HELP), a backend around it
 * that puts the help in the system message of each turn. */
void guide_decorate(struct backend **backend, struct model_info *info);

enum { GUIDE_ENTRIES = 2 };    /* at most so many stand in the prompt */
enum { GUIDE_QUESTIONS = 8 };  /* of a conversation that are looked at */
enum { GUIDE_TURNS = 8 };      /* as high the model counts */
#define GUIDE_NOTHING SIZE_MAX /* in place of a fact */
#define GUIDE_DECLINED (SIZE_MAX - 1) /* in place of the fact before: so far nothing was found */

/* Said where it is given `what` to follow, "a template". */
#define GUIDE_INSTRUCTED(what) "The guide only answers questions about sotto: it cannot follow " what "."

struct guide_hit {
	size_t fact;       /* for guide_fact_id and guide_fact_text; GUIDE_NOTHING: none fits */
	double score;
	bool told;         /* it answered the question before this one, too */
};

/* Reads the facts: of `path`, or with NULL of guide/facts.yaml in the data directory
 * (base/sys.h), which is where they are installed, else of tools/guide/facts.yaml
 * there, which is where they are in the source tree. With them facts.weights beside them,
 * which the look-up can do without (guide/ranker.h). */
enum status guide_open(struct guide **out, const char *path, struct error *err) MUST_CHECK;
void guide_close(struct guide *guide); /* NULL is fine */

/* Once the machine's speed is known, the guide suggests the model that F6 does. */
void guide_set_weight_rate(struct guide *guide, double weight_rate);
double guide_weight_rate(const struct guide *guide);

size_t guide_n_facts(const struct guide *guide);
/* "" of GUIDE_NOTHING. */
const char *guide_fact_id(const struct guide *guide, size_t fact);
/* With its placeholders ({memory}, {version}); guide_fill_text replaces them. */
const char *guide_fact_text(const struct guide *guide, size_t fact);

/* The entries for a question: the one that is meant, or two where it is not sure, the likelier
 * first, of which the first may be GUIDE_NOTHING and the second is not `before`: the fact
 * that answered the user's last question before it that found one (small talk aside),
 * GUIDE_NOTHING for none, GUIDE_DECLINED where there were none but declined ones. Any bytes;
 * those after LIMIT_GUIDE_QUESTION are not looked at. Returns how many, 0 when nothing fits.
 * Never fails: without memory nothing fits. */
size_t guide_look_up(const struct guide *guide, const char *question, size_t len, size_t before,
                     struct guide_hit hits[GUIDE_ENTRIES]);
/* The same for the last of n messages that is the user's; the ones before it, at most
 * GUIDE_QUESTIONS in all, are looked up for what each leaves to the next. */
size_t guide_look_up_last(const struct guide *guide, const struct message *messages,
                          size_t n, struct guide_hit hits[GUIDE_ENTRIES]);

/* What the program says in place of {memory}, {free}, {fits}, {suggestion} and
 * {version}: facts about this machine, at this moment; and of {turn}: which question of the
 * conversation this is, so that another story is another one at temperature 0, too. */
struct guide_values {
	char memory[32];      /* "15.5 GiB" */
	char free[32];        /* "7.1 GiB" */
	char fits[32];        /* the largest file that is fast enough, with a quarter left: "11 GB" */
	char suggestion[128]; /* "an 8B model in Q4_K_M" */
	char version[32];
	char turn[16];        /* "1" to "8" (GUIDE_TURNS), and round again */
};
/* `turn` counts from 1; `weight_rate` is what the suggestion goes by (models/speed.h; 0: not
 * measured yet). */
void guide_values_now(struct guide_values *out, size_t turn, double weight_rate);

/* Appends `text` with its placeholders replaced; one that is unknown stays. */
void guide_fill_text(const char *text, const struct guide_values *values, struct buf *out);

/* Appends the system prompt of a turn: `own` (the user's; a default for none),
 * then the entry that was looked up ("As I said" where it was told just before), two of which
 * either may be meant (the guide tells both), or that there is none. */
void guide_system_prompt(const struct guide *guide, const struct guide_values *values,
                         const char *own, size_t own_len, const struct guide_hit *hits,
                         size_t n_hits, struct buf *out);

/* The messages of a turn as the guide gets them, and was trained with: one system
 * prompt before all others, of which the user's part is the last system message;
 * the others are left out. The last message of the user is the question. The array is new and the caller's; it borrows the texts, and that
 * of the prompt from `prompt`, which it clears first. */
enum status guide_messages(const struct guide *guide, const struct message *messages,
                           size_t n, struct buf *prompt, struct message **out,
                           size_t *n_out, struct error *err) MUST_CHECK;

#endif
