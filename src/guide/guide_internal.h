/* What guide_messages is made of: the look-up, which tools/guide/retrieve.py specifies, and the
 * system prompt of what it found. */
#ifndef SOTTO_GUIDE_INTERNAL_H
#define SOTTO_GUIDE_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "guide/facts.h"
#include "guide/guide.h"
#include "guide/ranker.h"
#include "guide/terms.h"

/* What the facts are asked with, as sets of words: by these a fact that is newer than the weights
 * is found, too. */
struct phrases {
	uint32_t *words; /* of all: hashes, of each phrase in ascending order, each once */
	size_t n_words, cap_words;
	struct phrase {
		size_t first, n; /* in words */
		size_t fact;
	} *items; /* the first has the words that say nothing, which the others are without */
	size_t n, cap;
};

enum status phrases_make(struct phrases *phrases, const struct facts *facts,
                         struct error *err) MUST_CHECK;
void phrases_deinit(struct phrases *phrases); /* also of {0}, and after an error */

/* The largest part of its words that a question has in common with a phrase of each fact, from 0
 * to 1 for the same words (Dice's coefficient). */
enum status phrases_compare(const struct phrases *phrases, const struct terms *question,
                            double *shares, size_t n_facts) MUST_CHECK;

struct guide {
	struct facts facts;
	struct phrases phrases;
	struct ranker ranker;
	double weight_rate; /* 0: not measured yet */
};

enum { GUIDE_ENTRIES = 2 };   /* at most so many stand in the prompt */
enum { GUIDE_QUESTIONS = 8 }; /* of a conversation that are looked at */
enum { GUIDE_TURNS = 8 };     /* as high the model counts */

struct guide_hit {
	size_t fact; /* GUIDE_NOTHING: none fits */
	double score;
	bool told; /* it answered the question before this one, too */
};

/* The entries for a question: the one that is meant, or two where it is not sure, the likelier
 * first, of which the first may be GUIDE_NOTHING and the second is not `before`: the fact
 * that answered the user's last question before it that found one (small talk aside),
 * GUIDE_NOTHING for none, GUIDE_DECLINED where there were none but declined ones. Returns how
 * many, 0 when nothing fits. Never fails: without memory nothing fits. */
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

#endif
