#include "support/save_gguf.h"

#include <errno.h>
#include <stdio.h>

#include "base/limits.h"

enum status gguf_writer_save(struct gguf_writer *w, const char *path, struct error *err)
{
	char temp[4096];
	struct buf bytes = {.max = MIB(1024)};
	enum status status;
	FILE *file;
	bool ok;

	snprintf(temp, sizeof temp, "%s.part", path);
	status = gguf_writer_write(w, &bytes, err);
	if (status)
		goto out;
	file = fopen(temp, "wb");
	ok = file && fwrite(bytes.data, 1, bytes.len, file) == bytes.len;
	if ((file && fclose(file)) || !ok || rename(temp, path))
		status = error_errno(err, errno, "cannot write '%s'", path);
out:
	buf_free(&bytes);
	return status;
}
