#include "checkpoint/sources.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "checkpoint/family.h"
#include "checkpoint/floats.h"
#include "checkpoint/refused.h"

/* Names of what is no language model's: with which they begin, what is in them; how those end that compute nothing. */
static const char *const skipped_beginnings[] = {
	"mlp",     "vit.",       "vpm.",           "siglip2.",          "conformer.",
	"merger.", "resampler.", "sound_encoder.", "sound_projection.", "speech_embeddings."};
static const char *const skipped_parts[] = {
	"visual.",         "vision.",        "audio.",      "talker.",       "vision_",
	"audio_",          "token2wav.",     "code2wav.",   "projector.",    "pre_mm_projector_norm",
	"image_newline",   "view_seperator", "patch_embed", "patch_merger.", "patch_merge_mlp.",
	"model.connector."};
static const char *const skipped_ends[] = {".attention.masked_bias", ".attention.bias", ".rotary_emb.inv_freq"};

#define N(list) (sizeof(list) / sizeof((list)[0]))

/* Computes nothing, or is there twice. */
static bool is_idle(const char *name)
{
	for (size_t i = 0; i < N(skipped_ends); i++)
		if (text_ends(name, skipped_ends[i]))
			return true;
	return false;
}

static bool is_of_others(const char *name)
{
	for (size_t i = 0; i < N(skipped_beginnings); i++)
		if (strncmp(name, skipped_beginnings[i], strlen(skipped_beginnings[i])) == 0)
			return true;
	for (size_t i = 0; i < N(skipped_parts); i++)
		if (strstr(name, skipped_parts[i]))
			return true;
	return false;
}

/* A copy without each "language_model."; NULL: no memory. */
static char *plain_name(const char *name)
{
	static const char prefix[] = "language_model.";
	char *copy = alloc_strndup(name, strlen(name));

	for (char *at = copy; at && (at = strstr(at, prefix));)
		memmove(at, at + sizeof prefix - 1, strlen(at + sizeof prefix - 1) + 1);
	return copy;
}

static bool add(struct sources *sources, struct conversion *c, const struct safetensor *tensor, size_t *n_skipped)
{
	struct source source = {.tensor = tensor};

	if (is_idle(tensor->name) || (c->floats && floats_is_scale(c->floats, tensor->name)))
		return true;
	if (is_of_others(tensor->name) || (c->family->skips && c->family->skips(tensor->name))) {
		*n_skipped += strcmp(tensor->name, "lm_head.weight") != 0; /* the embedding again */
		return true;
	}
	if (!(source.name = plain_name(tensor->name)) ||
	    !alloc_grow(&sources->items, &sources->cap, sources->n + 1, sizeof source, LIMIT_CHECKPOINT_TENSORS)) {
		free(source.name);
		return conversion_fail(c, STATUS_NOMEM, "not enough memory");
	}
	if (!names_to_gguf(c->architecture, source.name, &source.to)) {
		bool is_other = tensor->dtype == DTYPE_OTHER; /* positions and the like */
		const char *refused = refused_tensor(source.name);

		free(source.name);
		if (refused)
			return conversion_fail(c, STATUS_UNSUPPORTED, "%s (tensor '%s')", refused, tensor->name);
		return is_other || conversion_fail(c, STATUS_UNSUPPORTED,
		                                   "tensor '%s': models of the kind %s have none of "
		                                   "this name, and without it answers would be wrong",
		                                   tensor->name, c->architecture);
	}
	sources->items[sources->n++] = source;
	return true;
}

/* For qsort. */
static int compare_places(const void *a, const void *b)
{
	const struct source *x = a, *y = b;

	if (x->tensor->file != y->tensor->file)
		return x->tensor->file < y->tensor->file ? -1 : 1;
	return strcmp(x->tensor->name, y->tensor->name);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp((*(struct source *const *)a)->name, (*(struct source *const *)b)->name);
}

bool sources_collect(struct sources *sources, struct conversion *c)
{
	size_t n_skipped = 0;

	*sources = (struct sources){0};
	for (size_t i = 0; i < checkpoint_n_tensors(c->from); i++)
		if (!add(sources, c, checkpoint_tensor_at(c->from, i), &n_skipped))
			return false;
	if (n_skipped)
		conversion_note(c, "%zu tensors are not of what answers in text (pictures, sounds, guesses ahead): left out",
		                n_skipped);
	if (sources->n)
		qsort(sources->items, sources->n, sizeof sources->items[0], compare_places);
	if (!(sources->by_name = alloc_array(sources->n, sizeof(struct source *))))
		return conversion_fail(c, STATUS_NOMEM, "not enough memory");
	for (size_t i = 0; i < sources->n; i++)
		sources->by_name[i] = &sources->items[i];
	qsort(sources->by_name, sources->n, sizeof(struct source *), compare_names);
	return true;
}

void sources_free(struct sources *sources)
{
	for (size_t i = 0; i < sources->n; i++)
		free(sources->items[i].name);
	free(sources->items);
	free(sources->by_name);
	*sources = (struct sources){0};
}

const struct source *sources_find(const struct sources *sources, const char *name)
{
	size_t first = 0, end = sources->n;

	while (first < end) {
		size_t middle = first + (end - first) / 2;
		int order = strcmp(name, sources->by_name[middle]->name);

		if (order == 0)
			return sources->by_name[middle];
		if (order < 0)
			end = middle;
		else
			first = middle + 1;
	}
	return NULL;
}
