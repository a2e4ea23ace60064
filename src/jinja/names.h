/* The identifiers of a template, each kept once: a tree over their bits, so
 * that no choice of names makes it slow. */
#ifndef SOTTO_JINJA_NAMES_H
#define SOTTO_JINJA_NAMES_H

#include "jinja/text.h"

struct name {
	struct jinja_string string; /* what the tree of the template points to */
	struct name *next;    /* all of them, newest first */
	unsigned seen_in;     /* the last list of names that it was in: parser.c */
	/* resolve.c: */
	struct symbol *symbol;  /* what it means where the resolver is; NULL */
	uint32_t lookup;        /* 1 + its number in lookups; 0: none */
	bool is_free;           /* read somewhere where nothing has set it */
	struct jinja_value undefined; /* what reading it gives where it has no value */
	/* The tree: which bit to look at, counted from 1, and where to go on. */
	size_t bit;
	struct name *child[2];
};

struct names {
	struct name root; /* no name: bit 0, and the tree in child[0] */
	struct name *all;
	size_t n;
};

/* The name of an interned identifier. */
static inline struct name *name_of(const struct jinja_string *string)
{
	return (struct name *)string; /* its first member */
}

/* NULL without memory. */
struct names *names_create(struct arena *arena);
/* The name; NULL: it is not among them. */
struct name *names_find(const struct names *names, const char *text, size_t len);
/* Adds it when it is new; NULL without memory. `text` has no NUL in it. */
struct name *names_intern(struct names *names, struct arena *arena, const char *text, size_t len);

#endif
