/* What net/http.h offers in a program that was configured without libcurl. */
#include "net/http.h"

bool http_is_built(void)
{
	return false;
}

enum status http_create(struct http **out, struct error *err)
{
	*out = NULL;
	return error_set(err, STATUS_UNSUPPORTED,
	                 "this sotto was built without libcurl, and knows no servers: install "
	                 "libcurl4-openssl-dev (Debian, Ubuntu) or libcurl-devel (Fedora), and build it again");
}

void http_free(struct http *http)
{
	(void)http;
}

enum status http_call(struct http *http, const struct http_call *call, struct http_answer *answer,
                      struct error *err)
{
	(void)http;
	(void)call;
	*answer = (struct http_answer){.trouble = HTTP_BAD_CALL, .retry_after_ms = -1};
	return error_set(err, STATUS_UNSUPPORTED, "this sotto was built without libcurl");
}

void http_answer_free(struct http_answer *answer)
{
	buf_free(&answer->body);
	buf_free(&answer->head);
	buf_free(&answer->redirect);
}
