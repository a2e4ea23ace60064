#include "config/server_command.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/sanitize.h"
#include "base/secret.h"
#include "base/sys.h"
#include "config/servers.h"

enum { LIMIT_MS = 30000, STEP_MS = 20, SAID_MAX = 1024, SHOWN_MAX = 200, READS_MAX = 64 };

/* The program while it runs. */
struct running {
	struct server_command *command;
	pid_t pid;
	int out, said_fd;   /* our ends of its pipes, which do not block */
	char said[SAID_MAX + 1]; /* the beginning of what it says on standard error */
	size_t n_said;
	bool well;          /* it has ended with 0 */
	int state;          /* of waitpid; 0: it was well, or nobody knows */
};

static const char *name_of(const struct server_command *command)
{
	const char *slash = strrchr(command->argv[0], '/');

	return slash && slash[1] ? slash + 1 : command->argv[0];
}

/* Not all that other threads and libraries open is closed by exec. One that is gone by then is no error. */
static void close_others(posix_spawn_file_actions_t *actions)
{
	DIR *dir = opendir("/dev/fd");
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		char *end;
		long fd = strtol(entry->d_name, &end, 10);

		if (end != entry->d_name && !*end && fd > STDERR_FILENO && fd != dirfd(dir))
			posix_spawn_file_actions_addclose(actions, (int)fd);
	}
	if (dir)
		closedir(dir);
}

/* In a session of its own: it has no terminal that it could read or write, and is killed with all that it starts. */
static int spawn(pid_t *pid, char *const argv[], char *const env[], int out, int said)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	sigset_t all, none;
	int failed;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, said, STDERR_FILENO);
	close_others(&actions);
	sigfillset(&all);
	sigemptyset(&none);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigdefault(&attr, &all);
	posix_spawnattr_setsigmask(&attr, &none);
	failed = posix_spawnp(pid, argv[0], &actions, &attr, argv, env);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attr);
	return failed;
}

