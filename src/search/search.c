#include "search/search.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/sys.h"
#include "base/text_find.h"
#include "base/utf8.h"

enum { LINE_BEFORE = 40, LINE_BYTES = 240 };

struct chat_search {
	const struct buf *folded;
	struct search_hit hit;
	char line[LINE_BYTES];
	bool found;
};

size_t search_line(const char *text, size_t len, size_t start, size_t end, size_t max, size_t *n)
{
	size_t from = start, to = start;

	while (from && text[from - 1] != '\n' && start - from < LINE_BEFORE)
		from--;
	if (from && text[from - 1] != '\n') { /* not within a word, if there is another one */
		const char *blank = memchr(text + from, ' ', start - from);

		from = blank ? (size_t)(blank - text) + 1 : from;
	}
	while (((unsigned char)text[from] & 0xC0) == 0x80) /* nor within a character */
		from++;
	while (to < len && text[to] != '\n')
		to++;
	to = to < end ? end : to;
	*n = utf8_cut(text + from, to - from, max);
	return from;
}

static void cut_line(struct chat_search *search, const struct journal_text *text, size_t start,
                     size_t end)
{
	size_t most, from = search_line(text->text, text->len, start, end, LINE_BYTES, &most);

	memcpy(search->line, text->text + from, most);
	search->hit.line = search->line;
	search->hit.len = most;
	search->hit.from = start - from;
	search->hit.to = end - from < most ? end - from : most;
	search->hit.role = text->role;
}

/* A journal_text_fn: the first place is enough. */
static bool look(const struct journal_text *text, void *context)
{
	struct chat_search *search = context;
	size_t start, end;

	search->found = text_find(search->folded, text->text, text->len, 0, &start, &end);
	if (search->found)
		cut_line(search, text, start, end);
	return !search->found;
}

static bool read_part(int fd, const struct index_part *part, char *bytes)
{
	int64_t done = 0;

	while (done < part->len) {
		ssize_t n = pread(fd, bytes + done, (size_t)(part->len - done), part->at + done);

		if (n <= 0)
			return false;
		done += n;
	}
	return true;
}

static void look_in_parts(struct chat_search *search, const char *path,
                          const struct index_answer *answer, size_t first)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	for (size_t i = first; fd >= 0 && i && !search->found; i = answer->parts[i - 1].next) {
		const struct index_part *part = &answer->parts[i - 1];
		char *bytes = part->len > 0 && part->len <= (int64_t)LIMIT_TRANSCRIPT
		                      ? malloc((size_t)part->len) : NULL;

		if (bytes && read_part(fd, part, bytes))
			journal_texts(bytes, (size_t)part->len, look, search);
		free(bytes);
	}
	if (fd >= 0)
		close(fd);
}

static void look_in_file(struct chat_search *search, const char *path)
{
	char *bytes;
	size_t len;

	if (sys_read_file(path, LIMIT_TRANSCRIPT, &bytes, &len, NULL))
		return;
	journal_texts(bytes, len, look, search);
	free(bytes);
}

static bool look_in_chat(struct chat_search *search, const struct journal_entry *entry,
                         size_t number, const struct index_answer *answer)
{
	size_t start, end;

	search->hit = (struct search_hit){.entry = number};
	search->found = false;
	if (!answer->chats || !answer->chats[number].is_known)
		look_in_file(search, entry->path);
	else if (answer->chats[number].first)
		look_in_parts(search, entry->path, answer, answer->chats[number].first);
	if (search->found)
		return true;
	search->hit.in_title = entry->title &&
	                       text_find(search->folded, entry->title, strlen(entry->title), 0, &start, &end);
	return search->hit.in_title;
}

enum status search_chats(struct index *index, const struct journal_entry *entries, size_t n,
                         const char *text, size_t len, const struct search_use *use, struct error *err)
{
	struct index_answer answer = {.n_parts = 0};
	struct buf folded = {.max = LIMIT_MESSAGE};
	struct chat_search search = {.folded = &folded};
	enum status status = STATUS_OK;

	if (text_find_fold(&folded, text, len))
		status = error_no_memory(err, "for the search");
	if (!status && folded.len && index && index_ask(index, entries, n, &folded, &answer, NULL))
		answer = (struct index_answer){.n_parts = 0}; /* without it the files still are there */
	for (size_t i = 0; !status && folded.len && i < n; i++) {
		if (use->stop && use->stop(use->context))
			break;
		if (look_in_chat(&search, &entries[i], i, &answer) && !use->found(&search.hit, use->context))
			break;
	}
	index_answer_free(&answer);
	buf_free(&folded);
	return status;
}
