#include "terminal/opener.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>

#include "base/buf.h"
#include "base/limits.h"
#include "terminal/child.h"

enum { WORDS_MAX = 32 };

bool opener_takes(const char *address)
{
	static const char *const kinds[] = {"http://", "https://", "mailto:"};
	bool takes = false;

	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		takes |= strncasecmp(address, kinds[i], strlen(kinds[i])) == 0 && address[strlen(kinds[i])];
	for (const char *c = address; *c; c++)
		takes &= (unsigned char)*c > ' ' && *c != 0x7F;
	return takes;
}

/* The word with the address for each %s; *found: there was one. */
static char *fill_in(const char *word, size_t n, const char *address, bool *found)
{
	struct buf out = {.max = LIMIT_MESSAGE};

	for (size_t i = 0; i < n; i++) {
		if (word[i] == '%' && i + 1 < n && word[i + 1] == 's') {
			buf_puts(&out, address);
			*found = true;
			i++;
		} else {
			buf_putc(&out, word[i]);
		}
	}
	return buf_take(&out, NULL);
}

/* A program with its arguments, as words: "firefox --new-tab %s". Without %s the address comes last. */
static int start(struct opener *opener, const char *words, size_t len, const char *address)
{
	char *argv[WORDS_MAX + 2] = {NULL};
	bool found = false;
	size_t n = 0;
	int failed = ENOENT;

	for (size_t at = 0, end; at < len && n < WORDS_MAX; at = end + 1) {
		for (end = at; end < len && words[end] != ' '; end++)
			;
		if (end > at && !(argv[n++] = fill_in(words + at, end - at, address, &found)))
			failed = ENOMEM;
	}
	if (n && !found && !(argv[n++] = strdup(address)))
		failed = ENOMEM;
	if (n && failed != ENOMEM) {
		const char *slash = strrchr(argv[0], '/');

		/* Silent, and without our terminal's keys. */
		failed = child_spawn(&opener->pid, argv, opener->servers, CHILD_NULL, CHILD_NULL, CHILD_NULL);
		snprintf(opener->by, sizeof opener->by, "%s", slash ? slash + 1 : argv[0]);
	}
	for (size_t i = 0; i < n; i++)
		free(argv[i]);
	return failed;
}

enum status opener_open(struct opener *opener, const char *address, struct error *err)
{
	static const char *const others[] = {"xdg-open", "open"};
	const char *browsers = getenv("BROWSER");

	if (!opener_takes(address))
		return error_set(err, STATUS_UNSUPPORTED, "only http, https and mailto links are opened");
	if (opener->pid)
		waitpid(opener->pid, NULL, WNOHANG);
	while (browsers && *browsers) {
		size_t len = strcspn(browsers, ":");

		if (start(opener, browsers, len, address) == 0)
			return STATUS_OK;
		browsers += len + (browsers[len] == ':');
	}
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		if (start(opener, others[i], strlen(others[i]), address) == 0)
			return STATUS_OK;
	return error_set(err, STATUS_NOTFOUND, "no program to open links with: set $BROWSER, or install "
	                 "xdg-utils");
}

bool opener_has_failed(struct opener *opener, struct error *err)
{
	int status;

	if (!opener->pid || waitpid(opener->pid, &status, WNOHANG) != opener->pid)
		return false;
	opener->pid = 0;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return false;
	error_set(err, STATUS_IO, "%s could not open it (%s %d)", opener->by,
	          WIFEXITED(status) ? "exit status" : "signal",
	          WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
	return true;
}
