/* striptags: tags and comments go, blanks become single ones, entities the
 * characters they stand for. Of the names of HTML 5 these are the ones that
 * HTML 4 had too; others stay as they are. */
#include <string.h>

#include "base/utf8.h"
#include "jinja/casing.h"
#include "jinja/filters.h"
#include "jinja/methods.h"

/* ---- entities ---- */

/* From U+00A0; these may do without the semicolon. */
static const char *const latin_names[] = {
	"nbsp", "iexcl", "cent", "pound", "curren", "yen", "brvbar", "sect", "uml", "copy",
	"ordf", "laquo", "not", "shy", "reg", "macr", "deg", "plusmn", "sup2", "sup3", "acute",
	"micro", "para", "middot", "cedil", "sup1", "ordm", "raquo", "frac14", "frac12",
	"frac34", "iquest", "Agrave", "Aacute", "Acirc", "Atilde", "Auml", "Aring", "AElig",
	"Ccedil", "Egrave", "Eacute", "Ecirc", "Euml", "Igrave", "Iacute", "Icirc", "Iuml",
	"ETH", "Ntilde", "Ograve", "Oacute", "Ocirc", "Otilde", "Ouml", "times", "Oslash",
	"Ugrave", "Uacute", "Ucirc", "Uuml", "Yacute", "THORN", "szlig", "agrave", "aacute",
	"acirc", "atilde", "auml", "aring", "aelig", "ccedil", "egrave", "eacute", "ecirc",
	"euml", "igrave", "iacute", "icirc", "iuml", "eth", "ntilde", "ograve", "oacute",
	"ocirc", "otilde", "ouml", "divide", "oslash", "ugrave", "uacute", "ucirc", "uuml",
	"yacute", "thorn", "yuml",
};

struct entity {
	const char *name;
	uint32_t c;
};

/* As may these. */
static const struct entity old_names[] = {
	{"AMP", '&'}, {"COPY", 0xa9}, {"GT", '>'}, {"LT", '<'}, {"QUOT", '"'}, {"REG", 0xae},
	{"amp", '&'}, {"gt", '>'},    {"lt", '<'}, {"quot", '"'},
};

static const struct entity names[] = {
	{"Alpha", 0x391}, {"Beta", 0x392}, {"Chi", 0x3a7}, {"Dagger", 0x2021}, {"Delta", 0x394},
	{"Epsilon", 0x395}, {"Eta", 0x397}, {"Gamma", 0x393}, {"Iota", 0x399}, {"Kappa", 0x39a},
	{"Lambda", 0x39b}, {"Mu", 0x39c}, {"Nu", 0x39d}, {"OElig", 0x152}, {"Omega", 0x3a9},
	{"Omicron", 0x39f}, {"Phi", 0x3a6}, {"Pi", 0x3a0}, {"Prime", 0x2033}, {"Psi", 0x3a8},
	{"Rho", 0x3a1}, {"Scaron", 0x160}, {"Sigma", 0x3a3}, {"Tau", 0x3a4}, {"Theta", 0x398},
	{"Upsilon", 0x3a5}, {"Xi", 0x39e}, {"Yuml", 0x178}, {"Zeta", 0x396}, {"alefsym", 0x2135},
	{"alpha", 0x3b1}, {"and", 0x2227}, {"ang", 0x2220}, {"apos", 0x27}, {"asymp", 0x2248},
	{"bdquo", 0x201e}, {"beta", 0x3b2}, {"bull", 0x2022}, {"cap", 0x2229}, {"chi", 0x3c7},
	{"circ", 0x2c6}, {"clubs", 0x2663}, {"cong", 0x2245}, {"crarr", 0x21b5}, {"cup", 0x222a},
	{"dArr", 0x21d3}, {"dagger", 0x2020}, {"darr", 0x2193}, {"delta", 0x3b4},
	{"diams", 0x2666}, {"empty", 0x2205}, {"emsp", 0x2003}, {"ensp", 0x2002},
	{"epsilon", 0x3b5}, {"equiv", 0x2261}, {"eta", 0x3b7}, {"euro", 0x20ac},
	{"exist", 0x2203}, {"fnof", 0x192}, {"forall", 0x2200}, {"frasl", 0x2044},
	{"gamma", 0x3b3}, {"ge", 0x2265}, {"hArr", 0x21d4}, {"harr", 0x2194}, {"hearts", 0x2665},
	{"hellip", 0x2026}, {"image", 0x2111}, {"infin", 0x221e}, {"int", 0x222b},
	{"iota", 0x3b9}, {"isin", 0x2208}, {"kappa", 0x3ba}, {"lArr", 0x21d0}, {"lambda", 0x3bb},
	{"lang", 0x27e8}, {"larr", 0x2190}, {"lceil", 0x2308}, {"ldquo", 0x201c}, {"le", 0x2264},
	{"lfloor", 0x230a}, {"lowast", 0x2217}, {"loz", 0x25ca}, {"lrm", 0x200e},
	{"lsaquo", 0x2039}, {"lsquo", 0x2018}, {"mdash", 0x2014}, {"minus", 0x2212},
	{"mu", 0x3bc}, {"nabla", 0x2207}, {"ndash", 0x2013}, {"ne", 0x2260}, {"ni", 0x220b},
	{"notin", 0x2209}, {"nsub", 0x2284}, {"nu", 0x3bd}, {"oelig", 0x153}, {"oline", 0x203e},
	{"omega", 0x3c9}, {"omicron", 0x3bf}, {"oplus", 0x2295}, {"or", 0x2228},
	{"otimes", 0x2297}, {"part", 0x2202}, {"permil", 0x2030}, {"perp", 0x22a5},
	{"phi", 0x3c6}, {"pi", 0x3c0}, {"piv", 0x3d6}, {"prime", 0x2032}, {"prod", 0x220f},
	{"prop", 0x221d}, {"psi", 0x3c8}, {"rArr", 0x21d2}, {"radic", 0x221a}, {"rang", 0x27e9},
	{"rarr", 0x2192}, {"rceil", 0x2309}, {"rdquo", 0x201d}, {"real", 0x211c},
	{"rfloor", 0x230b}, {"rho", 0x3c1}, {"rlm", 0x200f}, {"rsaquo", 0x203a},
	{"rsquo", 0x2019}, {"sbquo", 0x201a}, {"scaron", 0x161}, {"sdot", 0x22c5},
	{"sigma", 0x3c3}, {"sigmaf", 0x3c2}, {"sim", 0x223c}, {"spades", 0x2660},
	{"sub", 0x2282}, {"sube", 0x2286}, {"sum", 0x2211}, {"sup", 0x2283}, {"supe", 0x2287},
	{"tau", 0x3c4}, {"there4", 0x2234}, {"theta", 0x3b8}, {"thetasym", 0x3d1},
	{"thinsp", 0x2009}, {"tilde", 0x2dc}, {"trade", 0x2122}, {"uArr", 0x21d1},
	{"uarr", 0x2191}, {"upsih", 0x3d2}, {"upsilon", 0x3c5}, {"weierp", 0x2118},
	{"xi", 0x3be}, {"zeta", 0x3b6}, {"zwj", 0x200d}, {"zwnj", 0x200c},
};

