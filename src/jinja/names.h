/* The identifiers of a template, each kept once. */
#ifndef SOTTO_JINJA_NAMES_H
#define SOTTO_JINJA_NAMES_H

#include "jinja/text.h"

struct name {
	struct jinja_string string; /* what the tree of the template points to */
	unsigned seen_in;           /* the last list of names that it was in: parser.c */
	/* resolve.c: */
	struct symbol *symbol;        /* in the innermost scope that has it; NULL */
	uint32_t lookup;              /* 1 + its number in the template's lookups; 0: none */
	bool is_free;                 /* read where nothing in the template has set it */
	struct jinja_value undefined; /* the value of a variable of this name without one */
};

/* The name of an interned identifier. */
static inline struct name *name_of(const struct jinja_string *string)
{
	return (struct name *)string; /* its first member */
}

#endif
