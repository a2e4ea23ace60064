#include "chat/stops.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/words.h"

static enum status add(struct stops *stops, const char *text, size_t len, struct error *err)
{
	char *copy;

	if (len == 0)
		return STATUS_OK;
	copy = alloc_strndup(text, len);
	if (!copy || !alloc_grow(&stops->texts, &stops->cap, stops->n + 1, sizeof *stops->texts,
	                         LIMIT_MESSAGE)) {
		free(copy);
		return error_no_memory(err, "for the stop strings");
	}
	stops->texts[stops->n++] = copy;
	return STATUS_OK;
}

enum status stops_add(struct stops *stops, const char *const *texts, size_t n, struct error *err)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; i < n && !status; i++)
		status = add(stops, texts[i], strlen(texts[i]), err);
	return status;
}

enum status stops_add_option(struct stops *stops, const char *words, struct error *err)
{
	enum status status = STATUS_OK;
	struct buf word = {.max = LIMIT_MESSAGE};

	while (!status && words && words_next_escaped(&words, &word))
		status = add(stops, buf_text(&word), word.len, err);
	buf_free(&word);
	return status;
}

enum status stops_add_record(struct stops *stops, const char *words, struct error *err)
{
	size_t len = words ? strlen(words) : 0;
	enum status status = STATUS_OK;
	bool found = true;
	struct buf word = {.max = LIMIT_MESSAGE};

	while (!status && !(status = words_next(&words, &len, &word, &found, err)) && found)
		status = add(stops, buf_text(&word), word.len, err);
	buf_free(&word);
	return status;
}

void stops_free(struct stops *stops)
{
	for (size_t i = 0; i < stops->n; i++)
		free(stops->texts[i]);
	free(stops->texts);
	*stops = (struct stops){.n = 0};
}
