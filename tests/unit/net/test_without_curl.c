#include <criterion/criterion.h>
#include <string.h>

#include "net/http.h"

Test(without_curl, there_are_no_servers)
{
	struct http *http;
	struct error err;

	cr_assert_not(http_is_built());
	cr_assert_eq(http_create(&http, &err), STATUS_UNSUPPORTED);
	cr_assert_null(http);
	cr_assert_not_null(strstr(err.text, "built without libcurl"));
	http_free(http);
}
