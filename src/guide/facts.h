/* The facts file in memory: the entries and the phrases that ask for them. Texts are named by
 * where they begin in a pool; those of a list are the lines of one text. */
#ifndef SOTTO_GUIDE_FACTS_H
#define SOTTO_GUIDE_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"

struct fact {
	size_t id, text; /* in facts.pool */
	size_t phrases;  /* in facts.lists: ways to ask, and its names: "F2", "/model", "--temp" */
	bool alone;      /* stands alone or not at all, and no follow-up leans on it: small talk */
	bool again;      /* but more of this may be wanted: a story */
};

struct facts {
	struct buf pool, lists; /* the first text of both is "" */
	struct fact *items;
	size_t n, cap;
	size_t noise; /* in lists: words that say nothing */
};

/* Reads the text of a facts file; `name` stands in errors. STATUS_CONFIG for what is none. */
enum status facts_read(struct facts *facts, const char *name, const char *text, size_t len,
                       struct error *err) MUST_CHECK;
void facts_deinit(struct facts *facts); /* also of {0}, and after an error */

const char *facts_id(const struct facts *facts, size_t fact);
const char *facts_text(const struct facts *facts, size_t fact);

#endif
