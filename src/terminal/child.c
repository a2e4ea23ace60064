#include "terminal/child.h"

#include <signal.h>
#include <unistd.h>

extern char **environ;

int child_spawn(pid_t *pid, const char *program, char *const argv[],
                const posix_spawn_file_actions_t *actions)
{
	posix_spawnattr_t attr;
	sigset_t all, none;
	int failed;

	sigfillset(&all);
	sigemptyset(&none);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF |
	                         POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setpgroup(&attr, 0);
	posix_spawnattr_setsigdefault(&attr, &all);
	posix_spawnattr_setsigmask(&attr, &none);
	failed = posix_spawnp(pid, program, actions, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	return failed;
}
