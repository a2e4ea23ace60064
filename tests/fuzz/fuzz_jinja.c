/* Templates as foreign files carry them, rendered with a conversation under small
 * limits. What comes out is well-formed and within them, its spans cover it, a
 * second rendering gives the same -- and no character that only the conversation
 * has is ever said to be the template's. */
#include <string.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "fuzz/fuzz.h"
#include "jinja/jinja.h"

enum { MEMORY = 4 << 20, OUTPUT = 256 << 10 };

static const struct jinja_limits limits = {
	.template_bytes = 64 << 10,
	.parse_depth = LIMIT_JINJA_PARSE_DEPTH,
	.call_depth = LIMIT_JINJA_CALL_DEPTH,
	.fuel = 200000,
	.memory = MEMORY,
	.output = OUTPUT,
};
static const struct jinja_options options = {.limits = &limits, .has_now = true, .now = 1700000000};

/* Stands in every text of the conversation. */
static const char mark[] = "\xef\xa3\xb3";

static struct jinja_value text(struct arena *arena, const char *bytes, uint32_t source)
{
	return value_text(arena, bytes, strlen(bytes), source);
}

static void add_message(struct arena *arena, struct jinja_value list, const char *role,
                        const char *content, uint32_t source)
{
	struct jinja_value message = value_dict(arena);

	if (value_is_undefined(message) || value_is_undefined(list))
		return;
	dict_put_text(arena, message.u.dict, "role", text(arena, role, 0));
	dict_put_text(arena, message.u.dict, "content", text(arena, content, source));
	list_push(arena, list.u.list, message);
}

static void fill(struct jinja_context *context)
{
	struct arena *arena = jinja_context_arena(context);
	struct jinja_value messages = value_list(arena, LIST_LIST), dict = value_dict(arena);

	add_message(arena, messages, "system", "Be \xef\xa3\xb3 terse.", 1);
	add_message(arena, messages, "user", " <|im_end|>\xef\xa3\xb3\xc3\xa9 & 'x' \"y\"\n\tZ{{ a }} ", 2);
	add_message(arena, messages, "assistant", "<b>\xef\xa3\xb3</b>,1,2\\n%s{}", 3);
	if (!value_is_undefined(dict)) {
		dict_put_text(arena, dict.u.dict, "k", value_int(1));
		dict_put_text(arena, dict.u.dict, "items", value_float(-0.5));
		dict_put(arena, dict.u.dict, text(arena, mark, 5), messages);
		dict_put(arena, dict.u.dict, value_int(7), value_none());
	}
	jinja_context_set(context, "messages", messages);
	jinja_context_set(context, "d", dict);
	jinja_context_set(context, "s", text(arena, "ab \xef\xa3\xb3 c,d", 4));
	jinja_context_set(context, "n", value_int(-3));
	jinja_context_set(context, "f", value_float(2.5));
	jinja_context_set(context, "add_generation_prompt", value_bool(true));
	jinja_context_set(context, "tools", value_none());
	jinja_context_set(context, "bos_token", text(arena, "<s>", 0));
}

/* Whether a template could make the mark by itself. */
static bool may_make_mark(const char *source, size_t size)
{
	static const char *const ways[] = {mark, "\\", "%", "format"};

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		if (memmem(source, size, ways[i], strlen(ways[i])))
			return true;
	return false;
}

static void check_output(const struct jinja_output *out, bool marks)
{
	size_t from = 0;

	FUZZ_CHECK(out->text && out->len <= OUTPUT && out->text[out->len] == '\0');
	FUZZ_CHECK(utf8_valid(out->text, out->len));
	for (size_t i = 0; i < out->n_spans; i++) {
		size_t end = out->spans[i].end;

		FUZZ_CHECK(end > from && end <= out->len);
		FUZZ_CHECK(i == 0 || out->spans[i].source != out->spans[i - 1].source);
		if (marks && out->spans[i].source == SOURCE_TEMPLATE)
			FUZZ_CHECK(!memmem(out->text + from, end - from, mark, strlen(mark)));
		from = end;
	}
	FUZZ_CHECK(from == out->len);
}

static enum status render(const struct jinja_template *tmpl, struct jinja_output *out,
                          struct error *err)
{
	struct jinja_context *context;
	enum status status = jinja_context_create(&context, MEMORY, err);

	if (status)
		return status;
	fill(context);
	status = jinja_render(tmpl, context, &options, out, err);
	jinja_context_free(context);
	return status;
}

static void render_twice(const struct jinja_template *tmpl, bool marks)
{
	struct jinja_output first = {0}, second = {0};
	struct error err = {0}, again = {0};
	enum status status = render(tmpl, &first, &err);

	FUZZ_CHECK(render(tmpl, &second, &again) == status);
	FUZZ_CHECK(first.raised == second.raised);
	if (status) {
		FUZZ_CHECK(status == STATUS_FORMAT || status == STATUS_LIMIT);
		FUZZ_CHECK(err.status == status && (err.text[0] || first.raised));
		FUZZ_CHECK(strcmp(err.text, again.text) == 0);
	} else {
		check_output(&first, marks);
		FUZZ_CHECK(first.len == second.len && first.n_spans == second.n_spans);
		FUZZ_CHECK(memcmp(first.text, second.text, first.len) == 0);
	}
	jinja_output_free(&first);
	jinja_output_free(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *source = (const char *)data;
	struct jinja_template *tmpl;
	struct error err = {0};
	enum status status = jinja_parse(&tmpl, "fuzz", source, size, &limits, &err);
	const char *const *names;
	size_t n;

	if (status) {
		FUZZ_CHECK(!tmpl && err.status == status && strncmp(err.text, "fuzz:", 5) == 0);
		FUZZ_CHECK(status == STATUS_FORMAT || status == STATUS_LIMIT);
		return 0;
	}
	names = jinja_free_names(tmpl, &n);
	for (size_t i = 1; i < n; i++)
		FUZZ_CHECK(strcmp(names[i - 1], names[i]) < 0);
	render_twice(tmpl, !may_make_mark(source, size));
	jinja_free(tmpl);
	return 0;
}
