/* The rows about files that are written whole, and the history of the input line. */
#ifndef SOTTO_TESTS_SCENARIO_FILES_H
#define SOTTO_TESTS_SCENARIO_FILES_H

#include "crash/scenario.h"

enum { FILE_STEPS = 2, PRESET_STEPS = 3, RECENT_STEPS = 3, HISTORY_STEPS = 2 };

/* What /write and /export write: a new file, and then what takes its place. */
void *files_begin(void);
enum status file_step(void *state, size_t step, struct error *err);
enum status file_retry(void *state, size_t step, struct error *err);
void file_describe(struct found *found);
/* The same through a symbolic link that is there before. */
void *file_begin_link(void);
enum status file_link_step(void *state, size_t step, struct error *err);
void files_end(void *state);

enum status preset_step(void *state, size_t step, struct error *err);
void preset_describe_all(struct found *found);

/* The list of models that were loaded. */
void *recent_begin(void);
enum status recent_step(void *state, size_t step, struct error *err);
void recent_describe(struct found *found);

/* A history that is longer than what is kept: it is cut when it is read, and grows. */
void *history_begin(void);
enum status history_step(void *state, size_t step, struct error *err);
void history_describe(struct found *found);

#endif
