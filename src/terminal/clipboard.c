#include "terminal/clipboard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/sys.h"
#include "base/words.h"
#include "terminal/child.h"
#include "terminal/osc.h"

enum {
	STALL_MS = 2000, /* a program that takes nothing for so long is given up */
	SERVE_MS = 500,  /* one that has the whole text, and does not end, serves it */
	LEAVE_MS = 1000,
	WORDS_MAX = 16,
};

/* Programs that know a clipboard, in the order in which they are tried. */
static const struct {
	const char *const words[5]; /* the program and its arguments, NULL */
	const char *needs;          /* a variable that says where the clipboard is; NULL: none does */
	bool far;                   /* over ssh, too, it is the user's and not the other machine's */
} ways[] = {
	/* With a type, so that wl-copy does not guess one from the text. */
	{{"wl-copy", "--type", "text/plain"}, "WAYLAND_DISPLAY", false},
	{{"xclip", "-in", "-selection", "clipboard"}, "DISPLAY", true},
	{{"xsel", "--input", "--clipboard"}, "DISPLAY", true},
	{{"pbcopy"}, NULL, false},
	/* It tells its terminals itself, and needs no option set for that. */
	{{"tmux", "load-buffer", "-w", "-"}, "TMUX", true},
};
enum { N_WAYS = sizeof ways / sizeof ways[0] };

/* An X display at the other end of ssh is called localhost:10.0; any other is the machine's. */
static bool is_forwarded(void)
{
	const char *display = getenv("DISPLAY");

	return display && strncmp(display, "localhost:", 10) == 0;
}

static bool is_there(size_t way)
{
	if (ways[way].needs && !sys_variable(ways[way].needs))
		return false;
	if (!sys_variable("SSH_CONNECTION"))
		return true;
	return ways[way].far && (strcmp(ways[way].needs, "DISPLAY") != 0 || is_forwarded());
}

static void close_pipe(struct clipboard *clipboard)
{
	if (clipboard->fd >= 0)
		close(clipboard->fd);
	clipboard->fd = -1;
}

static void forget_text(struct clipboard *clipboard)
{
	close_pipe(clipboard);
	free(clipboard->text);
	clipboard->text = NULL;
	clipboard->pid = 0;
}

/* Gives the program what it takes now. */
static void feed(struct clipboard *clipboard, uint64_t now_ms)
{
	while (clipboard->fd >= 0 && clipboard->done < clipboard->len) {
		ssize_t n = write(clipboard->fd, clipboard->text + clipboard->done,
		                  clipboard->len - clipboard->done);

		if (n > 0) {
			clipboard->done += (size_t)n;
			clipboard->deadline = now_ms + STALL_MS;
		} else if (n < 0 && errno == EAGAIN) {
			return;
		} else if (n == 0 || errno != EINTR) { /* it has closed its end */
			close_pipe(clipboard);
			clipboard->deadline = now_ms + SERVE_MS;
		}
	}
	if (clipboard->fd >= 0) {
		close_pipe(clipboard);
		clipboard->deadline = now_ms + SERVE_MS;
	}
}

/* Silent: what the program says would be written over the screen. */
static int start(struct clipboard *clipboard, char *const argv[])
{
	const char *slash = strrchr(argv[0], '/');
	int ends[2], failed;

	if (pipe(ends) != 0)
		return errno;
	for (int i = 0; i < 2; i++)
		fcntl(ends[i], F_SETFD, FD_CLOEXEC);
	fcntl(ends[1], F_SETFL, O_NONBLOCK);
	failed = child_spawn(&clipboard->pid, argv, clipboard->servers, ends[0], CHILD_NULL, CHILD_NULL);
	close(ends[0]);
	clipboard->fd = ends[1];
	if (failed) {
		close_pipe(clipboard);
		return failed;
	}
	snprintf(clipboard->by, sizeof clipboard->by, "%s", slash ? slash + 1 : argv[0]);
	clipboard->done = 0;
	clipboard->deadline = sys_now_ms() + STALL_MS;
	feed(clipboard, sys_now_ms());
	return 0;
}

/* In tmux both forms go out: which of them gets through depends on its options, set-clipboard and
 * allow-passthrough. */
