#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/words.h"
#include "config/secret_file.h"
#include "config/servers.h"

static const char key_env[] = "key-env";

/* Of Hugging Face, from which models are fetched (pull/hub_key.c). */
static const char hub_keys[] = " HF_TOKEN HUGGING_FACE_HUB_TOKEN";

/* Where the name of a variable begins that follows the word key-env: after a quotation mark, blanks, line ends and
 * a colon. */
static const char *value_at(const char *text)
{
	text += strspn(text, "\"' \t\r\n");
	if (*text != ':')
		return NULL;
	text++;
	return text + strspn(text, "\"' \t\r\n");
}

/* The names, in the text itself and not through YAML: a file that is wrong somewhere must not give a key away.
 * Comments count, too. */
static void put_names(const char *text, struct buf *names)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";

	while ((text = strstr(text, key_env))) {
		const char *name;

		text += strlen(key_env);
		name = value_at(text);
		if (name)
			buf_printf(names, " %.*s", (int)strspn(name, letters), name);
	}
}

/* Those that are not in the list of names, which is separated by blanks. */
static char **copy_without(char *const *variables, const char *names)
{
	size_t n = 0, kept = 0;
	char **out;

	while (variables[n])
		n++;
	out = alloc_array(n + 1, sizeof *out);
	for (size_t i = 0; out && i < n; i++)
		if (!words_have(names, variables[i], strcspn(variables[i], "=")))
			out[kept++] = variables[i];
	return out;
}

enum status servers_environment(char ***out, const char *path, struct error *err)
{
	struct secret_file file = {.len = 0};
	struct buf names = {.max = LIMIT_YAML_BYTES}, whole = {.max = KIB(64)};

	*out = NULL;
	if (!servers_path(&whole, path, NULL) &&
	    !secret_file_read(&file, buf_text(&whole), LIMIT_YAML_BYTES, true, NULL))
		put_names(file.text, &names);
	secret_file_wipe(&file);
	buf_puts(&names, hub_keys);
	if (!buf_status(&names))
		*out = copy_without(environ, buf_text(&names));
	buf_free(&names);
	buf_free(&whole);
	return *out ? STATUS_OK : error_no_memory(err, "to start a program");
}
