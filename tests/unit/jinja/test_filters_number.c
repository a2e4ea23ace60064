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
		{"'.'|float(9)", "9"},
		{"'1e'|float(9)", "9"},
		{"'inf'|float", "inf"},
		{"'-Infinity'|float", "-inf"},
		{"'nan'|float", "nan"},
		{"'0x10'|float(9)", "9"},
		{"'x'|float", "0.0"},
		{"none|float", "0.0"},
		{"7|float", "7.0"},
		{"true|float", "1.0"},
		{"'1,5'|float(2)", "2"},
		{"undef|float", "! 'undef' is undefined"},
		{"'1_.5'|float(9)", "9"},
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

Test(filters_number, rounding)
{
	static const struct expression_case cases[] = {
		{"42.55|round", "43.0"},
		{"42.45|round(1)", "42.5"},
		{"42.55|round(1, 'floor')", "42.5"},
		{"42.55|round(1, 'ceil')", "42.6"},
		{"0.5|round", "0.0"},
		{"1.5|round", "2.0"},
		{"2.5|round", "2.0"},
		{"-0.5|round", "-0.0"},
		{"2.675|round(2)", "2.67"},
		{"1234.5|round(-2)", "1200.0"},
		{"1250.0|round(-2)", "1200.0"},
		{"1350.0|round(-2)", "1400.0"},
		{"51.0|round(-2)", "100.0"},
		{"50.0|round(-2)", "0.0"},
		{"49.0|round(-2)", "0.0"},
		{"5.0|round(-3)", "0.0"},
		{"1e300|round(-299)", "1e+300"},
		{"1e20|round(3)", "1e+20"},
		{"42|round", "42"},
		{"42|round(2)", "42"},
		{"1250|round(-2)", "1200"},
		{"1350|round(-2)", "1400"},
		{"-1250|round(-2)", "-1200"},
		{"7|round(-30)", "0"},
		{"true|round", "1"},
		{"42|round(1, 'ceil')", "42.0"},
		{"1234|round(-2, 'ceil')", "1300.0"},
		{"1234|round(-2, 'floor')", "1200.0"},
		{"-0.4|round(0, 'ceil')", "0.0"},
		{"1.23456789|round(400)", "1.23456789"},
		{"1.5|round(-400)", "0.0"},
		{"'a'|round", "! type str doesn't define __round__ method"},
		{"none|round", "! type NoneType doesn't define __round__ method"},
		{"undef|round", "! type Undefined doesn't define __round__ method"},
		{"1.5|round('x')", "! 'str' object cannot be interpreted as an integer"},
		{"1.5|round(0, 'x')", "! method must be common, ceil or floor"},
		{"'a'|round(0, 'floor')", "! type str doesn't define __round__ method"},
		{"(undef|d('nan')|float)|round(0, 'floor')", "! the number is too large to round"},
		{"(undef|d('1e999')|float)|round(none)",
		 "! 'NoneType' object cannot be interpreted as an integer"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}