static enum status to_terminal(struct clipboard *clipboard, struct term *term, struct error *err)
{
	const char *type = sys_variable("TERM");
	enum osc_wrapper wrapper = osc_wrapper_here();
	enum status status = STATUS_OK;
	struct buf bytes = {.max = 4 * LIMIT_OSC52};

	if (term_is_dumb() || strcmp(type, "linux") == 0)
		return error_set(err, STATUS_UNSUPPORTED, "there is no clipboard: a terminal of type %s has "
		                 "none, and no program for one was found; /write writes to a file",
		                 type ? type : "unknown");
	if (clipboard->len > LIMIT_OSC52)
		return error_set(err, STATUS_LIMIT, "%zu bytes are too many for the terminal's clipboard, "
		                 "which takes %zu at the most; /write writes to a file", clipboard->len, (size_t)LIMIT_OSC52);
	if (wrapper != OSC_SCREEN)
		osc_put_clipboard(&bytes, OSC_DIRECT, clipboard->text, clipboard->len);
	if (wrapper != OSC_DIRECT)
		osc_put_clipboard(&bytes, wrapper, clipboard->text, clipboard->len);
	if (buf_status(&bytes))
		status = error_no_memory(err, "to copy");
	else if (!term_send(term, bytes.data, bytes.len))
		status = error_set(err, STATUS_IO, "the terminal did not take the text");
	buf_free(&bytes);
	snprintf(clipboard->by, sizeof clipboard->by, "the terminal (OSC 52%s)",
	         wrapper == OSC_TMUX ? ", tmux" : wrapper == OSC_SCREEN ? ", screen" : "");
	clipboard->unsure = clipboard->len > OSC_CLIPBOARD_SURE;
	return status;
}

/* The next program that can be started, or the terminal. */
static enum status try_ways(struct clipboard *clipboard, struct term *term, struct error *err)
{
	enum status status;

	while (clipboard->next < N_WAYS) {
		size_t way = clipboard->next++;
		/* posix_spawn changes none of the words */
		char *const *argv = (char *const *)(uintptr_t)ways[way].words;

		if (is_there(way) && start(clipboard, argv) == 0)
			return STATUS_OK;
	}
	status = to_terminal(clipboard, term, err);
	forget_text(clipboard);
	return status;
}

/* The words of the program that the user named; *n of them are to be freed, also after an error. */
static enum status take_words(const char *how, char *argv[WORDS_MAX + 1], size_t *n, struct error *err)
{
	enum status status = STATUS_OK;
	size_t left = strlen(how);
	bool found = true;
	struct buf word = {.max = KIB(8)};

	*n = 0;
	while (!status && found) {
		status = words_next(&how, &left, &word, &found, err);
		if (status || !found)
			break;
		if (*n == WORDS_MAX)
			status = error_set(err, STATUS_USAGE, "more than %d words", WORDS_MAX);
		else if (!(argv[(*n)++] = alloc_strndup(buf_text(&word), word.len)))
			status = error_no_memory(err, "to copy");
	}
	buf_free(&word);
	if (!status && !*n)
		status = error_set(err, STATUS_USAGE, "names no program");
	return status;
}

static enum status try_chosen(struct clipboard *clipboard, const char *how, struct error *err)
{
	char *argv[WORDS_MAX + 1] = {0};
	size_t n;
	enum status status = take_words(how, argv, &n, err);
	int failed;

	if (status)
		error_prefix(err, "copy");
	else if ((failed = start(clipboard, argv)))
		status = error_errno(err, failed, "cannot start '%.64s' to copy", argv[0]);
	while (n)
		free(argv[--n]);
	return status;
}

/* Whether there is a program of that name, where the system would look for it. */
static bool is_program(const char *name)
{
	const char *folders = strchr(name, '/') ? "" : getenv("PATH");
	bool is_there = false;
	struct stat st;
	struct buf path = {.max = KIB(8)};

	while (folders && !is_there) {
		size_t len = strcspn(folders, ":");

		buf_clear(&path);
		buf_append(&path, folders, len);
		buf_printf(&path, "%s%s", len ? "/" : "", name);
		is_there = !buf_status(&path) && stat(buf_text(&path), &st) == 0 && S_ISREG(st.st_mode) &&
		           access(buf_text(&path), X_OK) == 0;
		folders = folders[len] ? folders + len + 1 : NULL;
	}
	buf_free(&path);
	return is_there;
}

