#include "jinja/text.h"

#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"

enum { TEXT_MIN = 64 };

const struct jinja_string string_empty = {.data = ""};

static bool continues(char byte)
{
	return (byte & 0xC0) == 0x80;
}

static size_t count_chars(const char *bytes, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++)
		n += !continues(bytes[i]);
	return n;
}

/* ---- the builder ---- */

void text_init(struct text *text, struct arena *arena, size_t max)
{
	*text = (struct text){.arena = arena, .max = max};
}

static void fail(struct text *text)
{
	if (!text->status)
		text->status = text->arena->status ? text->arena->status : STATUS_LIMIT;
}

/* Room for n more bytes and the NUL. */
static bool reserve(struct text *text, size_t n)
{
	size_t need, cap;
	char *data;

	if (add_overflows(text->len, n, &need) || need > text->max ||
	    add_overflows(need, 1, &need)) {
		fail(text);
		return false;
	}
	if (need <= text->cap)
		return true;
	cap = text->cap > SIZE_MAX / 2 ? SIZE_MAX : text->cap * 2;
	if (cap < TEXT_MIN)
		cap = TEXT_MIN;
	if (cap < need)
		cap = need;
	data = arena_grow(text->arena, text->data, text->cap, cap);
	if (!data) {
		fail(text);
		return false;
	}
	text->data = data;
	text->cap = cap;
	return true;
}

void text_reserve(struct text *text, size_t n)
{
	if (!text->status)
		(void)reserve(text, n);
}

/* Says that the text up to `end` is from this source. The runs come before the
 * bytes in the arena, so that a text of one source grows in place. */
static bool extend_runs(struct text *text, size_t end, uint32_t source)
{
	if (text->n_runs && text->runs[text->n_runs - 1].source == source) {
		text->runs[text->n_runs - 1].end = end;
		return true;
	}
	if (!arena_extend(text->arena, &text->runs, text->n_runs, &text->cap_runs,
	                  sizeof *text->runs)) {
		fail(text);
		return false;
	}
	text->runs[text->n_runs++] = (struct source_run){.end = end, .source = source};
	return true;
}

static void append(struct text *text, const char *bytes, size_t len, size_t n_chars,
                   uint32_t source)
{
	if (text->status || !len)
		return;
	if (len > text->max - text->len) {
		fail(text);
		return;
	}
	if (!extend_runs(text, text->len + len, source) || !reserve(text, len))
		return;
	memcpy(text->data + text->len, bytes, len);
	text->len += len;
	text->n_chars += n_chars;
	text->data[text->len] = '\0';
}

void text_append(struct text *text, const char *bytes, size_t len, uint32_t source)
{
	append(text, bytes, len, count_chars(bytes, len), source);
}

void text_puts(struct text *text, const char *bytes)
{
	text_append(text, bytes, strlen(bytes), SOURCE_TEMPLATE);
}

