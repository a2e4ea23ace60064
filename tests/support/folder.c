#include "support/folder.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void check(bool done, const char *path)
{
	if (done)
		return;
	perror(path);
	abort();
}

void write_bytes(const char *path, const void *bytes, size_t n)
{
	FILE *file = fopen(path, "wb");

	check(file && fwrite(bytes, 1, n, file) == n && fclose(file) == 0, path);
}

void write_text(const char *path, const char *text)
{
	write_bytes(path, text, strlen(text));
}

void make_memory_folder(char *path, size_t size, const char *name)
{
	const char *memory = "/dev/shm";
	int n = snprintf(path, size, "%s/sotto-%s-XXXXXX", access(memory, W_OK) == 0 ? memory : "/tmp", name);

	check(n > 0 && (size_t)n < size && mkdtemp(path), path);
}

void remove_folder(const char *path)
{
	char command[1024];

	snprintf(command, sizeof command, "chmod -R u+rwX '%s' && rm -r '%s'", path, path);
	check(system(command) == 0, path);
}
