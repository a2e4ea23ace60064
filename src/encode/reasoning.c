#include "encode/reasoning.h"

#include <string.h>

const char *const reasoning_modes[] = {
	[REASONING_AUTO] = "auto", [REASONING_ON] = "on", [REASONING_OFF] = "off", NULL};
const char *const reasoning_efforts[] = {[EFFORT_AUTO] = "auto", [EFFORT_LOW] = "low",
                                         [EFFORT_MEDIUM] = "medium", [EFFORT_HIGH] = "high", NULL};

/* A template gets the first row whose signs it has. */
const struct reasoning_markers reasoning_markers[] = {
	{.signs = {"<|channel|>", "<|message|>"}, /* OpenAI's harmony */
	 .opens = {"<|channel|>analysis<|message|>",
	           "<|start|>assistant<|channel|>analysis<|message|>"},
	 .answers = {"<|channel|>final<|message|>", "<|start|>assistant<|channel|>final<|message|>"},
	 .close = "<|end|>", .parts = true, .channels = true},
	{.signs = {"<|think|>", "<|content|>"}, /* Solar Open */
	 .opens = {"<|think|>"},
	 .answers = {"<|content|>", "<|begin|>assistant<|content|>"},
	 .close = "<|end|>", .parts = true},
	{.signs = {"<channel|>"}, .opens = {"<|channel>thought"}, .close = "<channel|>"},
	{.signs = {"<|END_THINKING|>"}, .opens = {"<|START_THINKING|>"},
	 .answers = {"<|START_RESPONSE|>"}, .close = "<|END_THINKING|>"},
	{.signs = {"[/THINK]"}, .opens = {"[THINK]"}, .close = "[/THINK]"},
	{.signs = {"<|inner_suffix|>"}, .opens = {"<|inner_prefix|>"}, .close = "<|inner_suffix|>"},
	{.signs = {"◁/think▷"}, .opens = {"◁think▷"}, .close = "◁/think▷"},
	{.signs = {"</mm:think>"}, .opens = {"<mm:think>"}, .close = "</mm:think>"},
	{.signs = {"</think{}>", ":opensource"}, /* Hunyuan 3's template assembles the names */
	 .opens = {"<think:opensource>"}, .close = "</think:opensource>"},
	{.signs = {"[BEGIN FINAL RESPONSE]"}, .opens = {"Here are my reasoning steps:"},
	 .close = "[BEGIN FINAL RESPONSE]"},
	{.signs = {"</seed:think>"}, .opens = {"<seed:think>"}, .close = "</seed:think>"},
	{.signs = {"</think>"}, .opens = {"<think>"}, .close = "</think>"},
	{.signs = {"</reasoning>"}, .opens = {"<reasoning>"}, .close = "</reasoning>"},
	{.signs = {"</thought>"}, .opens = {"<thought>"}, .close = "</thought>"},
	{.signs = {"</thinking>"}, .opens = {"<thinking>"}, .close = "</thinking>"},
};
const size_t reasoning_n_markers = sizeof reasoning_markers / sizeof reasoning_markers[0];

static bool has_signs(const struct reasoning_markers *row, const char *text, size_t len)
{
	for (const char *const *sign = row->signs; *sign; sign++)
		if (!memmem(text, len, *sign, strlen(*sign)))
			return false;
	return true;
}

const struct reasoning_markers *reasoning_find(const char *template_text, size_t len)
{
	for (size_t i = 0; i < reasoning_n_markers; i++)
		if (has_signs(&reasoning_markers[i], template_text, len))
			return &reasoning_markers[i];
	return NULL;
}

static bool has_token(const struct tokenizer *tokenizer, const char *name)
{
	return tokenizer_find(tokenizer, name, strlen(name)) != TOKEN_NONE;
}

const struct reasoning_markers *reasoning_default(const struct tokenizer *tokenizer)
{
	const char *names[2 * sizeof reasoning_markers / sizeof reasoning_markers[0]];

	for (size_t i = 0; i < reasoning_n_markers; i++) {
		names[2 * i] = reasoning_markers[i].opens[0];
		names[2 * i + 1] = reasoning_markers[i].close;
	}
	tokenizer_expect(tokenizer, names, 2 * reasoning_n_markers);
	for (size_t i = 0; i < reasoning_n_markers; i++) {
		const struct reasoning_markers *row = &reasoning_markers[i];

		if (!row->parts && has_token(tokenizer, row->opens[0]) && has_token(tokenizer, row->close))
			return row;
	}
	return NULL;
}

/* The end of the last `what` in a text; 0 if there is none. */
static size_t find_last(const char *text, size_t len, const char *what)
{
	size_t n = strlen(what);

	for (size_t end = len; end >= n; end--)
		if (memcmp(text + end - n, what, n) == 0)
			return end;
	return 0;
}

enum reasoning_start reasoning_start(const struct reasoning_markers *markers, const char *text,
                                     size_t len)
{
	size_t open = markers ? find_last(text, len, markers->opens[0]) : 0;
	size_t close = markers ? find_last(text, len, markers->close) : 0;

	return open > close ? REASONING_OPENED : close ? REASONING_CLOSED : REASONING_UNOPENED;
}
