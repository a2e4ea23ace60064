/* A log for reports of what went wrong: lines about a few subjects, which the user asks for (--log, /log). Nothing is
 * logged unless asked for, and what the user and the model write only if that is asked for by itself ("text").
 *
 * There is no global: who logs is handed a log, which may be NULL. Any thread may write, a line at a time; who changes what
 * is logged (log_use) may do so while others write. A line that cannot be written is lost, and nothing else happens. */
#ifndef SOTTO_BASE_LOG_H
#define SOTTO_BASE_LOG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"

/* engine: models that are opened, turns and what they took. cache: what of a prompt was kept, and what differed. sampler:
 * each token, its probability and what was cut. template: the chat template, and what it made of a conversation. ui: what
 * happens in the chat. */
enum log_subject { LOG_ENGINE, LOG_CACHE, LOG_SAMPLER, LOG_TEMPLATE, LOG_UI, LOG_SUBJECTS };

#define LOG_ARG "SUBJECT,...[=FILE]"

struct log;

/* One that logs nothing yet. Lines go to `file`, unless another one is named; NULL: to standard error. Its folder is made when
 * the file is. */
enum status log_create(struct log **out, const char *file, struct error *err) MUST_CHECK;
void log_free(struct log *log); /* NULL is fine */

/* Whether `words` can be read: subjects, "text" or "all" (every subject, but not "text"), parted by commas, and "=FILE"
 * after them; or "off". STATUS_USAGE says what they may be. For an option's row. */
enum status log_check(const char *words, struct error *err);
/* Logs these from now on, and no others. Where `words` name no file, lines go to where they went before.
 * They are appended to a file, which is made with mode 0600 where there is none; it has to be a log, or empty. If that
 * fails, nothing has changed. */
enum status log_use(struct log *log, const char *words, struct error *err) MUST_CHECK;
/* Whether text is logged with the subjects. */
void log_set_text(struct log *log, bool on);

/* Whether a line about it would be written: for whoever has to compute what it says. */
bool log_has(const struct log *log, enum log_subject subject);
bool log_has_text(const struct log *log);
/* Writes a line; it is cut where it is too long. No text of a user or model is in it. */
void log_line(struct log *log, enum log_subject subject, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* Writes a line for each of the text's, where text is asked for, each with `label` before it. */
void log_text(struct log *log, enum log_subject subject, const char *label, const char *text, size_t len);

/* Appends what is logged, and where: "engine, cache; to /tmp/log"; "nothing". */
enum status log_describe(struct log *log, struct buf *out);

#endif
