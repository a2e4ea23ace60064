/* The file of `llama-perplexity --kl-divergence-base`, after its tools/perplexity/perplexity.cpp: "_logits_", the
 * window's size (uint32), tokens of the vocabulary and windows (int32), the text's ids (int32), then of each window the
 * distributions that count. One is a scale and a smallest ln p (float32 both), and for each token how many scales it is
 * above that (uint16), of an even number of tokens. All little-endian. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "compare/source_file.h"

enum { HEAD = 20, ROW_HEAD = 4 /* uint16: the two floats */, MAX_WINDOW = 1 << 24 };
static const char magic[] = "_logits_";
static const double least_known = -16;

bool source_file_is_llama(const char *path)
{
	char begin[sizeof magic - 1];
	struct source_file file;
	uint64_t size;
	bool is = source_file_open(&file, path, 0, &size, NULL) == STATUS_OK &&
	          fread(begin, sizeof begin, 1, file.stream) == 1 && memcmp(begin, magic, sizeof begin) == 0;

	source_file_close(&file);
	return is;
}

static size_t row_length(size_t n_vocab)
{
	return ROW_HEAD + (n_vocab + 1) / 2 * 2;
}

static enum status read_packed(struct source_file *file, float *row, struct error *err)
{
	float head[2];

	if (fread(file->packed, sizeof *file->packed * row_length(file->n_vocab), 1, file->stream) != 1)
		return error_set(err, STATUS_FORMAT, "%s: the file has become shorter", file->path);
	memcpy(head, file->packed, sizeof head);
	for (size_t i = 0; i < file->n_vocab; i++)
		row[i] = head[0] * (float)file->packed[ROW_HEAD + i] + head[1];
	return STATUS_OK;
}

static enum status eval(void *ctx, const struct compared_text *text, const struct text_window *window, size_t pos,
                        size_t n, float *rows, struct error *err)
{
	struct source_file *file = ctx;
	size_t index = (size_t)(window - text->windows) * file->n_each + (pos - window->n / 2);
	uint64_t bytes = (uint64_t)index * row_length(file->n_vocab) * sizeof *file->packed;
	enum status status = STATUS_OK;

	if (!rows)
		return STATUS_OK;
	if (fseeko(file->stream, (off_t)file->begin + (off_t)bytes, SEEK_SET))
		return error_errno(err, errno, "%s: cannot read", file->path);
	for (size_t i = 0; i < n && !status; i++)
		status = read_packed(file, rows + i * file->n_vocab, err);
	return status;
}

/* What the head says, held against the file's length. */
struct head {
	uint32_t window, n_vocab, n_windows;
};

static bool is_whole(const struct head *head, uint64_t size)
{
	uint64_t ids = (uint64_t)head->window * head->n_windows * sizeof(int32_t);
	uint64_t rows = (uint64_t)(head->window - 1 - head->window / 2) * head->n_windows;

	return size >= HEAD + ids && rows <= (size - HEAD - ids) / (row_length(head->n_vocab) * sizeof(uint16_t));
}

static enum status read_head(struct source_file *file, uint64_t size, struct head *head, struct error *err)
{
	char bytes[HEAD];

	if (fread(bytes, sizeof bytes, 1, file->stream) != 1)
		return error_set(err, STATUS_USAGE, "%s: the file ends in its head", file->path);
	memcpy(head, bytes + sizeof magic - 1, sizeof *head);
	if (head->n_vocab != file->n_vocab)
		return error_set(err, STATUS_USAGE, "%s: it is about %" PRIu32 " tokens of a vocabulary, the model has %zu",
		                 file->path, head->n_vocab, file->n_vocab);
	if (head->window < 4 || head->window > MAX_WINDOW || !head->n_windows || head->n_windows > MAX_WINDOW ||
	    !is_whole(head, size))
		return error_set(err, STATUS_USAGE, "%s: %" PRIu32 " windows of %" PRIu32 " tokens do not fit in its length",
		                 file->path, head->n_windows, head->window);
	return STATUS_OK;
}

static enum status read_text(struct source_file *file, const struct head *head, int32_t bos, struct compared_text *text,
                             struct error *err)
{
	size_t n = (size_t)head->window * head->n_windows;
	int32_t *ids = alloc_array(n, sizeof *ids);
	enum status status;

	if (!ids)
		return error_no_memory(err, "for the text");
	if (fread(ids, sizeof *ids, n, file->stream) != n)
		status = error_set(err, STATUS_USAGE, "%s: the file ends in its text", file->path);
	else
		status = text_cut(text, ids, n, head->window, bos, err);
	free(ids);
	return status;
}

enum status source_file_open_llama(struct source_file *out, const char *path, size_t n_vocab, int32_t bos,
                                   struct compared_text *text, struct logits_source *source, struct error *err)
{
	struct head head = {0};
	uint64_t size;
	enum status status = source_file_open(out, path, n_vocab, &size, err);

	if (!status)
		status = read_head(out, size, &head, err);
	if (!status)
		status = read_text(out, &head, bos, text, err);
	if (status)
		return status;
	out->begin = HEAD + (int64_t)head.window * head.n_windows * (int64_t)sizeof(int32_t);
	out->n_each = head.window - 1 - head.window / 2;
	out->packed = alloc_array(row_length(n_vocab), sizeof *out->packed);
	if (!out->packed)
		return error_no_memory(err, "for the distributions");
	*source = (struct logits_source){.ctx = out, .n_vocab = n_vocab, .is_log_p = true, .floor = least_known,
	                                 .eval = eval};
	return STATUS_OK;
}
