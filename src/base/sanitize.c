#include "base/sanitize.h"

#include <stdio.h>
#include <string.h>
#include <unictype.h>
#include <unigbrk.h>

#include "base/utf8.h"

enum cp_class {
	CP_BASE,      /* has a shape of its own */
	CP_MARK,      /* nonspacing: needs a base */
	CP_JOINER,    /* ZWJ, ZWNJ: fine between letters or emoji */
	CP_SELECTOR,  /* VS15, VS16: fine after a base */
	CP_HIDDEN,    /* never shown */
	CP_CONTROL,   /* C0 and DEL */
	CP_C1,
	CP_TAB,
	CP_LF,
	CP_CR,
	CP_END,       /* the bytes end here, or in the middle of a character */
};

enum { CP_ZWNJ = 0x200C, CP_ZWJ = 0x200D, CP_VS15 = 0xFE0E, CP_VS16 = 0xFE0F };

struct cp_range {
	uint32_t first, last;
};

/* Invisible, though their general category (Lo, Mn) does not say so. The
 * invisible Cf, Co, Cs, Cn, Zl and Zp are taken by category. */
static const struct cp_range hidden[] = {
	{0x034F, 0x034F},   /* combining grapheme joiner */
	{0x115F, 0x1160},   /* Hangul fillers */
	{0x17B4, 0x17B5},   /* Khmer inherent vowels */
	{0x180B, 0x180F},   /* Mongolian selectors and vowel separator */
	{0x3164, 0x3164},   /* Hangul filler */
	{0xFE00, 0xFE0D},   /* variation selectors 1..14 */
	{0xFFA0, 0xFFA0},   /* halfwidth Hangul filler */
	{0xE0100, 0xE01EF}, /* variation selectors 17..256 */
};

/* Format characters (Cf) that have a shape: signs that enclose digits. */
static const struct cp_range shown[] = {
	{0x0600, 0x0605}, {0x06DD, 0x06DD}, {0x070F, 0x070F}, {0x0890, 0x0891},
	{0x08E2, 0x08E2}, {0x110BD, 0x110BD}, {0x110CD, 0x110CD},
};

static bool in_ranges(uint32_t cp, const struct cp_range *ranges, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (cp >= ranges[i].first && cp <= ranges[i].last)
			return true;
	return false;
}

static enum cp_class classify(uint32_t cp)
{
	const uint32_t nonspacing = UC_CATEGORY_MASK_Mn | UC_CATEGORY_MASK_Me;
	const uint32_t invisible = UC_CATEGORY_MASK_C | UC_CATEGORY_MASK_Zl | UC_CATEGORY_MASK_Zp;

	if (cp >= 0x20 && cp < 0x7F)
		return CP_BASE;
	switch (cp) {
	case '\t': return CP_TAB;
	case '\n': return CP_LF;
	case '\r': return CP_CR;
	case CP_ZWNJ:
	case CP_ZWJ: return CP_JOINER;
	case CP_VS15:
	case CP_VS16: return CP_SELECTOR;
	default: break;
	}
	if (cp < 0x20 || cp == 0x7F)
		return CP_CONTROL;
	if (cp < 0xA0)
		return CP_C1;
	if (in_ranges(cp, hidden, sizeof hidden / sizeof *hidden))
		return CP_HIDDEN;
	if (uc_is_general_category_withtable(cp, invisible))
		return in_ranges(cp, shown, sizeof shown / sizeof *shown) ? CP_BASE : CP_HIDDEN;
	if (uc_is_general_category_withtable(cp, nonspacing))
		return CP_MARK;
	return CP_BASE;
}

/* The code point at `at`, its length and class. Ill-formed bytes are U+FFFD. */
static enum cp_class peek(const char *bytes, size_t n, size_t at, uint32_t *cp, size_t *len)
{
	int32_t value;

	*cp = UTF8_REPLACEMENT;
	*len = 0;
	if (at >= n)
		return CP_END;
	*len = utf8_decode(bytes + at, n - at, &value);
	if (value == -2)
		return CP_END;
	if (value < 0)
		return CP_BASE;
	*cp = (uint32_t)value;
	return classify(*cp);
}

static bool is_pictograph(uint32_t cp)
{
	return cp >= 0xA9 && uc_is_property_extended_pictographic(cp);
}

static bool is_modifier(uint32_t cp) /* a skin tone */
{
	return cp >= 0x1F3FB && cp <= 0x1F3FF;
}

static bool is_flag_letter(uint32_t cp)
{
	return cp >= 0x1F1E6 && cp <= 0x1F1FF;
}

static bool is_letter(uint32_t cp)
{
	return uc_is_general_category_withtable(cp, UC_CATEGORY_MASK_L);
}

