#include "encode/harmony.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "encode/shape.h"

enum { HEADER_MAX = 256 };

static const char message_marker[] = "<|message|>";
static const char channel_marker[] = "<|channel|>";
static const char start_marker[] = "<|start|>";
static const char recipient_mark[] = "to=";

enum header_match header_match(const char *header, const char *text, size_t len, size_t *found)
{
	size_t n = 0;

	for (size_t at = 0; header[at]; n++) {
		if (n == len)
			return HEADER_MAYBE;
		if (text[n] == header[at])
			at++;
		else if (!at || !prompt_is_blank(text[n]) || (header[at - 1] != '>' && header[at] != '<'))
			return HEADER_NONE;
	}
	*found = n;
	return HEADER_FOUND;
}

/* How many bytes there are up to a blank or a marker. */
static size_t word_length(const char *text, size_t len)
{
	size_t n = 0;

	while (n < len && !prompt_is_blank(text[n]) && text[n] != '<')
		n++;
	return n;
}

/* Names of kin count as well: "analysis_2". */
static bool begins_with(const char *word, size_t len, const char *name)
{
	return len >= strlen(name) && strncasecmp(word, name, strlen(name)) == 0;
}

/* The channel of a header, and where its name ends; 0: it has none. */
static enum harmony_channel channel_of(const char *header, size_t len, size_t *end)
{
	const char *name = memmem(header, len, channel_marker, strlen(channel_marker));
	size_t at, n;

	*end = 0;
	if (!name)
		return HARMONY_FINAL;
	at = (size_t)(name - header) + strlen(channel_marker);
	at += prompt_count_blanks(header + at, len - at);
	n = word_length(header + at, len - at);
	*end = at + n;
	if (begins_with(header + at, n, "analysis"))
		return HARMONY_ANALYSIS;
	return begins_with(header + at, n, "commentary") ? HARMONY_COMMENTARY : HARMONY_FINAL;
}

/* Whether a text may begin with a recipient and the marker behind it, as after a prompt that ends
 * with the role. */
static bool may_begin_with_recipient(const char *text, size_t len)
{
	size_t n = strlen(recipient_mark);

	if (memcmp(text, recipient_mark, len < n ? len : n) != 0)
		return false;
	if (len <= n)
		return true;
	n += word_length(text + n, len - n);
	n += prompt_count_blanks(text + n, len - n);
	return n == len || text[n] == '<';
}

static bool may_begin_header(const char *text, size_t len)
{
	size_t n;

	return header_match(start_marker, text, len, &n) != HEADER_NONE ||
	       header_match(channel_marker, text, len, &n) != HEADER_NONE ||
	       may_begin_with_recipient(text, len);
}

/* The recipient's mark is the header's first word, or one behind a blank. */
static const char *find_recipient(const char *header, size_t len)
{
	size_t n = strlen(recipient_mark);

	for (const char *at = header; (at = memmem(at, len - (size_t)(at - header), recipient_mark, n)); at++)
		if (at == header || prompt_is_blank(at[-1]) || at[-1] == '>')
			return at + n;
	return NULL;
}

enum header_match harmony_match(const char *text, size_t len, struct harmony_header *out)
{
	const char *end;
	size_t name_end;

	if (!may_begin_header(text, len))
		return HEADER_NONE;
	end = memmem(text, len < HEADER_MAX ? len : HEADER_MAX, message_marker, strlen(message_marker));
	if (!end)
		return len < HEADER_MAX ? HEADER_MAYBE : HEADER_NONE;
	*out = (struct harmony_header){.len = (size_t)(end - text) + strlen(message_marker)};
	out->channel = channel_of(text, (size_t)(end - text), &name_end);
	out->recipient = find_recipient(text, (size_t)(end - text));
	if (out->recipient)
		out->recipient_len = word_length(out->recipient, (size_t)(end - out->recipient));
	return HEADER_FOUND;
}

bool harmony_match_end(const char *text, size_t len, struct harmony_header *out)
{
	size_t at;

	*out = (struct harmony_header){0};
	out->channel = channel_of(text, len, &at);
	if (!at || out->channel == HARMONY_COMMENTARY || find_recipient(text, len))
		return false;
	at += prompt_count_blanks(text + at, len - at);
	out->len = at;
	return at < len && text[at] != '<';
}
