#include "pull/hub_notes.h"

#include <string.h>

#include "base/limits.h"
#include "pull/choose.h"
#include "pull/hub_config.h"
#include "pull/quant_name.h"

/* What the files of a repository are. */
struct kinds {
	size_t n[QUANT_OTHER + 1];
	const char *first[QUANT_OTHER + 1];
	bool has_safetensors, has_preset;
};

static struct kinds count(const struct pull_offer *offer)
{
	struct kinds kinds = {0};

	for (size_t i = 0; i < offer->n_files; i++) {
		const char *path = offer->files[i].path;
		enum quant_file kind = quant_file_of(path);

		if (!kinds.n[kind]++)
			kinds.first[kind] = path;
		kinds.has_safetensors |= hub_is_safetensors(path);
		kinds.has_preset |= strcmp(path, "preset.ini") == 0;
	}
	return kinds;
}

static void put_line(struct buf *out, const struct kinds *kinds, enum quant_file kind, const char *why)
{
	if (!kinds->n[kind])
		return;
	buf_printf(out, "%s", kinds->first[kind]);
	if (kinds->n[kind] > 1)
		buf_printf(out, " and %zu more", kinds->n[kind] - 1);
	buf_printf(out, "%s%s\n", kinds->n[kind] > 1 ? " are " : " is ", why);
}

/* Where no file is a model. */
static void put_missing(struct buf *out, const struct pull_offer *offer, const struct kinds *kinds, const char *refused)
{
	const char *repository = offer->name.repository;

	if (refused)
		buf_printf(out, "%s has no GGUF file, which is what sotto runs. It is not converted: %s\n", repository, refused);
	else if (kinds->has_safetensors)
		buf_printf(out, "%s has safetensors, from which `sotto convert` makes a GGUF: `sotto pull --safetensors %s` "
		           "(in the chat `/pull %s:safetensors`) fetches them. Others may have published a GGUF of it already\n",
		           repository, repository, repository);
	else
		buf_printf(out, "%s has no GGUF file, which is what sotto runs: look for a repository with GGUF in its name\n",
		           repository);
}

enum status hub_notes(struct pull_offer *offer, const char *refused, bool is_gated, struct error *err)
{
	struct kinds kinds = count(offer);
	struct buf notes = {.max = KIB(16)};

	if (!kinds.n[QUANT_MODEL] && !choose_is_folder(&offer->name))
		put_missing(&notes, offer, &kinds, refused);
	put_line(&notes, &kinds, QUANT_PICTURES, "for pictures, which sotto does not read: not fetched");
	put_line(&notes, &kinds, QUANT_DRAFT, "there to draft tokens, which sotto does not need: not fetched");
	if (kinds.has_preset)
		buf_puts(&notes, "preset.ini has llama.cpp's command lines: not fetched and not used\n");
	if (is_gated && !offer->key)
		buf_printf(&notes, "it is gated: accept its licence at %s/%s, then set HF_TOKEN\n", offer->name.base,
		           offer->name.repository);
	if (buf_status(&notes))
		buf_clear(&notes);
	while (notes.len && notes.data[notes.len - 1] == '\n')
		buf_remove(&notes, notes.len - 1, 1);
	if (!notes.len) {
		buf_free(&notes);
		return STATUS_OK;
	}
	offer->notes = buf_take(&notes, NULL);
	return offer->notes ? STATUS_OK : error_no_memory(err, "for the notes");
}
