/* The prompt template in use. */
#ifndef SOTTO_DIALOG_TEMPLATE_H
#define SOTTO_DIALOG_TEMPLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
	char **stops;
	size_t n_stops;
	struct file_stamp stamp;
	bool told_changed;
};

void dialog_template_free(struct dialog_template *used);

#endif
