CLI_TESTS = \
	tests/cli/test_cli.sh \
	tests/cli/test_compare.sh \
	tests/cli/test_compare_server.sh \
	tests/cli/test_compare_testdata.sh \
	tests/cli/test_completions.sh \
	tests/cli/test_convert.sh \
	tests/cli/test_doctor.sh \
	tests/cli/test_doctor_testdata.sh \
	tests/cli/test_files.sh \
	tests/cli/test_import.sh \
	tests/cli/test_import_testdata.sh \
	tests/cli/test_libraries.sh \
	tests/cli/test_pull.sh \
	tests/cli/test_models.sh \
	tests/cli/test_replay.sh \
	tests/cli/test_replay_testdata.sh \
	tests/cli/test_run_guide.sh \
	tests/cli/test_run_json.sh \
	tests/cli/test_run_server.sh \
	tests/cli/test_run_testdata.sh \
	tests/cli/test_servers.sh \
	tests/cli/test_trace_testdata.sh
dist_check_SCRIPTS = $(CLI_TESTS)
EXTRA_DIST += tests/cli/setup.sh tests/vectors/compare
TESTS += $(CLI_TESTS)
check_PROGRAMS += tests/cli/make_models
tests_cli_make_models_SOURCES = tests/cli/make_models.c
tests_cli_make_models_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
tests_cli_make_models_LDADD = tests/support/libsupport.a src/gguf/libgguf.a src/base/libbase.a $(EXTERNAL_LIBS)
check_PROGRAMS += tests/cli/test_tty
TESTS += tests/cli/test_tty
tests_cli_test_tty_SOURCES = tests/cli/test_tty.c
tests_cli_test_tty_LDADD = src/gguf/libgguf.a src/base/libbase.a $(EXTERNAL_LIBS) -lutil
if HAVE_CURL
if HAVE_CRYPTO
check_PROGRAMS += tests/cli/test_pull_tty
TESTS += tests/cli/test_pull_tty
endif
endif
tests_cli_test_pull_tty_SOURCES = tests/cli/test_pull_tty.c
tests_cli_test_pull_tty_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
tests_cli_test_pull_tty_LDADD = $(HUB_SERVER_LIBS) -lutil
