#include "offers.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

void offer_make(struct pull_offer *out, const char *name, const char *files)
{
	struct error err = {0};

	*out = (struct pull_offer){0};
	cr_assert_eq(pull_name_parse(&out->name, name, &err), STATUS_OK, "%s", err.text);
	out->commit = strdup("0123456789abcdef0123456789abcdef01234567");
	out->files = alloc_array(2000, sizeof *out->files);
	while (*files) {
		size_t len = strcspn(files, "\n"), blank = strcspn(files, " ");
		struct pull_file *file = &out->files[out->n_files++];

		file->path = alloc_strndup(files, blank);
		file->size = (uint64_t)(strtod(files + blank, NULL) * 1e6);
		memset(file->digest, 'a' + (int)(out->n_files % 6), 64);
		files += len + (files[len] == '\n');
	}
}
