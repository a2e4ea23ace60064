#include "remote/chunk.h"

#include "base/limits.h"

void chunk_init(struct chunk *chunk)
{
	*chunk = (struct chunk){.text = {.max = LIMIT_STREAM_LINE}, .reasoning = {.max = LIMIT_STREAM_LINE}};
}

void chunk_clear(struct chunk *chunk)
{
	struct buf text = chunk->text, reasoning = chunk->reasoning;

	buf_clear(&text);
	buf_clear(&reasoning);
	chunk_init(chunk);
	chunk->text = text;
	chunk->reasoning = reasoning;
}

void chunk_free(struct chunk *chunk)
{
	buf_free(&chunk->text);
	buf_free(&chunk->reasoning);
}
