/* Every panel and the main situations, at two sizes, as text and as a picture, against what was
 * looked at and found right: tests/vectors/screens.
 *
 * SOTTO_UPDATE_VECTORS=1 (make update-screens) writes them anew: look at what has changed. The
 * pictures that differ are left in the build folder, tests/screen/goldens. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "screen/scenes.h"
#include "screen/svg.h"

#define VECTORS TEST_SRCDIR "/tests/vectors/screens"
#define MADE TEST_BUILDDIR "/tests/screen/goldens"

static const struct {
	int rows, cols;
	const char *name;
	const char *texts; /* how its texts are kept: the larger ones compressed */
} sizes[] = {{24, 80, "80x24", "txt"}, {50, 160, "160x50", "txt.gz"}};
enum { N_SIZES = sizeof(sizes) / sizeof(sizes[0]), MARK_MAX = 100, COMMAND_MAX = 600 };

static bool updates(void)
{
	const char *value = getenv("SOTTO_UPDATE_VECTORS");

	return value && value[0];
}

/* The goldens of a size are one file for all texts and one for all pictures. Each begins with a line
 * of its own. */
static void write_mark(char out[MARK_MAX], const char *scene)
{
	snprintf(out, MARK_MAX, "=== %s ===\n", scene);
}

/* What the command prints of the scene; to be freed. NULL: nothing. */
static char *golden(const char *command, const char *scene)
{
	char mark[MARK_MAX], chunk[4096], *all, *from, *found = NULL;
	FILE *pipe = popen(command, "r");
	struct buf text = {.max = MIB(64)};
	size_t n;

	EXPECT(pipe, "%s", command);
	buf_puts(&text, "\n");
	while ((n = fread(chunk, 1, sizeof(chunk), pipe)) > 0)
		buf_append(&text, chunk, n);
	pclose(pipe);
	all = buf_take(&text, NULL);
	EXPECT(all, "%s", command);
	write_mark(mark, scene);
	from = strstr(all, mark);
	if (from && from[-1] == '\n') {
		char *end;

		from += strlen(mark);
		end = strstr(from, "\n=== ");
		found = end ? strndup(from, (size_t)(end + 1 - from)) : strdup(from);
	}
	free(all);
	return found;
}

/* The first line that is another. */
static void tell_difference(const char *scene, const char *size, const char *was, const char *is)
{
	int line = 1;

	for (; *was && *is; line++) {
		size_t a = strcspn(was, "\n"), b = strcspn(is, "\n");

		if (a != b || memcmp(was, is, a) != 0)
			break;
		was += a + (was[a] == '\n');
		is += b + (is[b] == '\n');
	}
	test_fail(__FILE__, __LINE__, "%s at %s, line %d: there was\n%.*s\nand is\n%.*s\n"
	          "(make update-screens, and look at what has changed)", scene, size, line,
	          (int)strcspn(was, "\n"), was, (int)strcspn(is, "\n"), is);
}

static bool is_compressed(const char *suffix)
{
	return strstr(suffix, ".gz") != NULL;
}

static void compare(const char *scene, const char *size, const char *suffix, const char *is)
{
	char command[COMMAND_MAX], *was;

	snprintf(command, sizeof(command), "%s '%s/%s.%s'", is_compressed(suffix) ? "gzip -dc" : "cat",
	         VECTORS, size, suffix);
	was = golden(command, scene);
	EXPECT(was, "%s has no golden: make update-screens", scene);
	if (strcmp(was, is) != 0)
		tell_difference(scene, size, was, is);
	free(was);
}

static void check(const struct scene *scene, int size)
{
	struct screen *s = scene_open(scene, sizes[size].rows, sizes[size].cols, "dark");
	char text_path[400], picture_path[400], *text, *picture;
	size_t n;

	scene_mask(s, scene);
	text = screen_snapshot(s);
	snprintf(text_path, sizeof(text_path), "%s/%s-%s.txt", MADE, scene->name, sizes[size].name);
	snprintf(picture_path, sizeof(picture_path), "%s/%s-%s.svg", MADE, scene->name, sizes[size].name);
	test_write_text(text_path, text);
	svg_write(s, "sotto", picture_path);
	picture = test_read_file(picture_path, &n);
	screen_free(s);
	if (!updates()) {
		compare(scene->name, sizes[size].name, sizes[size].texts, text);
		compare(scene->name, sizes[size].name, "svg.gz", picture);
		remove(text_path);
		remove(picture_path);
	}
	free(text);
	free(picture);
}

/* What the scenes have left, as one file. */
static void pack(const char *size, const char *suffix, const char *to)
{
	char text[COMMAND_MAX];
	FILE *pipe;

	snprintf(text, sizeof(text), "%s >'%s/%s.%s'", is_compressed(to) ? "gzip -9n" : "cat", VECTORS, size, to);
	pipe = popen(text, "w");
	for (size_t i = 0; pipe && i < scenes_n; i++) {
		char *one, mark[MARK_MAX];
		size_t n;

		snprintf(text, sizeof(text), "%s/%s-%s.%s", MADE, scenes[i].name, size, suffix);
		one = test_read_file(text, &n);
		write_mark(mark, scenes[i].name);
		if (one)
			fprintf(pipe, "%s%s", mark, one);
		free(one);
	}
	if (!pipe || pclose(pipe) != 0) {
		fprintf(stderr, "%s/%s.%s cannot be written\n", VECTORS, size, to);
		exit(1);
	}
}

/* The scene and the size that the test is called after. */
static void test_golden(void)
{
	for (int size = 0; size < N_SIZES; size++)
		for (size_t i = 0; i < scenes_n; i++) {
			char full[100];

			snprintf(full, sizeof(full), "%s-%s", scenes[i].name, sizes[size].name);
			if (strcmp(full, test_name()) == 0)
				check(&scenes[i], size);
		}
}

int main(int argc, char **argv)
{
	size_t n = 0;
	struct screen_test *tests = calloc(N_SIZES * scenes_n, sizeof(*tests));
	char (*names)[100] = calloc(N_SIZES * scenes_n, sizeof(*names));
	int status;

	if (!tests || !names)
		return 1;
	test_make_directory(MADE);
	if (updates())
		test_make_directory(VECTORS);
	for (size_t i = 0; i < scenes_n; i++)
		for (int size = 0; size < N_SIZES; size++, n++) {
			snprintf(names[n], sizeof(names[n]), "%s-%s", scenes[i].name, sizes[size].name);
			tests[n] = (struct screen_test){names[n], test_golden, 0};
		}
	status = run_tests(argc, argv, tests, n);
	for (int size = 0; updates() && argc == 1 && size < N_SIZES; size++) {
		pack(sizes[size].name, "txt", sizes[size].texts);
		pack(sizes[size].name, "svg", "svg.gz");
	}
	free(tests);
	free(names);
	return status;
}
