/* Model files that are good but for a few fields: gets past the reader, to the
 * vocabulary, the weights and an evaluation.
 *
 * The input says which: a byte for the good file, then 11 bytes for each
 * change: which field (2), how (1), a value (8). */
#include <string.h>

#include "base/limits.h"
#include "fuzz/fuzz.h"
#include "hostile/pipeline.h"
#include "hostile/seeds.h"

enum { CHANGE = 11, MAX_CHANGES = 32 };

static void change(struct buf *file, const struct fields *fields, const uint8_t *input)
{
	const struct field *field, *other;
	uint16_t index;
	uint64_t value;
	size_t n;

	memcpy(&index, input, sizeof index);
	memcpy(&value, input + 3, sizeof value);
	field = &fields->items[index % fields->n];
	other = &fields->items[value % fields->n];
	switch (input[2] % 4) {
	case 0: /* the value, or as much of it as fits */
		memcpy(file->data + field->at, &value, field->size < 8 ? field->size : 8);
		break;
	case 1: /* added to what is there */
		if (field->size == 4 || field->size == 8) {
			uint64_t old = 0;

			memcpy(&old, file->data + field->at, field->size);
			old += value;
			memcpy(file->data + field->at, &old, field->size);
		}
		break;
	case 2: /* what another field has */
		n = field->size < other->size ? field->size : other->size;
		memmove(file->data + field->at, file->data + other->at, n);
		break;
	default: /* one byte anywhere, also in the weights */
		file->data[value % file->len] = (char)input[2];
		break;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct seeds seeds; /* made once, never freed: reachable, no leak */
	struct error err = {0};
	enum stage refused;
	enum status status;
	struct buf file = {.max = MIB(1)};
	size_t seed;

	if (!seeds.files[0].len)
		seeds_init(&seeds);
	if (!size)
		return 0;
	seed = data[0] % N_SEEDS;
	FUZZ_CHECK(!buf_append(&file, seeds.files[seed].data, seeds.files[seed].len));
	for (size_t i = 0; i < MAX_CHANGES && 1 + (i + 1) * CHANGE <= size; i++)
		change(&file, &seeds.fields[seed], data + 1 + i * CHANGE);
	status = pipeline_run(file.data, file.len, STAGE_DONE, &refused, &err);
	FUZZ_CHECK(!status || err.text[0]);
	buf_free(&file);
	return 0;
}
