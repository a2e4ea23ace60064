/* Plain scalars as PyYAML's safe_load reads them. */
#include <criterion/criterion.h>
#include <math.h>

#include "config/yaml_scalar.h"

Test(scalar, null_and_booleans)
{
	static const char *const null[] = {"", "~", "null", "Null", "NULL"};
	static const char *const yes[] = {"yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"};
	static const char *const no[] = {"no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"};

	for (size_t i = 0; i < sizeof null / sizeof null[0]; i++)
		cr_expect_eq(yaml_scalar_resolve(null[i]).kind, SCALAR_NULL, "%s", null[i]);
	for (size_t i = 0; i < sizeof yes / sizeof yes[0]; i++) {
		cr_expect_eq(yaml_scalar_resolve(yes[i]).kind, SCALAR_BOOL, "%s", yes[i]);
		cr_expect(yaml_scalar_resolve(yes[i]).boolean, "%s", yes[i]);
		cr_expect_eq(yaml_scalar_resolve(no[i]).kind, SCALAR_BOOL, "%s", no[i]);
		cr_expect_not(yaml_scalar_resolve(no[i]).boolean, "%s", no[i]);
	}
}

Test(scalar, integers)
{
	static const struct {
		const char *text;
		int64_t value;
	} rows[] = {
		{"0", 0}, {"-0", 0}, {"7", 7}, {"+7", 7}, {"-42", -42}, {"1_000", 1000}, {"0x1F", 31},
		{"-0xff", -255}, {"0b101", 5}, {"017", 15}, {"00", 0}, {"0_7", 7}, {"1:30", 90},
		{"-1:00:01", -3601}, {"190:20:30", 685230}, {"9223372036854775807", INT64_MAX},
		{"-9223372036854775808", INT64_MIN},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct yaml_scalar scalar = yaml_scalar_resolve(rows[i].text);

		cr_expect_eq(scalar.kind, SCALAR_INT, "%s", rows[i].text);
		cr_expect_eq(scalar.integer, rows[i].value, "%s", rows[i].text);
	}
	cr_expect_eq(yaml_scalar_resolve("9223372036854775808").kind, SCALAR_TOO_BIG);
	cr_expect_eq(yaml_scalar_resolve("-9223372036854775809").kind, SCALAR_TOO_BIG);
	cr_expect_eq(yaml_scalar_resolve("0xFFFFFFFFFFFFFFFFF").kind, SCALAR_TOO_BIG);
}

Test(scalar, floats)
{
	static const struct {
		const char *text;
		double value;
	} rows[] = {
		{"1.5", 1.5}, {"-1.5", -1.5}, {"+0.25", 0.25}, {".5", 0.5}, {"1.", 1}, {"1_0.2_5", 10.25},
		{"1.0e+3", 1000}, {"1.E-2", 0.01}, {"6.5e+00", 6.5}, {".inf", INFINITY},
		{"-.INF", -INFINITY}, {"+.Inf", INFINITY}, {"08.5", 8.5},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct yaml_scalar scalar = yaml_scalar_resolve(rows[i].text);

		cr_expect_eq(scalar.kind, SCALAR_FLOAT, "%s", rows[i].text);
		cr_expect(scalar.number >= rows[i].value && scalar.number <= rows[i].value, "%s",
		          rows[i].text);
	}
	cr_expect_eq(yaml_scalar_resolve(".nan").kind, SCALAR_FLOAT);
	cr_expect(isnan(yaml_scalar_resolve(".NaN").number));
}

Test(scalar, everything_else_is_text)
{
	static const char *const texts[] = {
		"a", "-", "+", ".", "-.", "1e5", "1.0e5", "0o17", "08", "0x", "0b2", "1-2", "2026-11-21", "1:60",
		"0:30", "1:30.5", "--1", "1 2", "y", "n", "TrUe", "nULL", "-.5", "+.nan", "._5", "_1", "0x1G",
		"1.5.2", "1.5e+", "1.5x", ".e+1", "inf", "nan", "1:", "1:2:", "1:123",
	};

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		cr_expect_eq(yaml_scalar_resolve(texts[i]).kind, SCALAR_TEXT, "%s is %d", texts[i],
		             (int)yaml_scalar_resolve(texts[i]).kind);
}
