/* "translator to=German": a template's name and the values of its variables, as
 * a person writes them and a transcript keeps them. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/words.h"
#include "prompts/prompt_template.h"

void prompt_values_free(struct prompt_values *values)
{
	for (size_t i = 0; i < values->n; i++) {
		free(values->items[i].name);
		free(values->items[i].value);
	}
	free(values->items);
	*values = (struct prompt_values){0};
}

static struct prompt_option *find(const struct prompt_values *values, const char *name, size_t len)
{
	for (size_t i = 0; i < values->n; i++)
		if (strlen(values->items[i].name) == len &&
		    memcmp(values->items[i].name, name, len) == 0)
			return &values->items[i];
	return NULL;
}

const char *prompt_values_get(const struct prompt_values *values, const char *name)
{
	const struct prompt_option *item = find(values, name, strlen(name));

	return item ? item->value : NULL;
}

enum status prompt_values_set(struct prompt_values *values, const char *name, size_t name_len,
                              const char *value, size_t len, struct error *err)
{
	struct prompt_option *item = find(values, name, name_len);
	char *copy = alloc_strndup(value, len);

	if (copy && !item &&
	    alloc_grow(&values->items, &values->cap, values->n + 1, sizeof *values->items,
	               LIMIT_PROMPT_ITEMS)) {
		item = &values->items[values->n];
		*item = (struct prompt_option){.name = alloc_strndup(name, name_len)};
		if (item->name)
			values->n++;
	}
	if (!copy || !item || !item->name) {
		free(copy);
		return error_set(err, values->n >= LIMIT_PROMPT_ITEMS ? STATUS_LIMIT : STATUS_NOMEM,
		                 values->n >= LIMIT_PROMPT_ITEMS ? "too many variables"
		                                                 : "not enough memory");
	}
	free(item->value);
	item->value = copy;
	return STATUS_OK;
}

static enum status parse_value(const struct buf *word, struct prompt_values *values,
                               struct error *err)
{
	const char *text = buf_text(word), *equals = memchr(text, '=', word->len);

	if (!equals || equals == text)
		return error_set(err, STATUS_USAGE,
		                 "'%.60s' is not NAME=VALUE; a value with blanks needs quotes", text);
	return prompt_values_set(values, text, (size_t)(equals - text), equals + 1,
	                         word->len - (size_t)(equals + 1 - text), err);
}

enum status prompt_parse_values(const char *line, size_t len, struct prompt_values *values,
                                struct error *err)
{
	enum status status = STATUS_OK;
	struct buf word = {.max = LIMIT_MESSAGE};
	bool found = true;

	while (!status && found) {
		status = words_next(&line, &len, &word, &found, err);
		if (!status && found)
			status = parse_value(&word, values, err);
	}
	buf_free(&word);
	return status;
}

enum status prompt_parse_call(const char *line, size_t len, struct buf *name,
                              struct prompt_values *values, struct error *err)
{
	bool found;
	enum status status = words_next(&line, &len, name, &found, err);

	return status ? status : prompt_parse_values(line, len, values, err);
}

enum status prompt_format_call(struct buf *out, const char *name,
                               const struct prompt_values *values)
{
	struct buf word = {.max = LIMIT_MESSAGE};

	words_put(out, name, strlen(name));
	for (size_t i = 0; i < values->n; i++) {
		buf_clear(&word);
		buf_puts(&word, values->items[i].name);
		buf_putc(&word, '=');
		buf_puts(&word, values->items[i].value);
		if (buf_status(&word) == STATUS_OK)
			words_put(out, buf_text(&word), word.len);
	}
	buf_free(&word);
	return buf_status(out);
}

bool prompt_is_call(const char *call, const char *name, const struct prompt_values *values)
{
	struct buf text = {.max = LIMIT_MESSAGE};
	bool same;

	same = !prompt_format_call(&text, name, values) && strcmp(buf_text(&text), call) == 0;
	buf_free(&text);
	return same;
}
