#include "trace/recorder.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { RECORDS_MAX = 1 << 16 };
static const size_t most_floats = SIZE_MAX / 64;

void recorder_free(struct recorder *recorder)
{
	for (size_t i = 0; i < recorder->n; i++)
		free(recorder->records[i].data);
	free(recorder->records);
	*recorder = (struct recorder){.n = 0};
}

static struct record *find(const struct recorder *recorder, enum probe_place place, size_t layer)
{
	for (size_t i = 0; i < recorder->n; i++)
		if (recorder->records[i].place == place && recorder->records[i].layer == layer)
			return &recorder->records[i];
	return NULL;
}

void recorder_want(struct recorder *recorder, enum probe_place place, size_t layer)
{
	if (find(recorder, place, layer))
		return;
	if (alloc_grow(&recorder->records, &recorder->cap, recorder->n + 1, sizeof *recorder->records, RECORDS_MAX))
		recorder->records[recorder->n++] = (struct record){.place = place, .layer = layer};
	else
		recorder->status = STATUS_NOMEM;
}

static void see(void *ctx, const struct probed *seen)
{
	struct recorder *recorder = ctx;
	struct record *record = find(recorder, seen->place, seen->layer);
	size_t first = seen->place == PROBE_STATE ? 0 : seen->pos, end = first + seen->n;

	if (!record)
		return;
	if (!alloc_grow(&record->data, &record->cap, end * seen->width, sizeof *record->data, most_floats)) {
		recorder->status = STATUS_NOMEM;
		return;
	}
	memcpy(record->data + first * seen->width, seen->data, seen->n * seen->width * sizeof *seen->data);
	record->width = seen->width;
	record->n = end > record->n ? end : record->n;
	record->pos = seen->pos + seen->n - 1;
}

struct probe recorder_probe(struct recorder *recorder)
{
	return (struct probe){.ctx = recorder, .see = see};
}

const struct record *recorder_find(const struct recorder *recorder, enum probe_place place, size_t layer)
{
	const struct record *record = find(recorder, place, layer);

	return record && record->n ? record : NULL;
}

enum status recorder_status(const struct recorder *recorder, struct error *err)
{
	return recorder->status ? error_no_memory(err, "for what passes through the model") : STATUS_OK;
}
