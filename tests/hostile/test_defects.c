/* Every handcrafted defect is refused with its own error. */
#include "hostile/defects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"

enum { DEFECTS_MIN = 600 };

static void report(struct defects *defects, const char *name, va_list args, enum stage refused,
                   enum status status, const struct error *err)
{
	defects->n_failed++;
	printf("FAIL: ");
	vprintf(name, args);
	printf(": stage %d, %d: %s\n", (int)refused, (int)status, err->text);
}

void defects_expect(struct defects *defects, enum stage stage, enum status expected,
                    const char *text, const char *name, ...)
{
	struct error err = {0};
	enum stage refused;
	enum status status;
	va_list args;

	if (buf_status(&defects->file)) /* the file could not be built */
		abort();
	status = pipeline_run(defects->file.data, defects->file.len, stage, &refused, &err);
	defects->n++;
	if (status == expected && refused == stage && err.status == status && strstr(err.text, text))
		return;
	va_start(args, name);
	report(defects, name, args, refused, status, &err);
	va_end(args);
	printf("  expected stage %d, %d: ...%s...\n", (int)stage, (int)expected, text);
}

void defects_expect_good(struct defects *defects, enum stage stage, const char *name, ...)
{
	struct error err = {0};
	enum stage refused;
	enum status status;
	va_list args;

	if (buf_status(&defects->file))
		abort();
	status = pipeline_run(defects->file.data, defects->file.len, stage, &refused, &err);
	if (!status)
		return;
	va_start(args, name);
	report(defects, name, args, refused, status, &err);
	va_end(args);
	printf("  expected to be taken\n");
}

int main(void)
{
	static const struct {
		const char *name;
		void (*run)(struct defects *defects);
	} groups[] = {
		{"header", defects_header},
		{"metadata", defects_metadata},
		{"tensors", defects_tensors},
		{"vocabulary", defects_vocab},
		{"model", defects_model},
	};
	struct defects defects = {.n = 0};

	buf_init(&defects.file, MIB(64));
	for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
		size_t before = defects.n;

		groups[i].run(&defects);
		printf("%s: %zu defects\n", groups[i].name, defects.n - before);
	}
	buf_free(&defects.file);
	if (defects.n < DEFECTS_MIN) {
		printf("FAIL: %zu defects, expected %d at least\n", defects.n, DEFECTS_MIN);
		return 1;
	}
	printf("%zu defects, %zu not met with their error\n", defects.n, defects.n_failed);
	return defects.n_failed ? 1 : 0;
}
