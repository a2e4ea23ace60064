/* The identifiers of a template, each kept once. */
#ifndef SOTTO_JINJA_NAMES_H
#define SOTTO_JINJA_NAMES_H

#include "jinja/text.h"

struct name {
	struct jinja_string string; /* what the tree of the template points to */
	unsigned seen_in;           /* the last list of names that it was in: parser.c */
	/* resolve.c: */
	struct symbol *symbol;        /* what it means where the resolver is; NULL */
	uint32_t lookup;              /* 1 + its number in lookups; 0: none */
	bool is_free;                 /* read somewhere where nothing has set it */
	struct jinja_value undefined; /* what reading it gives where it has no value */
};

/* The name of an interned identifier. */
static inline struct name *name_of(const struct jinja_string *string)
{
	return (struct name *)string; /* its first member */
}

#endif
