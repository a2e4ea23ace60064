/* The states in which a power cut could leave a recorded disk (disk.h). At a cut, what a sync has
 * made durable is there; of the rest every subset may be: each name, each length of a file, each
 * sector of 512 bytes of each write. A sector that did not arrive reads as zeros, or as what was
 * there before. A name may be there without its file's bytes, and bytes without the name. */
#ifndef SOTTO_TESTS_POWER_H
#define SOTTO_TESTS_POWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "crash/disk.h"

enum { POWER_NAMES = 128 };

struct power_state {
	struct power_name {
		const char *path; /* below the root; borrowed of the ops */
		bool is_folder;
		int file;
	} names[POWER_NAMES];
	size_t n_names;
	struct power_file {
		char *bytes; /* owned by the state */
		size_t len, cap;
	} *files; /* by the disk's numbers */
	size_t n_files;
	uint64_t hash; /* of the names and contents that can be reached */
};

/* How many things at this cut may be there or not. `cut`: before ops[cut]. */
size_t power_n_open(const struct disk_op *ops, size_t cut);
/* Builds the state in which those are there whose bit is set. The state is used again and again;
 * begin with zeros, end with power_free. */
void power_build(struct power_state *state, const struct disk_op *ops, size_t cut,
                 const unsigned char *bits);
void power_free(struct power_state *state);

/* Makes `folder`'s contents those of the state. */
void power_put(const struct power_state *state, const char *folder);
void power_empty(const char *folder);

/* How many choices there are of `n` things that may be there or not: all subsets, if these are no
 * more than `most`. */
size_t power_n_choices(size_t n, size_t most);
/* The bits of one of them. Where there are more subsets than choices: none, all, all but one, one
 * alone, the first ones, and then what chance says. */
void power_choose(unsigned char *bits, size_t n, size_t choice, size_t n_choices, uint64_t *random);

#endif
