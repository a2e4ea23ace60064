/* Starting another program with the signal state that a shell would give it, not with ours, and in
 * a process group of its own. */
#ifndef SOTTO_TERMINAL_CHILD_H
#define SOTTO_TERMINAL_CHILD_H

#include <spawn.h>
#include <sys/types.h>

/* `program`: a path with a slash, or a name that is looked for in $PATH. Returns 0 or an error
 * number. */
int child_spawn(pid_t *pid, const char *program, char *const argv[],
                const posix_spawn_file_actions_t *actions);

#endif
