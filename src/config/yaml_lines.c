#include "config/yaml_lines.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"

enum {
	PROBLEMS_SHOWN = 20,
	PROBLEMS_MAX = 1000,  /* with so many it is another kind of file */
	BLOCKS_TOGETHER = 64, /* how far a text in quotes may go on at the margin */
};

static const char expected[] = "expected lines 'name: value'";

/* A file being read; its lines are taken one after the other. */
struct line_reader {
	const char *path;
	yaml_line_fn take;              /* one of these two */
	yaml_entry_value_fn take_entry;
	void *ctx;
	struct buf *problems; /* NULL: the first one ends it */
	size_t n_problems;
};

static void tell(struct line_reader *lines, const struct error *err)
{
	if (lines->n_problems++ < PROBLEMS_SHOWN)
		buf_printf(lines->problems, "%s%s", lines->problems->len ? "\n" : "", err->text);
}

/* One `name: value`. Fails only where there are no more to read. */
static enum status read_entry(void *ctx, struct yaml_reader *reader, const struct yaml_item *key,
                              struct error *err)
{
	char *name = alloc_strndup(key->text, key->len); /* the key is valid only until the next item */
	struct line_reader *lines = ctx;
	size_t line = key->line, depth = yaml_depth(reader);
	struct yaml_item value;
	struct error wrong;
	enum status status, bad = STATUS_OK;

	if (!name)
		return error_set(err, STATUS_NOMEM, "%s: not enough memory", lines->path);
	status = yaml_next(reader, &value, err);
	if (!status)
		bad = yaml_check_comment(reader, &value, &wrong);
	if (!status && !bad && lines->take_entry)
		bad = lines->take_entry(lines->ctx, reader, name, line, &value, &wrong);
	else if (!status && !bad && (bad = lines->take(lines->ctx, name, line, &value, &wrong)))
		yaml_locate(reader, line, bad, &wrong);
	if (!status && (!bad || lines->problems)) /* else nothing is read on */
		status = yaml_skip_to(reader, depth, err);
	free(name);
	if (status || !bad)
		return status;
	if (!lines->problems || bad == STATUS_NOMEM) {
		if (err)
			*err = wrong;
		return bad;
	}
	tell(lines, &wrong);
	return STATUS_OK;
}

static enum status read_lines(yaml_entry_fn take_key, struct line_reader *lines, const char *text,
                              size_t len, size_t first_line, struct error *err)
{
	struct yaml_reader *reader = NULL;
	enum status status =
		yaml_open(&reader, lines->path, text, len, first_line, &yaml_limits_config, err);

	if (!status && lines->take_entry)
		yaml_keep_secret(reader);
	if (!status && lines->problems)
		yaml_let_keys_repeat(reader); /* `take` says which line was first */
	if (!status)
		status = yaml_read_map(reader, expected, take_key, lines, err);
	yaml_close(reader);
	return status;
}

enum status yaml_read_lines(const char *path, const char *text, size_t len, yaml_line_fn take,
                            void *ctx, struct error *err)
{
	struct line_reader lines = {.path = path, .take = take, .ctx = ctx};

	return read_lines(read_entry, &lines, text, len, 1, err);
}

/* ---- what can be read of a file that is no YAML ---- */

/* Whatever the line says: a text of which no line fails is lines `name: value`. */
static enum status pass_over(void *ctx, struct yaml_reader *reader, const struct yaml_item *key,
                             struct error *err)
{
	struct yaml_item value;
	enum status status = yaml_next(reader, &value, err);

	(void)ctx;
	(void)key;
	return status ? status : yaml_skip(reader, &value, err);
}

/* The end of the line at `at`, its line end included. */
static size_t line_end(const char *text, size_t len, size_t at)
{
	while (at < len && text[at] != '\n' && text[at] != '\r')
		at++;
	if (at < len && text[at] == '\r' && at + 1 < len && text[at + 1] == '\n')
		at++;
	return at < len ? at + 1 : at;
}

static bool begins_with(const char *text, size_t len, const char *word)
{
	return len >= strlen(word) && memcmp(text, word, strlen(word)) == 0;
}

/* Whether a line belongs to those before it: it is empty, indented, a comment, or an item of a list. */
static bool goes_on(const char *line, size_t len)
{
	return !len || strchr(" \t\r\n#", line[0]) ||
	       (line[0] == '-' && (len == 1 || strchr(" \t\r\n", line[1])));
}

/* A line that begins at the margin, with those that belong to it. */
struct yaml_block {
	size_t at, len, line, n_lines;
};

/* The block after *block; false after the last. */
static bool next_block(const char *text, size_t len, struct yaml_block *block)
{
	size_t end = block->at + block->len;

	*block = (struct yaml_block){.at = end, .line = block->line + block->n_lines};
	while (end < len && (!block->len || goes_on(text + end, len - end))) {
		end = line_end(text, len, end);
		block->len = end - block->at;
		block->n_lines++;
	}
	return block->len > 0;
}

