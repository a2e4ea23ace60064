/* The machine: clocks, cores, memory, files, the directories of a user. */
#ifndef SOTTO_BASE_SYS_H
#define SOTTO_BASE_SYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"

/* A variable of the environment; NULL: it is not set, or empty. */
const char *sys_variable(const char *name);

/* Monotonic time; all intervals use it. SOTTO_TEST_CLOCK does not touch it. */
uint64_t sys_now_ms(void);
uint64_t sys_now_us(void);

/* Seconds, and microseconds, since the epoch, a label for people: never compared, never used for
 * intervals. $SOTTO_TEST_CLOCK pins them: 1795648064, 1795648064.25. */
int64_t sys_wall_time(void);
int64_t sys_wall_time_us(void);

/* Physical cores this process may run on (affinity and cgroup quota counted), >= 1. */
int sys_cpu_count(void);

/* Bytes that can be used without swapping: the smaller of MemAvailable and
 * what is left of the cgroup's limit; 0 when unknown. Pages of a file that was
 * read or mapped count as available. $SOTTO_TEST_MEMORY pins it. */
uint64_t sys_memory_available(void);

/* Bytes of memory that the machine has, or the cgroup's limit where that is
 * smaller; 0 when unknown. */
uint64_t sys_memory_total(void);

/* What is left of RLIMIT_AS; UINT64_MAX without a limit. */
uint64_t sys_address_space_left(void);

/* Bytes of the last level of all caches that this process's processors have together; 0 when
 * unknown. A virtual machine may be told more than it gets. */
uint64_t sys_cache_bytes(void);

/* Zeroed memory, in huge pages where the system has them: reading it again and again needs
 * fewer page walks. NULL with errno set; free with munmap. */
void *sys_map_huge(size_t n_bytes);

/* Keeps the pages of these bytes in memory until they are unmapped. The error tells the limit. */
enum status sys_lock(const void *at, size_t n_bytes, struct error *err) MUST_CHECK;

/* A whole file of at most `max` bytes. Directories and special files are
 * refused by name. Caller frees *data (NUL-terminated). */
enum status sys_read_file(const char *path, size_t max, char **data, size_t *len,
                          struct error *err) MUST_CHECK;

/* The same of a pipe or terminal, too, which is waited for: for files that a command line names, not
 * where anybody may type meanwhile. */
enum status sys_read_any_file(const char *path, size_t max, char **data, size_t *len,
                              struct error *err) MUST_CHECK;

/* Appends a path in one of the user's directories: $XDG_CONFIG_HOME/sotto and kin,
 * with their standard fallbacks under $HOME; an empty variable counts as
 * unset, a relative one too. `below` is what follows the directory, as "/presets", or "". Not created. */
enum sys_dir { SYS_DIR_CONFIG, SYS_DIR_DATA, SYS_DIR_STATE, SYS_DIR_CACHE };
enum status sys_user_path(enum sys_dir dir, const char *below, struct buf *out, struct error *err) MUST_CHECK;

/* mkdir -p with mode 0700. */
enum status sys_make_dirs(const char *path, struct error *err) MUST_CHECK;

/* The same for what comes with the program, themes/, prompts/ and guide/: in $SOTTO_PKGDATADIR, else the source
 * tree that the running executable was built in, else the installed directory. */
enum status sys_data_path(const char *below, struct buf *out, struct error *err) MUST_CHECK;

#endif
