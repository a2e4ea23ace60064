/* Finds a token by its bytes. Open addressing; the texts themselves stay with
 * the vocabulary. Immutable once filled, then any thread may look things up. */
#ifndef SOTTO_TOKENIZER_TEXTMAP_H
#define SOTTO_TOKENIZER_TEXTMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Texts behind each other; text i is bytes[starts[i]] .. bytes[starts[i + 1]]. */
struct texts {
	char *bytes;
	uint32_t *starts; /* one more than texts */
};

/* Room for n texts of so many bytes together; all are empty. */
enum status texts_init(struct texts *texts, size_t n, size_t bytes, struct error *err) MUST_CHECK;
void texts_deinit(struct texts *texts);

struct textmap {
	const struct texts *texts; /* borrowed */
	struct textmap_slot *slots;
	size_t mask;
	uint64_t seed; /* odd, random: a model file cannot aim for collisions */
};

/* `texts` must outlive the map and hold at most `n` items to be added. */
enum status textmap_init(struct textmap *map, const struct texts *texts, size_t n,
                         struct error *err) MUST_CHECK;
void textmap_deinit(struct textmap *map);

/* Adds text `id`; false when an equal text is there already (the first wins). */
bool textmap_add(struct textmap *map, int32_t id);

/* TOKEN_NONE (-1) when no text is equal. */
int32_t textmap_find(const struct textmap *map, const char *text, size_t len);

static inline const char *texts_at(const struct texts *texts, size_t i, size_t *len)
{
	*len = texts->starts[i + 1] - texts->starts[i];
	return texts->bytes + texts->starts[i];
}

#endif
