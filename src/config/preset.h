/* Presets: values of sampling options (those with a slider) under a name. The user's are files
 * presets/NAME.yaml in the configuration folder, with lines `name: value` as in config.yaml; some
 * come with sotto, which a file of the same name replaces. A preset is whole: what it does not name
 * is left to model, template and configuration. Belongs to one thread. */
#ifndef SOTTO_CONFIG_PRESET_H
#define SOTTO_CONFIG_PRESET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/io.h"
#include "base/name_list.h"
#include "config/settings.h"

enum { PRESET_OPTIONS_MAX = 64 };

struct preset {
	struct option_text values[PRESET_OPTIONS_MAX]; /* [n]; names are the options' own */
	size_t n;
};

/* Reads one and holds it against the options. STATUS_NOTFOUND with the nearest name where there is
 * none; an error in its file names the line. */
enum status preset_load(struct preset *out, const char *name, const struct settings *settings,
                        struct error *err) MUST_CHECK;
/* What is set now: values that neither the model recommends nor sotto's tables have. */
void preset_of_settings(struct preset *out, const struct settings *settings);
/* As /set would, after taking back what it has said of other sampling options. */
enum status preset_apply(const struct preset *preset, struct settings *settings,
                         struct error *err) MUST_CHECK;
/* The same when the program begins: what `origin`, which names the preset, or a higher one has said
 * itself stays. */
enum status preset_begin(const struct preset *preset, struct settings *settings,
                         enum settings_origin origin, struct error *err) MUST_CHECK;
/* Writes the user's file, all of it or nothing; its path goes to `path`. STATUS_USAGE where the name
 * is none, or there is such a file and not `replace`. */
enum status preset_save(const struct preset *preset, const char *name, bool replace,
                        const struct io_ops *io, struct buf *path, struct error *err) MUST_CHECK;

/* "temp 0.2, top-p 0.9" */
void preset_describe(const struct preset *preset, struct buf *out);
/* A line for each option that differs: its name and both values, "-" where one does not name it.
 * `b` NULL: the values that apply now. Nothing where all are the same. */
void preset_compare(const struct preset *a, const struct preset *b, const struct settings *settings,
                    struct buf *out);

/* Sorted names without duplicates, into an empty list. */
enum status preset_list(struct name_list *out, struct error *err);

#endif
