/* How much memory a published model needs, and how fast it will be, by its size and its names: an estimate, as its header
 * is not here yet (catalog/memory.h knows it then). */
#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/limits.h"
#include "catalog/memory.h"
#include "catalog/recommended_models.h"
#include "catalog/speed.h"
#include "pull/choose.h"
#include "pull/quant_name.h"

enum { CONTEXT = 8192 };

/* A billion parameters come with about so many bytes of cache for each token, in f16; more of them with as many times
 * more as is the root of their number: 128 KiB for 8 B, 320 KiB for 70 B. */
static const double cache_of_billion = 45 * 1024;

static const struct recommended_model *find_recommended(const struct pull_offer *offer)
{
	for (size_t i = 0; offer->name.source == PULL_HUB && i < n_recommended; i++)
		if (strcasecmp(recommended[i].repository, offer->name.repository) == 0)
			return &recommended[i];
	return NULL;
}

/* A number with "B" behind it, at `text`: 3 of "3B", 0.6 of "0.6b"; 0: there is none. */
static double billions_at(const char *text, const char **end)
{
	double value = 0, unit = 1;
	bool has_point = false;

	for (; isdigit((unsigned char)*text) || (*text == '.' && !has_point); text++) {
		if (*text == '.') {
			has_point = true;
			continue;
		}
		value = value * 10 + (*text - '0');
		unit *= has_point ? 10 : 1;
	}
	*end = text + 1;
	return (*text == 'B' || *text == 'b') && value < 1e6 ? value / unit : 0;
}

/* "30B-A3B", "8x7B" of a name. */
static double share_of_name(const char *name)
{
	double all = 0;

	for (const char *at = name; *at; at++) {
		bool is_start = at == name || !isalnum((unsigned char)at[-1]);
		const char *end;
		double n;

		if (!is_start)
			continue;
		if ((*at == 'A' || *at == 'a') && all > 0) {
			n = billions_at(at + 1, &end);
			if (n > 0 && n < all)
				return n / all;
		}
		if (isdigit((unsigned char)at[0]) && (at[1] == 'x' || at[1] == 'X') && isdigit((unsigned char)at[2]))
			return 2.25 / (at[0] - '0' > 2 ? at[0] - '0' : 2.25); /* two experts of them, and what all tokens use */
		n = isdigit((unsigned char)*at) ? billions_at(at, &end) : 0;
		if (n > 0)
			all = n;
	}
	return 1;
}

/* Whether a model has experts, by its names, and which part of them a token uses: 3 of 30 for "30B-A3B". 1: all. */
static double active_share(const struct pull_offer *offer, const struct pull_choice *choice)
{
	const struct recommended_model *model = find_recommended(offer);
	double share;

	if (model && model->token_mb)
		return (double)model->token_mb / model->file_mb;
	if (model)
		return (double)(model->file_mb - model->in_file_mb) / model->file_mb;
	if (strcasestr(offer->name.repository, "gpt-oss-20b"))
		return 0.2;
	if (strcasestr(offer->name.repository, "gpt-oss-120b"))
		return 0.05;
	share = share_of_name(offer->name.repository);
	return share < 1 ? share : share_of_name(offer->files[choice->first].path);
}

static double billions(const struct pull_choice *choice, double bits)
{
	return (double)choice->n_bytes * 8 / (bits > 0 ? bits : 5) / 1e9;
}

static uint64_t memory_of(const struct pull_offer *offer, const struct pull_choice *choice, double cache_bytes)
{
	const struct recommended_model *model = find_recommended(offer);
	uint64_t file, rest;

	if (!model)
		return choice->n_bytes + (uint64_t)(cache_bytes * CONTEXT) + MIB(100);
	/* What it needs besides the weights, and the part of them that is loaded. */
	file = (uint64_t)(model->file_mb - model->in_file_mb) * 1000000;
	rest = recommended_memory(model) - file;
	return rest + (uint64_t)((double)choice->n_bytes * (double)(model->file_mb - model->in_file_mb) / model->file_mb);
}

static enum catalog_state state_of(uint64_t memory, uint64_t n_bytes, const struct pull_machine *machine)
{
	if (!machine->available || memory <= memory_limit(machine->available))
		return MODEL_FITS;
	return n_bytes + MIB(300) <= memory_limit(machine->available) ? MODEL_TIGHT : MODEL_TOO_LARGE;
}

static void set_numbers(struct pull_offer *offer, struct pull_choice *choice, const struct pull_machine *machine)
{
	double usual = quant_bits(choice->quant), cache;

	choice->bits = offer->n_params ? (double)choice->n_bytes * 8 / (double)offer->n_params : usual;
	if (usual > 0 && (choice->bits > 1.5 * usual || choice->bits < usual / 1.5))
		choice->bits = usual; /* the repository has models of several sizes, and says that of one */
	cache = cache_of_billion * sqrt(billions(choice, choice->bits));
	choice->memory = memory_of(offer, choice, cache);
	choice->fits = state_of(choice->memory, choice->n_bytes, machine);
	choice->speed = 0;
	if (machine->weight_rate > 0 && choice->fits != MODEL_TOO_LARGE)
		choice->speed = speed_estimate(machine->weight_rate,
		                               (uint64_t)((double)choice->n_bytes * active_share(offer, choice) +
		                                          cache * SPEED_CONTEXT));
}

void choose_numbers(struct pull_offer *offer, const struct pull_machine *machine)
{
	if (choose_is_folder(&offer->name))
		return; /* what is made of it is another size */
	for (size_t i = 0; i < offer->n_choices; i++)
		set_numbers(offer, &offer->choices[i], machine);
}