#define N_ITEMS(array) (sizeof(array) / sizeof *(array))

static bool is_name(const char *name, const char *text, size_t len)
{
	return strlen(name) == len && memcmp(name, text, len) == 0;
}

/* The character of a name, 0: none. */
static uint32_t find_in(const struct entity *entities, size_t n, const char *text, size_t len)
{
	for (size_t i = 0; i < n; i++) {
		if (is_name(entities[i].name, text, len))
			return entities[i].c;
	}
	return 0;
}

/* Of a name that needs no semicolon. */
static uint32_t find_old(const char *text, size_t len)
{
	for (size_t i = 0; i < N_ITEMS(latin_names); i++) {
		if (is_name(latin_names[i], text, len))
			return (uint32_t)(0xa0 + i);
	}
	return find_in(old_names, N_ITEMS(old_names), text, len);
}

enum { NAME_MAX_LEN = 32 };

/* What "&..." stands for; *len bytes of it after the '&'. */
static uint32_t named(const char *text, size_t max, size_t *len)
{
	uint32_t c;
	size_t n = 0;

	while (n < max && n < NAME_MAX_LEN && text[n] && !strchr("\t\n\f <&#;", text[n]))
		n++;
	if (n < max && text[n] == ';') {
		c = find_old(text, n);
		if (!c)
			c = find_in(names, N_ITEMS(names), text, n);
		if (c) {
			*len = n + 1;
			return c;
		}
	}
	for (; n > 1; n--) {
		c = find_old(text, n);
		if (c) {
			*len = n;
			return c;
		}
	}
	return 0;
}

/* A number that names no character, as HTML reads it; 0: nothing at all. */
static uint32_t numbered(uint32_t n)
{
	static const uint16_t windows_1252[] = {
		0x20ac, 0x0081, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030,
		0x0160, 0x2039, 0x0152, 0x008d, 0x017d, 0x008f, 0x0090, 0x2018, 0x2019, 0x201c,
		0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x009d,
		0x017e, 0x0178,
	};

	if (n >= 0x80 && n < 0xa0)
		return windows_1252[n - 0x80];
	if (n == 0 || (n >= 0xd800 && n < 0xe000) || n > 0x10ffff)
		return UTF8_REPLACEMENT;
	if ((n < 0x20 && n != '\t' && n != '\n' && n != '\r' && n != '\f') || n == 0x7f ||
	    (n >= 0xfdd0 && n <= 0xfdef) || (n & 0xfffe) == 0xfffe)
		return 0;
	return n;
}

