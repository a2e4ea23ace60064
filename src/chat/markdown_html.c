/* Blocks of HTML in Markdown: what begins and ends them. */
#include <string.h>
#include <strings.h>

#include "base/words.h"
#include "chat/markdown_line.h"

enum { NAME_MAX_BYTES = 10 };

/* Those that an empty line does not end. */
static const struct {
	const char *begin, *end;
	bool is_name; /* of a tag, and ends with any of these tags' ends */
} html_blocks[] = {
	{"<script", "</script>", true}, {"<pre", "</pre>", true}, {"<style", "</style>", true},
	{"<textarea", "</textarea>", true}, {"<!--", "-->", false}, {"<?", "?>", false},
	{"<![CDATA[", "]]>", false}, {"<!", ">", false},
};
enum { N_BLOCKS = sizeof html_blocks / sizeof html_blocks[0], TILL_EMPTY_LINE = N_BLOCKS + 1 };

/* Those of them that may follow a line of a paragraph. */
static const char block_names[] =
	"address article aside base basefont blockquote body caption center col colgroup dd details dialog dir "
	"div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html "
	"iframe legend li link main menu menuitem nav noframes ol optgroup option p param search section summary "
	"table tbody td tfoot th thead title tr track ul";

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* The bytes of a tag's name, from behind its bracket. */
static size_t name_length(const char *at, const char *end)
{
	size_t n = 0;

	while (at + n < end && (is_letter(at[n]) || (n && ((at[n] >= '0' && at[n] <= '9') || at[n] == '-'))))
		n++;
	return n;
}

static bool is_block_name(const char *name, size_t len)
{
	char small[NAME_MAX_BYTES + 1];

	if (len > NAME_MAX_BYTES)
		return false;
	for (size_t i = 0; i < len; i++)
		small[i] = (char)(name[i] >= 'A' && name[i] <= 'Z' ? name[i] + ('a' - 'A') : name[i]);
	return words_have(block_names, small, len);
}

/* Whether a tag, whose name ends at `at`, is whole, and the last of its line. */
static bool is_whole(const char *at, const char *end, bool closes)
{
	char quote = '\0';

	for (; at < end && (quote || *at != '>'); at++) {
		if (quote ? *at == quote : (*at == '"' || *at == '\'') && at[-1] == '=')
			quote = quote ? '\0' : *at;
		else if (!quote && (*at == '<' || *at == '`' || *at == '"' || *at == '\'' ||
		                    (closes && !is_space(*at))))
			return false;
	}
	if (at == end)
		return false;
	while (++at < end && is_space(*at))
		;
	return at == end;
}

static unsigned begins_tag(const char *at, const char *end, bool interrupts)
{
	bool closes = at + 1 < end && at[1] == '/';
	const char *name = at + 1 + closes;
	size_t n = name_length(name, end);
	const char *behind = name + n;

	if (!n)
		return 0;
	if (is_block_name(name, n) && (behind == end || is_space(*behind) || *behind == '>' ||
	                               (behind + 1 < end && behind[0] == '/' && behind[1] == '>')))
		return TILL_EMPTY_LINE;
	if (interrupts || (behind < end && !is_space(*behind) && *behind != '>' && *behind != '/'))
		return 0;
	return is_whole(behind, end, closes) ? TILL_EMPTY_LINE : 0;
}

unsigned line_begins_html(struct markdown_line line, bool interrupts)
{
	if (line_take_blanks(&line, MARKDOWN_INDENT_MAX + 1) > MARKDOWN_INDENT_MAX || line.at == line.end ||
	    *line.at != '<')
		return 0;
	for (unsigned i = 0; i < N_BLOCKS; i++) {
		size_t n = strlen(html_blocks[i].begin), left = (size_t)(line.end - line.at);
		bool begins = n <= left && strncasecmp(line.at, html_blocks[i].begin, n) == 0;

		if (html_blocks[i].is_name)
			begins = begins && (n == left || is_space(line.at[n]) || line.at[n] == '>');
		else if (html_blocks[i].end[0] == '>')
			begins = begins && n < left && is_letter(line.at[n]);
		if (begins)
			return i + 1;
	}
	return begins_tag(line.at, line.end, interrupts);
}

static bool has(struct markdown_line line, const char *text)
{
	for (; (size_t)(line.end - line.at) >= strlen(text); line.at++)
		if (strncasecmp(line.at, text, strlen(text)) == 0)
			return true;
	return false;
}

bool line_ends_html(struct markdown_line line, unsigned html)
{
	if (html == TILL_EMPTY_LINE)
		return line_is_blank(line);
	if (!html_blocks[html - 1].is_name)
		return has(line, html_blocks[html - 1].end);
	for (unsigned i = 0; i < N_BLOCKS && html_blocks[i].is_name; i++)
		if (has(line, html_blocks[i].end))
			return true;
	return false;
}

const char *html_block_end(unsigned html)
{
	return html == TILL_EMPTY_LINE ? NULL : html_blocks[html - 1].end;
}
