/* What layers are made of, in double, straight from the formulas: nothing shared with the engine but the plan and the
 * reading of rows of weights. */
#ifndef SOTTO_TESTS_DEFINITIONS_H
#define SOTTO_TESTS_DEFINITIONS_H

#include <stddef.h>

#include "model/model_internal.h"
#include "model/ropes.h"
#include "support/family_checks.h"
#include "trace/recorder.h"

enum { TRACED_IDS = 40 };

/* A small model of a family, everything of whose evaluation is recorded. */
struct traced {
	struct family_opened opened;
	const struct model *model;
	const struct plan *plan;
	struct recorder recorder;
	int32_t ids[REFERENCE_IDS];
};
void traced_open(struct traced *traced, const char *family);
void traced_close(struct traced *traced);
/* A token's row; fails where nothing was seen. */
const float *traced_row(const struct traced *traced, enum probe_place place, size_t layer, size_t pos);
/* As doubles, in memory that traced_doubles allocates and the caller frees. */
double *traced_doubles(const struct traced *traced, enum probe_place place, size_t layer, size_t pos, size_t n);

double *zeros(size_t n);
/* y[rows] */
void define_matrix(const struct matrix *m, const double *x, double *y);
void define_linear(const struct linear *linear, const double *x, double *y);
void define_stack(const struct stack *stack, size_t i, const double *x, double *y);
/* `width` elements in place; nothing without such a norm. */
void define_norm(enum norm norm, const struct norm_weights *weights, double eps, size_t width, double *x);
/* Of each head without weights. */
void define_plain_norm(enum norm norm, double eps, size_t dim, size_t n, double *x);
/* activation(g) * y; y NULL: alone. */
double define_activation(enum activation activation, double g, const double *y);
double sigmoid(double x);

/* The radians that pair i of a set is turned by at a position, from base, factors and scaling. */
double define_angle(const struct traced *traced, size_t set, size_t i, size_t pos);
void define_rotation(const struct traced *traced, size_t layer, size_t pos, double *head);

/* The furthest that n floats are from what they should be, divided by the largest of these (at least 1). */
double distance(const float *found, const double *expected, size_t n);

#endif
