/* str.format(); recorded from Python 3.11. */
#include "expressions.h"

#include <criterion/criterion.h>

Test(format, fields)
{
	static const struct expression_case cases[] = {
		{"\"{} {}\".format(1, \"a\")", "1 a"},
		{"\"{1} {0} {1}\".format(1, \"a\")", "a 1 a"},
		{"\"{a} {b} {0}\".format(5, a=1, b=\"x\")", "1 x 5"},
		{"\"{{}} {{{}}}\".format(1)", "{} {1}"},
		{"\"{:d} {i:d} {:d}\".format(-7, true, i=12)", "-7 12 1"},
		{"\"{} {} {}\".format(1e16, 1e-5, 123456789012345678)", "1e+16 1e-05 123456789012345678"},
		{"\"{}\".format([1]) ~ \"{}\".format(none) ~ \"{}\".format({})", "[1]None{}"},
		{"\"{\".format()", "! Single '{' encountered in format string"},
		{"\"}\".format()", "! Single '}' encountered in format string"},
		{"\"{:5\".format(1)", "! Single '{' encountered in format string"},
		{"\"{} {}\".format(1)", "! Replacement index 1 out of range for positional args tuple"},
		{"\"{99999999999999999999}\".format(1)",
		 "! Replacement index 9999999 out of range for positional args tuple"},
		{"\"{a}\".format()", "! format() has no argument 'a'"},
		{"\"{a.b}\".format(a=1)", "! format() has no argument 'a.b'"},
		{"\"{a[0]}\".format(a=[1])", "! format() has no argument 'a[0]'"},
		{"\"{:d}\".format(\"x\")", "! an int is required for the format 'd', not str"},
		{"\"{:d}\".format(1.5)", "! an int is required for the format 'd', not float"},
		{"\"{:d}\".format(nowhere)", "! 'nowhere' is undefined"},
		{"\"{!r}\".format(1)", "! the field '{!r}' of format() is not supported"},
		{"\"{:}\".format(1)", "! the field '{:}' of format() is not supported"},
		{"\"{:>5}\".format(1)", "! the field '{:>5}' of format() is not supported"},
		{"\"{:.2f}\".format(1)", "! the field '{:.2f}' of format() is not supported"},
		{"\"{:d}d}\".format(1)", "! Single '}' encountered in format string"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}