/* Numbers above 2, as 0 to 2 are the program's own. */
static int open_pipe(int ends[2])
{
	int failed = 0;

	if (pipe(ends) != 0)
		return errno;
	for (int i = 0; i < 2 && !failed; i++) {
		int fd = fcntl(ends[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);

		failed = fd < 0 ? errno : 0;
		close(ends[i]);
		ends[i] = fd;
	}
	if (!failed)
		fcntl(ends[0], F_SETFL, O_NONBLOCK);
	return failed;
}

static void close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static int begin(struct running *running, char *const env[])
{
	int out[2] = {-1, -1}, said[2] = {-1, -1};
	int failed = open_pipe(out);

	if (!failed)
		failed = open_pipe(said);
	if (!failed)
		failed = spawn(&running->pid, running->command->argv, env, out[1], said[1]);
	close_end(&out[1]);
	close_end(&said[1]);
	running->out = out[0];
	running->said_fd = said[0];
	return failed;
}

/* Takes what there is, of one that never ends some of it; closes what has ended. `forget` what is more than fits;
 * otherwise false. */
static bool take(int *fd, char *bytes, size_t *len, size_t max, bool forget)
{
	char more[1024];

	for (int i = 0; *fd >= 0 && i < READS_MAX; i++) {
		bool is_full = *len == max;
		ssize_t n = read(*fd, is_full ? more : bytes + *len, is_full ? sizeof more : max - *len);

		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			break;
		if (n > 0 && is_full && !forget) {
			secret_wipe(more, sizeof more);
			return false;
		}
		if (n > 0 && !is_full)
			*len += (size_t)n;
		else if (n <= 0)
			close_end(fd);
	}
	return true;
}

static bool take_all(struct running *running)
{
	take(&running->said_fd, running->said, &running->n_said, SAID_MAX, true);
	return take(&running->out, running->command->text, &running->command->len, LIMIT_SERVER_KEY, false);
}

/* It is not reaped yet: its number is that of its group, too. */
static bool has_ended(struct running *running)
{
	siginfo_t info = {.si_pid = 0};

	if (waitid(P_PID, (id_t)running->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0) {
		if (errno == EINTR)
			return false;
		running->pid = 0; /* nobody knows how: what it has printed decides */
		return true;
	}
	if (info.si_pid == 0)
		return false;
	running->well = info.si_code == CLD_EXITED && info.si_status == 0;
	return true;
}

/* One that ended well may leave something behind, such as an agent. */
static void end(struct running *running)
{
	if (running->pid) {
		if (!running->well) {
			kill(-running->pid, SIGKILL);
			kill(running->pid, SIGKILL); /* before it has a session of its own */
		}
		while (waitpid(running->pid, &running->state, 0) < 0 && errno == EINTR)
			;
		running->pid = 0;
	}
	close_end(&running->out);
	close_end(&running->said_fd);
}

/* Until it has ended; what it has left running, such as an agent, may keep the pipes open. */
static enum status wait_for(struct running *running, struct error *err)
{
	const struct server_command *command = running->command;
	uint64_t until = sys_now_ms() + LIMIT_MS;
	bool ended = false;

	while (!ended) {
		struct pollfd fds[] = {{.fd = running->out, .events = POLLIN}, {.fd = running->said_fd, .events = POLLIN}};

		poll(fds, 2, STEP_MS); /* an fd of -1 is passed over */
		ended = has_ended(running);
		if (!take_all(running))
			return error_set(err, STATUS_LIMIT, "'%.60s' prints more than %zu bytes: a key is expected",
			                 name_of(command), LIMIT_SERVER_KEY);
		if (!ended && command->cancelled && command->cancelled(command->ctx))
			return error_set(err, STATUS_CANCELLED, "stopped");
		if (!ended && sys_now_ms() >= until)
			return error_set(err, STATUS_IO, "'%.60s' has not printed the key within %d s", name_of(command),
			                 LIMIT_MS / 1000);
	}
	return STATUS_OK;
}

/* What it said, as a line; what it has printed is taken for the key, and is not in it. */
static void put_said(struct running *running, struct buf *out)
{
	struct server_command *command = running->command;
	size_t len = strcspn(command->text, "\r\n");
	struct secret *key = NULL;
	bool is_masked = !len || !secret_create(&key, command->text, len, NULL);

	running->said[running->n_said] = '\0';
	if (is_masked) {
		secret_mask(key, running->said);
		len = strspn(running->said, " \t\r\n");
		sanitize_line(out, running->said + len, strnlen(running->said + len, SHOWN_MAX));
	}
	secret_free(key);
}

static enum status look_at_end(struct running *running, struct error *err)
{
	const char *name = name_of(running->command);
	struct buf said = {.max = KIB(8)};
	int state = running->state;

	if (state == 0)
		return STATUS_OK;
	put_said(running, &said);
	while (said.len && said.data[said.len - 1] == ' ')
		said.data[--said.len] = '\0';
	if (WIFSIGNALED(state))
		error_set(err, STATUS_IO, "'%.60s', which has the key, was ended by signal %d%s%s", name, WTERMSIG(state),
		          said.len ? ": " : "", buf_text(&said));
	else
		error_set(err, STATUS_IO, "'%.60s', which has the key, ended with %d%s%s", name, WEXITSTATUS(state),
		          said.len ? ": " : "", buf_text(&said));
	buf_free(&said);
	return STATUS_IO;
}

enum status server_command_run(struct server_command *command, struct error *err)
{
	struct running running = {.command = command, .out = -1, .said_fd = -1};
	enum status status;
	char **env;
	int failed;

	command->len = 0;
	status = servers_environment(&env, command->servers, err);
	if (status)
		return status;
	failed = begin(&running, env);
	free(env);
	if (failed)
		status = error_errno(err, failed, "cannot start '%.60s', which has the key", command->argv[0]);
	else
		status = wait_for(&running, err);
	end(&running);
	command->text[command->len] = '\0';
	if (!status)
		status = look_at_end(&running, err);
	secret_wipe(running.said, sizeof running.said);
	return status;
}

void server_command_wipe(struct server_command *command)
{
	secret_wipe(command->text, sizeof command->text);
	command->len = 0;
}
