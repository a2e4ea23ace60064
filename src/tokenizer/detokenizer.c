#include "tokenizer/tokenizer.h"

void detokenizer_init(struct detokenizer *d, const struct tokenizer *tokenizer, bool at_start)
{
	*d = (struct detokenizer){
		.tokenizer = tokenizer,
		.strip_space = at_start && tokenizer_adds_space(tokenizer),
	};
}

enum status detokenizer_push(struct detokenizer *d, int32_t id, struct buf *out)
{
	size_t len;
	const char *bytes = tokenizer_bytes(d->tokenizer, id, &len);

	if (!len)
		return buf_status(out);
	if (d->strip_space && *bytes == ' ') {
		bytes++;
		len--;
	}
	d->strip_space = false;
	return utf8_stream_push(&d->utf8, bytes, len, out);
}
