#include "base/secret.h"

#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "base/sanitize.h"

struct secret {
	size_t n; /* bytes of the text, without the NUL */
	char text[SECRET_MAX + 1];
};

/* A part of the key that is this long gives it away. */
enum { TELLING = 8 };

/* From now on there is no core file, and nobody else's debugger may look in. */
static void forbid_core(void)
{
#ifdef __linux__
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
}

/* Whole pages of their own, so that locking and leaving out touch nothing else. Where the system refuses to
 * lock them (a small RLIMIT_MEMLOCK) they might be swapped out: no reason to do without the server. */
static struct secret *map_pages(void)
{
	struct secret *secret = mmap(NULL, sizeof *secret, PROT_READ | PROT_WRITE,
	                             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (secret == MAP_FAILED)
		return NULL;
	(void)mlock(secret, sizeof *secret);
#ifdef MADV_DONTDUMP
	(void)madvise(secret, sizeof *secret, MADV_DONTDUMP);
#endif
	return secret;
}

enum status secret_create(struct secret **out, const char *bytes, size_t n, struct error *err)
{
	struct secret *secret;

	*out = NULL;
	if (n == 0)
		return error_set(err, STATUS_FORMAT, "the key is empty");
	if (n > SECRET_MAX)
		return error_set(err, STATUS_LIMIT, "the key is longer than %d bytes", SECRET_MAX);
	if (sanitize_has_controls(bytes, n))
		return error_set(err, STATUS_FORMAT, "the key has control characters");
	secret = map_pages();
	if (!secret)
		return error_no_memory(err, "for a key");
	forbid_core();
	memcpy(secret->text, bytes, n);
	secret->text[n] = 0;
	secret->n = n;
	*out = secret;
	return STATUS_OK;
}

void secret_free(struct secret *secret)
{
	if (!secret)
		return;
	secret_wipe(secret, sizeof *secret);
	munmap(secret, sizeof *secret);
}

const char *secret_text(const struct secret *secret)
{
	return secret->text;
}

void secret_wipe(void *bytes, size_t n)
{
	if (bytes)
		explicit_bzero(bytes, n);
}

/* How many bytes at the beginning of the text are somewhere in the key, in a row. */
static size_t match_key(const struct secret *secret, const char *text)
{
	size_t best = 0;

	for (size_t at = 0; at < secret->n; at++) {
		size_t n = 0;

		while (at + n < secret->n && text[n] == secret->text[at + n])
			n++;
		if (n > best)
			best = n;
	}
	return best;
}

/* What stands in the place of n bytes; how long it is. */
static size_t put_mask(char *at, size_t n)
{
	static const char mask[] = "[key]";

	if (n < sizeof mask - 1) {
		memset(at, '*', n);
		return n;
	}
	memcpy(at, mask, sizeof mask - 1);
	return sizeof mask - 1;
}

void secret_mask(const struct secret *secret, char *text)
{
	size_t least, to = 0;

	if (!secret)
		return;
	least = secret->n < TELLING ? secret->n : TELLING;
	for (size_t from = 0; text[from];) {
		size_t n = match_key(secret, text + from);

		if (n >= least) {
			to += put_mask(text + to, n);
			from += n;
		} else {
			text[to++] = text[from++];
		}
	}
	text[to] = 0;
}
