#include "pull/hub_key.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/limits.h"
#include "base/path_variable.h"
#include "base/sys.h"

bool hub_is_on(const char *variable)
{
	static const char *const words[] = {"1", "on", "yes", "true"}; /* huggingface_hub's constants.py */
	const char *value = sys_variable(variable);

	for (size_t i = 0; value && i < sizeof words / sizeof words[0]; i++)
		if (strcasecmp(value, words[i]) == 0)
			return true;
	return false;
}

enum status hub_home(struct buf *out, struct error *err)
{
	const char *home = sys_variable("HOME");

	if (path_variable_put(out, "HF_HOME"))
		return STATUS_OK;
	if (path_variable_put(out, "XDG_CACHE_HOME")) {
		buf_puts(out, "/huggingface");
		return STATUS_OK;
	}
	if (!home)
		return error_set(err, STATUS_NOTFOUND, "$HOME is not set, so there is no place for models: set HF_HOME to a folder");
	buf_printf(out, "%s/.cache/huggingface", home);
	return STATUS_OK;
}

/* Bytes without the white space around them. */
static const char *trim(const char *text, size_t *len)
{
	while (*len && isspace((unsigned char)text[*len - 1]))
		--*len;
	for (; *len && isspace((unsigned char)*text); text++)
		--*len;
	return text;
}

static enum status make_key(struct secret **out, const char *text, size_t len, const char *where, struct error *err)
{
	struct error why;

	text = trim(text, &len);
	if (!len)
		return STATUS_OK;
	if (!secret_create(out, text, len, &why))
		return STATUS_OK;
	return why.status == STATUS_NOMEM ? error_no_memory(err, "for the key")
	                                  : error_set(err, STATUS_CONFIG, "%s is not a token of Hugging Face: %.200s", where,
	                                              why.text);
}

static enum status read_key(struct secret **out, struct error *err)
{
	struct buf path = {.max = KIB(16)};
	enum status status = STATUS_OK;
	char *text = NULL;
	size_t len = 0;

	if (!path_variable_put(&path, "HF_TOKEN_PATH") && !hub_home(&path, NULL))
		buf_puts(&path, "/token");
	if (path.len && !sys_read_file(buf_text(&path), LIMIT_SERVER_KEY, &text, &len, NULL))
		status = make_key(out, text, len, buf_text(&path), err);
	if (text)
		secret_wipe(text, len);
	free(text);
	buf_free(&path);
	return status;
}

enum status hub_key(struct secret **out, struct error *err)
{
	static const char *const variables[] = {"HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"};

	*out = NULL;
	if (hub_is_on("HF_HUB_DISABLE_IMPLICIT_TOKEN"))
		return STATUS_OK;
	for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
		const char *value = sys_variable(variables[i]);

		if (value)
			return make_key(out, value, strlen(value), variables[i], err);
	}
	return read_key(out, err);
}
