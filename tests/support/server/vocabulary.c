#include "support/server/vocabulary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static const char *const controls[] = {"<|im_start|>", "<|im_end|>", "<|endoftext|>", "<s>", "</s>"};
/* The first VOCABULARY_N_COUNTED are also tokens together with a number. */
static const char *const words[] = {
	"warm", " warm", "cold", " cold", "thought", " thought", "word", " word", "<think>", "</think>", "user", "assistant", "system",
	" the", " a", "the", " is", " and", "Hello", "hello", " hello", "What", " do", " you", " count", "\n\n",
};
enum { N_CONTROLS = sizeof controls / sizeof controls[0], N_WORDS = sizeof words / sizeof words[0] };

static int32_t longest(const char *const *texts, size_t n, const char *text, size_t len, size_t *taken)
{
	int32_t best = -1;

	*taken = 0;
	for (size_t i = 0; i < n; i++) {
		size_t size = strlen(texts[i]);

		if (size > *taken && size <= len && memcmp(texts[i], text, size) == 0) {
			best = (int32_t)i;
			*taken = size;
		}
	}
	return best;
}

/* " 17": a blank and up to three digits, without zeros before them. */
static int32_t number(const char *text, size_t len, size_t *taken)
{
	size_t n = 1;
	int32_t value = 0;

	if (len < 2 || text[0] != ' ' || text[1] < '0' || text[1] > '9')
		return -1;
	while (n < len && n < 4 && text[n] >= '0' && text[n] <= '9') {
		value = value * 10 + (text[n] - '0');
		n++;
		if (value == 0)
			break;
	}
	*taken = n;
	return VOCABULARY_NUMBER + value;
}

/* "warm 17", or with a blank before it. */
static int32_t counted(const char *text, size_t len, size_t *taken)
{
	size_t n;
	int32_t word = longest(words, VOCABULARY_N_COUNTED, text, len, &n), value;

	if (word < 0)
		return -1;
	value = number(text + n, len - n, taken);
	*taken += n;
	return value < 0 ? -1 : VOCABULARY_COUNTED + word * 1000 + value - VOCABULARY_NUMBER;
}

int32_t vocabulary_first(const char *text, size_t len, bool special, size_t *taken)
{
	int32_t id = special ? longest(controls, N_CONTROLS, text, len, taken) : -1;

	if (id >= 0)
		return VOCABULARY_CONTROL + id;
	id = counted(text, len, taken);
	if (id >= 0)
		return id;
	id = longest(words, N_WORDS, text, len, taken);
	if (id >= 0)
		return VOCABULARY_WORD + id;
	id = number(text, len, taken);
	if (id >= 0)
		return id;
	*taken = 1;
	return (unsigned char)text[0];
}

int32_t vocabulary_control(const char *name)
{
	for (size_t i = 0; i < N_CONTROLS; i++)
		if (strcmp(controls[i], name) == 0)
			return VOCABULARY_CONTROL + (int32_t)i;
	return -1;
}

bool vocabulary_is_control(int32_t id)
{
	return id >= VOCABULARY_CONTROL && id < VOCABULARY_CONTROL + N_CONTROLS;
}

void vocabulary_append(struct buf *out, int32_t id)
{
	if (id >= 0 && id < 256)
		buf_putc(out, (char)id);
	else if (vocabulary_is_control(id))
		buf_puts(out, controls[id - VOCABULARY_CONTROL]);
	else if (id >= VOCABULARY_NUMBER && id < VOCABULARY_NUMBER + 1000)
		buf_printf(out, " %d", id - VOCABULARY_NUMBER);
	else if (id >= VOCABULARY_WORD && id < VOCABULARY_WORD + N_WORDS)
		buf_puts(out, words[id - VOCABULARY_WORD]);
	else if (id >= VOCABULARY_COUNTED && id < VOCABULARY_SIZE)
		buf_printf(out, "%s %d", words[(id - VOCABULARY_COUNTED) / 1000], (id - VOCABULARY_COUNTED) % 1000);
	else
		buf_putc(out, '?');
}

int32_t *vocabulary_encode(const char *text, size_t len, bool special, size_t *n)
{
	int32_t *ids = alloc_array(len + 1, sizeof *ids);
	size_t taken;

	if (!ids)
		abort();
	*n = 0;
	for (size_t at = 0; at < len; at += taken)
		ids[(*n)++] = vocabulary_first(text + at, len - at, special, &taken);
	return ids;
}