/* A text in quotes may go on at the margin: the block that ends it is found by reading on. */
static enum status join_blocks(struct line_reader *lines, const char *text, size_t len,
                               struct yaml_block *block, struct error *err)
{
	enum status status =
		read_lines(pass_over, lines, text + block->at, block->len, block->line, err);
	struct yaml_block more = *block, last = *block;

	for (int i = 0; status && i < BLOCKS_TOGETHER && next_block(text, len, &last); i++) {
		more.len += last.len;
		more.n_lines += last.n_lines;
		if (!read_lines(pass_over, lines, text + more.at, more.len, more.line, NULL)) {
			*block = more;
			return STATUS_OK;
		}
	}
	return status;
}

/* Makes blanks of a line of a block. */
static void blank_line(char *copy, const struct yaml_block *block, size_t line)
{
	size_t at = 0, end;

	for (size_t i = block->line; i < line && at < block->len; i++)
		at = line_end(copy, block->len, at);
	end = line_end(copy, block->len, at);
	for (; at < end && copy[at] != '\n' && copy[at] != '\r'; at++)
		copy[at] = ' ';
}

/* Reads a block, without those of its lines that are not right. */
static enum status read_block(struct line_reader *lines, const char *text, struct yaml_block *block,
                              enum status status, struct error *err)
{
	char *copy;

	if (status != STATUS_NOMEM && lines->take_entry) {
		if (status)
			tell(lines, err);
		else
			status = read_lines(read_entry, lines, text + block->at, block->len, block->line, err);
		return status == STATUS_NOMEM ? status : STATUS_OK;
	}
	copy = alloc_strndup(text + block->at, block->len);
	if (!copy)
		return error_set(err, STATUS_NOMEM, "%s: not enough memory", lines->path);
	for (size_t i = 0; status && status != STATUS_NOMEM; i++) {
		tell(lines, err);
		if (i == block->n_lines || err->line <= block->line ||
		    err->line >= block->line + block->n_lines)
			break; /* all of it is wrong */
		blank_line(copy, block, err->line);
		status = read_lines(pass_over, lines, copy, block->len, block->line, err);
	}
	if (!status)
		status = read_lines(read_entry, lines, copy, block->len, block->line, err);
	free(copy);
	return status == STATUS_NOMEM ? status : STATUS_OK;
}

/* `---` and `...` begin and end a document: only the first may, before everything else. */
static enum status read_blocks(struct line_reader *lines, const char *text, size_t len,
                               struct error *err)
{
	struct yaml_block block = {.line = 1};
	enum status status = STATUS_OK;
	bool begun = false;

	while (!status && lines->n_problems < PROBLEMS_MAX && next_block(text, len, &block)) {
		const char *at = text + block.at;
		bool is_mark = begins_with(at, block.len, "---") || begins_with(at, block.len, "...");

		if (is_mark && begun) {
			error_set(err, STATUS_FORMAT, "%s:%zu: a second document begins here", lines->path,
			          block.line);
			tell(lines, err);
			continue;
		}
		begun |= !goes_on(at, block.len);
		status = join_blocks(lines, text, len, &block, err);
		status = read_block(lines, text, &block, status, err);
	}
	return status;
}

static size_t read_good(struct line_reader *lines, const char *text, size_t len)
{
	struct error err, of_block;
	enum status status = read_lines(pass_over, lines, text, len, 1, &err);
	size_t mark = utf8_mark_len(text, len);

	if (!status) {
		status = read_lines(read_entry, lines, text, len, 1, &err);
	} else if (err.line) {
		if (read_blocks(lines, text + mark, len - mark, &of_block))
			err = of_block;
		else if (lines->n_problems) /* else each line is right, but not beside the others */
			status = STATUS_OK;
	}
	if (status)
		tell(lines, &err);
	if (lines->n_problems > PROBLEMS_SHOWN)
		buf_printf(lines->problems, "\n%s: %zu more line%s wrong", lines->path,
		           lines->n_problems - PROBLEMS_SHOWN,
		           lines->n_problems - PROBLEMS_SHOWN == 1 ? " is" : "s are");
	return lines->n_problems;
}

size_t yaml_read_good_lines(const char *path, const char *text, size_t len, yaml_line_fn take,
                            void *ctx, struct buf *problems)
{
	struct line_reader lines = {.path = path, .take = take, .ctx = ctx, .problems = problems};

	return read_good(&lines, text, len);
}

enum status yaml_read_secret_entries(const char *path, const char *text, size_t len, yaml_entry_value_fn take,
                                     void *ctx, struct buf *problems, struct error *err)
{
	struct line_reader lines = {.path = path, .take_entry = take, .ctx = ctx, .problems = problems};

	if (!problems)
		return read_lines(read_entry, &lines, text, len, 1, err);
	read_good(&lines, text, len);
	return STATUS_OK;
}
