#include <criterion/criterion.h>

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "remote/call.h"
#include "remote/fields.h"
#include "remote/list_items.h"
#include "served.h"
#include "support/server/server.h"

static char path[64];

const char *served_file(const char *format, ...)
{
	va_list args;
	FILE *file;
	int fd;

	snprintf(path, sizeof path, "/tmp/sotto-servers-XXXXXX");
	fd = mkstemp(path);
	cr_assert_geq(fd, 0);
	file = fdopen(fd, "w");
	cr_assert_not_null(file);
	va_start(args, format);
	vfprintf(file, format, args);
	va_end(args);
	fclose(file);
	return path;
}

void served_file_remove(void)
{
	(void)unlink(path);
}

/* What the list of models says of it, and servers.yaml. */
static uint32_t listed_context(struct remote *remote)
{
	const struct server_model *said = server_find_model(remote->server, remote->model);
	struct remote_list list = {.n = 0};
	uint32_t n_ctx = 0;

	(void)!remote->dialect->list(remote, &list, NULL);
	for (size_t i = 0; i < list.n; i++)
		if (strcmp(list.items[i].id, remote->model) == 0)
			n_ctx = list.items[i].n_ctx;
	list_empty(&list);
	return list_context_within(n_ctx, said ? said->n_ctx : 0);
}

void served_open(struct served *served, const struct dialect *dialect, const char *spec,
                 const char *yaml, const char *model, struct error *err)
{
	struct remote *remote = &served->remote;

	*served = (struct served){
		.server = test_server_start(&(struct server_options){.spec = spec})};
	cr_assert_not_null(served->server);
	cr_assert_eq(servers_read(&served->servers,
	                          served_file("box:\n  url: %s\n%s",
	                                      test_server_url(served->server), yaml ? yaml : ""),
	                          NULL, err),
	             STATUS_OK, "%s", err->text);
	served_file_remove();
	cr_assert_eq(remote_connect(remote, &served->servers.items[0], NULL, NULL, err), STATUS_OK,
	             "%s", err->text);
	remote->dialect = dialect;
	remote->fields = dialect->fields;
	remote->n_fields = dialect->n_fields;
	remote->bytes_per_token = 3.6;
	remote->model = strdup(model);
	remote->info.n_ctx = listed_context(remote);
	err->status = dialect->open(remote, err);
	fields_list_idle(remote, &remote->info);
}

void served_close(struct served *served)
{
	struct remote *remote = &served->remote;

	if (remote->dialect->close)
		remote->dialect->close(remote);
	free(remote->model);
	remote_disconnect(remote);
	servers_free(&served->servers);
	test_server_stop(served->server);
}

enum status served_write(struct served *served, const struct turn *turn, struct remote_request *out,
                         struct error *err)
{
	const struct remote_ask ask = {.turn = turn, .params = turn->sampler, .seed = 7};
	enum status status;

	*out = (struct remote_request){.path = {.max = KIB(4)}, .body = {.max = MIB(16)}};
	status = served->remote.dialect->write(&served->remote, &ask, out, err);
	return status;
}

bool served_has(const struct remote_request *request, const char *member)
{
	return strstr(buf_text(&request->body), member) != NULL;
}
