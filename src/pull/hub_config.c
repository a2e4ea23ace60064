#include "pull/hub_config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/text_ends.h"
#include "checkpoint/refused.h"
#include "pull/quant_name.h"

bool hub_is_safetensors(const char *path)
{
	return strncmp(path, "model", 5) == 0 && !strchr(path, '/') && text_ends(path, ".safetensors");
}

static const char *by_names(const struct pull_offer *offer)
{
	const char **names = alloc_array(offer->n_files, sizeof *names), *why = NULL;

	if (!names)
		return NULL;
	for (size_t i = 0; i < offer->n_files; i++)
		names[i] = offer->files[i].path;
	why = refused_files(names, offer->n_files);
	free(names);
	return why;
}

static const char *by_config(const char *text, size_t len)
{
	struct settings_tree *config = NULL;
	const char *why = NULL;

	if (!settings_tree_parse(&config, "config.json", text, len, NULL))
		why = refused_config(config);
	settings_tree_free(config);
	return why;
}

static enum status ask_config(const char **why, const struct pull_offer *offer, struct web *web, struct error *err)
{
	struct buf path = {.max = KIB(8)};
	struct web_request request = {.base = offer->name.base, .key = offer->key, .limit = LIMIT_CHECKPOINT_CONFIG, .is_optional = true};
	struct web_answer answer = {0};
	enum status status;

	buf_printf(&path, "/%s/resolve/%s/config.json", offer->name.repository, offer->commit);
	request.path = buf_text(&path);
	status = web_get(web, &request, &answer, err);
	if (!status && answer.code == 200)
		*why = by_config(buf_text(&answer.body), answer.body.len);
	web_answer_free(&answer);
	buf_free(&path);
	return status == STATUS_CANCELLED || status == STATUS_NOMEM ? status : STATUS_OK;
}

enum status hub_refused(const char **why, const struct pull_offer *offer, struct web *web, struct error *err)
{
	bool has_weights = false, has_config = false;

	*why = NULL;
	for (size_t i = 0; i < offer->n_files; i++) {
		const char *path = offer->files[i].path;

		if (quant_file_of(path) != QUANT_OTHER)
			return STATUS_OK;
		has_weights |= hub_is_safetensors(path);
		has_config |= strcmp(path, "config.json") == 0;
	}
	*why = by_names(offer);
	if (*why || !has_weights || !has_config)
		return STATUS_OK;
	return ask_config(why, offer, web, err);
}
