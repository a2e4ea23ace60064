/* The files of a repository, as models. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/text_ends.h"
#include "gguf/split_name.h"
#include "pull/choose.h"
#include "pull/hub_config.h"
#include "pull/quant_name.h"

/* A file with what its name says. */
struct named {
	struct pull_file file;
	struct split_name split;
	bool is_part;
	size_t at; /* in the listing */
};

/* Side by side: the parts of a model, by number. Their stems are compared first, so others lie between no two of them. */
static int compare(const void *a, const void *b)
{
	const struct named *left = a, *right = b;
	size_t n_left = left->is_part ? left->split.stem : strlen(left->file.path);
	size_t n_right = right->is_part ? right->split.stem : strlen(right->file.path);
	int order = memcmp(left->file.path, right->file.path, n_left < n_right ? n_left : n_right);

	if (order)
		return order;
	if (n_left != n_right)
		return n_left < n_right ? -1 : 1;
	if (left->is_part != right->is_part)
		return left->is_part ? 1 : -1;
	if (left->is_part && left->split.n_parts != right->split.n_parts)
		return left->split.n_parts < right->split.n_parts ? -1 : 1;
	return left->split.part < right->split.part ? -1 : left->split.part > right->split.part;
}

static bool is_same_model(const struct named *a, const struct named *b)
{
	return a->is_part && b->is_part && a->split.stem == b->split.stem && a->split.n_parts == b->split.n_parts &&
	       memcmp(a->file.path, b->file.path, a->split.stem) == 0;
}

/* A model whose files begin at files[first]: how many there are, 0 if some are missing. */
static size_t count_parts(const struct named *files, size_t n)
{
	size_t parts = 1;

	if (!files->is_part)
		return 1;
	while (parts < n && is_same_model(files, files + parts))
		parts++;
	return parts == files->split.n_parts && parts <= LIMIT_GGUF_PARTS ? parts : 0;
}

static bool is_wanted(const struct pull_offer *offer, const struct named *files, size_t n)
{
	if (!offer->name.file)
		return quant_file_of(files->file.path) == QUANT_MODEL;
	for (size_t i = 0; i < n; i++)
		if (strcmp(files[i].file.path, offer->name.file) == 0)
			return true;
	return false;
}

struct order { /* of choices in the listing */
	struct pull_choice choice;
	size_t at;
};

static int compare_order(const void *a, const void *b)
{
	const struct order *left = a, *right = b;

	return left->at < right->at ? -1 : left->at > right->at;
}

static enum status add_choice(struct order *choice, const struct named *files, size_t first, size_t n, struct error *err)
{
	struct buf quant = {.max = LIMIT_PULL_PATH};

	*choice = (struct order){.choice = {.first = first, .n = n}, .at = files[0].at};
	for (size_t i = 0; i < n; i++)
		choice->choice.n_bytes += files[i].file.size;
	(void)!quant_name_put(&quant, files[0].file.path);
	choice->choice.quant = buf_take(&quant, NULL);
	return choice->choice.quant ? STATUS_OK : error_no_memory(err, "for the list of models");
}

static enum status make_choices(struct pull_offer *offer, const struct named *files, struct order *choices, struct error *err)
{
	enum status status = STATUS_OK;
	size_t n = 0;

	for (size_t i = 0, parts; i < offer->n_files && n < LIMIT_PULL_CHOICES && !status; i += parts ? parts : 1) {
		parts = count_parts(files + i, offer->n_files - i);
		if (parts && is_wanted(offer, files + i, parts))
			status = add_choice(&choices[n++], files + i, i, parts, err);
	}
	if (n)
		qsort(choices, n, sizeof *choices, compare_order);
	offer->n_choices = n;
	for (size_t i = 0; i < n; i++)
		offer->choices[i] = choices[i].choice;
	return status;
}

static enum status group_models(struct pull_offer *offer, struct error *err)
{
	size_t most = offer->n_files < LIMIT_PULL_CHOICES ? offer->n_files : LIMIT_PULL_CHOICES;
	struct named *files = alloc_array(offer->n_files, sizeof *files);
	struct order *choices = alloc_array(most, sizeof *choices);
	enum status status = STATUS_OK;

