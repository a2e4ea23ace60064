/* What a program does to the files below one folder, call by call, with what its syncs have made
 * durable, so that every state can be built that a power cut might leave. The calls are carried
 * out, too. Any of them can be left out, or made to fail.
 *
 * The linker replaces the system's calls by these (`--wrap`, tests/crash/local.mk), so that
 * nothing in the program can go past them. One disk in a process, one thread. */
#ifndef SOTTO_TESTS_DISK_H
#define SOTTO_TESTS_DISK_H

#include <stdbool.h>
#include <stddef.h>

enum disk_kind {
	DISK_MAKE_FOLDER,
	DISK_MAKE_FILE,
	DISK_WRITE,
	DISK_CUT, /* ftruncate, O_TRUNC */
	DISK_RENAME, /* within a folder: the one name goes as the other comes */
	DISK_LINK,
	DISK_UNLINK, /* or rmdir */
	DISK_SYNC,        /* fdatasync or fsync of a file: its bytes and its length */
	DISK_SYNC_FOLDER, /* fsync of a folder: the names in it, not what they name */
	DISK_PROMISE,     /* no call: the program has said that something is saved */
	DISK_WITHDRAW,    /* no call: it begins to take back what was promised last */
};

struct disk_op {
	enum disk_kind kind;
	int file;         /* which file: a number of the disk's own, never used again */
	char *path, *to;  /* owned; below the root; of names */
	size_t offset, n; /* of a write; n: of a cut, too */
	char *bytes;      /* owned */
	/* The second half of a rename from one folder to another (DISK_LINK, DISK_UNLINK), which may
	 * come to the disk after the first, but not without it. */
	bool needs_previous;
	size_t durable_at; /* the sync that made it durable; SIZE_MAX: none did */
};

struct disk_fault {
	size_t leave_out; /* this sync, rename or link (from 1) is not carried out and says that it was */
	size_t at;        /* this call (from 1) fails; 0: none */
	int error;        /* with this errno; 0: a write of `at` is a short one */
	int shorten;      /* it takes so many bytes; -1: all but one */
	size_t write_max; /* every write takes at most so many bytes; 0: all */
};

/* Begins with an empty record of what happens below `root`, an existing empty folder. */
void disk_record(const char *root);
/* From here on; calls and syncs are counted anew. NULL: none. */
void disk_set_fault(const struct disk_fault *fault);
/* Calls pass through from here on, syncs at no cost. What was recorded stays. */
void disk_pause(void);
void disk_resume(void);
/* Everything so far is durable. */
void disk_settle(void);
void disk_promise(void);
void disk_withdraw(void);
bool disk_is_withdrawn(void); /* there was no promise since */

const struct disk_op *disk_ops(size_t *n);
size_t disk_n_calls(void); /* those that can fail */
size_t disk_n_syncs(void); /* syncs, renames and links so far */
bool disk_has_fired(void); /* the fault happened */
/* Which op the call was that was left out: an index among those of the record. */
size_t disk_left_out_at(void);
const char *disk_left_out_name(void); /* "fsync chats" */

#endif
