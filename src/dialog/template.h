/* The prompt template in use: its system message is in the tree, its options are in the settings, its stop
 * strings go with each turn. */
#ifndef SOTTO_DIALOG_TEMPLATE_H
#define SOTTO_DIALOG_TEMPLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "chat/stops.h"
#include "prompts/prompt_template.h"

struct dialog;

/* To tell whether a file has changed since it was read. */
struct file_stamp {
	int64_t seconds, nanoseconds, size; /* size -1: it is not there */
	uint64_t inode;
};

/* All owned, all NULL when there is none. */
struct dialog_template {
	char *call; /* name and values, as /template takes them */
	char *name;
	char *path;
	struct stops stops;
	struct file_stamp stamp;
	bool told_changed;
};

void dialog_template_free(struct dialog_template *used);

/* Nothing has been said yet except what a template opens a chat with. */
bool dialog_is_fresh(const struct dialog *dialog);

/* Options and stop strings act from now on; the message is in the tree, or follows. */
enum status dialog_template_adopt(struct dialog *dialog, const struct prompt_template *tmpl,
                                  const struct prompt_values *values, struct error *err) MUST_CHECK;
/* Uses a template: its system message for the `whole` conversation or from here on, its options, and in an
 * empty chat its opening messages. They are saved with the next message (dialog_store_message). `model` is the name of the
 * one that is loaded, NULL: none. */
enum status dialog_template_use(struct dialog *dialog, const struct prompt_template *tmpl,
                                const struct prompt_values *values, const char *model, bool whole,
                                struct error *err) MUST_CHECK;
/* Goes on without one, with this system message: from here on, or `clears`, an empty one that replaces all before
 * it. */
enum status dialog_set_system(struct dialog *dialog, const char *text, bool clears, struct error *err) MUST_CHECK;
/* Goes on without it. */
enum status dialog_template_leave(struct dialog *dialog, struct error *err) MUST_CHECK;
/* Its options and stop strings no longer apply. */
void dialog_template_forget(struct dialog *dialog);
/* Uses the one of the path's last system message, which stays; a fact if it is not there. */
void dialog_template_restore(struct dialog *dialog);
/* Whether the path's last system message was made from it with these values. */
bool dialog_template_is(const struct dialog *dialog, const char *name, const struct prompt_values *values);
/* A fact, once, if its file has changed. */
void dialog_template_check(struct dialog *dialog);

#endif
