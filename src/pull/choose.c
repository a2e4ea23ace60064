/* Which model of a repository: the user's tag, or what suits this machine. */
#include "pull/choose.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "pull/quant_name.h"

static const char *path_of(const struct pull_offer *offer, size_t choice)
{
	return offer->files[offer->choices[choice].first].path;
}

/* The first choice, in the order of the listing, whose type the tag is, or a word of, or that llama.cpp takes. */
static size_t find_tag(const struct pull_offer *offer, const char *tag)
{
	for (int wanted = 2; wanted > 0; wanted--)
		for (size_t i = 0; i < offer->n_choices; i++)
			if (quant_matches(offer->choices[i].quant, tag) == wanted)
				return i;
	for (size_t i = 0; i < offer->n_choices; i++)
		if (quant_is_in_path(path_of(offer, i), tag))
			return i;
	return offer->n_choices;
}

static enum status not_there(const struct pull_offer *offer, struct error *err)
{
	struct buf list = {.max = 300};

	for (size_t i = 0; i < offer->n_choices; i++)
		if (!strstr(buf_text(&list), offer->choices[i].quant) &&
		    buf_printf(&list, "%s%s", list.len ? ", " : "", offer->choices[i].quant)) {
			buf_clear(&list);
			buf_printf(&list, "%zu others, which `sotto pull %.150s` lists", offer->n_choices, offer->name.repository);
			break;
		}
	(void)!error_set(err, STATUS_NOTFOUND, "%.200s has no %s; there is %s", offer->name.repository, offer->name.tag,
	                 buf_text(&list));
	buf_free(&list);
	return STATUS_NOTFOUND;
}

static int compare_sizes(const void *a, const void *b)
{
	const struct pull_choice *left = a, *right = b;

	if (left->n_bytes != right->n_bytes)
		return left->n_bytes < right->n_bytes ? -1 : 1;
	return left->first < right->first ? -1 : left->first > right->first;
}

/* The smallest first; the chosen one stays so. */
static void sort(struct pull_offer *offer)
{
	size_t first = offer->choices[offer->chosen].first;

	qsort(offer->choices, offer->n_choices, sizeof *offer->choices, compare_sizes);
	for (size_t i = 0; i < offer->n_choices; i++)
		if (offer->choices[i].first == first)
			offer->chosen = i;
}

enum status pull_choose(struct pull_offer *offer, const struct pull_machine *machine, struct error *err)
{
	const struct pull_name *name = &offer->name;
	bool is_made = offer->n_choices > 0;
	enum status status = is_made ? STATUS_OK : choose_group(offer, err);

	if (status || !offer->n_choices)
		return status;
	offer->is_by_tag = is_made || name->tag || name->file;
	if (!is_made && name->tag && !name->file) {
		offer->chosen = find_tag(offer, name->tag);
		if (offer->chosen == offer->n_choices)
			return not_there(offer, err);
	}
	choose_numbers(offer, machine);
	sort(offer);
	if (!offer->is_by_tag)
		offer->chosen = choose_default(offer, machine);
	return STATUS_OK;
}
