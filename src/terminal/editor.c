#include "terminal/editor.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/io.h"
#include "base/limits.h"
#include "base/sys.h"
#include "base/utf8.h"
#include "terminal/child.h"
#include "terminal/signals.h"

static enum status write_draft(struct editor *editor, const char *text, size_t len,
                               struct error *err)
{
	const char *dir = getenv("XDG_RUNTIME_DIR");
	struct buf path = {.max = KIB(8)};
	enum status status;
	int fd, failed, closed;
	size_t done;

	if (!dir || dir[0] != '/')
		dir = getenv("TMPDIR");
	if (!dir || dir[0] != '/')
		dir = "/tmp";
	buf_printf(&path, "%s/sotto-XXXXXX.md", dir);
	editor->path = buf_take(&path, NULL);
	if (!editor->path)
		return error_no_memory(err, NULL);
	fd = mkostemps(editor->path, 3, O_CLOEXEC); /* 0600 */
	if (fd < 0) {
		status = error_errno(err, errno, "%s: cannot write the draft", editor->path);
		free(editor->path);
		editor->path = NULL;
		return status;
	}
	failed = io_write_all(&io_system, fd, text, len, &done);
	if (!failed && len && text[len - 1] != '\n')
		failed = io_write_all(&io_system, fd, "\n", 1, &done);
	closed = io_close(&io_system, fd);
	if (!failed)
		failed = closed;
	if (failed)
		return error_errno(err, failed, "%s: cannot write the draft", editor->path);
	return STATUS_OK;
}

static void forget_draft(struct editor *editor)
{
	if (editor->path)
		unlink(editor->path);
	free(editor->path);
	editor->path = NULL;
	editor->pid = 0;
}

/* The terminal's foreground group; a background process may set it only
 * while SIGTTOU is blocked. */
static void set_foreground(pid_t group)
{
	sigset_t block, before;

	sigemptyset(&block);
	sigaddset(&block, SIGTTOU);
	pthread_sigmask(SIG_BLOCK, &block, &before);
	tcsetpgrp(STDIN_FILENO, group);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

enum status editor_start(struct editor *editor, struct term *term, const char *text, size_t len,
                         struct error *err)
{
	const char *program = sys_variable("VISUAL");
	struct buf command = {.max = KIB(64)};
	enum status status;
	char shell[] = "/bin/sh", option[] = "-c", name[] = "sotto";
	char *argv[] = {shell, option, NULL, name, NULL, NULL};
	int failed;

	if (editor->pid)
		return error_set(err, STATUS_BUSY, "the editor is already open");
	if (!program)
		program = sys_variable("EDITOR");
	if (!program)
		program = "vi";
	status = write_draft(editor, text, len, err);
	if (status) {
		forget_draft(editor);
		return status;
	}
	/* The variable may contain arguments; the file's name is passed as one, not pasted in. */
	buf_printf(&command, "exec %s \"$@\"", program);
	argv[2] = buf_take(&command, NULL);
	argv[4] = editor->path;
	if (!argv[2]) {
		forget_draft(editor);
		return error_no_memory(err, NULL);
	}
	term_leave(term);
	failed = child_spawn(&editor->pid, argv, editor->servers, STDIN_FILENO, STDOUT_FILENO, term_stderr(term));
	free(argv[2]);
	if (failed) {
		term_return(term);
		forget_draft(editor);
		return error_errno(err, failed, "cannot start the editor '%.64s'", program);
	}
	set_foreground(editor->pid);
	return STATUS_OK;
}

bool editor_check(struct editor *editor, struct term *term, char **text, size_t *len,
                  struct error *err)
{
	int state;
	pid_t pid;

	*text = NULL;
	if (!editor->pid)
		return false;
	pid = waitpid(editor->pid, &state, WNOHANG | WUNTRACED);
	if (pid == 0 || (pid < 0 && errno == EINTR))
		return false;
	if (pid > 0 && WIFSTOPPED(state)) {
		/* If it stopped because it used the terminal before it was in the foreground, it
		 * only has to be continued. If the user stopped it, we stop too. */
		if (WSTOPSIG(state) != SIGTTOU && WSTOPSIG(state) != SIGTTIN) {
			set_foreground(getpgrp());
			signals_stop_self();
		}
		set_foreground(editor->pid);
		kill(-editor->pid, SIGCONT);
		return false;
	}
	set_foreground(getpgrp());
	term_return(term);
	if (pid < 0 || !WIFEXITED(state) || WEXITSTATUS(state) != 0) {
		error_set(err, STATUS_CANCELLED, "the editor ended with an error: the draft is unchanged");
	} else if (sys_read_file(editor->path, LIMIT_MESSAGE, text, len, err) == STATUS_OK) {
		size_t mark = utf8_mark_len(*text, *len); /* editors add this, and newlines */

		*len -= mark;
		memmove(*text, *text + mark, *len);
		while (*len && (*text)[*len - 1] == '\n')
			--*len;
	} else { /* too long, usually: the text stays in the file that the error names */
		free(editor->path);
		editor->path = NULL;
	}
	forget_draft(editor);
	return true;
}

void editor_kill(struct editor *editor, int signal)
{
	if (!editor->pid)
		return;
	kill(-editor->pid, signal);
	kill(-editor->pid, SIGCONT);
	forget_draft(editor);
}
