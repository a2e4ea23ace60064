/* Which type each output gets, and the header of the file. Private to this folder. */
#ifndef SOTTO_CHECKPOINT_TYPES_H
#define SOTTO_CHECKPOINT_TYPES_H

#include "checkpoint/conversion.h"
#include "checkpoint/floats.h"
#include "quantize/recipe.h"

/* Fills in output.type, and general.file_type. `recipe`: NULL as the reference's `auto`; its float types and Q8_0 give
 * all matrices that type; other recipes choose for each. */
enum status outputs_choose_types(struct conversion *c, const struct floats *floats, const struct recipe *recipe,
                                 struct error *err) MUST_CHECK;
uint64_t output_n_elements(const struct output *output);
uint64_t output_n_bytes(const struct output *output);
/* All before the tensors' data; *n_bytes: of the whole file. */
enum status conversion_header(const struct conversion *c, struct buf *header, uint32_t *alignment, uint64_t *n_bytes,
                              struct error *err) MUST_CHECK;

#endif
