/* What the decorator is made of: the look-up, which tools/guide/retrieve.py specifies, and the
 * system prompt of what it found. */
#ifndef SOTTO_GUIDE_INTERNAL_H
#define SOTTO_GUIDE_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/limits.h"
#include "engine/backend.h"
#include "guide/guide.h"

/* ---- facts.c: the facts file in memory. Texts are named by where they begin in a pool; those of
 * a list are the lines of one text. ---- */

struct guide_fact {
	size_t id, text; /* in facts.pool */
	size_t phrases;  /* in facts.lists: ways to ask, and its names: "F2", "/model", "--temp" */
	bool alone;      /* stands alone or not at all, and no follow-up leans on it: small talk */
	bool again;      /* but more of this may be wanted: a story */
};

struct guide_facts {
	struct buf pool, lists; /* the first text of both is "" */
	struct guide_fact *items;
	size_t n, cap;
	size_t noise; /* in lists: words that say nothing */
	/* In lists: what is said where nothing was found, to what is no question, and before the only entry
	 * that is near. */
	size_t declines, no_question, unsure;
};

/* Reads the text of a facts file; `name` stands in errors. STATUS_CONFIG for what is none. */
enum status facts_read(struct guide_facts *facts, const char *name, const char *text, size_t len,
                       struct error *err) MUST_CHECK;
void facts_deinit(struct guide_facts *facts); /* also of {0}, and after an error */

const char *facts_id(const struct guide_facts *facts, size_t fact);
const char *facts_text(const struct guide_facts *facts, size_t fact);

/* ---- terms.c: text as words of small letters and digits without their endings ---- */

struct terms {
	struct buf text; /* the words, one behind the other */
	struct guide_term {
		size_t at, len; /* in text */
	} *items;
	size_t n, cap;
};

/* Room for each word, a command's name twice, and less than that for words without their marks. */
#define TERMS_EMPTY {.text = {.max = 4 * LIMIT_GUIDE_QUESTION}}
void terms_deinit(struct terms *terms);

/* The words of a text in order, in place of those that were there: "Top-P" is "topp" and its
 * parts of three letters and more ("top"), "/models" is "/models" and "model". Any bytes; those
 * after LIMIT_GUIDE_QUESTION are not looked at, nor those of a word after LIMIT_GUIDE_WORD. */
enum status terms_split(struct terms *terms, const char *text, size_t len) MUST_CHECK;
const char *terms_word(const struct terms *terms, size_t n);

/* ---- ranker.c: which fact a question means, or that none is meant, by weights that were learnt: a
 * linear classifier of low rank over the question's words, their neighbours, the letters of words
 * that it does not know, and the fact found before (tools/guide/ranker.py trains it and says what
 * its file has). Whole numbers up to the last step, so that its scores are the specification's. ---- */

/* In place of the fact that answered the question before: there was none, or none was found. */
#define GUIDE_NOTHING SIZE_MAX
#define GUIDE_DECLINED (SIZE_MAX - 1)

struct ranker {
	char *bytes;         /* of the file; NULL: there are no weights, and no fact is known */
	const char *hashes;  /* u32 [n_features] of the file, ascending */
	const uint8_t *rows; /* [n_features][n_dims / 2], two numbers each */
	/* Of each fact [n_dims], NULL of one that is newer than the weights; then that none is meant,
	 * and that the fact before is meant once more. */
	const int8_t **entries;
	size_t n_features, n_dims;
	double scale; /* of a score */
};

/* Takes `bytes`, the text of a file of weights, also in an error; `name` stands in it.
 * STATUS_CONFIG for what is none. */
enum status ranker_read(struct ranker *ranker, const char *name, char *bytes, size_t len,
                        const struct guide_facts *facts, struct error *err) MUST_CHECK;
void ranker_deinit(struct ranker *ranker); /* also of {0}, and after an error */

bool ranker_knows(const struct ranker *ranker, size_t fact);

/* How much each fact is meant, and last that none is, as logarithms of odds: scores[facts->n + 1],
 * zeros. `before`: the fact that answered the question before, GUIDE_NOTHING, GUIDE_DECLINED. */
enum status ranker_score(const struct ranker *ranker, const struct guide_facts *facts,
                         const struct terms *question, size_t before, double *scores) MUST_CHECK;

/* ---- phrases.c ---- */

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

