#include "remote/offers.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/limits.h"
#include "net/http.h"
#include "remote/list_items.h"
#include "remote/route.h"

/* Where servers listen unless they are told otherwise. */
static const struct {
	uint16_t port;
	const char *name, *title;
} usual[] = {
	{8080, "llama", "llama-server"},  {11434, "ollama", "Ollama"},
	{1234, "lm-studio", "LM Studio"}, {8000, "vllm", "vLLM"},
	{30000, "sglang", "SGLang"},      {5001, "koboldcpp", "KoboldCpp"},
	{5000, "tabby", "TabbyAPI"},
};

static bool is_configured(const struct servers *servers, uint16_t port)
{
	char host[128];

	for (size_t i = 0; i < servers->n; i++)
		if (remote_port(servers->items[i].url) == port &&
		    http_host(servers->items[i].url, host, sizeof host) == HTTP_HERE)
			return true;
	return false;
}

static bool has_name(const struct servers *servers, const char *name)
{
	for (size_t i = 0; i < servers->n; i++)
		if (strcmp(servers->items[i].name, name) == 0)
			return true;
	return false;
}

/* A name that no configured server has. */
static void choose_name(const struct servers *servers, const char *usual_name, char *name,
                        size_t size)
{
	snprintf(name, size, "%s", usual_name);
	for (size_t i = 2; has_name(servers, name); i++)
		snprintf(name, size, "%s-%zu", usual_name, i);
}

static enum status add(struct remote_list *list, const struct servers *servers, const char *path,
                       size_t row, struct error *err)
{
	struct buf why = {.max = KIB(8)};
	struct remote_model *model = list_add(list, "");
	char name[64], where[32];

	choose_name(servers, usual[row].name, name, sizeof name);
	snprintf(where, sizeof where, "127.0.0.1:%u", (unsigned)usual[row].port);
	buf_printf(&why,
	           "a server runs on this machine: something listens on port %u, as %s does; to "
	           "use it, write "
	           "%s: {url: \"http://%s\"} into %s",
	           (unsigned)usual[row].port, usual[row].title, name, where, path);
	if (model) {
		model->state = REMOTE_OFFERED;
		model->title = usual[row].title;
		model->server = strdup(name);
		model->where = strdup(where);
		model->why = buf_take(&why, NULL);
		model->path = list_path(name, "");
	}
	buf_free(&why);
	if (!model || !model->server || !model->where || !model->why || !model->path)
		return error_no_memory(err, "for the list of models");
	return STATUS_OK;
}

enum status offers_add(struct remote_list *list, const struct servers *servers, const char *path,
                       bool (*listens)(uint16_t port), struct error *err)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; !status && i < sizeof usual / sizeof usual[0]; i++)
		if (!is_configured(servers, usual[i].port) && listens(usual[i].port))
			status = add(list, servers, path, i, err);
	return status;
}
