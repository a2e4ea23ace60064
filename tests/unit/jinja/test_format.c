/* % and {} formatting; recorded from Python 3.11. */
#include "expressions.h"

#include <criterion/criterion.h>

Test(format, percent)
{
	static const struct expression_case cases[] = {
		{"\"%s and %s\" % (\"a\", 1.5)", "a and 1.5"},
		{"\"%s\" % \"é\"", "é"},
		{"\"%s\" % [1, \"a\"]", "[1, 'a']"},
		{"\"%s\" % {\"a\": 1}", "{'a': 1}"},
		{"\"%s %s\" % (\"a\", (1,))", "a (1,)"},
		{"\"%d%%\" % 50", "50%"},
		{"\"%5s|%-5s|%.2s|%5.1s\" % (\"abc\", \"abc\", \"abc\", \"abc\")",
		 "  abc|abc  |ab|    a"},
		{"\"%x %d\" % (-255, -9223372036854775807)", "-ff -9223372036854775807"},
		{"\"%f %F %5.1f\" % (range(9)|sum * 1e308, -range(9)|sum * 1e308, range(9)|sum * 1e308)",
		 "! bad operand type for unary -: 'range'"},
		{"\"%(a)s-%(b)05.1f\" % {\"a\": 1, \"b\": 2.345}", "1-002.3"},
		{"\"none\" % ()", "none"},
		{"\"none\" % {}", "none"},
		{"\"%s\" % ()", "! not enough arguments for format string"},
		{"\"%s %s\" % \"a\"", "! not enough arguments for format string"},
		{"\"%s\" % (\"a\", \"b\")", "! not all arguments converted during string formatting"},
		{"\"none\" % 1", "! not all arguments converted during string formatting"},
		{"\"%d\" % \"x\"", "! a number is required for the format 'd', not str"},
		{"\"%d\" % none", "! a number is required for the format 'd', not NoneType"},
		{"\"%x\" % 1.5", "! a number is required for the format 'x', not float"},
		{"\"%f\" % \"x\"", "! a number is required for the format 'f', not str"},
		{"\"%c\" % \"ab\"", "! the format 'c' is not supported"},
		{"\"%c\" % 1114112", "! the format 'c' is not supported"},
		{"\"%y\" % 1", "! the format 'y' is not supported"},
		{"\"%\" % 1", "! incomplete format"},
		{"\"%5\" % 1", "! incomplete format"},
		{"\"%(a\" % {}", "! incomplete format key"},
		{"\"%(a)s\" % 1", "! format requires a mapping"},
		{"\"%(a)s\" % {}", "! 'a'"},
		{"\"%(a)s\" % [1]", "! format requires a mapping"},
		{"\"%*d\" % (\"x\", 1)", "! the format '*' is not supported"},
		{"\"%d\" % nowhere", "! 'nowhere' is undefined"},
		{"\"%s\" % nowhere", ""},
		{"\"%d\" % (range(9)|sum * 1e308)", "! integer overflow: the result does not fit in 64 bits"},
		{"\"é%é\" % 1", "! the format '?' is not supported"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(format, braces)
{
	static const struct expression_case cases[] = {
		{"\"{} {}\".format(1, \"a\")", "1 a"},
		{"\"{1} {0} {1}\".format(1, \"a\")", "a 1 a"},
		{"\"{a} {b!r} {0}\".format(5, a=1, b=\"x\")", "1 'x' 5"},
		{"\"{{}} {{{}}}\".format(1)", "{} {1}"},
		{"\"{\".format()", "! Single '{' encountered in format string"},
		{"\"}\".format()", "! Single '}' encountered in format string"},
		{"\"{} {}\".format(1)", "! Replacement index 1 out of range for positional args tuple"},
		{"\"{a}\".format()", "! format() has no argument 'a'"},
		{"\"{!x}\".format(1)", "! the field '{!x}' of format() is not supported"},
		{"\"{!}\".format(1)", "! the field '{!}' of format() is not supported"},
		{"\"{!rx}\".format(1)", "! the field '{!rx}' of format() is not supported"},
		{"\"{:{:{}}}\".format(1, 2, 3)", "! the field '{:{:{}' of format() is not supported"},
		{"\"{a.}\".format(a=1)", "! format() has no argument 'a.'"},
		{"\"{a[}\".format(a=1)", "! format() has no argument 'a['"},
		{"\"{a[0]b}\".format(a=[1])", "! format() has no argument 'a[0]b'"},
		{"\"{{\".format() ~ \"{:}}\".format(1)", "! Single '}' encountered in format string"},
		{"\"{:5\".format(1)", "! Single '{' encountered in format string"},
		{"\"{a{b}\".format(1)", "! format() has no argument 'a{b'"},
		{"\"{:d}\".format(\"x\")", "! a number is required for the format 'd', not str"},
		{"\"{}\".format([1]) ~ \"{}\".format(none) ~ \"{:}\".format({})", "[1]None{}"},
		{"\"{:y}\".format(1)", "! the format 'y' is not supported"},
		{"\"{:10x10}\".format(1)", "! the field '{:10x10}' of format() is not supported"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(format, numbers_in_braces)
{
	static const struct expression_case cases[] = {
		{"\"{:.2f} {:e} {:F}\".format(range(9)|sum * 1e308, -range(9)|sum * 1e308, range(9)|sum * 1e308)",
		 "! bad operand type for unary -: 'range'"},
		{"\"{:05} {:05.1f}\".format(range(9)|sum * 1e308, -range(9)|sum * 1e308)",
		 "! bad operand type for unary -: 'range'"},
		{"\"{} {} {}\".format(1e16, 1e-5, 123456789012345678)", "1e+16 1e-05 123456789012345678"},
		{"\"{:zd}\".format(5)", "! the field '{:zd}' of format() is not supported"},
		{"\"{:+c}\".format(5)", "! the field '{:+c}' of format() is not supported"},
		{"\"{:#c}\".format(5)", "! the field '{:#c}' of format() is not supported"},
		{"\"{:c}\".format(1114112)", "! the format 'c' is not supported"},
		{"\"{:,x}\".format(5)", "! the field '{:,x}' of format() is not supported"},
		{"\"{:,_}\".format(5)", "! the field '{:,_}' of format() is not supported"},
		{"\"{:_,}\".format(5)", "! the field '{:_,}' of format() is not supported"},
		{"\"{:,s}\".format(\"a\")", "! the field '{:,s}' of format() is not supported"},
		{"\"{:=5}\".format(\"a\")", "! the field '{:=5}' of format() is not supported"},
		{"\"{:+}\".format(\"a\")", "! the format '+' is not supported"},
		{"\"{: }\".format(\"a\")", "! the format '?' is not supported"},
		{"\"{:#}\".format(\"a\")", "! the format '#' is not supported"},
		{"\"{:z}\".format(\"a\")", "! the format 'z' is not supported"},
		{"\"{:99999999999999999999}\".format(1)",
		 "! the template takes too much: the width of a text"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

/* At LIMIT_JINJA_WIDTH and past it. */
Test(format, widths_are_bounded)
{
	static const struct expression_case cases[] = {
		{"(\"%1048576d\" % 1) | length", "1048576"},
		{"\"{:1048576}\".format(1) | length", "1048576"},
		{"\"%1048577d\" % 1", "! the template takes too much: the width of a text"},
		{"\"%-*d\" % (1048577, 1)", "! the format '*' is not supported"},
		{"\"%.1048577f\" % 1", "! the template takes too much: the width of a text"},
		{"\"%.9999999999f\" % 1", "! the template takes too much: the width of a text"},
		{"\"{:1048577}\".format(1)", "! the template takes too much: the width of a text"},
		{"\"{:.1048577f}\".format(1.5)", "! the template takes too much: the width of a text"},
		{"\"{:01048577,}\".format(1)", "! the format ',' is not supported"},
		{"\"{:{}}\".format(\"a\", 9999999999)", "! the format '{' is not supported"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(format, width_and_precision)
{
	static const struct expression_case cases[] = {
		{"\"%5d|%-5d|%05d|%d\" % (42, 42, -42, 3.99)", "   42|42   |-0042|3"},
		{"\"%10.3f|%-10.3f|%010.3f|%.0f\" % (3.14159, 3.14159, -3.14159, 2.5)",
		 "     3.142|3.142     |-00003.142|2"},
		{"\"{:>5}|{:<5}|{:5}|{:5}\".format(\"ab\", \"ab\", \"ab\", 12)", "   ab|ab   |ab   |   12"},
		{"\"{:.2f} {:08.3f} {:x} {!r:>6} {!s}\".format(2.675, -3.14159, 255, \"a\", \"é\")",
		 "2.67 -003.142 ff    'a' é"},
		{"\"{:.2}\".format(1.25)", "! a precision without 'f' is not supported"},
		{"\"%.2d\" % 1", "! a precision with the format 'd' is not supported"},
		{"\"%1048577d\" % 1", "! the template takes too much: the width of a text"},
		{"\"%.1048577f\" % 1", "! the template takes too much: the width of a text"},
		{"\"{:1048577}\".format(1)", "! the template takes too much: the width of a text"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}
