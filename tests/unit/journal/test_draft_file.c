#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/limits.h"
#include "chat_support.h"
#include "journal/draft_file.h"
#include "support/faulter.h"

TestSuite(draft_file, .init = chat_folder_make, .fini = chat_folder_remove, .timeout = 600);

static struct error err;

#define OK(call) cr_assert_eq((call), STATUS_OK, "%s: %s", #call, err.text)

static void expect(const char *key, const char *expected, size_t n_files)
{
	struct attachments files = {.n = 0};
	char *text;

	OK(draft_file_load(key, &text, &files, &err));
	cr_assert_str_eq(text, expected);
	cr_assert_eq(files.n, n_files);
	attachments_free(&files);
	free(text);
}

static void save(const char *key, const char *text)
{
	OK(draft_file_save(key, text, strlen(text), NULL, &io_system, &err));
}

Test(draft_file, comes_back_until_it_is_removed)
{
	struct attachments list = {.n = 0};
	struct attached files;
	struct buf text = {.max = KIB(4)};
	char *loaded;

	cr_assert_eq(draft_file_load("k", &loaded, &list, &err), STATUS_NOTFOUND);
	save("k", "one\n\033 \"two\"");
	save("k", "three");
	save("other", "four");
	expect("k", "three", 0);
	attached_init(&files);
	OK(attached_add(&files, "a", "b\n", 2, &err));
	OK(attached_join(&files, "five", 4, &text, &list, &err));
	OK(draft_file_save("k", buf_text(&text), text.len, &list, &io_system, &err));
	expect("k", buf_text(&text), 1);
	draft_file_remove("k", &io_system);
	draft_file_remove("k", &io_system);
	attachments_free(&list);
	cr_assert_eq(draft_file_load("k", &loaded, &list, &err), STATUS_NOTFOUND);
	expect("other", "four", 0);
	attached_free(&files);
	buf_free(&text);
}

/* Those of processes that have ended, the newest first; never one's own or a live one's. */
Test(draft_file, of_a_process_that_has_ended_is_found)
{
	char key[DRAFT_KEY_MAX], lost[DRAFT_KEY_MAX], live[DRAFT_KEY_MAX];
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	cr_assert_gt(pid, 0);
	cr_assert_eq(waitpid(pid, NULL, 0), pid);
	cr_assert_eq(draft_file_find_lost(key, &err), STATUS_NOTFOUND);
	draft_key_new(key);
	save(key, "own");
	snprintf(live, sizeof live, "new-%ld", (long)getppid());
	save(live, "live");
	save("20261121-093000-ab12-00000000", "a chat's");
	cr_assert_eq(draft_file_find_lost(key, &err), STATUS_NOTFOUND);
	snprintf(lost, sizeof lost, "new-%ld", (long)pid);
	save(lost, "lost");
	OK(draft_file_find_lost(key, &err));
	cr_assert_str_eq(key, lost);
}

/* Whatever fails, there is the old one or the new one. */
Test(draft_file, survives_every_fault)
{
	static const int errors[] = {ENOSPC, EIO, EINTR, EDQUOT, EROFS, EACCES, EMFILE, EFBIG};

	for (size_t e = 0; e < sizeof errors / sizeof errors[0]; e++)
		for (size_t at = 1; at < 50; at++) {
			struct faulter faulter = {.at = at, .error = errors[e]};
			struct attachments list = {.n = 0};
			enum status status;
			char *text;

			faulter_init(&faulter);
			save("k", "old");
			status = draft_file_save("k", "new", 3, NULL, &faulter.ops, &err);
			OK(draft_file_load("k", &text, &list, &err));
			cr_assert_str_eq(text, status ? "old" : "new", "call %zu, errno %d", at, errors[e]);
			free(text);
			if (!faulter.fired) {
				cr_assert_eq(status, STATUS_OK);
				cr_assert_gt(at, 4);
				break;
			}
			cr_assert(status || errors[e] == EINTR, "call %zu, errno %d: not told", at, errors[e]);
		}
}
