/* Starting another program with the signal state that a shell would give it, not with ours, and in
 * a process group of its own; and without the keys of servers in its environment. */
#ifndef SOTTO_TERMINAL_CHILD_H
#define SOTTO_TERMINAL_CHILD_H

#include <sys/types.h>

enum { CHILD_NULL = -1 }; /* /dev/null */

/* argv[0] is a path with a slash, or a name that is looked for in $PATH; `servers` points to the path of the file
 * that names the keys' variables (servers_environment; NULL, or to NULL: the usual one); `in`, `out` and `err`
 * become the standard files. Returns 0 or an error number; *pid is 0 then. */
int child_spawn(pid_t *pid, char *const argv[], char *const *servers, int in, int out, int err);

#endif
