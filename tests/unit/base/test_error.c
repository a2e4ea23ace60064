#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "base/error.h"

Test(error, sets_text_and_gives_the_status_back)
{
	struct error err;

	cr_assert_eq(error_set(&err, STATUS_FORMAT, "n_dims %d, at most %d", 5, 4), STATUS_FORMAT);
	cr_assert_str_eq(err.text, "n_dims 5, at most 4");
	error_prefix(&err, "%s", "x.gguf");
	cr_assert_str_eq(err.text, "x.gguf: n_dims 5, at most 4");
	cr_assert_eq(error_set(NULL, STATUS_IO, "nobody asks"), STATUS_IO);
}

Test(error, names_the_reason_of_the_system)
{
	struct error err;

	cr_assert_eq(error_errno(&err, ENOENT, "%s: cannot open", "f"), STATUS_NOTFOUND);
	cr_assert_str_eq(err.text, "f: cannot open: No such file or directory");
	cr_assert_eq(error_errno(&err, EACCES, "f"), STATUS_IO);
}

Test(error, says_what_the_memory_was_for)
{
	struct error err;

	cr_assert_eq(error_no_memory(&err, NULL), STATUS_NOMEM);
	cr_assert_str_eq(err.text, "not enough memory");
	cr_assert_eq(error_no_memory(&err, "to tokenise %zu bytes", (size_t)7), STATUS_NOMEM);
	cr_assert_str_eq(err.text, "not enough memory to tokenise 7 bytes");
	cr_assert_eq(err.status, STATUS_NOMEM);
	cr_assert_eq(error_no_memory(NULL, "for the reply"), STATUS_NOMEM);
}

Test(error, cuts_long_texts)
{
	struct error err;
	char text[2000];

	memset(text, 'x', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	error_set(&err, STATUS_IO, "%s", text);
	cr_assert_eq(strlen(err.text), ERROR_TEXT_MAX - 1);
	error_prefix(&err, "%s", text);
	cr_assert_eq(strlen(err.text), ERROR_TEXT_MAX - 1);
	error_errno(&err, ENOENT, "%s", text);
	cr_assert_eq(strlen(err.text), ERROR_TEXT_MAX - 1);
}

Test(error, every_status_has_an_exit_code)
{
	for (int s = 0; s < STATUS_COUNT; s++)
		cr_assert_eq(status_exit_code((enum status)s) == 0, s == STATUS_OK);
	cr_assert_eq(status_exit_code(STATUS_OK), 0);
	cr_assert_eq(status_exit_code(STATUS_USAGE), 2);
	cr_assert_eq(status_exit_code(STATUS_FORMAT), 3);
	cr_assert_eq(status_exit_code(STATUS_CONTEXT), 4);
}
