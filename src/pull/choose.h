/* The parts of choosing, a file for each. Only for choose*.c. */
#ifndef SOTTO_PULL_CHOOSE_H
#define SOTTO_PULL_CHOOSE_H

#include <stdbool.h>

#include "pull/offer.h"

/* choose_group.c: makes choices of the files, which it sorts: a file each, or all parts of a split model; by the name's
 * tag "safetensors" one of all that a conversion reads. In the order of the listing; chosen is by the name's file, or the
 * first. STATUS_NOTFOUND: there is not such a file. */
enum status choose_group(struct pull_offer *offer, struct error *err) MUST_CHECK;
/* The tag of a choice that is a folder to convert. */
#define CHOOSE_SAFETENSORS "safetensors"
bool choose_is_folder(const struct pull_name *name);

/* choose_numbers.c: bits, memory, whether it fits, speed. */
void choose_numbers(struct pull_offer *offer, const struct pull_machine *machine);
/* choose_default.c: the best for this machine; choices are sorted by size, and there is one. */
size_t choose_default(const struct pull_offer *offer, const struct pull_machine *machine);

#endif
