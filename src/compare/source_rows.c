/* Logits of a file, as `sotto logits` writes them: a row of little-endian float32 for each token of the text. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "compare/source_file.h"

static enum status eval(void *ctx, const struct compared_text *text, const struct text_window *window, size_t pos,
                        size_t n, float *rows, struct error *err)
{
	struct source_file *file = ctx;
	uint64_t at = (uint64_t)(window->at + pos) * file->n_vocab * sizeof *rows;

	(void)text;
	if (!rows)
		return STATUS_OK;
	errno = 0;
	if (fseeko(file->stream, (off_t)at, SEEK_SET) == 0 && fread(rows, file->n_vocab * sizeof *rows, n, file->stream) == n)
		return STATUS_OK;
	return errno ? error_errno(err, errno, "%s: cannot read", file->path)
	             : error_set(err, STATUS_FORMAT, "%s: the file has become shorter", file->path);
}

enum status source_file_open(struct source_file *out, const char *path, size_t n_vocab, uint64_t *size,
                             struct error *err)
{
	struct stat st;

	*out = (struct source_file){.path = path, .n_vocab = n_vocab};
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) /* a pipe would be waited for */
		return error_set(err, STATUS_USAGE, S_ISDIR(st.st_mode) ? "%s: is a folder, expected a file of logits"
		                                                        : "%s: is not a regular file", path);
	out->stream = fopen(path, "rbe");
	if (!out->stream || fstat(fileno(out->stream), &st))
		return error_errno(err, errno, "%s: cannot open", path);
	*size = (uint64_t)st.st_size;
	return STATUS_OK;
}

enum status source_file_open_rows(struct source_file *out, const char *path, size_t n_vocab, size_t n_tokens,
                                  struct logits_source *source, struct error *err)
{
	uint64_t wanted = (uint64_t)n_tokens * n_vocab * sizeof(float), size;
	enum status status = source_file_open(out, path, n_vocab, &size, err);

	if (status)
		return status;
	if (size != wanted)
		return error_set(err, STATUS_USAGE, "%s: found %" PRIu64 " bytes, expected %" PRIu64 ": a row of %zu float32 for "
		                 "each of %zu tokens, as `sotto logits` writes them", path, size, wanted, n_vocab,
		                 n_tokens);
	*source = (struct logits_source){.ctx = out, .n_vocab = n_vocab, .floor = (double)-INFINITY, .eval = eval};
	return STATUS_OK;
}

void source_file_close(struct source_file *file)
{
	if (file->stream)
		fclose(file->stream);
	free(file->packed);
	*file = (struct source_file){0};
}
