/* libcurl, loaded by dlopen: linked, it would cost every start some 30 shared libraries that nobody without
 * a server needs (bench/LOG.md). Its functions are called through this table. */
#ifndef SOTTO_NET_CURL_H
#define SOTTO_NET_CURL_H

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

#include "base/error.h"

/* All that are used; the fields of struct curl have their names and types. */
#define CURL_FUNCTIONS(X) \
	X(global_init) \
	X(global_cleanup) \
	X(version_info) \
	X(getdate) \
	X(easy_init) \
	X(easy_cleanup) \
	X(easy_setopt) \
	X(easy_getinfo) \
	X(multi_init) \
	X(multi_cleanup) \
	X(multi_add_handle) \
	X(multi_remove_handle) \
	X(multi_perform) \
	X(multi_poll) \
	X(multi_info_read)

struct curl {
#define CURL_FIELD(name) __typeof__(&curl_##name) name;
	CURL_FUNCTIONS(CURL_FIELD)
#undef CURL_FIELD
};

/* Loads libcurl and sets it up. STATUS_UNSUPPORTED: it is not there, or too old; the text says which package to
 * install. Once loaded it stays until the program ends: a look-up of a name that was given up may run on in it.
 *
 * Threads: any. libcurl counts who has set it up. */
enum status curl_load(struct curl *curl, struct error *err) MUST_CHECK;
void curl_unload(struct curl *curl);

#endif
