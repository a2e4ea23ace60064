/* Names of the YAML files that people write: themes, prompt templates. */
#ifndef SOTTO_BASE_DATA_NAME_H
#define SOTTO_BASE_DATA_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* What may stand between the folder and ".yaml": letters, digits, '.', '_' and '-', at most
 * 63; the first is a letter or digit. */
bool data_name_is_valid(const char *name, size_t len);
/* Whether a file's name is a valid name and ".yaml". */
bool data_name_is_file(const char *file_name);
/* The name in a path, without folder and ending: points into it, *len bytes. */
const char *data_name_of_path(const char *path, size_t *len);

#endif
