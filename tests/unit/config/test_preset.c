#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/sys.h"
#include "config/preset.h"
#include "support/folder.h"

struct values {
	float temp, top_p;
	int32_t top_k, threads;
};

static const struct option rows[] = {
	{"temp", "temperature", OPTION_FLOAT, offsetof(struct values, temp), .min = 0, .max = 5,
	 .step = 0.1, .def = "0.8", .flags = OPTION_LIVE | OPTION_SLIDER},
	{"top-p", NULL, OPTION_FLOAT, offsetof(struct values, top_p), .min = 0, .max = 1, .step = 0.1,
	 .def = "0.95", .flags = OPTION_LIVE | OPTION_SLIDER},
	{"top-k", NULL, OPTION_INT, offsetof(struct values, top_k), .min = 0, .max = 100, .step = 1,
	 .def = "40", .flags = OPTION_LIVE | OPTION_SLIDER},
	{"threads", NULL, OPTION_INT, offsetof(struct values, threads), .min = 0, .max = 100,
	 .step = 1, .def = "0", .flags = OPTION_MODEL},
	/* what the presets that come with sotto name, besides */
	{"min-p", NULL, OPTION_FLOAT, offsetof(struct values, top_p), .min = 0, .max = 1, .step = 0.1,
	 .def = "0.05", .flags = OPTION_LIVE | OPTION_SLIDER},
	{"xtc-probability", NULL, OPTION_FLOAT, offsetof(struct values, top_p), .min = 0, .max = 1,
	 .step = 0.1, .def = "0", .flags = OPTION_LIVE | OPTION_SLIDER},
};

static char dir[] = "/tmp/sotto-test-XXXXXX";
static struct values values;
static struct settings *settings;
static struct preset preset;
static struct error err;
static struct buf out;

static void setup(void)
{
	const struct option_table table = {rows, 4, &values};

	cr_assert_not_null(mkdtemp(dir));
	setenv("XDG_CONFIG_HOME", dir, 1);
	cr_assert_eq(settings_create(&settings, &table, 1, &err), STATUS_OK);
	buf_init(&out, KIB(64));
}

static void teardown(void)
{
	settings_free(settings);
	buf_free(&out);
	remove_folder(dir);
}

TestSuite(preset, .init = setup, .fini = teardown);

static void set(const char *name, const char *value)
{
	cr_assert_eq(settings_set(settings, name, value, &err), STATUS_OK, "%s", err.text);
}

static enum status save(const char *name, bool replace, const struct io_ops *io)
{
	buf_clear(&out);
	preset_of_settings(&preset, settings);
	return preset_save(&preset, name, replace, io, &out, &err);
}