static bool names_program(const char *how)
{
	return how && how[0] && strcmp(how, "auto") != 0 && strcmp(how, "osc52") != 0;
}

enum status clipboard_check(const char *how, struct error *err)
{
	char *argv[WORDS_MAX + 1] = {0};
	enum status status;
	size_t n;

	if (!names_program(how))
		return STATUS_OK;
	status = take_words(how, argv, &n, err);
	if (!status && !is_program(argv[0]))
		status = error_set(err, STATUS_USAGE, "there is no program '%.64s'", argv[0]);
	while (n)
		free(argv[--n]);
	return status;
}

enum status clipboard_copy(struct clipboard *clipboard, struct term *term, const char *how,
                           char *text, size_t len, struct error *err)
{
	enum status status;

	if (clipboard_is_copying(clipboard)) {
		kill(clipboard->pid, SIGTERM);
		clipboard->left_behind = clipboard->pid;
		forget_text(clipboard);
	}
	clipboard->text = text;
	clipboard->len = len;
	clipboard->fd = -1;
	clipboard->unsure = false;
	clipboard->chosen = names_program(how);
	clipboard->next = how && strcmp(how, "osc52") == 0 ? N_WAYS : 0;
	if (!clipboard->chosen)
		return try_ways(clipboard, term, err);
	status = try_chosen(clipboard, how, err);
	if (status)
		forget_text(clipboard);
	return status;
}

bool clipboard_is_copying(const struct clipboard *clipboard)
{
	return clipboard->text != NULL;
}

int clipboard_fd(const struct clipboard *clipboard)
{
	return clipboard_is_copying(clipboard) ? clipboard->fd : -1;
}

uint64_t clipboard_deadline(const struct clipboard *clipboard)
{
	return clipboard_is_copying(clipboard) ? clipboard->deadline : UINT64_MAX;
}

/* Whether the program is done, well or badly. */
static bool has_ended(struct clipboard *clipboard, uint64_t now_ms, bool *well)
{
	bool has_all = clipboard->done == clipboard->len;
	int state;
	pid_t pid = waitpid(clipboard->pid, &state, WNOHANG);

	*well = false;
	if (pid < 0 && errno != EINTR)
		return true;
	if (pid > 0) {
		*well = has_all && WIFEXITED(state) && WEXITSTATUS(state) == 0;
		return true;
	}
	if (now_ms < clipboard->deadline)
		return false;
	clipboard->left_behind = clipboard->pid;
	*well = has_all;
	if (!has_all)
		kill(clipboard->pid, SIGTERM);
	return true;
}

bool clipboard_step(struct clipboard *clipboard, struct term *term, uint64_t now_ms,
                    struct error *err)
{
	bool well;

	if (clipboard->left_behind && waitpid(clipboard->left_behind, NULL, WNOHANG) != 0)
		clipboard->left_behind = 0;
	if (!clipboard_is_copying(clipboard))
		return false;
	feed(clipboard, now_ms);
	if (!has_ended(clipboard, now_ms, &well))
		return false;
	err->status = STATUS_OK;
	close_pipe(clipboard);
	if (!well && !clipboard->chosen) {
		if (try_ways(clipboard, term, err) == STATUS_OK && clipboard_is_copying(clipboard))
			return false;
		return true;
	}
	forget_text(clipboard);
	if (!well)
		error_set(err, STATUS_IO, "'%s' failed: the text was not copied", clipboard->by);
	return true;
}

void clipboard_deinit(struct clipboard *clipboard)
{
	uint64_t end = sys_now_ms() + LEAVE_MS;

	while (clipboard_fd(clipboard) >= 0) {
		struct pollfd fd = {.fd = clipboard->fd, .events = POLLOUT};
		uint64_t now = sys_now_ms();

		if (now >= end || (poll(&fd, 1, (int)(end - now)) < 0 && errno != EINTR))
			break;
		feed(clipboard, now);
	}
	forget_text(clipboard);
}
