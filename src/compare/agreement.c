#include "compare/agreement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { MAX_PLACES = 1 << 20 };

bool candidate_same(const struct candidate *a, const struct candidate *b)
{
	return a->len == b->len && memcmp(a->text, b->text, a->len) == 0;
}

static const struct candidate *find(const struct candidates *among, const struct candidate *wanted)
{
	for (size_t i = 0; i < among->n; i++)
		if (candidate_same(&among->best[i], wanted))
			return &among->best[i];
	return NULL;
}

static void share(struct agreed_place *place)
{
	for (size_t i = 0; i < place->told.n; i++) {
		const struct candidate *told = &place->told.best[i], *own = find(&place->own, told);

		if (!own)
			continue;
		place->n_shared++;
		place->change += fabs(own->log_p - told->log_p);
	}
	if (place->n_shared)
		place->change /= (double)place->n_shared;
}

enum status agreement_add(struct agreement *agreement, const struct candidates *told, const struct candidates *own,
                          struct error *err)
{
	struct agreed_place place = {.told = *told, .own = *own};

	if (!told->n || !own->n)
		return STATUS_OK;
	if (place.own.n > told->n)
		place.own.n = told->n;
	if (!alloc_grow(&agreement->places, &agreement->cap, agreement->n + 1, sizeof place, MAX_PLACES))
		return error_no_memory(err, "for the figures");
	share(&place);
	moments_add(&agreement->same, candidate_same(&told->best[0], &own->best[0]));
	moments_add(&agreement->shared, (double)place.n_shared / (double)told->n);
	if (place.n_shared)
		moments_add(&agreement->change, place.change);
	agreement->places[agreement->n++] = place;
	return STATUS_OK;
}

void agreement_free(struct agreement *agreement)
{
	free(agreement->places);
	*agreement = (struct agreement){0};
}

size_t agreement_first(const struct agreement *agreement)
{
	size_t i = 0;

	while (i < agreement->n &&
	       candidate_same(&agreement->places[i].told.best[0], &agreement->places[i].own.best[0]))
		i++;
	return i;
}

double agreement_each(const struct agreement *agreement)
{
	double n_other = (double)agreement->n - agreement->same.sum;

	return n_other > 0 ? (double)agreement->n / n_other : (double)INFINITY;
}
