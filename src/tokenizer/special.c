#include "tokenizer/special.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/bisect.h"
#include "tokenizer/tokenizer.h"

/* Longer names are never matched: walking the trie costs their length at
 * every byte of text, and a model file is foreign. */
enum { NAME_MAX_LEN = 512 };

/* A trie over the names; the children of a node are a list. Node 0 is the
 * root. */
struct trie_node {
	uint32_t child, sibling; /* 0: none */
	int32_t id;              /* the token that ends here, or -1 */
	char byte;
};

struct special {
	const struct vocab *vocab; /* borrowed */
	struct trie_node *nodes;
	size_t n, cap;
	uint32_t roots[256]; /* children of the root by byte; 0: none */
};

/* What special_split works on. */
struct special_search {
	const struct special *special;
	const char *text;
	const struct text_range *ranges;
	size_t n_ranges;
};

void fragment_list_free(struct fragment_list *list)
{
	free(list->items);
	*list = (struct fragment_list){0};
}

static uint32_t add_node(struct special *special, char byte, uint32_t sibling)
{
	if (!alloc_grow(&special->nodes, &special->cap, special->n + 1, sizeof *special->nodes,
	                UINT32_MAX))
		return 0;
	special->nodes[special->n] = (struct trie_node){.byte = byte, .sibling = sibling, .id = -1};
	return (uint32_t)special->n++;
}

static uint32_t find_child(const struct special *special, uint32_t node, char byte)
{
	uint32_t child = special->nodes[node].child;

	while (child && special->nodes[child].byte != byte)
		child = special->nodes[child].sibling;
	return child;
}

static bool insert(struct special *special, const char *name, size_t len, int32_t id)
{
	uint32_t node = special->roots[(unsigned char)name[0]], child;

	if (!node) {
		node = add_node(special, name[0], 0);
		special->roots[(unsigned char)name[0]] = node;
	}
	for (size_t i = 1; i < len && node; i++, node = child) {
		child = find_child(special, node, name[i]);
		if (child)
			continue;
		child = add_node(special, name[i], special->nodes[node].child);
		special->nodes[node].child = child;
	}
	if (node && special->nodes[node].id < 0)
		special->nodes[node].id = id;
	return node != 0;
}

enum status special_open(struct special **out, const struct vocab *vocab, struct error *err)
{
	struct special *special = alloc_array(1, sizeof *special);
	bool ok = special != NULL;

	if (ok) {
		special->vocab = vocab;
		special->n = 0;
		add_node(special, '\0', 0);
		ok = special->nodes != NULL;
	}
	for (size_t i = 0; ok && i < vocab->n; i++) {
		uint8_t type = vocab->types[i];
		size_t len;
		const char *name = texts_at(&vocab->names, i, &len);

		if (len && len <= NAME_MAX_LEN &&
		    (type == TOKEN_CONTROL || type == TOKEN_USER_DEFINED || type == TOKEN_UNKNOWN))
			ok = insert(special, name, len, (int32_t)i);
	}
	if (!ok) {
		special_close(special);
		return error_no_memory(err, "for the special tokens");
	}
	*out = special;
	return STATUS_OK;
}

void special_close(struct special *special)
{
	if (!special)
		return;
	free(special->nodes);
	free(special);
}

/* Whether token `id` may stand at [start, start + len). */
static bool allowed(const struct special_search *s, int32_t id, size_t start, size_t len)
{
	const struct vocab *vocab = s->special->vocab;
	bool control = vocab->types[id] != TOKEN_USER_DEFINED;
	size_t at = 0;

	if (!control && !(vocab->flags[id] & TOKEN_LOOKS_CONTROL))
		return true;
	BISECT(at, s->n_ranges, i, s->ranges[i].start <= start);
	for (at -= at > 0; at < s->n_ranges && s->ranges[at].start < start + len; at++)
		if (control ? !s->ranges[at].control : s->ranges[at].person)
			return false;
	return true;
}

/* Notes the length of every token that is found anywhere. */
static void find_lengths(const struct special_search *s, size_t len, bool lengths[NAME_MAX_LEN + 1])
{
	const struct special *special = s->special;

	for (size_t i = 0; i < len; i++) {
		uint32_t node = special->roots[(unsigned char)s->text[i]];

		for (size_t n = 1; node; n++) {
			int32_t id = special->nodes[node].id;

			if (id >= 0 && !lengths[n])
				lengths[n] = allowed(s, id, i, n);
			if (i + n == len)
				break;
			node = find_child(special, node, s->text[i + n]);
		}
	}
}

/* The token of exactly `n` bytes at `start`, or -1. */
static int32_t token_at(const struct special_search *s, size_t start, size_t n)
{
	const struct special *special = s->special;
	uint32_t node = special->roots[(unsigned char)s->text[start]];

	for (size_t i = 1; i < n && node; i++)
		node = find_child(special, node, s->text[start + i]);
	if (!node || special->nodes[node].id < 0 ||
	    !allowed(s, special->nodes[node].id, start, n))
		return TOKEN_NONE;
	return special->nodes[node].id;
}

static void add(struct fragment_list *list, size_t start, size_t len, int32_t id)
{
	if (!len)
		return;
	list->failed |= !alloc_grow(&list->items, &list->cap, list->n + 1, sizeof *list->items,
	                            (size_t)-1 / sizeof *list->items);
	if (!list->failed)
		list->items[list->n++] = (struct fragment){start, len, id};
}

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Cuts tokens of `n` bytes out of one stretch of text. */
static void split_fragment(const struct special_search *s, struct fragment f, size_t n,
                           struct fragment_list *out)
{
	size_t from = f.start, end = f.start + f.len, left;

	for (size_t i = f.start; i + n <= end;) {
		int32_t id = token_at(s, i, n);
		unsigned flags;

		if (id < 0) {
			i++;
			continue;
		}
		flags = s->special->vocab->flags[id];
		left = i;
		while ((flags & TOKEN_STRIP_LEFT) && left > from && is_space(s->text[left - 1]))
			left--;
		add(out, from, left - from, TOKEN_NONE);
		add(out, i, n, id);
		i += n;
		while ((flags & TOKEN_STRIP_RIGHT) && i < end && is_space(s->text[i]))
			i++;
		from = i;
	}
	add(out, from, end - from, TOKEN_NONE);
}

enum status special_split(const struct special *special, const char *text, size_t len,
                          const struct text_range *ranges, size_t n, struct fragment_list *out,
                          struct error *err)
{
	struct special_search s = {special, text, ranges, n};
	struct fragment_list next = {0}, swap;
	bool lengths[NAME_MAX_LEN + 1] = {false};

	out->n = 0;
	add(out, 0, len, TOKEN_NONE);
	find_lengths(&s, len, lengths);
	for (size_t l = NAME_MAX_LEN; l && !out->failed; l--) {
		if (!lengths[l])
			continue;
		next.n = 0;
		for (size_t i = 0; i < out->n; i++) {
			struct fragment f = out->items[i];

			if (f.id >= 0)
				add(&next, f.start, f.len, f.id);
			else
				split_fragment(&s, f, l, &next);
		}
		swap = *out;
		*out = next;
		next = swap;
	}
	fragment_list_free(&next);
	return out->failed ? error_no_memory(err, "to look for special tokens") : STATUS_OK;
}
