#include "jinja/casing.h"

#include <stdlib.h>
#include <unicase.h>
#include <unictype.h>

#include "base/utf8.h"
#include "jinja/builtins.h"

enum { MAPPED_MAX = 8 };

static bool is_cased(uint32_t c)
{
	return uc_is_property_cased(c);
}

/* ---- mappings ---- */

typedef uint32_t *(*mapping_fn)(const uint32_t *, size_t, const char *, uninorm_t, uint32_t *,
                                size_t *);

static void append_mapped(struct text *text, mapping_fn map, uint32_t c, uint32_t source)
{
	uint32_t mapped[MAPPED_MAX];
	size_t n = MAPPED_MAX;
	uint32_t *result = map(&c, 1, NULL, NULL, mapped, &n);

	/* Never longer than this; if it were, the character would stay. */
	if (result != mapped) {
		free(result);
		mapped[0] = c;
		n = 1;
	}
	for (size_t i = 0; i < n; i++) {
		char bytes[UTF8_MAX];

		text_append(text, bytes, utf8_encode(mapped[i], bytes), source);
	}
}

/* Maps one character. `after`: it follows a letter. */
static enum letter_case case_of(enum letter_case want, bool first, bool after)
{
	switch (want) {
	case CASE_CAPITALIZE:
		return first ? CASE_TITLE : CASE_LOWER;
	case CASE_TITLE:
		return after ? CASE_LOWER : CASE_TITLE;
	default:
		return want;
	}
}

static void append_ascii(struct text *text, char c, enum letter_case want, uint32_t source)
{
	if ((want == CASE_UPPER || want == CASE_TITLE) && c >= 'a' && c <= 'z')
		c = (char)(c - 'a' + 'A');
	else if (want == CASE_LOWER && c >= 'A' && c <= 'Z')
		c = (char)(c - 'A' + 'a');
	text_append(text, &c, 1, source);
}

void text_append_case(struct text *text, const struct jinja_string *string, size_t from, size_t to,
                      enum letter_case want)
{
	static const mapping_fn mappings[] = {
		[CASE_UPPER] = u32_toupper,
		[CASE_LOWER] = u32_tolower,
		[CASE_TITLE] = u32_totitle,
	};
	bool after = false;

	for (size_t i = from, len; i < to && !text->status; i += len) {
		uint32_t c = string_char(string, i, &len), source = string_source_at(string, i);
		enum letter_case one = case_of(want, i == from, after);

		if (c < 0x80) {
			append_ascii(text, (char)c, one, source);
		} else {
			append_mapped(text, mappings[one], c, source);
		}
		if (want == CASE_TITLE)
			after = is_cased(c);
	}
}

struct jinja_value string_to_case(struct render *render, const struct jinja_string *string,
                                  enum letter_case want)
{
	struct text text;

	text_init(&text, render->arena, SIZE_MAX);
	if (render_bytes(render, string->len))
		text_append_case(&text, string, 0, string->len, want);
	return give_string(render, text_finish(&text));
}

/* ---- characters ---- */

static bool is_upper(uint32_t c)
{
	return uc_is_property_uppercase(c);
}

static bool is_lower(uint32_t c)
{
	return uc_is_property_lowercase(c);
}

static bool is_letter(uint32_t c)
{
	return uc_is_general_category_withtable(c, UC_CATEGORY_MASK_L);
}

bool char_is_space(uint32_t c)
{
	if (c < 0x80)
		return (c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x20);
	return c == 0x85 || uc_is_general_category_withtable(c, UC_CATEGORY_MASK_Zs) ||
	       c == 0x2028 || c == 0x2029;
}

bool char_is_line_end(uint32_t c)
{
	return (c >= 0x0a && c <= 0x0d) || (c >= 0x1c && c <= 0x1e) || c == 0x85 || c == 0x2028 ||
	       c == 0x2029;
}

/* Controls, formats, surrogates, private and unassigned characters are shown as
 * escapes, and so are blanks but the plain one. */
bool char_is_printable(uint32_t c)
{
	return c == ' ' || !uc_is_general_category_withtable(
				   c, UC_CATEGORY_MASK_C | UC_CATEGORY_MASK_Z);
}

bool char_is_word(uint32_t c)
{
	return c == '_' || is_letter(c) || uc_numeric_value(c).denominator != 0;
}

bool char_is_name(uint32_t c, bool first)
{
	if (c < 0x80)
		return c == '_' || is_letter(c) || (!first && c >= '0' && c <= '9');
	return first ? uc_is_property_xid_start(c) : uc_is_property_xid_continue(c);
}

/* ---- strings ---- */

/* All letters have this case, and there is at least one. */
static bool is_one_case(const struct jinja_string *string, bool (*want)(uint32_t),
                        bool (*other)(uint32_t))
{
	bool found = false;

	for (size_t i = 0, len; i < string->len; i += len) {
		uint32_t c = string_char(string, i, &len);

		if (other(c) || uc_is_general_category_withtable(c, UC_CATEGORY_MASK_Lt))
			return false;
		found = found || want(c);
	}
	return found;
}

bool string_is_upper(const struct jinja_string *string)
{
	return is_one_case(string, is_upper, is_lower);
}

bool string_is_lower(const struct jinja_string *string)
{
	return is_one_case(string, is_lower, is_upper);
}
