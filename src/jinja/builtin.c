/* Rows of the tables: finding them, which argument goes to which parameter of a
 * row's signature, calling them, and rows as values. */
#include <string.h>

#include "base/number.h"
#include "jinja/builtins.h"

struct parameter {
	const char *name, *value; /* value: the default; NULL: there is none */
	size_t name_len, value_len;
};

struct signature {
	struct parameter params[BUILTIN_ARGS_MAX];
	size_t n, n_positional; /* those behind a lone * are given by name */
	bool star, star_star;
};

/* ---- signatures ---- */

/* The end of the parameter that begins here; commas in quotes are text. */
static const char *parameter_end(const char *p)
{
	bool quoted = false;

	for (; *p && (quoted || *p != ','); p++)
		quoted ^= *p == '\'';
	return p;
}

static void add_parameter(struct signature *signature, const char *p, const char *end)
{
	struct parameter *parameter = &signature->params[signature->n];
	const char *equals = memchr(p, '=', (size_t)(end - p));

	if (signature->n == BUILTIN_ARGS_MAX)
		return;
	parameter->name = p;
	parameter->name_len = (size_t)((equals ? equals : end) - p);
	parameter->value = equals ? equals + 1 : NULL;
	parameter->value_len = equals ? (size_t)(end - equals - 1) : 0;
	signature->n++;
}

static void read_signature(struct signature *signature, const char *params)
{
	const char *end;

	*signature = (struct signature){.n_positional = SIZE_MAX};
	for (const char *p = params; *p; p = *end ? end + 1 : end) {
		while (*p == ' ')
			p++;
		end = parameter_end(p);
		if (p[0] == '*' && p[1] == '*')
			signature->star_star = true;
		else if (end - p == 1 && *p == '*')
			signature->n_positional = signature->n;
		else if (*p == '*')
			signature->star = true;
		else
			add_parameter(signature, p, end);
	}
	if (signature->n_positional > signature->n)
		signature->n_positional = signature->n;
}

static struct jinja_value default_value(struct arena *arena, const struct parameter *parameter)
{
	char text[NUMBER_TEXT_MAX] = "";
	int64_t integer;
	double number;

	switch (parameter->value[0]) {
	case '\'':
		if (parameter->value_len == 2)
			return value_from_string(&string_empty);
		return value_from_string(string_new(arena, parameter->value + 1,
		                                    parameter->value_len - 2, SOURCE_TEMPLATE));
	case 'T':
	case 'F':
		return value_bool(parameter->value[0] == 'T');
	case 'N':
		return value_none();
	default:
		if (parameter->value_len < sizeof text)
			memcpy(text, parameter->value, parameter->value_len);
		if (number_parse_int(text, &integer))
			return value_int(integer);
		return value_float(number_parse_double(text, &number) ? number : 0);
	}
}

/* ---- binding ---- */

static size_t find_parameter(const struct signature *signature, const struct jinja_string *name)
{
	for (size_t i = 0; i < signature->n; i++) {
		const struct parameter *parameter = &signature->params[i];

		if (parameter->name_len == name->len &&
		    memcmp(parameter->name, name->data, name->len) == 0)
			return i;
	}
	return SIZE_MAX;
}

static void bind_keywords(struct render *render, const struct builtin *row,
                          const struct signature *signature, const struct args *args,
                          struct bound *bound)
{
	struct keyword *more = NULL;

	if (signature->star_star) {
		more = arena_array(render->arena, args->n_keywords, sizeof *more);
		if (!more)
			render_no_memory(render);
		bound->rest.keywords = more;
	}
	for (size_t i = 0; i < args->n_keywords && !render->failed; i++) {
		const struct keyword *keyword = &args->keywords[i];
		size_t at = find_parameter(signature, keyword->name);

		if (at == SIZE_MAX && more) {
			more[bound->rest.n_keywords++] = *keyword;
		} else if (at == SIZE_MAX || bound->given[at]) {
			render_fail(render, "%s() got %s argument '%.*s'", row->name,
			            at == SIZE_MAX ? "an unexpected keyword" : "multiple values for",
			            (int)keyword->name->len, keyword->name->data);
		} else {
			bound->args[at] = keyword->value;
			bound->given[at] = true;
		}
	}
}

