#include "engine/offers.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/amount.h"
#include "base/limits.h"
#include "base/sys.h"
#include "engine/catalog.h"

enum { CONTEXT = 8192, REST = 100 << 20, UNKNOWN_MACHINE = 2 };

/* Sizes as the repositories state them; the cache from layers, KV heads and the
 * length of a head: 2 (K and V) * 2 bytes * layers * heads * length.
 * None is larger than 12B, however much memory there is: each token reads all weights, which
 * at a desktop's 60 GB/s makes 8 tokens a second of these 7.5 GB, and 4 of a 24B model. */
const struct offer offers[] = {
	{"SmolLM2 135M Instruct", "llama", "bartowski/SmolLM2-135M-Instruct-GGUF",
	 "SmolLM2-135M-Instruct-Q8_0.gguf", "Apache-2.0", 145, 23},
	{"SmolLM2 360M Instruct", "llama", "bartowski/SmolLM2-360M-Instruct-GGUF",
	 "SmolLM2-360M-Instruct-Q8_0.gguf", "Apache-2.0", 386, 40},
	{"Llama 3.2 1B Instruct", "llama", "bartowski/Llama-3.2-1B-Instruct-GGUF",
	 "Llama-3.2-1B-Instruct-Q4_K_M.gguf", "Llama 3.2 Community", 808, 32},
	{"Llama 3.2 3B Instruct", "llama", "bartowski/Llama-3.2-3B-Instruct-GGUF",
	 "Llama-3.2-3B-Instruct-Q4_K_M.gguf", "Llama 3.2 Community", 2020, 112},
	{"Llama 3.1 8B Instruct", "llama", "bartowski/Meta-Llama-3.1-8B-Instruct-GGUF",
	 "Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf", "Llama 3.1 Community", 4920, 128},
	{"Mistral Nemo 12B Instruct", "llama", "bartowski/Mistral-Nemo-Instruct-2407-GGUF",
	 "Mistral-Nemo-Instruct-2407-Q4_K_M.gguf", "Apache-2.0", 7480, 160},
};
const size_t offers_n = sizeof offers / sizeof offers[0];

uint64_t offer_memory(const struct offer *offer)
{
	return (uint64_t)offer->file_mb * 1000000 + (uint64_t)offer->cache_kib * CONTEXT * 1024 + REST;
}

static bool fits(const struct offer *offer, uint64_t available)
{
	return offer_memory(offer) <= available / 10 * 9;
}

const struct offer *offer_choose(uint64_t available)
{
	const struct offer *best = &offers[available ? 0 : UNKNOWN_MACHINE];

	for (size_t i = 0; i < offers_n; i++)
		if (fits(&offers[i], available))
			best = &offers[i];
	return best;
}

/* A word for a shell. */
static void put_quoted(struct buf *out, const char *word)
{
	buf_putc(out, '\'');
	for (; *word; word++)
		buf_puts(out, *word == '\'' ? "'\\''" : (char[]){*word, '\0'});
	buf_putc(out, '\'');
}

static bool is_plain(const char *word)
{
	return !word[strcspn(word, " \t\n\"'\\$`!*?[](){}<>|&;#~")];
}

/* Where our own models lie, as a shell is told: with ~ for the home directory. */
static enum status put_folder(struct buf *out)
{
	const char *forced = getenv("SOTTO_DATA_DIR"), *home = getenv("HOME"), *path;
	enum status status = STATUS_OK;
	struct buf folder;
	size_t len = home ? strlen(home) : 0;

	buf_init(&folder, KIB(64));
	if (forced && forced[0] == '/')
		buf_puts(&folder, forced);
	else
		status = sys_user_dir(SYS_DIR_DATA, &folder, NULL);
	if (status) {
		buf_clear(&folder);
		buf_puts(&folder, "."); /* no home: here, where it is looked for, too */
	} else {
		buf_puts(&folder, "/models");
	}
	path = buf_text(&folder);
	if (len > 1 && strncmp(path, home, len) == 0 && path[len] == '/' && is_plain(path + len))
		buf_printf(out, "~%s", path + len);
	else if (is_plain(path))
		buf_puts(out, path);
	else
		put_quoted(out, path);
	buf_free(&folder);
	return buf_status(out);
}

enum status catalog_advice(struct buf *out, uint64_t available)
{
	const struct offer *best = offer_choose(available);
	char text[AMOUNT_TEXT_MAX];

	if (available)
		buf_printf(out, "Of the models that sotto can run, this one suits the %s of memory that are "
		           "free here:\n\n", amount_bytes(text, available));
	else
		buf_puts(out, "A model that sotto can run and that suits most machines:\n\n");
	buf_printf(out, "  %s (%s), a download of %.2f GB; needs %s\n\n", best->name, best->licence,
	           (double)best->file_mb / 1000, amount_bytes(text, offer_memory(best)));
	buf_puts(out, "  curl -L --create-dirs -o ");
	put_folder(out);
	buf_printf(out, "/%s https://huggingface.co/%s/resolve/main/%s\n\n", best->file,
	           best->repository, best->file);
	buf_printf(out, "or, with Hugging Face's own tool:\n\n  huggingface-cli download %s %s\n\n",
	           best->repository, best->file);
	buf_puts(out, "Others:\n");
	for (size_t i = 0; i < offers_n; i++)
		if (&offers[i] != best)
			buf_printf(out, "  %-26s needs %-9s huggingface.co/%s\n", offers[i].name,
			           amount_bytes(text, offer_memory(&offers[i])), offers[i].repository);
	return buf_status(out);
}
