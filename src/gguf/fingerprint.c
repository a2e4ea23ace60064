/* Telling model files apart without reading them whole: 5 GB take seconds even from the cache, and
 * minutes from a disk. All of the header is read (metadata, vocabulary, chat template, names, types
 * and places of the tensors), which is in memory anyway, the size, and pages spread evenly over the
 * weights: training or quantising in another way changes nearly all of them. The file's time and
 * name do not count: a copy is the same model. */
#include "base/hash.h"
#include "gguf/internal.h"

enum { SAMPLES = 64, SAMPLE_BYTES = 4096 };

/* Where a file's weights begin: its header, with what fills it up, ends there. */
static size_t weights_begin(const struct gguf *whole, const struct gguf *part)
{
	const unsigned char *begin = part->data + part->size;

	for (size_t i = 0; i < whole->n_tensors; i++) {
		const unsigned char *data = whole->tensors[i].data;

		if (data >= part->data && data < begin)
			begin = data;
	}
	return (size_t)(begin - part->data);
}

static uint64_t hash_part(uint64_t hash, const struct gguf *whole, const struct gguf *part)
{
	size_t header = weights_begin(whole, part), rest = part->size - header;
	uint64_t size = part->size;

	hash = hash_more(hash, &size, sizeof size);
	hash = hash_more(hash, part->data, header);
	if (rest <= (size_t)SAMPLES * SAMPLE_BYTES)
		return hash_more(hash, part->data + header, rest);
	for (size_t i = 0; i < SAMPLES; i++) {
		size_t at = (rest - SAMPLE_BYTES) / (SAMPLES - 1) * i +
		            (rest - SAMPLE_BYTES) % (SAMPLES - 1) * i / (SAMPLES - 1);

		hash = hash_more(hash, part->data + header + at, SAMPLE_BYTES);
	}
	return hash;
}

uint64_t gguf_fingerprint(const struct gguf *gguf)
{
	uint64_t hash = HASH_BEGIN;

	if (!gguf->parts)
		return hash_part(hash, gguf, gguf);
	for (uint32_t i = 0; i < gguf->n_parts; i++)
		hash = hash_part(hash, gguf, gguf->parts[i]);
	return hash;
}
