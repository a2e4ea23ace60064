/* The model of a repository for this machine, where the user did not say which. */
#include <string.h>
#include <strings.h>

#include "catalog/recommended_models.h"
#include "pull/choose.h"
#include "pull/quant_name.h"

/* The best first. */
static const char *const ladder[] = {"Q8_0", "Q6_K", "Q5_K_M", "Q4_K_M", "Q4_0", "IQ4_XS", "Q3_K_M", "Q2_K"};
enum { N_LADDER = sizeof ladder / sizeof ladder[0] };

/* What llama.cpp takes, for a machine that nothing is known of. */
static const char *const usual[] = {"Q4_K_M", "Q8_0"};

/* The first choice of this type; n_choices: there is none. */
static size_t find(const struct pull_offer *offer, const char *quant)
{
	for (int wanted = 2; wanted > 0; wanted--)
		for (size_t i = 0; i < offer->n_choices; i++)
			if (quant_matches(offer->choices[i].quant, quant) == wanted)
				return i;
	return offer->n_choices;
}

static bool suits(const struct pull_choice *choice, const struct pull_machine *machine)
{
	bool is_known = machine->weight_rate > 0 && choice->speed > 0;

	return choice->fits == MODEL_FITS && (!is_known || choice->speed >= recommended_least_speed);
}

/* Models that are trained for one type. */
static const char *own_type(const struct pull_offer *offer)
{
	const char *repository = offer->name.repository;

	if (strcasestr(repository, "gpt-oss"))
		return "MXFP4";
	return strcasestr(repository, "-qat-") ? "Q4_0" : NULL;
}

/* The largest that suits and is no larger than Q8_0, else the smallest. */
static size_t by_size(const struct pull_offer *offer, const struct pull_machine *machine)
{
	for (size_t i = offer->n_choices; i-- > 0;)
		if (suits(&offer->choices[i], machine) && offer->choices[i].bits < 10)
			return i;
	return 0;
}

static size_t by_ladder(const struct pull_offer *offer, const struct pull_machine *machine)
{
	size_t smallest = offer->n_choices;

	for (size_t i = 0; i < N_LADDER; i++) {
		size_t at = find(offer, ladder[i]);

		if (at < offer->n_choices && suits(&offer->choices[at], machine))
			return at;
		smallest = at < offer->n_choices ? at : smallest;
	}
	/* None is fast enough: the smallest that is usual, where it fits at all. */
	return smallest < offer->n_choices && offer->choices[smallest].fits != MODEL_TOO_LARGE ? smallest
	                                                                                       : by_size(offer, machine);
}

size_t choose_default(const struct pull_offer *offer, const struct pull_machine *machine)
{
	const char *own = own_type(offer);
	size_t at = own ? find(offer, own) : offer->n_choices;

	if (at < offer->n_choices && offer->choices[at].fits != MODEL_TOO_LARGE)
		return at;
	if (machine->available || machine->weight_rate > 0)
		return by_ladder(offer, machine);
	for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++) {
		at = find(offer, usual[i]);
		if (at < offer->n_choices)
			return at;
	}
	return by_size(offer, machine);
}