static void use(const char *name)
{
	cr_assert_eq(preset_load(&preset, name, settings, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(preset_apply(&preset, settings, &err), STATUS_OK, "%s", err.text);
}

static void write_preset(const char *name, const char *text)
{
	char path[200];

	snprintf(path, sizeof path, "%s/sotto/presets", dir);
	cr_assert_eq(sys_make_dirs(path, &err), STATUS_OK);
	snprintf(path, sizeof path, "%s/sotto/presets/%s.yaml", dir, name);
	write_text(path, text);
}

Test(preset, brings_back_what_was_set_and_no_more)
{
	set("temp", "0.3");
	cr_assert_eq(settings_assign(settings, "top-k", "7", ORIGIN_FILE, &err), STATUS_OK);
	cr_assert_eq(settings_assign(settings, "top-p", "0.5", ORIGIN_MODEL, &err), STATUS_OK);
	set("threads", "3");
	cr_assert_eq(save("mine", false, &io_system), STATUS_OK, "%s", err.text);
	cr_expect(strstr(buf_text(&out), "/sotto/presets/mine.yaml"), "%s", buf_text(&out));
	set("temp", "1.5");
	set("top-p", "0.1");
	set("threads", "5");
	cr_assert_eq(settings_assign(settings, "top-k", "9", ORIGIN_FILE, &err), STATUS_OK);
	use("mine");
	cr_expect_float_eq(values.temp, 0.3, 1e-6);
	cr_expect_eq(values.top_k, 7);
	cr_expect_float_eq(values.top_p, 0.5, 1e-6, "left to the model again");
	cr_expect_eq(values.threads, 5, "no sampling option");
}

Test(preset, gives_way_to_what_is_said_beside_it_at_the_start)
{
	write_preset("mine", "\357\273\277temp: 0.3\r\ntop-k: 7\r\ntop-p: 0.5\r\n");
	cr_assert_eq(settings_assign(settings, "temp", "1.5", ORIGIN_FLAG, &err), STATUS_OK);
	cr_assert_eq(settings_assign(settings, "top-k", "9", ORIGIN_FILE, &err), STATUS_OK);
	cr_assert_eq(settings_assign(settings, "top-p", "0.1", ORIGIN_TEMPLATE, &err), STATUS_OK);
	cr_assert_eq(preset_load(&preset, "mine", settings, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(preset_begin(&preset, settings, ORIGIN_FILE, &err), STATUS_OK, "%s", err.text);
	cr_expect_float_eq(values.temp, 1.5, 1e-6);
	cr_expect_eq(values.top_k, 9);
	cr_expect_float_eq(values.top_p, 0.5, 1e-6);
	cr_assert_eq(preset_begin(&preset, settings, ORIGIN_FLAG, &err), STATUS_OK, "%s", err.text);
	cr_expect_float_eq(values.temp, 1.5, 1e-6);
	cr_expect_eq(values.top_k, 7);
}

Test(preset, is_never_overwritten_unasked_or_by_half)
{
	set("temp", "0.3");
	cr_assert_eq(save("mine", false, &io_system), STATUS_OK);
	set("temp", "0.4");
	cr_expect_eq(save("mine", false, &io_system), STATUS_USAGE);
	use("mine");
	cr_expect_float_eq(values.temp, 0.3, 1e-6);
	set("temp", "0.4");
	cr_expect_eq(save("mine", true, &io_system), STATUS_OK);
	set("temp", "0.5");
	use("mine");
	cr_expect_float_eq(values.temp, 0.4, 1e-6);
	cr_expect_eq(save("../mine", false, &io_system), STATUS_USAGE);
	cr_expect_eq(save("", false, &io_system), STATUS_USAGE);
}

static ssize_t write_some(int fd, const void *bytes, size_t n)
{
	if (n > 3)
		return write(fd, bytes, 3);
	errno = ENOSPC;
	return -1;
}

static int fail_sync(int fd)
{
	(void)fd;
	errno = EIO;
	return -1;
}

static int fail_rename(const char *from, const char *to)
{
	(void)from;
	(void)to;
	errno = EACCES;
	return -1;
}

Test(preset, stays_as_it_was_where_it_cannot_be_written)
{
	struct io_ops full = io_system, bad = io_system, refusing = io_system;
	const struct io_ops *tables[] = {&full, &bad, &refusing};
	struct stat st;
	char path[200];

	full.write = write_some;
	bad.fdatasync = fail_sync;
	refusing.rename = fail_rename;
	set("temp", "0.3");
	cr_assert_eq(save("mine", false, &io_system), STATUS_OK);
	for (size_t i = 0; i < 3; i++) {
		set("temp", "0.4");
		cr_expect_neq(save("mine", true, tables[i]), STATUS_OK);
		cr_expect(strstr(err.text, "mine.yaml"), "%s", err.text);
		use("mine");
		cr_expect_float_eq(values.temp, 0.3, 1e-6);
		snprintf(path, sizeof path, "%s/sotto/presets/mine.yaml.%ld", dir, (long)getpid());
		cr_expect_neq(stat(path, &st), 0, "nothing is left behind");
	}
}

Test(preset, file_is_held_against_the_options)
{
	static const struct {
		const char *text, *error;
	} bad[] = {
		{"temp: 0.3\ntop_q: 1\n", "bad.yaml:2: 'top_q' is not a sampling option, did you mean 'top-p'?"},
		{"threads: 3\n", "bad.yaml:1: 'threads' is not a sampling option"},
		{"temp: 9\n", "bad.yaml:1: temp: '9': expected a number from 0 to 5"},
		{"temp: cold\n", "expected a number"},
		{"temp: 1\ntemperature: 1\n", "bad.yaml:2: temp is given twice"},
		{"temp: [1]\n", "bad.yaml:1"},
		{"- temp\n", "expected lines"},
		{"temp: 1\n---\ntop-k: 3\n", "bad.yaml"},
		{"\xff", "bad.yaml"},
	};

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		write_preset("bad", bad[i].text);
		cr_expect_neq(preset_load(&preset, "bad", settings, &err), STATUS_OK, "%s", bad[i].text);
		cr_expect(strstr(err.text, bad[i].error), "%s: %s", bad[i].text, err.text);
	}
	write_preset("empty", "# nothing\n");
	set("temp", "0.3");
	use("empty");
	cr_expect_eq(preset.n, 0);
	cr_expect_float_eq(values.temp, 0.8, 1e-6);
}

Test(preset, some_come_with_sotto)
{
	const struct option_table table = {rows, 6, &values};
	struct name_list names = {.n = 0};

	settings_free(settings);
	cr_assert_eq(settings_create(&settings, &table, 1, &err), STATUS_OK);
	write_preset("zen", "temp: 0.1\n");
	write_preset("precise", "temp: 0.15\n"); /* in the place of sotto's */
	cr_assert_eq(preset_list(&names, &err), STATUS_OK);
	cr_assert_eq(names.n, 4);
	for (size_t i = 0; i < names.n; i++) {
		static const char *const expected[] = {"creative", "greedy", "precise", "zen"};

		cr_expect_str_eq(names.items[i], expected[i]);
		cr_expect_eq(preset_load(&preset, names.items[i], settings, &err), STATUS_OK, "%s", err.text);
	}
	name_list_free(&names);
	use("precise");
	cr_expect_float_eq(values.temp, 0.15, 1e-6);
	cr_expect_eq(preset_load(&preset, "presice", settings, &err), STATUS_NOTFOUND);
	cr_expect(strstr(err.text, "did you mean 'precise'?"), "%s", err.text);
	cr_expect_eq(preset_load(&preset, "../config", settings, &err), STATUS_NOTFOUND);
}

Test(preset, differences_are_named)
{
	struct preset other;

	write_preset("a", "temp: 0.5\ntop-k: 40\n");
	write_preset("b", "temp: 0.50\ntop-p: 1\n");
	cr_assert_eq(preset_load(&preset, "a", settings, &err), STATUS_OK);
	cr_assert_eq(preset_load(&other, "b", settings, &err), STATUS_OK);
	preset_compare(&preset, &other, settings, &out);
	cr_expect_str_eq(buf_text(&out), "top-p              -         1\ntop-k              40        -");
	buf_clear(&out);
	preset_compare(&preset, NULL, settings, &out);
	cr_expect_str_eq(buf_text(&out), "temp               0.5       0.8", "the default of top-k is 40");
	set("top-p", "0.2");
	buf_clear(&out);
	preset_compare(&preset, NULL, settings, &out);
	cr_expect(strstr(buf_text(&out), "top-p              -         0.2"), "%s", buf_text(&out));
	use("a");
	buf_clear(&out);
	preset_compare(&preset, NULL, settings, &out);
	cr_expect_str_eq(buf_text(&out), "");
	preset_describe(&preset, &out);
	cr_expect_str_eq(buf_text(&out), "temp 0.5, top-k 40");
}
