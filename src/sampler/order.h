/* The order in which samplers act, as --samplers says it: names separated by ';', llama.cpp's. */
#ifndef SOTTO_SAMPLER_ORDER_H
#define SOTTO_SAMPLER_ORDER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum sampler_step { STEP_PENALTIES, STEP_DRY, STEP_TEMPERATURE, STEP_FILTER /* and its row's index */ };

enum { SAMPLER_STEPS_MAX = 16 };

struct sampler_order {
	unsigned steps[SAMPLER_STEPS_MAX]; /* [n]: enum sampler_step */
	size_t n;
};

/* llama.cpp's: penalties, DRY, the filters in the order of their rows, temperature. */
struct sampler_order sampler_order_default(void);
/* What is not named does not act. '-' and '_' in names, and case, do not matter. STATUS_USAGE names
 * what is no sampler. */
enum status sampler_order_parse(struct sampler_order *out, const char *text,
                                struct error *err) MUST_CHECK;
bool sampler_order_has(const struct sampler_order *order, enum sampler_step step);

#endif
