#include "doctor/record.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static struct recorded *place_of(const struct record *record, enum probe_place place, size_t layer)
{
	return &record->places[(size_t)place * (record->n_layer + 1) + layer];
}

/* States are as large as all else together, and what they do is seen elsewhere. */
static bool is_kept(enum probe_place place)
{
	return place != PROBE_STATE && place != PROBE_MIXER_OUT && place != PROBE_FFN_OUT;
}

static void see(void *ctx, const struct probed *seen)
{
	struct record *record = ctx;
	struct recorded *to;

	if (!is_kept(seen->place) || seen->layer > record->n_layer)
		return;
	to = place_of(record, seen->place, seen->layer);
	if (to->n + seen->n > record->n_tokens)
		return;
	if (!to->rows) {
		to->width = seen->width;
		to->rows = alloc_array(record->n_tokens, seen->width * sizeof *to->rows);
	}
	if (!to->rows || to->width != seen->width) {
		record->lacks_memory |= !to->rows;
		return;
	}
	memcpy(to->rows + to->n * to->width, seen->data, seen->n * seen->width * sizeof *to->rows);
	for (size_t i = to->n; i < to->n + seen->n; i++) {
		record->begin[i] = to->n;
		record->end[i] = to->n + seen->n;
	}
	to->n += seen->n;
}

bool record_init(struct record *record, size_t n_tokens, size_t n_layer)
{
	*record = (struct record){.n_tokens = n_tokens, .n_layer = n_layer, .probe = {.ctx = record, .see = see}};
	record->places = alloc_array(RECORD_PLACES * (n_layer + 1), sizeof *record->places);
	record->begin = alloc_array(n_tokens, sizeof *record->begin);
	record->end = alloc_array(n_tokens, sizeof *record->end);
	return record->places && record->begin && record->end;
}

void record_free(struct record *record)
{
	for (size_t i = 0; record->places && i < RECORD_PLACES * (record->n_layer + 1); i++)
		free(record->places[i].rows);
	free(record->places);
	free(record->begin);
	free(record->end);
	*record = (struct record){0};
}

const float *record_row(const struct record *record, enum probe_place place, size_t layer, size_t pos)
{
	const struct recorded *of = place_of(record, place, layer);

	return of->rows && pos < of->n ? of->rows + pos * of->width : NULL;
}

size_t record_width(const struct record *record, enum probe_place place, size_t layer)
{
	return place_of(record, place, layer)->width;
}