static bool is_spacing_mark(uint32_t cp)
{
	return uc_is_general_category_withtable(cp, UC_CATEGORY_MASK_Mc);
}

static bool joins(uint32_t cp)
{
	return is_letter(cp) || is_pictograph(cp);
}

static void set_mark(struct safe_piece *piece, const char *text)
{
	piece->kind = SAFE_MARK;
	for (piece->n = 0; text[piece->n] && piece->n < LIMIT_CLUSTER; piece->n++)
		piece->cps[piece->n] = (unsigned char)text[piece->n];
}

void sanitize_hidden_mark(struct safe_piece *piece, size_t n_hidden, uint32_t first)
{
	char text[LIMIT_CLUSTER];

	if (n_hidden == 1)
		snprintf(text, sizeof text, "<U+%04X>", (unsigned)first);
	else
		snprintf(text, sizeof text, "<%zu hidden>", n_hidden);
	piece->n_hidden = n_hidden;
	set_mark(piece, text);
}

/* A run of what is never shown, or has no base to stand on. */
static void take_hidden(const char *bytes, size_t n, struct safe_piece *piece)
{
	uint32_t cp, first = 0;
	size_t len, count = 0;
	enum cp_class class;

	while ((class = peek(bytes, n, piece->end, &cp, &len)) == CP_HIDDEN || class == CP_MARK ||
	       class == CP_JOINER || class == CP_SELECTOR) {
		if (!count++)
			first = cp;
		piece->end += len;
	}
	piece->open = class == CP_END;
	sanitize_hidden_mark(piece, count, first);
}

/* A cluster grown from its base, which is in the piece already. The rules are
 * Unicode's (UAX 29), by libunistring for pairs; flags, skin tones and ZWJ
 * sequences need more than a pair. */
static void take_cluster(const char *bytes, size_t n, struct safe_piece *piece)
{
	const uint32_t base = piece->cps[0];
	const bool pictograph = is_pictograph(base);
	/* A mark without a base is classified as if it had one: "^D" may come before it. */
	unsigned marks = is_spacing_mark(base);
	uint32_t cp, after;
	size_t len, after_len;
	enum cp_class class;

	for (; piece->n < LIMIT_CLUSTER; piece->end += len) {
		const uint32_t last = piece->cps[piece->n - 1];

		class = peek(bytes, n, piece->end, &cp, &len);
		if (class == CP_END) {
			piece->open = true;
			return;
		}
		if (class == CP_MARK) {
			if (marks++ == LIMIT_COMBINING)
				return;
		} else if (class == CP_SELECTOR) {
			if (classify(last) != CP_BASE)
				return;
		} else if (class == CP_JOINER) {
			class = peek(bytes, n, piece->end + len, &after, &after_len);
			piece->open = class == CP_END;
			if (class != CP_BASE || !joins(after) || !joins(base) ||
			    classify(last) == CP_JOINER)
				return;
			piece->cps[piece->n++] = cp;
			if (pictograph && cp == CP_ZWJ && is_pictograph(after) &&
			    piece->n < LIMIT_CLUSTER) {
				piece->cps[piece->n++] = after;
				len += after_len;
				continue;
			}
			piece->end += len;
			return;
		} else if (class != CP_BASE) {
			return;
		} else if (is_modifier(cp)) {
			if (!pictograph)
				return;
		} else if (is_flag_letter(cp)) {
			if (piece->n != 1 || !is_flag_letter(base))
				return;
		} else if (uc_is_grapheme_break(last, cp)) {
			return;
		} else if (is_spacing_mark(cp) && marks++ == LIMIT_COMBINING) {
			return;
		}
		piece->cps[piece->n++] = cp;
	}
}

