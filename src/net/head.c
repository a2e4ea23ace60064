#include "net/head.h"

#include <string.h>
#include <strings.h>

#include "base/limits.h"
#include "base/number.h"

/* A wish to be left alone for longer is as good as a refusal. */
static const int64_t LONGEST_MS = (int64_t)366 * 24 * 3600 * 1000;

static void copy(char *out, size_t size, const char *bytes, size_t n)
{
	if (n >= size)
		n = size - 1;
	memcpy(out, bytes, n);
	out[n] = 0;
}

static void begin(struct head *head, struct http_answer *answer)
{
	head->date[0] = head->retry[0] = head->retry_ms[0] = 0;
	answer->type[0] = answer->server[0] = 0;
	answer->head.max = LIMIT_HTTP_HEAD;
	buf_clear(&answer->head);
}

/* A header with a line break or a NUL in it is not one, nor is a name with a blank. */
static void keep(struct buf *out, const char *name, size_t n_name, const char *value, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (value[i] == '\r' || value[i] == '\n' || value[i] == 0)
			return;
	for (size_t i = 0; i < n_name; i++)
		if (name[i] <= ' ' || name[i] == 0x7f)
			return;
	for (size_t i = 0; i < n_name; i++)
		buf_putc(out, name[i] >= 'A' && name[i] <= 'Z' ? (char)(name[i] - 'A' + 'a') : name[i]);
	buf_puts(out, ": ");
	buf_append(out, value, n);
	buf_putc(out, '\n');
}

/* "Text/Event-Stream; charset=utf-8" is "text/event-stream". */
static void set_type(struct http_answer *answer, const char *value, size_t n)
{
	size_t end = 0;

	while (end < n && value[end] != ';' && value[end] != ' ' && value[end] != '\t')
		end++;
	copy(answer->type, sizeof answer->type, value, end);
	for (char *c = answer->type; *c; c++)
		if (*c >= 'A' && *c <= 'Z')
			*c = (char)(*c - 'A' + 'a');
}

static void take_field(struct head *head, struct http_answer *answer, const char *name, size_t n_name,
                       const char *value, size_t n)
{
#define IS(text) (n_name == sizeof(text) - 1 && strncasecmp(name, text, n_name) == 0)
	if (IS("content-type"))
		set_type(answer, value, n);
	else if (IS("server"))
		copy(answer->server, sizeof answer->server, value, n);
	else if (IS("date"))
		copy(head->date, sizeof head->date, value, n);
	else if (IS("retry-after"))
		copy(head->retry, sizeof head->retry, value, n);
	else if (IS("retry-after-ms"))
		copy(head->retry_ms, sizeof head->retry_ms, value, n);
#undef IS
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool head_take(struct head *head, struct http_answer *answer, const char *line, size_t n)
{
	const char *colon = memchr(line, ':', n), *value = colon ? colon + 1 : line, *end = line + n;

	head->n_bytes += n;
	if (head->n_bytes > LIMIT_HTTP_HEAD)
		return false;
	if (n >= 5 && memcmp(line, "HTTP/", 5) == 0) {
		begin(head, answer);
		return true;
	}
	if (!colon)
		return true;
	while (end > value && is_blank(end[-1]))
		end--;
	while (value < end && is_blank(*value))
		value++;
	keep(&answer->head, line, (size_t)(colon - line), value, (size_t)(end - value));
	take_field(head, answer, line, (size_t)(colon - line), value, (size_t)(end - value));
	return true;
}

static int64_t limited(double ms)
{
	if (ms < 0)
		return 0;
	return ms > (double)LONGEST_MS ? LONGEST_MS : (int64_t)ms;
}

int64_t head_retry(const struct head *head, time_t (*parse_date)(const char *text, const time_t *unused))
{
	double value;
	time_t date, now;

	if (number_parse_double(head->retry_ms, &value))
		return limited(value);
	if (number_parse_double(head->retry, &value))
		return limited(value * 1000);
	date = head->retry[0] ? parse_date(head->retry, NULL) : -1;
	if (date == -1)
		return -1;
	now = head->date[0] ? parse_date(head->date, NULL) : -1;
	if (now == -1)
		now = time(NULL);
	return limited(((double)date - (double)now) * 1000);
}
