/* Shared by the files of beside.h. */
#ifndef SOTTO_CATALOG_BESIDE_INTERNAL_H
#define SOTTO_CATALOG_BESIDE_INTERNAL_H

#include "catalog/beside.h"

/* Takes sampling, stop strings and context. STATUS_FORMAT: it is not JSON; what came before that was taken. */
enum status beside_read_params(struct beside *beside, const char *json, size_t len, struct error *err) MUST_CHECK;

#endif
