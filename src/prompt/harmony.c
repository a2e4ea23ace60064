#include "prompt/harmony.h"

#include <stdbool.h>
#include <string.h>

enum { HEADER_MAX = 256 };

static const char message_marker[] = "<|message|>";
static const char channel_marker[] = "<|channel|>";
static const char start_marker[] = "<|start|>";

enum header_match header_match(const char *header, const char *text, size_t len)
{
	size_t n = strlen(header);

	if (memcmp(text, header, len < n ? len : n) != 0)
		return HEADER_NONE;
	return len < n ? HEADER_MAYBE : HEADER_FOUND;
}

/* How many bytes there are up to a blank or a marker. */
static size_t word_length(const char *text, size_t len)
{
	size_t n = 0;

	while (n < len && text[n] != ' ' && text[n] != '<')
		n++;
	return n;
}

static bool is_word(const char *word, size_t len, const char *expected)
{
	return len == strlen(expected) && memcmp(word, expected, len) == 0;
}

static enum harmony_channel channel_of(const char *header, size_t len)
{
	const char *name = memmem(header, len, channel_marker, strlen(channel_marker));
	size_t n;

	if (!name)
		return HARMONY_FINAL;
	name += strlen(channel_marker);
	n = word_length(name, len - (size_t)(name - header));
	if (is_word(name, n, "analysis"))
		return HARMONY_ANALYSIS;
	return is_word(name, n, "final") ? HARMONY_FINAL : HARMONY_COMMENTARY;
}

enum header_match harmony_match(const char *text, size_t len, struct harmony_header *out)
{
	static const char to[] = " to=";
	const char *end;

	if (header_match(start_marker, text, len) == HEADER_NONE &&
	    header_match(channel_marker, text, len) == HEADER_NONE)
		return HEADER_NONE;
	end = memmem(text, len < HEADER_MAX ? len : HEADER_MAX, message_marker, strlen(message_marker));
	if (!end)
		return len < HEADER_MAX ? HEADER_MAYBE : HEADER_NONE;
	*out = (struct harmony_header){.len = (size_t)(end - text) + strlen(message_marker)};
	out->channel = channel_of(text, out->len);
	out->recipient = memmem(text, out->len, to, strlen(to));
	if (out->recipient) {
		out->recipient += strlen(to);
		out->recipient_len = word_length(out->recipient, (size_t)(end - out->recipient));
	}
	return HEADER_FOUND;
}