	free(offer->choices);
	offer->choices = alloc_array(most, sizeof *offer->choices);
	if (!files || !choices || !offer->choices)
		status = error_no_memory(err, "for the list of models");
	for (size_t i = 0; !status && i < offer->n_files; i++) {
		files[i] = (struct named){.file = offer->files[i], .at = i};
		files[i].is_part = split_name_parse(offer->files[i].path, &files[i].split) && files[i].split.n_parts > 1;
	}
	if (!status && offer->n_files) {
		qsort(files, offer->n_files, sizeof *files, compare);
		for (size_t i = 0; i < offer->n_files; i++)
			offer->files[i] = files[i].file;
		status = make_choices(offer, files, choices, err);
	}
	free(files);
	free(choices);
	if (!status && offer->name.file && !offer->n_choices)
		return error_set(err, STATUS_NOTFOUND, "%.200s has no file '%.200s', or not all parts of it: "
		                 "`sotto pull %.200s` lists its models", offer->name.repository, offer->name.file,
		                 offer->name.repository);
	return status;
}

/* ---- safetensors ---- */

/* What a conversion reads: of the repository's root, nothing that has to be run, nothing that is empty. */
static bool is_converted(const struct pull_file *file)
{
	static const char *const names[] = {"config.json", "generation_config.json", "model.safetensors.index.json",
	                                    "added_tokens.json", "special_tokens_map.json", "vocab.json", "merges.txt",
	                                    "chat_template.json", "tokenizer.json", "tokenizer.model", "tokenizer_config.json"};
	const char *path = file->path;

	if (strchr(path, '/') || !file->size)
		return false;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strcmp(path, names[i]) == 0)
			return true;
	return hub_is_safetensors(path) || text_ends(path, ".jinja");
}

/* Weights last: what is wrong with the rest is seen before they are fetched. */
static int compare_converted(const void *a, const void *b)
{
	const struct pull_file *left = a, *right = b;
	int kind = (is_converted(right) - is_converted(left));

	if (!kind)
		kind = hub_is_safetensors(left->path) - hub_is_safetensors(right->path);
	return kind ? kind : strcmp(left->path, right->path);
}

static enum status group_safetensors(struct pull_offer *offer, struct error *err)
{
	struct pull_choice choice = {.quant = alloc_strndup(CHOOSE_SAFETENSORS, strlen(CHOOSE_SAFETENSORS))};
	bool has_weights = false, has_config = false;

	offer->choices = alloc_array(1, sizeof *offer->choices);
	if (!choice.quant || !offer->choices) {
		free(choice.quant);
		return error_no_memory(err, "for the list of models");
	}
	offer->choices[0] = choice;
	offer->n_choices = 1;
	if (offer->n_files)
		qsort(offer->files, offer->n_files, sizeof *offer->files, compare_converted);
	for (size_t i = 0; i < offer->n_files && is_converted(&offer->files[i]); i++) {
		offer->choices[0].n++;
		offer->choices[0].n_bytes += offer->files[i].size;
		has_weights |= hub_is_safetensors(offer->files[i].path);
		has_config |= strcmp(offer->files[i].path, "config.json") == 0;
	}
	if (!has_weights || !has_config)
		return error_set(err, STATUS_NOTFOUND, "%.200s has no %s, so there is nothing to convert: "
		                 "`sotto pull %.200s` says what there is", offer->name.repository,
		                 has_weights ? "config.json" : "model.safetensors", offer->name.repository);
	return STATUS_OK;
}

bool choose_is_folder(const struct pull_name *name)
{
	return name->source == PULL_HUB && name->tag && !name->file && strcasecmp(name->tag, CHOOSE_SAFETENSORS) == 0;
}

enum status choose_group(struct pull_offer *offer, struct error *err)
{
	offer->chosen = 0;
	return choose_is_folder(&offer->name) ? group_safetensors(offer, err) : group_models(offer, err);
}
