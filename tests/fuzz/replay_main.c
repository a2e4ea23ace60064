/* Runs a fuzz target once on every file of its committed corpus, in the order
 * of their names: this is what `make check` runs where libFuzzer is not.
 * usage: fuzz_NAME [FILE-OR-DIRECTORY...]  (default: tests/fuzz/corpus/NAME) */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/sys.h"
#include "fuzz/fuzz.h"

#ifdef SOTTO_SANITIZER
enum { SECONDS_A_FILE = 30 };
#else
enum { SECONDS_A_FILE = 10 };
#endif

static int replay_file(const char *path)
{
	struct error err;
	uint8_t *exact;
	char *data;
	size_t len;

	if (sys_read_file(path, MIB(16), &data, &len, &err)) {
		fprintf(stderr, "%s: %s\n", path, err.text);
		return -1;
	}
	/* A block of just this size, so that a sanitizer sees the first byte past it. */
	exact = malloc(len ? len : 1);
	if (!exact) {
		free(data);
		return -1;
	}
	memcpy(exact, data, len);
	free(data);
	alarm(SECONDS_A_FILE);
	printf("%s\n", path); /* a crash shows up after its input's name */
	fflush(stdout);
	LLVMFuzzerTestOneInput(exact, len);
	alarm(0);
	free(exact);
	return 1;
}

/* How many files were replayed; -1 when something could not be read. */
static int replay(const char *path)
{
	struct dirent **names;
	struct stat st;
	int n, total = 0;

	if (stat(path, &st) != 0) {
		perror(path);
		return -1;
	}
	if (!S_ISDIR(st.st_mode))
		return replay_file(path);
	n = scandir(path, &names, NULL, alphasort);
	if (n < 0) {
		perror(path);
		return -1;
	}
	for (int i = 0; i < n; i++) {
		char file[4096];
		int done = 0;

		if (names[i]->d_name[0] != '.') {
			snprintf(file, sizeof file, "%s/%s", path, names[i]->d_name);
			done = replay(file);
		}
		total = done < 0 || total < 0 ? -1 : total + done;
		free(names[i]);
	}
	free(names);
	return total;
}

int main(int argc, char **argv)
{
	const char *slash = strrchr(argv[0], '/'), *name = slash ? slash + 1 : argv[0];
	char corpus[4096];
	int total = 0;

	if (strncmp(name, "fuzz_", 5) == 0)
		name += 5;
	if (argc < 2) {
		snprintf(corpus, sizeof corpus, "%s/tests/fuzz/corpus/%s", TEST_SRCDIR, name);
		total = replay(corpus);
	}
	for (int i = 1; i < argc && total >= 0; i++) {
		int done = replay(argv[i]);

		total = done < 0 ? -1 : total + done;
	}
	if (total <= 0) {
		fprintf(stderr, "fuzz_%s: no corpus to replay\n", name);
		return 1;
	}
	printf("fuzz_%s: %d inputs\n", name, total);
	return 0;
}
