/* tools/guide/facts.yaml in memory, for the checker. */
#ifndef TESTS_GUIDE_FACTS_H
#define TESTS_GUIDE_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Texts; in mappings name and value take turns. */
struct texts_list {
	char **items;
	size_t n;
};

enum fact_field {
	FACT_ID, FACT_TOPIC, FACT_TEXT, FACT_BACK, FACT_ALONE, FACT_AGAIN,
	FACT_SAYS, FACT_SEE, FACT_KEYS, FACT_COMMANDS, FACT_OPTIONS, FACT_SUBCOMMANDS,
	FACT_THEMES, FACT_PROMPTS, FACT_FOREIGN, FACT_DO, FACT_ABOUT, FACT_ASK,
	FACT_FIELD_COUNT
};

/* Single texts are lists of one. */
struct guide_fact {
	size_t line;
	struct texts_list fields[FACT_FIELD_COUNT];
};

struct guide_facts {
	struct guide_fact *items;
	size_t n;
};

/* The text of a field; "" when it is not there. */
const char *fact_text(const struct guide_fact *fact, enum fact_field field);

/* facts_free in every case. */
enum status facts_load(struct guide_facts *facts, const char *path, struct error *err) MUST_CHECK;
void facts_free(struct guide_facts *facts);

#endif
