/* The facts file in memory: the entries and what they are found by. All texts
 * stand in one pool and are named by where they begin in it. */
#ifndef SOTTO_GUIDE_FACTS_H
#define SOTTO_GUIDE_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"

/* A fact's lists of texts. */
enum fact_list {
	FACT_DO, FACT_ABOUT, FACT_ASK, /* phrases, with (a|b) still in them */
	FACT_KEYS, FACT_COMMANDS, FACT_OPTIONS, FACT_SUBCOMMANDS,
	FACT_LISTS
};

/* Texts that follow one another: facts_item(facts, list.first + i), i < list.n. */
struct fact_texts {
	size_t first, n;
};

struct fact {
	size_t id, text; /* in the pool */
	bool alone; /* stands alone or not at all, and no follow-up leans on it: small talk */
	bool again; /* but more of this may be wanted: a story */
	struct fact_texts lists[FACT_LISTS];
};

struct facts {
	struct buf pool; /* its first text is "" */
	size_t *texts;   /* those of all lists */
	size_t n_texts, cap_texts;
	struct fact *items;
	size_t n, cap;
	struct fact_texts *synonyms; /* rows, the first word of each stands for it */
	size_t n_synonyms, cap_synonyms;
	struct fact_texts noise;
	struct fact_texts elsewhere; /* words of questions that are about other things */
};

/* Reads the text of a facts file; `name` stands in errors. Entries that are for
 * `later` are left out. STATUS_CONFIG for what is no facts file. */
enum status facts_read(struct facts *facts, const char *name, const char *text, size_t len,
                       struct error *err) MUST_CHECK;
void facts_deinit(struct facts *facts); /* also of {0}, and after an error */

/* A text by where it begins. */
const char *facts_text(const struct facts *facts, size_t at);
/* The nth text of all lists. */
const char *facts_item(const struct facts *facts, size_t n);

#endif