static void builtin_bind(struct render *render, const struct builtin *row,
                         const struct args *args, struct bound *bound)
{
	struct signature signature;
	size_t n = args->n;

	read_signature(&signature, row->params);
	memset(bound, 0, sizeof *bound);
	if (n > signature.n_positional)
		n = signature.n_positional;
	for (size_t i = 0; i < n; i++) {
		bound->args[i] = args->items[i];
		bound->given[i] = true;
	}
	bind_keywords(render, row, &signature, args, bound);
	if (signature.star && args->n > n)
		bound->rest.items = args->items + n, bound->rest.n = args->n - n;
	if (args->n > n && !signature.star)
		render_fail(render, "%s() takes %zu argument%s at most, not %zu", row->name, n,
		            n == 1 ? "" : "s", args->n);
	for (size_t i = 0; i < signature.n; i++) {
		const struct parameter *parameter = &signature.params[i];

		if (bound->given[i])
			continue;
		if (parameter->value)
			bound->args[i] = default_value(render->arena, parameter);
		else
			render_fail(render, "%s() needs the argument '%.*s'", row->name,
			            (int)parameter->name_len, parameter->name);
	}
	if (render->arena->status)
		render_no_memory(render);
}

/* ---- calling and finding ---- */

/* As strcmp; the name may hold anything. */
static int name_order(const char *row, const struct jinja_string *name)
{
	size_t len = strlen(row), least = len < name->len ? len : name->len;
	int order = memcmp(row, name->data, least);

	return order ? order : (len > name->len) - (len < name->len);
}

const struct builtin *builtin_find(const struct builtin_table *table,
                                   const struct jinja_string *name)
{
	size_t low = 0, high = table->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = name_order(table->rows[middle].name, name);

		if (order == 0)
			return &table->rows[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

struct jinja_value builtin_call(struct render *render, const struct builtin *row,
                                struct jinja_value self, const struct args *args)
{
	struct bound bound;

	if (render_step(render, 1))
		builtin_bind(render, row, args, &bound);
	return render->failed ? (struct jinja_value){0} : row->fn(render, self, &bound);
}

/* As filters and tests by name may call one another through their arguments,
 * they count as calls. */
struct jinja_value builtin_apply(struct render *render, enum builtin_kind kind,
                                 const struct jinja_string *name, struct jinja_value self,
                                 const struct args *args)
{
	const struct builtin *row =
		builtin_find(kind == BUILTIN_FILTER ? render->filters : render->tests, name);
	struct jinja_value value;

	if (!row)
		return render_fail(render, "%s '%.*s' is not supported",
		                   kind == BUILTIN_FILTER ? "filter" : "test", (int)name->len,
		                   name->data);
	if (render->depth >= render->limits->call_depth)
		return render_limit(render, "calls inside calls");
	render->depth++;
	value = builtin_call(render, row, self, args);
	render->depth--;
	return value;
}

/* ---- rows as values ---- */

struct builtin_object {
	struct jinja_object object;
	const struct builtin *row;
	struct jinja_value self;
};

static struct jinja_value object_call(struct render *render, struct jinja_object *object,
                                      const struct args *args)
{
	const struct builtin_object *self = (const struct builtin_object *)object;

	return builtin_call(render, self->row, self->self, args);
}

static const struct object_ops method_ops = {
	.type_name = "builtin_function_or_method",
	.call = object_call,
};
static const struct object_ops function_ops = {
	.type_name = "function",
	.call = object_call,
};

struct jinja_value builtin_value(struct arena *arena, const struct builtin *row,
                                 struct jinja_value self)
{
	struct builtin_object *object;

	if (!row)
		return (struct jinja_value){0};
	object = arena_alloc(arena, sizeof *object);
	if (!object)
		return (struct jinja_value){0};
	object->object.ops = value_is_undefined(self) ? &function_ops : &method_ops;
	object->row = row;
	object->self = self;
	return value_object(&object->object);
}
