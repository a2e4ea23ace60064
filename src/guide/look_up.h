/* Which facts fit a question. tools/guide/retrieve.py says it in words. */
#ifndef SOTTO_GUIDE_LOOK_UP_H
#define SOTTO_GUIDE_LOOK_UP_H

#include "guide/guide.h"
#include "guide/index.h"
#include "guide/ranker.h"

/* As guide_look_up. */
size_t look_up(const struct index *index, const struct facts *facts, const struct ranker *ranker,
               const char *text, size_t len, size_t before, struct guide_hit hits[GUIDE_ENTRIES]);

#endif
