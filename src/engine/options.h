/* The settings of the engine: their table, and what it is used for. */
#ifndef SOTTO_ENGINE_OPTIONS_H
#define SOTTO_ENGINE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/option.h"
#include "turn/engine_params.h"

extern const char *const engine_kv_types[];         /* names of enum kv_type, then NULL */

extern const struct option engine_options[];
extern const size_t engine_n_options;

struct engine_params engine_params_default(void);

/* The options that change what a model computes from the same file (OPTION_RECORDED), as words of
 * option_put_words; "none" where all are the defaults, and a hash, "#0123456789abcdef", where they are
 * longer than the field; "", not known, without memory. Returns `out`. */
char *engine_params_recorded(const struct engine_params *params, char *out, size_t size);
/* The other way round: those that `is_kept` names stay, the others become what `text` says. Does nothing
 * where that does not say: it is NULL, or a hash. */
enum status engine_params_take_recorded(struct engine_params *params, const char *text,
                                        bool (*is_kept)(const void *ctx, const char *name), const void *ctx,
                                        struct error *err) MUST_CHECK;

#endif
