#include "checkpoint/model_card.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { ITEMS_MAX = 4096, KEY_MAX = 64, VALUE_MAX = 1024 };

struct item {
	char *key, *value;
};
struct model_card {
	struct item *items;
	size_t n, cap;
};

static bool add(struct model_card *card, const char *key, const char *value, size_t len)
{
	struct item item;

	if (len == 0 || len > VALUE_MAX)
		return true;
	if (!alloc_grow(&card->items, &card->cap, card->n + 1, sizeof item, ITEMS_MAX))
		return false;
	item = (struct item){alloc_strndup(key, strlen(key)), alloc_strndup(value, len)};
	card->items[card->n++] = item;
	return item.key && item.value;
}

static void trim(const char **text, size_t *len)
{
	while (*len && strchr(" \t\r", (*text)[*len - 1]))
		--*len;
	while (*len && strchr(" \t", **text)) {
		++*text;
		--*len;
	}
}

/* One text, perhaps in quotes, perhaps with a comment behind it. A mapping, a block of text or nothing is passed over.
 */
static bool add_scalar(struct model_card *card, const char *key, const char *text, size_t len)
{
	trim(&text, &len);
	if (len && (*text == '"' || *text == '\'')) {
		const char *end = memchr(text + 1, *text, len - 1);

		return !end || add(card, key, text + 1, (size_t)(end - text - 1));
	}
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '#' && (i == 0 || text[i - 1] == ' '))
			len = i;
		else if (text[i] == ':' && (i + 1 == len || text[i + 1] == ' '))
			return true;
	}
	trim(&text, &len);
	if (!len || strchr("|>&*!{[", *text) || (len == 4 && memcmp(text, "null", 4) == 0) ||
	    (len == 1 && *text == '~'))
		return true;
	return add(card, key, text, len);
}

/* [one, two] */
static bool add_list(struct model_card *card, const char *key, const char *text, size_t len)
{
	const char *end = memchr(text, ']', len);

	for (text++; end && text < end;) {
		const char *comma = memchr(text, ',', (size_t)(end - text));
		const char *stop = comma ? comma : end;

		if (!add_scalar(card, key, text, (size_t)(stop - text)))
			return false;
		text = stop + 1;
	}
	return true;
}

/* A line of the outermost level, or an item of a list: `key` is that of the lines before. */
static bool read_line(struct model_card *card, char key[KEY_MAX], const char *text, size_t len)
{
	size_t spaces = 0, n;
	const char *colon;

	while (spaces < len && text[spaces] == ' ')
		spaces++;
	if (spaces + 1 < len && text[spaces] == '-' && text[spaces + 1] == ' ')
		return !*key || add_scalar(card, key, text + spaces + 2, len - spaces - 2);
	if (spaces || len == 0 || *text == '#')
		return true;
	key[0] = '\0';
	colon = memchr(text, ':', len);
	n = colon ? (size_t)(colon - text) : 0;
	if (n == 0 || n >= KEY_MAX || (n + 1 < len && colon[1] != ' '))
		return true;
	memcpy(key, text, n);
	key[n] = '\0';
	text = colon + 1;
	len -= n + 1;
	trim(&text, &len);
	return len && *text == '[' ? add_list(card, key, text, len) : add_scalar(card, key, text, len);
}

/* The length of a line, and where the next begins. */
static size_t next_line(const char *at, const char *end, const char **next)
{
	const char *stop = memchr(at, '\n', (size_t)(end - at));
	size_t len = (size_t)((stop ? stop : end) - at);

	*next = stop ? stop + 1 : end;
	return len && at[len - 1] == '\r' ? len - 1 : len;
}

struct model_card *model_card_parse(const char *text, size_t len)
{
	const char *end = text + len, *next, *at = text;
	size_t n = next_line(at, end, &next);
	struct model_card *card;
	char key[KEY_MAX] = "";
	bool fits = true;

	if (n != 3 || memcmp(at, "---", 3) != 0 || !(card = alloc_array(1, sizeof *card)))
		return NULL;
	for (at = next; at < end && fits; at = next) {
		n = next_line(at, end, &next);
		if (n == 3 && memcmp(at, "---", 3) == 0)
			break;
		fits = read_line(card, key, at, n);
	}
	if (fits)
		return card;
	model_card_free(card);
	return NULL;
}

void model_card_free(struct model_card *card)
{
	for (size_t i = 0; card && i < card->n; i++) {
		free(card->items[i].key);
		free(card->items[i].value);
	}
	if (card)
		free(card->items);
	free(card);
}

const char *model_card_at(const struct model_card *card, const char *key, size_t i)
{
	for (size_t j = 0; card && j < card->n; j++)
		if (strcmp(card->items[j].key, key) == 0 && i-- == 0)
			return card->items[j].value;
	return NULL;
}

size_t model_card_n(const struct model_card *card, const char *key)
{
	size_t n = 0;

	while (model_card_at(card, key, n))
		n++;
	return n;
}
