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
		{"\"%5d|%-5d|%05d|%+d|% d\" % (42, 42, 42, 42, 42)", "   42|42   |00042|+42| 42"},
		{"\"%5s|%-5s|%.2s|%5.1s\" % (\"abc\", \"abc\", \"abc\", \"abc\")",
		 "  abc|abc  |ab|    a"},
		{"\"%x %X %o %#x %#X %#o\" % (255, 255, 8, 255, 255, 8)", "ff FF 10 0xff 0XFF 0o10"},
		{"\"%x %d\" % (-255, -9223372036854775807)", "-ff -9223372036854775807"},
		{"\"%.3d %+.3d %08.3d\" % (7, 7, 7)", "007 +007 00000007"},
		{"\"%d %i %u\" % (3.99, -3.99, true)", "3 -3 1"},
		{"\"%d\" % 1e20", "100000000000000000000"},
		{"\"%f %.2f %.0f %#.0f\" % (3.14159, 3.14159, 2.5, 2.5)", "3.141590 3.14 2 2."},
		{"\"%e %.3E %g %G %g %#g\" % (12345.678, 0.00012, 1e10, 1e-10, 100000.0, 1.0)",
		 "1.234568e+04 1.200E-04 1e+10 1E-10 100000 1.00000"},
		{"\"%10.3f|%-10.3f|%010.3f|%+.1f\" % (3.14159, 3.14159, -3.14159, 2.25)",
		 "     3.142|3.142     |-00003.142|+2.2"},
		{"\"%f %F %5.1f\" % (range(9)|sum * 1e308, -range(9)|sum * 1e308, range(9)|sum * 1e308)",
		 "! bad operand type for unary -: 'range'"},
		{"\"%r %a %s\" % (\"é'\", \"é😀\", none)", "\"é'\" '\\xe9\\U0001f600' None"},
		{"\"%c%c%c\" % (\"x\", 233, 0x1F600)", "xé😀"},
		{"\"%(a)s-%(b)05.1f\" % {\"a\": 1, \"b\": 2.345}", "1-002.3"},
		{"\"%(a(b))s\" % {\"a(b)\": 1}", "1"},
		{"\"%*d|%-*d|%.*f\" % (5, 42, 5, 42, 2, 3.14159)", "   42|42   |3.14"},
		{"\"%*d\" % (-5, 42) ~ \"|\"", "42   |"},
		{"\"%ld %hd %Lf\" % (1, 2, 3)", "1 2 3.000000"},
		{"\"none\" % ()", "none"},
		{"\"none\" % {}", "none"},
		{"\"none\" % [1]", "none"},
		{"\"%s\" % ()", "! not enough arguments for format string"},
		{"\"%s %s\" % \"a\"", "! not enough arguments for format string"},
		{"\"%s\" % (\"a\", \"b\")", "! not all arguments converted during string formatting"},
		{"\"none\" % 1", "! not all arguments converted during string formatting"},
		{"\"%d\" % \"x\"", "! %d format: a real number is required, not str"},
		{"\"%d\" % none", "! %d format: a real number is required, not NoneType"},
		{"\"%x\" % 1.5", "! %x format: an integer is required, not float"},
		{"\"%f\" % \"x\"", "! must be real number, not str"},
		{"\"%c\" % \"ab\"", "! %c requires int or char"},
		{"\"%c\" % 1114112", "! %c arg not in range(0x110000)"},
		{"\"%y\" % 1", "! unsupported format character 'y' (0x79) at index 1"},
		{"\"%\" % 1", "! incomplete format"},
		{"\"%5\" % 1", "! incomplete format"},
		{"\"%(a\" % {}", "! incomplete format key"},
		{"\"%(a)s\" % 1", "! format requires a mapping"},
		{"\"%(a)s\" % {}", "! 'a'"},
		{"\"%(a)s\" % [1]", "! list indices must be integers or slices, not str"},
		{"\"%*d\" % (\"x\", 1)", "! * wants int"},
		{"\"%d\" % nowhere", "! 'nowhere' is undefined"},
		{"\"%s\" % nowhere", ""},
		{"\"%d\" % (range(9)|sum * 1e308)", "! cannot convert float infinity to integer"},
		{"\"é%é\" % 1", "! unsupported format character '?' (0xe9) at index 2"},
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
		{"\"{0[0]} {0[1]} {1[k]} {1.k}\".format([1, 2], {\"k\": 3})", "1 2 3 3"},
		{"\"{:>5}|{:<5}|{:^5}|{:*^6}\".format(\"ab\", \"ab\", \"ab\", \"abc\")",
		 "   ab|ab   | ab  |*abc**"},
		{"\"{:é>4}\".format(\"a\")", "éééa"},
		{"\"{:{}}|{:{w}.{p}}\".format(\"ab\", 4, \"abcdef\", w=5, p=2)", "ab  |ab   "},
		{"\"{!r:>6} {!a} {!s}\".format(\"a\", \"é\", \"é\")", "   'a' '\\xe9' é"},
		{"\"{a[b]}\".format_map({\"a\": {\"b\": 1}})", "1"},
		{"\"{\".format()", "! Single '{' encountered in format string"},
		{"\"}\".format()", "! Single '}' encountered in format string"},
		{"\"{} {}\".format(1)", "! Replacement index 1 out of range for positional args tuple"},
		{"\"{0} {}\".format(1)",
		 "! cannot switch from manual field specification to automatic field numbering"},
		{"\"{} {0}\".format(1)",
		 "! cannot switch from automatic field numbering to manual field specification"},
		{"\"{a}\".format()", "! 'a'"},
		{"\"{!x}\".format(1)", "! Unknown conversion specifier x"},
		{"\"{!}\".format(1)", "! unmatched '{' in format spec"},
		{"\"{!rx}\".format(1)", "! expected ':' after conversion specifier"},
		{"\"{:{:{}}}\".format(1, 2, 3)", "! Max string recursion exceeded"},
		{"\"{a.}\".format(a=1)", "! Empty attribute in format string"},
		{"\"{a[}\".format(a=1)", "! expected '}' before end of string"},
		{"\"{a[0]b}\".format(a=[1])",
		 "! Only '.' or '[' may follow ']' in format field specifier"},
		{"\"{{\".format() ~ \"{:}}\".format(1)", "! Single '}' encountered in format string"},
		{"\"{:5\".format(1)", "! unmatched '{' in format spec"},
		{"\"{a{b}\".format(1)", "! unexpected '{' in field name"},
		{"\"{:d}\".format(\"x\")", "! Unknown format code 'd' for object of type 'str'"},
		{"\"{:s}\".format(1)", "! Unknown format code 's' for object of type 'int'"},
		{"\"{:5}\".format([])", "! unsupported format string passed to list.__format__"},
		{"\"{}\".format([1]) ~ \"{}\".format(none) ~ \"{:}\".format({})", "[1]None{}"},
		{"\"{:5}\".format(none)", "! unsupported format string passed to NoneType.__format__"},
		{"\"{:y}\".format(1)", "! Unknown format code 'y' for object of type 'int'"},
		{"\"{:10x10}\".format(1)", "! Invalid format specifier '10x10' for object of type 'int'"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(format, numbers_in_braces)
{
	static const struct expression_case cases[] = {
		{"\"{:d} {:5d} {:<5d}| {:^5d} {:05d} {:+d} {: d}\".format(42, 42, 42, 42, 42, 42, 42)",
		 "42    42 42   |  42   00042 +42  42"},
		{"\"{:=+6d} {:*=6d} {:0=6d} {:<06d}\".format(42, -42, -42, 42)",
		 "+   42 -***42 -00042 420000"},
		{"\"{:x} {:X} {:o} {:b} {:#x} {:#X} {:#o} {:#b} {:#06x}\".format(255, 255, 8, 5, 255, 255, 8, 5, 10)",
		 "ff FF 10 101 0xff 0XFF 0o10 0b101 0x000a"},
		{"\"{:,} {:_} {:,d} {:_x} {:_b}\".format(1234567, 1234567, -1234, 0xdeadbeef, 1023)",
		 "1,234,567 1_234_567 -1,234 dead_beef 11_1111_1111"},
		{"\"{:010,} {:08,} {:012_x}\".format(1234, -1234, 0xbeef)",
		 "00,001,234 -001,234 00_0000_beef"},
		{"\"{:c}{:c} {:3c}|\".format(65, 233, 66)", "Aé   B|"},
		{"\"{:n} {:n}\".format(12, 1.5)", "12 1.5"},
		{"\"{} {} {:5} {:d} {:.1f}\".format(true, false, true, true, true)",
		 "True False     1 1 1.0"},
		{"\"{:f} {:.2f} {:e} {:.0e} {:g} {:G} {:%} {:.1%}\".format(3.14159, 2.675, 12345.678, 5.5, 1e-5, 1e20, 0.25, 0.1234)",
		 "3.141590 2.67 1.234568e+04 6e+00 1e-05 1E+20 25.000000% 12.3%"},
		{"\"{} {:.3} {:.10} {:.1} {:.0}\".format(0.1, 3.14159, 2.0, 15.0, 2.0)",
		 "0.1 3.14 2.0 2e+01 2e+00"},
		{"\"{:10.2f}|{:<10.2f}|{:^10.2f}|{:010.2f}|{:+.1f}\".format(3.14159, 3.14159, 3.14159, -3.14159, 2.25)",
		 "      3.14|3.14      |   3.14   |-000003.14|+2.2"},
		{"\"{:,.2f} {:012,.1f} {:_.1f}\".format(1234567.891, 1234.5, 1234567.0)",
		 "1,234,567.89 00,001,234.5 1_234_567.0"},
		{"\"{:#.0f} {:#g} {:#} {:#.3}\".format(2.0, 1.0, 1e16, 15.0)", "2. 1.00000 1.e+16 15.0"},
		{"\"{:z.1f} {:.1f} {:+z.0f}\".format(-0.04, -0.04, -0.4)", "0.0 -0.0 +0"},
		{"\"{:.2f} {:e} {:F}\".format(range(9)|sum * 1e308, -range(9)|sum * 1e308, range(9)|sum * 1e308)",
		 "! bad operand type for unary -: 'range'"},
		{"\"{:05} {:05.1f}\".format(range(9)|sum * 1e308, -range(9)|sum * 1e308)",
		 "! bad operand type for unary -: 'range'"},
		{"\"{} {} {}\".format(1e16, 1e-5, 123456789012345678)", "1e+16 1e-05 123456789012345678"},
		{"\"{:e} {:.2f} {:%}\".format(5, 5, 5)", "5.000000e+00 5.00 500.000000%"},
		{"\"{:.2d}\".format(5)", "! Precision not allowed in integer format specifier"},
		{"\"{:zd}\".format(5)",
		 "! Negative zero coercion (z) not allowed in integer format specifier"},
		{"\"{:+c}\".format(5)", "! Sign not allowed with integer format specifier 'c'"},
		{"\"{:#c}\".format(5)",
		 "! Alternate form (#) not allowed with integer format specifier 'c'"},
		{"\"{:c}\".format(1114112)", "! %c arg not in range(0x110000)"},
		{"\"{:,x}\".format(5)", "! Cannot specify ',' with 'x'."},
		{"\"{:,_}\".format(5)", "! Cannot specify both ',' and '_'."},
		{"\"{:_,}\".format(5)", "! Cannot specify both ',' and '_'."},
		{"\"{:,s}\".format(\"a\")", "! Cannot specify ',' with 's'."},
		{"\"{:d}\".format(1.5)", "! Unknown format code 'd' for object of type 'float'"},
		{"\"{:.f}\".format(1.5)", "! Format specifier missing precision"},
		{"\"{:=5}\".format(\"a\")", "! '=' alignment not allowed in string format specifier"},
		{"\"{:+}\".format(\"a\")", "! Sign not allowed in string format specifier"},
		{"\"{: }\".format(\"a\")", "! Space not allowed in string format specifier"},
		{"\"{:#}\".format(\"a\")", "! Alternate form (#) not allowed in string format specifier"},
		{"\"{:z}\".format(\"a\")",
		 "! Negative zero coercion (z) not allowed in string format specifier"},
		{"\"{:05}|{:.2}\".format(\"a\", \"éàü\")", "a0000|éà"},
		{"\"{:99999999999999999999}\".format(1)", "! Too many decimal digits in format string"},
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
		{"\"%-*d\" % (1048577, 1)", "! the template takes too much: the width of a text"},
		{"\"%.1048577d\" % 1", "! the template takes too much: the width of a text"},
		{"\"%.1048577f\" % 1", "! the template takes too much: the width of a text"},
		{"\"%.9999999999f\" % 1", "! the template takes too much: the width of a text"},
		{"\"{:1048577}\".format(1)", "! the template takes too much: the width of a text"},
		{"\"{:.1048577f}\".format(1.5)", "! the template takes too much: the width of a text"},
		{"\"{:01048577,}\".format(1)", "! the template takes too much: the width of a text"},
		{"\"{:{}}\".format(\"a\", 9999999999)", "! the template takes too much: the width of a text"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}