bool sanitize_next(const char *bytes, size_t n, size_t at, struct safe_piece *piece)
{
	const unsigned char *s;
	char text[8];
	size_t len;
	uint32_t cp;

	if (at >= n)
		return false;
	s = (const unsigned char *)bytes + at;
	piece->start = at;
	piece->open = false;
	piece->n_hidden = 0;
	piece->n = 1;
	/* Nearly all text is this: a letter that an ASCII character follows. */
	if (s[0] >= 0x20 && s[0] < 0x7F && n - at > 1 && s[1] < 0x80) {
		piece->kind = SAFE_TEXT;
		piece->cps[0] = s[0];
		piece->end = at + 1;
		return true;
	}
	switch (peek(bytes, n, at, &cp, &len)) {
	case CP_END: /* an unfinished character: shown, if nothing follows */
		piece->open = true;
		piece->kind = SAFE_TEXT;
		piece->cps[0] = cp;
		piece->end = n;
		return true;
	case CP_TAB:
		piece->kind = SAFE_TAB;
		piece->cps[0] = ' ';
		break;
	case CP_LF:
		piece->kind = SAFE_NEWLINE;
		piece->cps[0] = ' ';
		break;
	case CP_CR:
		piece->open = at + 1 == n;
		if (!piece->open && bytes[at + 1] == '\n') {
			piece->kind = SAFE_NEWLINE;
			piece->cps[0] = ' ';
			len = 2;
			break;
		}
		/* fall through */
	case CP_CONTROL:
		piece->kind = SAFE_MARK;
		piece->n = 2;
		piece->cps[0] = '^';
		piece->cps[1] = cp ^ 0x40;
		break;
	case CP_C1:
		snprintf(text, sizeof text, "<%02X>", cp & 0xFF);
		set_mark(piece, text);
		break;
	case CP_MARK:
	case CP_JOINER:
	case CP_SELECTOR:
	case CP_HIDDEN:
		piece->end = at;
		take_hidden(bytes, n, piece);
		return true;
	case CP_BASE:
		piece->kind = SAFE_TEXT;
		piece->cps[0] = cp;
		piece->end = at + len;
		take_cluster(bytes, n, piece);
		return true;
	}
	piece->end = at + len;
	return true;
}

void sanitize_append(struct buf *out, const struct safe_piece *piece, bool one_line)
{
	char bytes[LIMIT_CLUSTER * UTF8_MAX];
	size_t n = 0;

	if (!one_line && piece->kind == SAFE_NEWLINE)
		bytes[n++] = '\n';
	else if (!one_line && piece->kind == SAFE_TAB)
		bytes[n++] = '\t';
	else
		for (unsigned i = 0; i < piece->n; i++)
			n += utf8_encode(piece->cps[i], bytes + n);
	buf_append(out, bytes, n);
}

static enum status sanitize(struct buf *out, const char *bytes, size_t n, bool one_line)
{
	struct safe_piece piece;

	for (size_t at = 0; sanitize_next(bytes, n, at, &piece); at = piece.end)
		sanitize_append(out, &piece, one_line);
	return buf_status(out);
}

enum status sanitize_line(struct buf *out, const char *bytes, size_t n)
{
	return sanitize(out, bytes, n, true);
}

enum status sanitize_text(struct buf *out, const char *bytes, size_t n)
{
	return sanitize(out, bytes, n, false);
}

size_t sanitize_count_hidden(const char *bytes, size_t n)
{
	struct safe_piece piece;
	size_t count = 0;

	for (size_t at = 0; sanitize_next(bytes, n, at, &piece); at = piece.end)
		count += piece.n_hidden;
	return count;
}

bool sanitize_has_controls(const char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)bytes[i] < 0x20 || bytes[i] == 0x7F)
			return true;
	return false;
}

void sanitize_stream_init(struct sanitize_stream *stream)
{
	buf_init(&stream->held, LIMIT_MESSAGE);
	stream->n_hidden = 0;
	stream->hidden = 0;
}

void sanitize_stream_deinit(struct sanitize_stream *stream)
{
	buf_free(&stream->held);
}

static void end_run(struct sanitize_stream *stream, struct buf *out)
{
	struct safe_piece piece;

	if (!stream->n_hidden)
		return;
	sanitize_hidden_mark(&piece, stream->n_hidden, stream->hidden);
	sanitize_append(out, &piece, true);
	stream->n_hidden = 0;
}

static enum status stream_run(struct sanitize_stream *stream, struct buf *out, bool last)
{
	const char *bytes = buf_text(&stream->held);
	struct safe_piece piece;
	size_t at = 0, len;

	while (sanitize_next(bytes, stream->held.len, at, &piece)) {
		if (piece.n_hidden) {
			/* A run is counted, not held: it may be of any length. Its
			 * unfinished last character stays in the buffer. */
			if (!stream->n_hidden)
				peek(bytes, stream->held.len, at, &stream->hidden, &len);
			stream->n_hidden += piece.n_hidden;
		} else if (piece.open && !last) {
			break;
		} else {
			end_run(stream, out);
			sanitize_append(out, &piece, false);
		}
		at = piece.end;
	}
	buf_remove(&stream->held, 0, at);
	if (last)
		end_run(stream, out);
	return buf_status(out);
}

enum status sanitize_stream_push(struct sanitize_stream *stream, const char *bytes, size_t n,
                                 struct buf *out)
{
	enum status status = buf_append(&stream->held, bytes, n);

	return status ? status : stream_run(stream, out, false);
}

enum status sanitize_stream_flush(struct sanitize_stream *stream, struct buf *out)
{
	return stream_run(stream, out, true);
}
