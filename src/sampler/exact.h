/* exp and log that give the same bits on every machine: plain IEEE double
 * arithmetic, no library and no fused operations (-ffp-contract=off). Libraries
 * differ in the last bit, and one bit is enough to turn a seeded choice.
 * Relative error below 1e-15. */
#ifndef SOTTO_SAMPLER_EXACT_H
#define SOTTO_SAMPLER_EXACT_H

#include <stddef.h>

double exact_exp(double x); /* finite x <= 709, or -inf */
double exact_log(double x); /* finite x > 0 */

/* The same for n numbers, in place, several at a time: the same operations in the
 * same order, so the same bits, in a fraction of the time. */
void exact_exp_all(double *x, size_t n);
void exact_log_all(double *x, size_t n);

#endif
