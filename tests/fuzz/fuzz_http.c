/* What net/ reads itself: the lines of an answer's head, URLs, which redirects bring, too; what a download makes of
 * these; and the masking of a key in what a server says. */
#include <string.h>

#include "base/limits.h"
#include "base/secret.h"
#include "fuzz/fuzz.h"
#include "net/head.h"
#include "pull/fetch_head.h"

static time_t parse_date(const char *text, const time_t *unused)
{
	(void)unused;
	return strlen(text) % 3 ? (time_t)(strlen(text) * 1000) : -1;
}

/* Lines of headers, each with a name in lower case. */
static void check_kept(const struct http_answer *answer)
{
	struct fetch_head head;

	fetch_head_read(&head, answer);
	FUZZ_CHECK(!head.has_range || (head.from < head.to && head.to <= head.size));
	FUZZ_CHECK(strlen(head.version) < sizeof head.version && !strpbrk(head.version, "\r\n\x1b\x7f"));
	for (const char *line = buf_text(&answer->head); *line; line = strchr(line, '\n') + 1) {
		FUZZ_CHECK(strchr(line, '\n') && strstr(line, ": ") && strstr(line, ": ") < strchr(line, '\n'));
		FUZZ_CHECK(*line < 'A' || *line > 'Z');
	}
}

static void read_lines(const char *text, size_t n, struct http_answer *answer)
{
	struct head head = {0};

	for (size_t at = 0, end; at < n; at = end) {
		const char *newline = memchr(text + at, '\n', n - at);

		end = newline ? (size_t)(newline + 1 - text) : n;
		if (!head_take(&head, answer, text + at, end - at)) {
			FUZZ_CHECK(n > LIMIT_HTTP_HEAD);
			return;
		}
	}
	FUZZ_CHECK(head.n_bytes == n);
	FUZZ_CHECK(strlen(answer->type) < sizeof answer->type && strlen(answer->server) < sizeof answer->server);
	FUZZ_CHECK(head_retry(&head, parse_date) >= -1);
}

static void read_head(const char *text, size_t n)
{
	struct http_answer answer = {0};

	read_lines(text, n, &answer);
	check_kept(&answer);
	http_answer_free(&answer);
}

static void split_url(const char *text)
{
	char *base, *path;

	if (http_split_url(text, &base, &path, NULL) != STATUS_OK) {
		FUZZ_CHECK(!base && !path);
		return;
	}
	FUZZ_CHECK(http_check_url(base, NULL) == STATUS_OK && *path == '/' && http_is_same_server(base, base));
	free(base);
	free(path);
}

static void read_url(const char *text)
{
	struct error err = {.text = ""};
	char host[512];

	if (http_check_url(text, &err) != STATUS_OK) {
		FUZZ_CHECK(err.status == STATUS_USAGE && err.text[0]);
		FUZZ_CHECK(http_host(text, host, sizeof host) == HTTP_FAR && !*host);
		return;
	}
	http_host(text, host, sizeof host);
	FUZZ_CHECK(*host);
	for (const char *c = host; *c; c++)
		FUZZ_CHECK((unsigned char)*c >= 0x20 && *c != 0x7f);
}

/* The first line is the key, the rest what a server says. */
static void mask(char *text, size_t n)
{
	size_t n_key = strcspn(text, "\n");
	struct secret *key;
	char *rest = text + n_key + (n_key < n);

	if (n_key > 64 || secret_create(&key, text, n_key, NULL) != STATUS_OK)
		return;
	n = strlen(rest);
	secret_mask(key, rest);
	FUZZ_CHECK(strlen(rest) <= n);
	if (!strpbrk(secret_text(key), "[]") && n_key >= 8) /* else it may begin or end in the mask */
		for (size_t i = 0; i + 8 <= strlen(rest); i++)
			for (size_t at = 0; at + 8 <= n_key; at++)
				FUZZ_CHECK(memcmp(rest + i, secret_text(key) + at, 8) != 0);
	secret_free(key);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text;

	if (size > KIB(4)) /* masking takes its time */
		return 0;
	text = malloc(size + 1);
	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = 0;
	read_head(text, size);
	read_url(text);
	split_url(text);
	mask(text, size);
	free(text);
	return 0;
}
