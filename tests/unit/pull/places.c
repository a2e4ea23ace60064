#include "places.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "support/folder.h"

char places_home[64];

void places_make(void)
{
	static const char *const variables[] = {
		"LLAMA_CACHE", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME",
		"XDG_STATE_HOME", "OLLAMA_MODELS", "SOTTO_DATA_DIR", "HF_ENDPOINT", "MODEL_ENDPOINT", "HF_TOKEN",
		"HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "http_proxy", "https_proxy", "all_proxy"};

	for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++)
		unsetenv(variables[i]);
	snprintf(places_home, sizeof places_home, "/tmp/sotto-places-XXXXXX");
	cr_assert_not_null(mkdtemp(places_home));
	setenv("HOME", places_home, 1);
	setenv("SOTTO_TEST_PULL_SECOND", "1", 1);
}

void places_remove(void)
{
	remove_folder(places_home);
}

const char *places_path(const char *format, ...)
{
	static char paths[8][PATH_MAX];
	static unsigned turn;
	char *path = paths[turn++ % 8], *slash;
	int n = snprintf(path, PATH_MAX, "%s/", places_home);
	va_list args;

	va_start(args, format);
	vsnprintf(path + n, (size_t)(PATH_MAX - n), format, args);
	va_end(args);
	slash = strrchr(path, '/');
	*slash = '\0';
	cr_assert_eq(io_make_dirs(&io_system, path), 0, "%s", path);
	*slash = '/';
	return path;
}

bool places_has(const char *path)
{
	char full[PATH_MAX];
	struct stat st;

	snprintf(full, sizeof full, "%s/%s", places_home, path);
	return lstat(full, &st) == 0;
}

void places_write(const char *path, const char *text)
{
	write_text(places_path("%s", path), text);
}