enum status phrases_make(struct phrases *phrases, const struct guide_facts *facts,
                         struct error *err) MUST_CHECK;
void phrases_deinit(struct phrases *phrases); /* also of {0}, and after an error */

/* What a question has in common with the phrase of each fact that is most like it: from 0 for half
 * of the words of both (Dice's coefficient), or less, to 1 for the same. */
enum status phrases_compare(const struct phrases *phrases, const struct terms *question,
                            double *likeness, size_t n_facts) MUST_CHECK;

struct guide {
	struct backend base;   /* guide_decorate puts it around ... */
	struct backend *inner; /* this one; owned, NULL: not yet */
	bool strict;           /* as guide_decorate_strict has it */
	struct guide_facts facts;
	struct phrases phrases;
	struct ranker ranker;
};

/* Reads the facts: of `path`, "facts.yaml", or with NULL of guide/facts.yaml in the data directory
 * (base/sys.h), where they are installed, or of tools/guide/facts.yaml there, where they are in the
 * source tree. The weights stand beside them, "facts.weights"; without these only the facts' own
 * words are known. Immutable then. */
enum status guide_open(struct guide **out, const char *path, struct error *err) MUST_CHECK;
void guide_close(struct guide *guide); /* NULL is fine */

/* ---- look_up.c ---- */

enum { GUIDE_ENTRIES = 2 };   /* at most so many stand in the prompt */
enum { GUIDE_QUESTIONS = 8 }; /* of a conversation that are looked at */
enum { GUIDE_TURNS = 8 };     /* as high the model counts */
enum { GUIDE_QUESTION_MAX = 400 }; /* bytes: what is longer is a text, no question */

struct guide_hit {
	size_t fact; /* GUIDE_NOTHING: none fits */
	double score;
	bool told; /* it answered the question before this one, too */
};

/* Whether the first of the entries that were looked up is one. */
static inline bool guide_found(const struct guide_hit *hits, size_t n_hits)
{
	return n_hits && hits[0].fact != GUIDE_NOTHING;
}

/* The entries for a question: the one that is meant, or two where it is not sure, the likelier
 * first, of which the first may be GUIDE_NOTHING and the second is not `before`: the fact
 * that answered the user's last question before it that found one (small talk aside),
 * GUIDE_NOTHING for none, GUIDE_DECLINED where there were none but declined ones. Returns how
 * many, 0 when nothing fits. Never fails: without memory nothing fits. */
size_t guide_look_up(const struct guide *guide, const char *question, size_t len, size_t before,
                     struct guide_hit hits[GUIDE_ENTRIES]);
/* Whether the message can be a question: it is short, and no file comes with it. */
bool guide_is_question(const struct message *message);
/* The same for the last of n messages that is the user's; the ones before it, at most
 * GUIDE_QUESTIONS in all, are looked up for what each leaves to the next. Nothing fits one that is
 * no question. */
size_t guide_look_up_last(const struct guide *guide, const struct message *messages,
                          size_t n, struct guide_hit hits[GUIDE_ENTRIES]);

/* ---- prompt.c ---- */

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
/* `turn` counts from 1; `weight_rate` is what the suggestion goes by (catalog/speed.h; 0: not
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

/* Appends the answers to a message, a NUL behind each: the entries that were looked up, word for word, or that there
 * is none, in each of the ways that the facts have for it. None for small talk, whose words are the
 * model's own. Returns how many. */
size_t guide_answers(const struct guide *guide, const struct guide_values *values,
                     const struct message *asked, const struct guide_hit *hits, size_t n_hits, struct buf *out);

/* A turn as the guide's model gets it, and was trained with: a system prompt before all other
 * messages, of which the user's part is the last system message; the others are left out. The
 * user's last message is the question. Messages are without their files, and cut where they are too
 * long for a question. Borrows from `turn`; helped_turn_free in every case. */
struct helped_turn {
	struct turn turn;
	struct message *messages; /* owned; NULL: nothing was changed */
	struct buf prompt;        /* owned: the system message */
	struct buf words;         /* owned: of the answers, */
	const char **answers;     /* ... owned */
	bool declined;            /* nothing was found */
};
enum status guide_help(struct helped_turn *out, const struct guide *guide, const struct turn *turn,
                       struct error *err) MUST_CHECK;
void helped_turn_free(struct helped_turn *helped);

#endif