/* "#123;", "#x7b;" */
static uint32_t number(const char *text, size_t max, size_t *len)
{
	bool hex = max > 1 && (text[1] == 'x' || text[1] == 'X');
	const char *digits = hex ? "0123456789abcdefABCDEF" : "0123456789";
	size_t from = hex ? 2 : 1, i = from;
	uint32_t n = 0;

	for (; i < max && text[i] && strchr(digits, text[i]); i++) {
		uint32_t digit = text[i] <= '9' ? (uint32_t)(text[i] - '0')
		                                : (uint32_t)((text[i] | 32) - 'a') + 10;

		n = n > 0x10ffff ? n : n * (hex ? 16 : 10) + digit;
	}
	if (i == from)
		return 0;
	*len = i + (i < max && text[i] == ';');
	return numbered(n);
}

/* Whoever wrote a byte of an entity chose its character. */
static uint32_t entity_source(const struct string *string, size_t from, size_t len)
{
	uint32_t source = SOURCE_TEMPLATE;

	for (size_t i = 0; i < len && source == SOURCE_TEMPLATE; i++)
		source = string_source_at(string, from + i);
	return source;
}

static enum status unescape(struct render *render, const struct string *string, struct value *out)
{
	struct text text;
	size_t done = 0, len;
	enum status status = render_bytes(render, string->len);

	if (status)
		return status;
	text_begin(render, &text);
	for (size_t i = 0; !status && i < string->len; i++) {
		const char *rest = string->data + i + 1;
		size_t max = string->len - i - 1;
		char bytes[UTF8_MAX];
		uint32_t c;

		if (string->data[i] != '&')
			continue;
		status = render_step(render, NAME_MAX_LEN); /* many names are looked at */
		len = 0;
		c = max && *rest == '#' ? number(rest, max, &len) : named(rest, max, &len);
		if (len == 0)
			continue;
		text_append_part(&text, string, done, i);
		if (c)
			text_append(&text, bytes, utf8_encode(c, bytes),
			            entity_source(string, i, len + 1));
		done = i + 1 + len;
		i += len;
	}
	text_append_part(&text, string, done, string->len);
	return status ? status : give_text(render, &text, out);
}

/* ---- tags ---- */

/* Takes out everything from `open` to the next `close` after it. */
static enum status cut(struct render *render, const struct string *string, const char *open,
                       const char *close, const struct string **out)
{
	const struct string begin = {.data = open, .len = strlen(open)},
	                    end = {.data = close, .len = strlen(close)};
	struct text text;
	size_t done = 0, from, to;
	struct value cut;
	enum status status = render_bytes(render, string->len);

	text_begin(render, &text);
	while (!status && (from = string_find(string, &begin, done)) != SIZE_MAX) {
		to = string_find(string, &end, from + begin.len);
		if (to == SIZE_MAX)
			break;
		text_append_part(&text, string, done, from);
		done = to + end.len;
	}
	text_append_part(&text, string, done, string->len);
	if (!status)
		status = give_text(render, &text, &cut);
	if (!status)
		*out = cut.u.string;
	return status;
}

/* " ".join(string.split()) */
static enum status squeeze(struct render *render, const struct string *string,
                           const struct string **out)
{
	struct text text;
	size_t word = SIZE_MAX, i, len;
	struct value squeezed;
	enum status status = render_bytes(render, string->len);

	text_begin(render, &text);
	for (i = 0; !status && i <= string->len; i += len) {
		bool space = i == string->len || char_is_space(string_char(string, i, &len));

		if (i == string->len)
			len = 1;
		if (!space && word == SIZE_MAX)
			word = i;
		if (!space || word == SIZE_MAX)
			continue;
		if (text.len > 0)
			text_puts(&text, " ");
		text_append_part(&text, string, word, i);
		word = SIZE_MAX;
	}
	if (!status)
		status = give_text(render, &text, &squeezed);
	if (!status)
		*out = squeezed.u.string;
	return status;
}

enum status filter_striptags(struct render *render, struct value self, const struct bound *bound,
                             struct value *out)
{
	const struct string *string;
	enum status status = value_to_string(render, self, &string);

	(void)bound;
	if (!status)
		status = cut(render, string, "<!--", "-->", &string);
	if (!status)
		status = cut(render, string, "<", ">", &string);
	if (!status)
		status = squeeze(render, string, &string);
	return status ? status : unescape(render, string, out);
}
