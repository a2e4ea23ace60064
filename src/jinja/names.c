/* A Patricia tree (D. R. Morrison 1968): a name is found by testing only the bits in which
 * names differ, and by one comparison at the end. A link that does not lead to a later bit
 * leads back up, to the name itself. */
#include "jinja/names.h"

#include <string.h>

struct names *names_create(struct arena *arena)
{
	struct names *names = arena_alloc(arena, sizeof *names);

	if (names)
		names->root = (struct name){.string = string_empty,
		                            .child = {&names->root, &names->root}};
	return names;
}

/* Beyond its end a text has zeros; no two texts without NULs agree in all bits. */
static unsigned bit_of(const char *text, size_t len, size_t bit)
{
	size_t byte = (bit - 1) / 8;

	if (bit == 0 || byte >= len)
		return 0;
	return (unsigned char)text[byte] >> (7 - (bit - 1) % 8) & 1;
}

static struct name *nearest(const struct names *names, const char *text, size_t len)
{
	struct name *at = names->root.child[0];
	size_t bit = 0;

	while (at->bit > bit) {
		bit = at->bit;
		at = at->child[bit_of(text, len, bit)];
	}
	return at;
}

static bool is(const struct name *name, const char *text, size_t len)
{
	return name->string.len == len && memcmp(name->string.data, text, len) == 0;
}

struct name *names_find(const struct names *names, const char *text, size_t len)
{
	struct name *name = nearest(names, text, len);

	return len > 0 && is(name, text, len) ? name : NULL;
}

static size_t first_difference(const struct jinja_string *a, const char *text, size_t len)
{
	size_t byte = 0, bit;

	while (byte < a->len && byte < len && a->data[byte] == text[byte])
		byte++;
	bit = byte * 8 + 1;
	while (bit_of(a->data, a->len, bit) == bit_of(text, len, bit))
		bit++;
	return bit;
}

struct name *names_intern(struct names *names, struct arena *arena, const char *text, size_t len)
{
	struct name *name = nearest(names, text, len), *at, *before = &names->root;
	const struct jinja_string *string;
	unsigned side = 0, own;
	size_t bit;

	if (is(name, text, len))
		return name;
	bit = first_difference(&name->string, text, len);
	string = string_new(arena, text, len, SOURCE_TEMPLATE);
	name = arena_alloc(arena, sizeof *name);
	if (!string || !name)
		return NULL;
	for (at = before->child[0]; at->bit > before->bit && at->bit < bit; at = at->child[side]) {
		before = at;
		side = bit_of(text, len, at->bit);
	}
	own = bit_of(text, len, bit);
	*name = (struct name){.string = *string, .next = names->all, .bit = bit};
	name->child[own] = name;
	name->child[!own] = at;
	before->child[side] = name;
	names->all = name;
	names->n++;
	return name;
}
