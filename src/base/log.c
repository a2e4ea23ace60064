#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/io.h"
#include "base/limits.h"
#include "base/sanitize.h"
#include "base/sys.h"

enum {
	TEXT_BIT = 1 << LOG_SUBJECTS,
	ALL_SUBJECTS = TEXT_BIT - 1,
	LINE_MAX_BYTES = 2048,
};

static const char *const names[] = {[LOG_ENGINE] = "engine", [LOG_CACHE] = "cache", [LOG_SAMPLER] = "sampler",
                                    [LOG_TEMPLATE] = "template", [LOG_UI] = "ui"};

struct log {
	_Atomic unsigned wants; /* bits of subjects, and TEXT_BIT */
	uint64_t begun_ms;
	pthread_mutex_t lock;   /* of what follows, and of a line's writing */
	int fd;                 /* -1: standard error */
	char *path;             /* owned; NULL: nothing has been opened */
	char *usual;            /* owned: the file where none is named; NULL: standard error */
};

enum status log_create(struct log **out, const char *file, struct error *err)
{
	struct log *log = alloc_array(1, sizeof *log);

	*out = log;
	if (!log)
		return error_no_memory(err, "for the log");
	log->fd = -1;
	log->begun_ms = sys_now_ms();
	if (file)
		log->usual = alloc_strndup(file, strlen(file));
	if ((!file || log->usual) && pthread_mutex_init(&log->lock, NULL) == 0)
		return STATUS_OK;
	free(log->usual);
	free(log);
	*out = NULL;
	return error_no_memory(err, "for the log");
}

static void close_file(struct log *log)
{
	if (log->fd >= 0)
		io_system.close(log->fd);
	log->fd = -1;
	free(log->path);
	log->path = NULL;
}

void log_free(struct log *log)
{
	if (!log)
		return;
	close_file(log);
	free(log->usual);
	pthread_mutex_destroy(&log->lock);
	free(log);
}

/* ---- what is logged ---- */

/* The bits of a word; 0: it is none. */
static unsigned word_bits(const char *word, size_t len)
{
	if (len == 3 && memcmp(word, "all", 3) == 0)
		return ALL_SUBJECTS;
	if (len == 4 && memcmp(word, "text", 4) == 0)
		return TEXT_BIT;
	for (size_t i = 0; i < LOG_SUBJECTS; i++)
		if (strlen(names[i]) == len && memcmp(word, names[i], len) == 0)
			return 1u << i;
	return 0;
}

/* *file is what follows "=", or NULL. */
static enum status read_words(const char *words, unsigned *wants, const char **file, struct error *err)
{
	size_t len = strcspn(words, "=");

	*file = words[len] ? words + len + 1 : NULL;
	*wants = 0;
	if (*file && !**file)
		return error_set(err, STATUS_USAGE, "there is no file's name after '='");
	if (!*file && strcmp(words, "off") == 0)
		return STATUS_OK;
	for (const char *at = words, *end = words + len;; at++) {
		size_t n = strcspn(at, ",=");
		unsigned bits = word_bits(at, n);

		if (!bits)
			return error_set(err, STATUS_USAGE, "found '%.*s', expected engine, cache, sampler, template, ui, text "
			                 "or all, several with commas between them, or off", n < 40 ? (int)n : 40, at);
		*wants |= bits;
		at += n;
		if (at >= end)
			return STATUS_OK;
	}
}

enum status log_check(const char *words, struct error *err)
{
	const char *file;
	unsigned wants;

	return read_words(words, &wants, &file, err);
}

/* Whether the file has something else than lines of a log: a chat, say. */
static bool is_foreign(const char *path)
{
	char text[32], word[16];
	ssize_t n;
	struct stat st;
	int fd;

	if (io_system.stat(path, &st) != 0 || !S_ISREG(st.st_mode) ||
	    io_open(&io_system, path, O_RDONLY | O_NONBLOCK | O_CLOEXEC, 0, &fd))
		return false;
	n = io_system.read(fd, text, sizeof text - 1);
	io_close(&io_system, fd);
	text[n > 0 ? n : 0] = '\0';
	return n > 0 && !(sscanf(text, "%*[ 0-9].%*3[0-9] %15[a-z]", word) == 1 && word_bits(word, strlen(word)));
}

/* Makes the file of that name the one that is written. Nobody is waited for who is to read it. */
static enum status open_file(struct log *log, const char *path, struct error *err)
{
	char *copy;
	int fd = -1, errnum;

