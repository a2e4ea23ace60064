/* general.* of a converted model: its name and what that says, its size, what its card says of licence and origin. */
#ifndef SOTTO_CHECKPOINT_GENERAL_H
#define SOTTO_CHECKPOINT_GENERAL_H

#include "checkpoint/conversion.h"

/* After the outputs are known, and before the keys of the family; general.architecture is set already. */
void general_write(struct conversion *c);

#endif
