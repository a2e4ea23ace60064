/* How a reply was made, in its record. */
#ifndef SOTTO_JOURNAL_RUNS_H
#define SOTTO_JOURNAL_RUNS_H

#include <stdbool.h>
#include <stddef.h>

#include "chat/tree.h"
#include "config/yaml.h"

struct journal_runs {
	struct reply_run *items; /* owned */
	size_t n, cap;
};

enum { JOURNAL_RUNS_MAX = 1000 }; /* that a record has */

/* Nothing, where none of them is known; of too many, the last ones. */
void journal_put_runs(struct buf *out, const struct node *node);
/* The list's beginning has been read. False: the record cannot be read. */
bool journal_read_runs(struct yaml_reader *reader, struct journal_runs *out);
void journal_free_runs(struct journal_runs *runs);

#endif
