/* What the pieces of a vocabulary stand for, as tokenizers of Hugging Face write them. */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "remote/vllm.h"

/* GPT-2's letters for bytes: those that can be printed stand for themselves, the others come from 256 on. */
static int byte_of_letter(uint32_t letter)
{
	uint32_t next = 256;

	if ((letter >= '!' && letter <= '~') || (letter >= 0xa1 && letter <= 0xac) ||
	    (letter >= 0xae && letter <= 0xff))
		return (int)letter;
	for (int byte = 0; byte < 256; byte++) {
		if ((byte >= '!' && byte <= '~') || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae)
			continue;
		if (letter == next++)
			return byte;
	}
	return -1;
}

/* False: some letter stands for no byte, so that the piece is a name. */
static bool spell_letters(const char *piece, size_t len, struct buf *out)
{
	size_t start = out->len;

	for (size_t at = 0; at < len;) {
		int32_t letter;
		size_t n = utf8_decode(piece + at, len - at, &letter);
		int byte = letter >= 0 ? byte_of_letter((uint32_t)letter) : -1;

		if (byte < 0) {
			buf_remove(out, start, out->len - start);
			return false;
		}
		buf_putc(out, (char)byte);
		at += n;
	}
	return true;
}

static void spell_sentencepiece(const char *piece, size_t len, struct buf *out)
{
	static const char space[] = "\xe2\x96\x81";

	if (len == 6 && memcmp(piece, "<0x", 3) == 0 && piece[5] == '>') {
		buf_putc(out, (char)strtol(piece + 3, NULL, 16));
		return;
	}
	for (size_t at = 0; at < len;)
		if (len - at >= 3 && memcmp(piece + at, space, 3) == 0) {
			buf_putc(out, ' ');
			at += 3;
		} else {
			buf_putc(out, piece[at++]);
		}
}

void vllm_spell(bool is_byte_level, const char *piece, size_t len, struct buf *out)
{
	if (!is_byte_level)
		spell_sentencepiece(piece, len, out);
	else if (!spell_letters(piece, len, out))
		buf_append(out, piece, len);
}

bool vllm_is_marker(const char *bytes, size_t len)
{
	return len >= 3 && ((bytes[0] == '<' && bytes[len - 1] == '>') ||
	                    (bytes[0] == '[' && bytes[len - 1] == ']'));
}
