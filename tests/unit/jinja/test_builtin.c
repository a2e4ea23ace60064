/* The tables of builtins, the binding of arguments, and what filters may use up. */
#include "jinja/builtins.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/limits.h"
#include "rendering.h"

static struct rendering r;

static void set_up(void)
{
	rendering_begin(&r);
}

static void tear_down(void)
{
	rendering_end(&r);
}

TestSuite(builtin, .init = set_up, .fini = tear_down);

static void check_sorted(const struct builtin_table *table)
{
	const struct builtin *rows = table->rows;

	for (size_t i = 0; i < table->n; i++) {
		const struct jinja_string name = {.data = rows[i].name,
		                                  .len = strlen(rows[i].name)};

		cr_expect(i == 0 || strcmp(rows[i - 1].name, rows[i].name) < 0, "%s", rows[i].name);
		cr_expect_eq(builtin_find(table, &name), &rows[i], "%s", rows[i].name);
	}
}

Test(builtin, every_row_is_found)
{
	check_sorted(&jinja_filters);
	check_sorted(&jinja_tests);
	check_sorted(&jinja_globals);
	check_sorted(&jinja_string_methods);
	check_sorted(&jinja_list_methods);
	check_sorted(&jinja_dict_methods);
}

Test(builtin, other_names_are_not_found)
{
	static const struct jinja_string names[] = {
		{.data = "", .len = 0},
		{.data = "abs\0", .len = 4},
		{.data = "ab", .len = 2},
		{.data = "abss", .len = 4},
		{.data = "zzz", .len = 3},
		{.data = "absolute", .len = 8}, /* not the first three bytes */
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		cr_expect_null(builtin_find(&jinja_filters, &names[i]));
	cr_expect_not_null(builtin_find(&jinja_filters, &(struct jinja_string){.data = "absolute", .len = 3}));
}

/* Shows its arguments, and which of them were given. */
static BUILTIN(show)
{
	struct jinja_value list = value_list(render->arena, LIST_LIST);

	for (size_t i = 0; i < 3; i++) {
		cr_assert(list_push(render->arena, list.u.list, bound->args[i]));
		cr_assert(list_push(render->arena, list.u.list, value_bool(bound->given[i])));
	}
	cr_assert(list_push(render->arena, list.u.list, value_int((int64_t)bound->rest.n)));
	cr_assert(list_push(render->arena, list.u.list, value_int((int64_t)bound->rest.n_keywords)));
	return list;
}

Test(builtin, arguments_go_to_their_parameters)
{
	const struct jinja_string a = {.data = "a", .len = 1}, b = {.data = "b", .len = 1},
	                    c = {.data = "c", .len = 1}, x = {.data = "x", .len = 1};
	const struct jinja_value items[] = {value_int(7), value_int(8), value_int(9),
	                                    value_int(10)};
	const struct keyword ka = {&a, value_int(1)}, kb = {&b, value_int(2)},
	                     kc = {&c, value_int(3)}, kx = {&x, value_int(4)};
	const struct {
		const char *params;
		size_t n;
		struct keyword keywords[2];
		size_t n_keywords;
		const char *shows;
	} rows[] = {
		{"a, b='x, y', c=None", 1, {{0}}, 0,
		 "[7, True, 'x, y', False, None, False, 0, 0]"},
		{"a=1.5, b=-3, c=True", 0, {{0}}, 0,
		 "[1.5, False, -3, False, True, False, 0, 0]"},
		{"a, b, c=''", 1, {kb, kc}, 2, "[7, True, 2, True, 3, True, 0, 0]"},
		{"a, b=0, c=0, *args", 4, {{0}}, 0, "[7, True, 8, True, 9, True, 1, 0]"},
		{"a, b=0, c=0, **kwargs", 0, {kx, ka}, 2,
		 "[1, True, 0, False, 0, False, 0, 1]"},
		{"a, b, c", 0, {{0}}, 0, "f() needs the argument 'a'"},
		{"a, b", 1, {{0}}, 0, "f() needs the argument 'b'"},
		{"", 1, {{0}}, 0, "f() takes 0 arguments at most, not 1"},
		{"a, b=1", 3, {{0}}, 0, "f() takes 2 arguments at most, not 3"},
		{"a", 0, {kx}, 1, "f() got an unexpected keyword argument 'x'"},
		{"a", 1, {ka}, 1, "f() got multiple values for argument 'a'"},
		{"a, *, b=0, c=0", 1, {kc}, 1, "[7, True, 0, False, 3, True, 0, 0]"},
		{"a, *, b=0", 2, {{0}}, 0, "f() takes 1 argument at most, not 2"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct builtin row = {"f", show, rows[i].params};
		const struct args args = {items, rows[i].n, rows[i].keywords, rows[i].n_keywords};
		struct jinja_value out = builtin_call(&r.render, &row, value_none(), &args);

		cr_expect_str_eq(shown(&r, out), rows[i].shows, "%s: %s", rows[i].params,
		                 shown(&r, out));
		rendering_reset(&r);
	}
}
