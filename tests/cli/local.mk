dist_check_SCRIPTS = tests/cli/test_cli.sh tests/cli/test_run_testdata.sh
TESTS += tests/cli/test_cli.sh tests/cli/test_run_testdata.sh
check_PROGRAMS += tests/cli/make_models
tests_cli_make_models_SOURCES = tests/cli/make_models.c
tests_cli_make_models_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
tests_cli_make_models_LDADD = tests/support/libsupport.a src/gguf/libgguf.a src/base/libbase.a $(EXTERNAL_LIBS)
