#include "terminal/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <unistd.h>

#include "config/servers.h"

int child_spawn(pid_t *pid, char *const argv[], char *const *servers, int in, int out, int err)
{
	const int files[] = {in, out, err};
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	sigset_t all, none;
	char **env;
	int failed;

	*pid = 0;
	if (servers_environment(&env, servers ? *servers : NULL, NULL))
		return ENOMEM;
	posix_spawn_file_actions_init(&actions);
	for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
		if (files[i] == CHILD_NULL)
			posix_spawn_file_actions_addopen(&actions, i, "/dev/null", O_RDWR, 0);
		else
			posix_spawn_file_actions_adddup2(&actions, files[i], i);
	sigfillset(&all);
	sigemptyset(&none);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF |
	                         POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setpgroup(&attr, 0);
	posix_spawnattr_setsigdefault(&attr, &all);
	posix_spawnattr_setsigmask(&attr, &none);
	failed = posix_spawnp(pid, argv[0], &actions, &attr, argv, env);
	free(env);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attr);
	if (failed)
		*pid = 0;
	return failed;
}
