/* Putting two strings together. */
#include <string.h>

#include "base/alloc.h"
#include "jinja/text.h"

/* A text that a template builds piece by piece would be copied for each piece, and no copy is
 * ever freed. So long results get room to grow, which belongs to the longest string of those
 * that share the bytes. */
struct string_tail {
	const struct arena *arena; /* a template's strings are not touched by renderings */
	size_t used, cap;
};

enum { TAIL_MIN = 128 };

static bool has_room(const struct arena *arena, const struct jinja_string *string, size_t n)
{
	const struct string_tail *tail = string->tail;

	return tail && tail->arena == arena && tail->used == string->len &&
	       n < tail->cap - tail->used;
}

/* Bytes of `a` with room after them, twice as much as a and b need; less when
 * memory gets scarce. */
static char *make_room(struct arena *arena, const struct jinja_string *a, size_t len,
                       struct string_tail **tail)
{
	size_t cap, size;
	char *data;

	if (mul_overflows(len, 2, &cap) || cap > (arena->max - arena->used) / 4)
		cap = len;
	if (add_overflows(cap, 1, &cap) || add_overflows(cap, sizeof **tail, &size))
		return NULL;
	*tail = arena_alloc(arena, size);
	if (!*tail)
		return NULL;
	data = (char *)(*tail + 1);
	memcpy(data, a->data, a->len);
	**tail = (struct string_tail){.arena = arena, .used = a->len, .cap = cap};
	return data;
}

/* The runs of a, then those of b; into an array of its own. */
static bool join_runs(struct arena *arena, struct jinja_string *joined,
                      const struct jinja_string *a, const struct jinja_string *b)
{
	struct text runs;

	if (!a->n_runs && !b->n_runs && a->source == b->source) {
		joined->source = a->source;
		return true;
	}
	text_init(&runs, arena, SIZE_MAX - 1);
	for (size_t i = 0; i < a->n_runs; i++)
		(void)text_extend_runs(&runs, a->runs[i].end, a->runs[i].source);
	if (!a->n_runs)
		(void)text_extend_runs(&runs, a->len, a->source);
	for (size_t i = 0; i < b->n_runs; i++)
		(void)text_extend_runs(&runs, a->len + b->runs[i].end, b->runs[i].source);
	if (!b->n_runs)
		(void)text_extend_runs(&runs, a->len + b->len, b->source);
	joined->source = runs.n_runs ? runs.runs[0].source : SOURCE_TEMPLATE;
	joined->runs = runs.runs;
	joined->n_runs = runs.n_runs;
	return !runs.status;
}

static const struct jinja_string *concat_long(struct arena *arena, const struct jinja_string *a,
                                              const struct jinja_string *b)
{
	struct string_tail *tail = a->tail;
	char *data = tail ? (char *)(tail + 1) : NULL;
	struct jinja_string *joined;

	if (!has_room(arena, a, b->len))
		data = make_room(arena, a, a->len + b->len, &tail);
	joined = data ? arena_alloc(arena, sizeof *joined) : NULL;
	if (!joined)
		return NULL;
	*joined = (struct jinja_string){
		.data = data,
		.len = a->len + b->len,
		.n_chars = a->n_chars + b->n_chars,
		.tail = tail,
	};
	if (!join_runs(arena, joined, a, b))
		return NULL;
	memcpy(data + a->len, b->data, b->len);
	data[joined->len] = '\0';
	tail->used = joined->len;
	return joined;
}

const struct jinja_string *string_concat(struct arena *arena, const struct jinja_string *a,
                                         const struct jinja_string *b)
{
	struct text text;
	size_t len;

	if (!b->len)
		return a;
	if (!a->len)
		return b;
	if (add_overflows(a->len, b->len, &len))
		return NULL;
	if (len >= TAIL_MIN)
		return concat_long(arena, a, b);
	text_init(&text, arena, len);
	text_append_string(&text, a);
	text_append_string(&text, b);
	return text_finish(&text);
}
