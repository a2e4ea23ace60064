/* What Ollama says of a model: the answer of /api/show, and its name. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_walk.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/words.h"
#include "remote/dialect_ollama.h"

/* The answer of /api/show. */
struct shown {
	char remote_host[128], family[32];
	struct buf parameters, template;
	bool thinks;
};

/* model_info has keys such as "llama.context_length", whose first word is the model's architecture. */
static uint32_t find_context(const char *json, size_t len)
{
	static const char end[] = ".context_length";
	struct json_reader reader;
	struct json_item item = {.kind = JSON_NULL};
	uint32_t n_ctx = 0;
	bool is_next = false;

	json_begin(&reader, NULL, json, len);
	while (!n_ctx && json_next(&reader, &item, NULL) == STATUS_OK && item.kind != JSON_END) {
		double value;

		if (is_next && item.kind == JSON_NUMBER && number_parse_double(item.text, &value) &&
		    value >= 1 && value <= UINT32_MAX)
			n_ctx = (uint32_t)value;
		is_next = item.kind == JSON_KEY && item.len > sizeof end &&
		          strcmp(item.text + item.len - strlen(end), end) == 0;
	}
	json_end(&reader);
	return n_ctx;
}

static enum status take_shown(void *ctx, const char *path, const struct json_item *item,
                              struct error *err)
{
	static const struct json_place places[] = {
		{"remote_host", JSON_PLACE_TEXT, offsetof(struct shown, remote_host), 128},
		{"details.family", JSON_PLACE_TEXT, offsetof(struct shown, family), 32},
		{"parameters", JSON_PLACE_BUF, offsetof(struct shown, parameters), 0},
		{"template", JSON_PLACE_BUF, offsetof(struct shown, template), 0},
	};
	struct shown *shown = ctx;

	(void)err;
	if (item->kind == JSON_STRING && json_path_is(path, "capabilities.*"))
		shown->thinks |= strcmp(item->text, "thinking") == 0;
	(void)json_put_place(places, sizeof places / sizeof places[0], shown, path, item);
	return STATUS_OK;
}

static void add_stop(struct ollama_model *out, const char *text)
{
	struct buf stop = {.max = OLLAMA_STOP_MAX};

	if (out->n_stops < OLLAMA_STOPS_MAX && words_next_escaped(&text, &stop) && stop.len > 0 &&
	    buf_status(&stop) == STATUS_OK)
		memcpy(out->stops[out->n_stops++], stop.data, stop.len + 1);
	buf_free(&stop);
}

/* What its Modelfile sets: a line each, 'stop "<|im_end|>"'. */
static void read_parameters(struct ollama_model *out, const struct buf *parameters)
{
	char *rest = parameters->data, *line;

	while (rest && (line = strtok_r(rest, "\n", &rest)) != NULL) {
		size_t n = strcspn(line, " \t");

		if (n == 7 && memcmp(line, "num_ctx", n) == 0)
			out->n_ctx = (uint32_t)strtoul(line + n, NULL, 10);
		else if (n == 4 && memcmp(line, "stop", n) == 0)
			add_stop(out, line + n);
	}
}

/* "https://ollama.com:443" as "ollama.com". */
static void copy_host(const char *url, char *host, size_t size)
{
	const char *start = strstr(url, "://");

	start = start ? start + 3 : url;
	snprintf(host, size, "%.*s", (int)strcspn(start, ":/"), start);
}

void ollama_read_show(struct ollama_model *out, const char *json, size_t len)
{
	struct shown shown = {.parameters.max = KIB(64), .template.max = MIB(1)};

	*out = (struct ollama_model){.n_ctx = 0};
	if (json_walk(json, len, take_shown, &shown, NULL) == STATUS_OK) {
		out->n_ctx_max = find_context(json, len);
		read_parameters(out, &shown.parameters);
		out->thinks = shown.thinks;
		out->always_thinks =
			strcmp(shown.family, "gptoss") == 0 || strcmp(shown.family, "gpt-oss") == 0;
		out->has_levels =
			shown.thinks && (out->always_thinks ||
		                         strstr(buf_text(&shown.template), "reasoning_effort") ||
		                         strstr(buf_text(&shown.template), "ThinkLevel"));
		out->is_elsewhere = shown.remote_host[0] != '\0';
		copy_host(shown.remote_host, out->host, sizeof out->host);
	}
	buf_free(&shown.parameters);
	buf_free(&shown.template);
}

/* "llama3" is "llama3:latest". */
bool ollama_is_same(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b);

	if (n > m)
		return ollama_is_same(b, a);
	return strncmp(a, b, n) == 0 &&
	       (m == n || (!strchr(a, ':') && strcmp(b + n, ":latest") == 0));
}
