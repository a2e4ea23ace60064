/* Filters that make numbers; what they give is recorded from Jinja2 3.1. */
#include "expressions.h"

#include <criterion/criterion.h>

Test(filters_number, ints)
{
	static const struct expression_case cases[] = {
		{"'42'|int", "42"},
		{"' 42\\n'|int", "42"},
		{"'+7'|int", "7"},
		{"'1__0'|int", "0"},
		{"'_1'|int", "0"},
		{"'1_'|int", "0"},
		{"'0x1f'|int", "0"},
		{"'0x1f'|int(base=16)", "31"},
		{"'1f'|int(0, 16)", "31"},
		{"'0o17'|int(base=8)", "15"},
		{"'010'|int", "10"},
		{"'010'|int(9, 0)", "10"},
		{"'00'|int(9, 0)", "0"},
		{"'zz'|int(base=36)", "1295"},
		{"'1'|int(5, 37)", "1"},
		{"'1'|int(5, 1)", "1"},
		{"'12.7'|int", "12"},
		{"'-12.7'|int", "-12"},
		{"'1e3'|int", "1000"},
		{"3.99|int", "3"},
		{"-3.99|int", "-3"},
		{"true|int", "1"},
		{"none|int", "0"},
		{"none|int(7)", "7"},
		{"'x'|int('d')", "d"},
		{"[]|int(1)", "1"},
		{"''|int(3)", "3"},
		{"'-'|int", "0"},
		{"'nan'|int(4)", "4"},
		{"'inf'|int", "! integer overflow: the result does not fit in 64 bits"},
		{"'1 2'|int(8)", "8"},
		{"undef|int", "! 'undef' is undefined"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(filters_number, floats)
{
	static const struct expression_case cases[] = {
		{"'1.5'|float", "1.5"},
		{"' 1e3 '|float", "1000.0"},
		{"'.5'|float", "0.5"},
		{"'5.'|float", "5.0"},
		{"'inf'|float", "inf"},
		{"'-Infinity'|float", "-inf"},
		{"'nan'|float", "nan"},
		{"'x'|float", "0.0"},
		{"none|float", "0.0"},
		{"7|float", "7.0"},
		{"true|float", "1.0"},
		{"undef|float", "! 'undef' is undefined"},
		{"'-0'|float", "-0.0"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}

Test(filters_number, absolute)
{
	static const struct expression_case cases[] = {
		{"-5|abs", "5"},
		{"-2.5|abs", "2.5"},
		{"true|abs", "1"},
		{"'a'|abs", "! bad operand type for abs(): 'str'"},
		{"undef|abs", "! bad operand type for abs(): 'Undefined'"},
		{"-5|abs(1)", "! abs() takes 0 arguments at most, not 1"},
		{"-0.0|abs", "0.0"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}
