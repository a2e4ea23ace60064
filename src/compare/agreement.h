/* How far a model agrees with what a server tells of its own: the best candidates of each token of a reply, by their
 * texts. Nothing is known of all others, so there is no divergence. One thread. */
#ifndef SOTTO_COMPARE_AGREEMENT_H
#define SOTTO_COMPARE_AGREEMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "compare/moments.h"

enum { CANDIDATES_TOLD = 20, CANDIDATE_TEXT = 24 };

struct candidate {
	char text[CANDIDATE_TEXT]; /* its first bytes; a control token's name */
	size_t len;
	double log_p;
};
struct candidates {
	struct candidate best[CANDIDATES_TOLD]; /* [n], the most probable first */
	size_t n;
};

struct agreed_place {
	struct candidates told, own; /* the server's, and as many of the model's */
	size_t n_shared;             /* texts that are in both */
	double change;               /* mean of how far ln p of these is apart */
};

struct agreement {
	struct agreed_place *places; /* owned, [n] */
	size_t n, cap;
	struct moments same, shared, change; /* of places: 0 or 1; a share of those told; nats */
};

/* A place where the server tells nothing is left out. */
enum status agreement_add(struct agreement *agreement, const struct candidates *told, const struct candidates *own,
                          struct error *err) MUST_CHECK;
void agreement_free(struct agreement *agreement);

bool candidate_same(const struct candidate *a, const struct candidate *b);
/* The first place with another first choice; n: there is none. */
size_t agreement_first(const struct agreement *agreement);
/* One place in so many has another first choice; INFINITY: none has. */
double agreement_each(const struct agreement *agreement);

#endif
