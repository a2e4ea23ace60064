/* A few logits of each model of family_specs, of another program. */
#ifndef SOTTO_TESTS_FAMILY_REFERENCES_H
#define SOTTO_TESTS_FAMILY_REFERENCES_H

#include <stddef.h>
#include <stdint.h>

enum { REFERENCE_IDS = 72, REFERENCE_POSITIONS = 3, REFERENCE_LOGITS = 4 };

struct family_reference {
	const char *name;
	const char *ids; /* REFERENCE_IDS pairs of hexadecimal digits */
	float logits[REFERENCE_POSITIONS][REFERENCE_LOGITS];
};

extern const struct family_reference family_references[]; /* the last has no name */
extern const size_t family_reference_positions[REFERENCE_POSITIONS];
extern const size_t family_reference_tokens[REFERENCE_LOGITS];

void family_reference_ids(const struct family_reference *reference, int32_t ids[REFERENCE_IDS]);
/* The furthest that logits of all positions are from the recorded ones. */
float family_reference_distance(const struct family_reference *reference, const float *logits,
                                size_t n_vocab);

#endif