/* The run of a byte of a string that has runs. */
static size_t run_at(const struct jinja_string *string, size_t byte)
{
	size_t low = 0, high = string->n_runs - 1, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (string->runs[middle].end > byte)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static size_t part_chars(const struct jinja_string *string, size_t from, size_t to)
{
	if (string->n_chars == string->len)
		return to - from;
	if (!from && to == string->len)
		return string->n_chars;
	return count_chars(string->data + from, to - from);
}

void text_append_part(struct text *text, const struct jinja_string *string, size_t from, size_t to)
{
	size_t end;

	if (!string->n_runs) {
		append(text, string->data + from, to - from, part_chars(string, from, to),
		       string->source);
		return;
	}
	for (size_t i = run_at(string, from); from < to; i++, from = end) {
		end = string->runs[i].end < to ? string->runs[i].end : to;
		append(text, string->data + from, end - from, part_chars(string, from, end),
		       string->runs[i].source);
	}
}

void text_append_string(struct text *text, const struct jinja_string *string)
{
	text_append_part(text, string, 0, string->len);
}

const struct jinja_string *text_finish(struct text *text)
{
	struct jinja_string *string;

	if (text->status)
		return NULL;
	if (!text->len)
		return &string_empty;
	string = arena_alloc(text->arena, sizeof *string);
	if (!string) {
		fail(text);
		return NULL;
	}
	*string = (struct jinja_string){
		.data = text->data,
		.len = text->len,
		.n_chars = text->n_chars,
		.source = text->runs[0].source,
	};
	if (text->n_runs > 1) {
		string->n_runs = text->n_runs;
		string->runs = text->runs;
	}
	return string;
}

/* ---- strings ---- */

/* A copy in one piece: the string and its bytes. */
static struct jinja_string *copy(struct arena *arena, const char *bytes, size_t len, size_t n_chars)
{
	struct jinja_string *string;
	size_t size;
	char *data;

	if (add_overflows(len, sizeof *string + 1, &size))
		return NULL;
	string = arena_alloc(arena, size);
	if (!string)
		return NULL;
	data = (char *)(string + 1);
	if (len)
		memcpy(data, bytes, len);
	*string = (struct jinja_string){.data = data, .len = len, .n_chars = n_chars};
	return string;
}

const struct jinja_string *string_new(struct arena *arena, const char *bytes, size_t len,
                                      uint32_t source)
{
	struct jinja_string *string;

	if (!len)
		return arena->status ? NULL : &string_empty;
	string = copy(arena, bytes, len, count_chars(bytes, len));
	if (string)
		string->source = source;
	return string;
}

/* The runs of [from, to), in the arena. One is none: the source says it. */
static bool copy_runs(struct arena *arena, struct jinja_string *part,
                      const struct jinja_string *string, size_t from, size_t to)
{
	size_t first, last;
	struct source_run *runs;

	if (!string->n_runs) {
		part->source = string->source;
		return true;
	}
	first = run_at(string, from);
	last = run_at(string, to - 1);
	part->source = string->runs[first].source;
	if (first == last)
		return true;
	part->n_runs = last - first + 1;
	runs = arena_array(arena, part->n_runs, sizeof *runs);
	if (!runs)
		return false;
	for (size_t i = first; i <= last; i++) {
		runs[i - first] = string->runs[i];
		runs[i - first].end -= from;
	}
	runs[part->n_runs - 1].end = to - from;
	part->runs = runs;
	return true;
}

const struct jinja_string *string_part(struct arena *arena, const struct jinja_string *string,
                                       size_t from, size_t to)
{
	struct jinja_string *part;
	size_t n_chars;

	if (!from && to == string->len)
		return string;
	if (from >= to)
		return arena->status ? NULL : &string_empty;
	n_chars = part_chars(string, from, to);
	/* Bytes are shared where the NUL is at the same place, and stays there. */
	if (to < string->len || string->tail) {
		part = copy(arena, string->data + from, to - from, n_chars);
	} else {
		part = arena_alloc(arena, sizeof *part);
		if (part)
			*part = (struct jinja_string){
				.data = string->data + from, .len = to - from, .n_chars = n_chars};
	}
	return part && copy_runs(arena, part, string, from, to) ? part : NULL;
}

uint32_t string_source_at(const struct jinja_string *string, size_t byte)
{
	return string->n_runs ? string->runs[run_at(string, byte)].source : string->source;
}

size_t string_before(const struct jinja_string *string, size_t byte)
{
	do
		byte--;
	while (byte > 0 && continues(string->data[byte]));
	return byte;
}

/* From whichever end is nearer: s[-1] and s[:-1] of a long text are common. */
size_t string_offset(const struct jinja_string *string, size_t char_index)
{
	size_t at, left;

	if (string->n_chars == string->len)
		return char_index;
	if (char_index <= string->n_chars / 2) {
		at = 0;
		for (left = char_index; left; left--) {
			do
				at++;
			while (at < string->len && continues(string->data[at]));
		}
	} else {
		at = string->len;
		for (left = string->n_chars - char_index; left; left--)
			at = string_before(string, at);
	}
	return at;
}

uint32_t string_char(const struct jinja_string *string, size_t byte, size_t *len)
{
	int32_t cp;

	if (byte >= string->len) {
		*len = 0;
		return 0;
	}
	*len = utf8_decode(string->data + byte, string->len - byte, &cp);
	return cp < 0 ? UTF8_REPLACEMENT : (uint32_t)cp;
}

bool string_equals(const struct jinja_string *string, const char *text)
{
	size_t len = strlen(text);

	return string->len == len && !memcmp(string->data, text, len);
}

int string_compare(const struct jinja_string *a, const struct jinja_string *b)
{
	size_t len = a->len < b->len ? a->len : b->len;
	int order = len ? memcmp(a->data, b->data, len) : 0;

	return order ? order : (a->len > b->len) - (a->len < b->len);
}

size_t string_find(const struct jinja_string *string, const struct jinja_string *what, size_t from)
{
	const char *found;

	if (from > string->len || what->len > string->len - from)
		return SIZE_MAX;
	if (!what->len)
		return from;
	found = memmem(string->data + from, string->len - from, what->data, what->len);
	return found ? (size_t)(found - string->data) : SIZE_MAX;
}

/* ---- putting two strings together ---- */

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

/* The runs of a string that begins at a byte. */
static void add_runs(struct text *runs, size_t at, const struct jinja_string *string)
{
	for (size_t i = 0; i < string->n_runs; i++)
		(void)extend_runs(runs, at + string->runs[i].end, string->runs[i].source);
	if (!string->n_runs)
		(void)extend_runs(runs, at + string->len, string->source);
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
	add_runs(&runs, 0, a);
	add_runs(&runs, a->len, b);
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
