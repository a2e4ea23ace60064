#include "net/curl.h"

#include <stdbool.h>

#include "base/library.h"

/* The first that takes concurrent set-ups and CURLOPT_PROTOCOLS_STR. */
enum { OLDEST = 0x075500 };

static void *open_library(void)
{
	static const char *const names[] = {"libcurl.so.4", "libcurl.so", "libcurl-gnutls.so.4"};

	return library_open(names, sizeof names / sizeof *names);
}

static bool find_functions(void *library, struct curl *curl)
{
#define FIND(name) library_find(library, "curl_" #name, &curl->name, sizeof curl->name) &&
	return CURL_FUNCTIONS(FIND) true;
#undef FIND
}

static enum status set_up(struct curl *curl, struct error *err)
{
	const curl_version_info_data *version = curl->version_info(CURLVERSION_NOW);

	if (version->version_num < OLDEST)
		return error_set(err, STATUS_UNSUPPORTED,
		                 "libcurl %s is too old for servers: install 7.85 or later", version->version);
	if (curl->global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
		return error_set(err, STATUS_UNSUPPORTED, "libcurl %s cannot be set up", version->version);
	return STATUS_OK;
}

enum status curl_load(struct curl *curl, struct error *err)
{
	void *library = open_library();
	enum status status;

	*curl = (struct curl){0};
	if (!library)
		return error_set(err, STATUS_UNSUPPORTED,
		                 "servers need libcurl, which is not there: install libcurl4 (Debian, Ubuntu) or "
		                 "libcurl (Fedora)");
	if (find_functions(library, curl))
		status = set_up(curl, err);
	else
		status = error_set(err, STATUS_UNSUPPORTED,
		                   "libcurl is too old for servers: install 7.85 or later");
	library_close(library);
	return status;
}

void curl_unload(struct curl *curl)
{
	curl->global_cleanup();
}
