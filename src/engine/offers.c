#include "engine/offers.h"

#include <stdlib.h>
#include <string.h>

#include "base/amount.h"
#include "base/limits.h"
#include "base/sys.h"
#include "engine/catalog.h"
#include "engine/speed.h"

const double offer_least_speed = 5;

/* Bytes of weights a second of a desktop with two channels of memory. */
static const double usual_weight_rate = 35e9;

enum { CONTEXT = 8192, REST = 100 << 20, UNKNOWN_MACHINE = 2 };

/* Sizes as the repositories state them; the cache from layers, KV heads and the
 * length of a head: 2 (K and V) * 2 bytes * layers * heads * length.
 * None is larger than 12B, however much memory there is: at a desktop's 60 GB/s these 7.5 GB
 * make 7 tokens a second, and a 24B model less than offer_least_speed. */
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

double offer_speed(const struct offer *offer, double weight_rate)
{
	return speed_estimate(weight_rate, (uint64_t)offer->file_mb * 1000000 +
	                                           (uint64_t)offer->cache_kib * SPEED_CONTEXT * 1024);
}

bool offer_fits(const struct offer *offer, uint64_t available)
{
	if (!available)
		return offer <= &offers[UNKNOWN_MACHINE];
	return offer_memory(offer) <= available / 10 * 9;
}

uint64_t offer_most_bytes(double weight_rate)
{
	const uint64_t giga = 1000000000;
	double speed = speed_estimate(weight_rate > 0 ? weight_rate : usual_weight_rate, giga);

	return (uint64_t)(speed / offer_least_speed * (double)giga);
}

static bool is_fast(const struct offer *offer, double weight_rate)
{
	return offer_speed(offer, weight_rate > 0 ? weight_rate : usual_weight_rate) >= offer_least_speed;
}

const struct offer *offer_choose(uint64_t available, double weight_rate)
{
	const struct offer *best = &offers[0];

	for (size_t i = 0; i < offers_n; i++)
		if (offer_fits(&offers[i], available) && is_fast(&offers[i], weight_rate))
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

/* Why it is this one. */
static void put_reason(struct buf *out, const struct offer *best, uint64_t available,
                       double weight_rate)
{
	char text[AMOUNT_TEXT_MAX];

	amount_bytes(text, available);
	if (!offer_fits(best, available))
		buf_printf(out, "No model fits in the %s of memory that are free here. This is the smallest:",
		           text);
	else if (weight_rate > 0 && !is_fast(best, weight_rate))
		buf_printf(out, "No model is as fast here as one reads (%g tokens a second). This is the "
		           "fastest:", offer_least_speed);
	else if (!available)
		buf_puts(out, "A model that sotto can run and that suits most machines:");
	else if (weight_rate > 0)
		buf_printf(out, "The largest model that fits in the %s free here and is as fast as one reads "
		           "(%g tokens a second):", text, offer_least_speed);
	else
		buf_printf(out, "Of the models that sotto can run, this one suits the %s of memory that are "
		           "free here:", text);
	buf_puts(out, "\n\n");
}

static void put_speed(struct buf *out, double speed)
{
	char text[AMOUNT_TEXT_MAX];

	amount_estimate(text, speed);
	if (text[0] == '<')
		buf_puts(out, "less than 1 token a second here");
	else
		buf_printf(out, "about %s token%s a second here", text, strcmp(text, "1") ? "s" : "");
}

static void put_others(struct buf *out, const struct offer *best, uint64_t available,
                       double weight_rate)
{
	char memory[AMOUNT_TEXT_MAX], speed[AMOUNT_TEXT_MAX];

	buf_printf(out, "Others, with the memory that they need%s:\n",
	           weight_rate > 0 ? " and about how many tokens a second" : "");
	for (size_t i = 0; i < offers_n; i++) {
		if (&offers[i] == best)
			continue;
		buf_printf(out, "  %-26s %9s  ", offers[i].name,
		           amount_bytes(memory, offer_memory(&offers[i])));
		if (!offer_fits(&offers[i], available) && available)
			buf_puts(out, "too large  ");
		else if (weight_rate > 0)
			buf_printf(out, "%7s/s  ",
			           amount_estimate(speed, offer_speed(&offers[i], weight_rate)));
		buf_printf(out, "huggingface.co/%s\n", offers[i].repository);
	}
}

enum status catalog_advice(struct buf *out, uint64_t available, double weight_rate)
{
	const struct offer *best = offer_choose(available, weight_rate);
	char text[AMOUNT_TEXT_MAX];

	put_reason(out, best, available, weight_rate);
	buf_printf(out, "  %s (%s)\n  a download of %.2f GB; needs %s", best->name, best->licence,
	           (double)best->file_mb / 1000, amount_bytes(text, offer_memory(best)));
	if (weight_rate > 0) {
		buf_puts(out, "; ");
		put_speed(out, offer_speed(best, weight_rate));
	}
	buf_puts(out, "\n\n  curl -L --create-dirs -o ");
	put_folder(out);
	buf_printf(out, "/%s https://huggingface.co/%s/resolve/main/%s\n\n", best->file,
	           best->repository, best->file);
	buf_printf(out, "or, with Hugging Face's own tool:\n\n  huggingface-cli download %s %s\n\n",
	           best->repository, best->file);
	put_others(out, best, available, weight_rate);
	return buf_status(out);
}
