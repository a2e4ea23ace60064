#include "ui/key_hints.h"

#include "terminal/cells.h"

enum { GAP = 2 };

/* "Alt+E edit"; nothing if no key does it. */
static void put(const struct keymap *map, const struct key_hint *hint, struct buf *out)
{
	bool is_key = hint->name[0] == '=';
	const char *key = is_key ? hint->name + 1 : keymap_key_of(map, hint->name);

	if (!key)
		return;
	buf_puts(out, key);
	if (hint->what)
		buf_printf(out, " %s", hint->what);
}

static int width_of(const struct keymap *map, const struct key_hint *hint)
{
	struct buf text;
	int width;

	buf_init(&text, KEY_HINTS_MAX);
	put(map, hint, &text);
	width = cells_width(buf_text(&text), text.len);
	buf_free(&text);
	return width ? width + GAP : 0;
}

void key_hints(const struct keymap *map, const struct key_hint *hints, size_t n, int cols,
               struct buf *out)
{
	int room = cols + GAP - (n ? width_of(map, &hints[n - 1]) : 0);
	size_t before = out->len;

	for (size_t i = 0; i < n; i++) {
		int width = width_of(map, &hints[i]);

		if (!width || (i + 1 < n && width > room))
			continue;
		room -= i + 1 < n ? width : 0;
		if (out->len > before)
			buf_puts(out, "  ");
		put(map, &hints[i], out);
	}
}
