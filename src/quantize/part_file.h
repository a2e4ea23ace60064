/* A large file that appears under its name when it is whole, and not before: it is written beside that, as
 * PATH.PID.part, synced and renamed. */
#ifndef SOTTO_QUANTIZE_PART_FILE_H
#define SOTTO_QUANTIZE_PART_FILE_H

#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/io.h"

struct part_file {
	const struct io_ops *io;
	const char *path; /* borrowed */
	struct buf temp;  /* its name until then */
	int fd;           /* -1: closed */
};

/* Whether there can be a regular file of that name (a folder, a device: STATUS_USAGE) with room for n bytes (STATUS_IO):
 * asked now rather than after an hour. */
enum status part_file_check(const struct io_ops *io, const char *path, uint64_t n_bytes, struct error *err) MUST_CHECK;
/* Creates it. From here on part_file_drop in every case. */
enum status part_file_begin(struct part_file *part, const struct io_ops *io, const char *path,
                            struct error *err) MUST_CHECK;
enum status part_file_write(struct part_file *part, const void *bytes, size_t n, struct error *err) MUST_CHECK;
/* Zeros behind n_bytes of data up to the next multiple of the alignment. */
enum status part_file_pad(struct part_file *part, uint64_t n_bytes, uint32_t alignment, struct error *err) MUST_CHECK;
/* Syncs and closes it: now it can be tried. */
enum status part_file_end(struct part_file *part, struct error *err) MUST_CHECK;
/* Gives it its name, which an old file loses. */
enum status part_file_publish(struct part_file *part, struct error *err) MUST_CHECK;
/* Takes away what has no name yet. */
void part_file_drop(struct part_file *part);

#endif