	if (is_foreign(path))
		return error_set(err, STATUS_USAGE, "%s is there already and is no log: name another file", path);
	copy = alloc_strndup(path, strlen(path));
	if (!copy)
		return error_no_memory(err, "for the log");
	errnum = io_open(&io_system, path, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0600, &fd);
	if (errnum) {
		free(copy);
		return error_set(err, STATUS_IO, "cannot write the log %s: %s", path,
		                 errnum == ENXIO ? "nobody reads that pipe" : strerror(errnum));
	}
	pthread_mutex_lock(&log->lock);
	close_file(log);
	log->fd = fd;
	log->path = copy;
	pthread_mutex_unlock(&log->lock);
	return STATUS_OK;
}

/* The folder of the file where none is named; what fails is told when the file is opened. */
static void make_folder(const struct log *log)
{
	const char *slash = strrchr(log->usual, '/');
	char *folder = slash ? alloc_strndup(log->usual, (size_t)(slash - log->usual)) : NULL;

	if (folder && folder[0])
		(void)io_make_dirs(&io_system, folder);
	free(folder);
}

enum status log_use(struct log *log, const char *words, struct error *err)
{
	const char *file;
	unsigned wants, text = atomic_load(&log->wants) & TEXT_BIT;
	enum status status = read_words(words, &wants, &file, err);

	if (status)
		return status;
	if (!file && !log->path && wants && log->usual) {
		file = log->usual;
		make_folder(log);
	}
	if (file && wants && (!log->path || strcmp(log->path, file) != 0))
		status = open_file(log, file, err);
	if (status)
		return status;
	if (wants) /* where nothing is logged, text is neither */
		wants |= text;
	atomic_store(&log->wants, wants);
	return STATUS_OK;
}

void log_set_text(struct log *log, bool on)
{
	if (on)
		atomic_fetch_or(&log->wants, TEXT_BIT);
	else
		atomic_fetch_and(&log->wants, ~(unsigned)TEXT_BIT);
}

bool log_has(const struct log *log, enum log_subject subject)
{
	return log && atomic_load_explicit(&log->wants, memory_order_relaxed) & 1u << subject;
}

bool log_has_text(const struct log *log)
{
	return log && atomic_load_explicit(&log->wants, memory_order_relaxed) & TEXT_BIT;
}

/* ---- lines ---- */

/* Foreign bytes may be in it: the log may be a terminal, or be shown on one. */
static void write_line(struct log *log, enum log_subject subject, const char *text, size_t len)
{
	uint64_t ms = sys_now_ms() - log->begun_ms;
	struct buf line = {.max = KIB(16)};
	size_t done;

	buf_printf(&line, "%6llu.%03llu %-8s ", (unsigned long long)(ms / 1000), (unsigned long long)(ms % 1000), names[subject]);
	sanitize_line(&line, text, len);
	buf_putc(&line, '\n');
	if (!buf_status(&line)) {
		pthread_mutex_lock(&log->lock);
		(void)io_write_all(&io_system, log->fd >= 0 ? log->fd : STDERR_FILENO, buf_text(&line), line.len, &done);
		pthread_mutex_unlock(&log->lock);
	}
	buf_free(&line);
}

void log_line(struct log *log, enum log_subject subject, const char *fmt, ...)
{
	char text[LINE_MAX_BYTES];
	va_list args;

	if (!log_has(log, subject))
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	write_line(log, subject, text, strlen(text));
}

void log_text(struct log *log, enum log_subject subject, const char *label, const char *text, size_t len)
{
	if (!log_has(log, subject) || !log_has_text(log))
		return;
	for (size_t at = 0; at < len;) {
		const char *end = memchr(text + at, '\n', len - at);
		size_t n = end ? (size_t)(end - text) - at : len - at;

		log_line(log, subject, "%s| %.*s", label, n < LINE_MAX_BYTES ? (int)n : LINE_MAX_BYTES, text + at);
		at += n + 1;
	}
}

enum status log_describe(struct log *log, struct buf *out)
{
	unsigned wants = atomic_load(&log->wants);
	const char *comma = "";

	if (!(wants & ALL_SUBJECTS))
		return buf_puts(out, "nothing");
	for (size_t i = 0; i < LOG_SUBJECTS; i++)
		if (wants & 1u << i) {
			buf_printf(out, "%s%s", comma, names[i]);
			comma = ", ";
		}
	if (wants & TEXT_BIT)
		buf_puts(out, " and the text of the chat");
	pthread_mutex_lock(&log->lock);
	buf_printf(out, "; to %s", log->path ? log->path : "standard error");
	pthread_mutex_unlock(&log->lock);
	return buf_status(out);
}
