check_PROGRAMS += tests/unit/cli/test_cli
TESTS += tests/unit/cli/test_cli
tests_unit_cli_test_cli_SOURCES = \
	tests/unit/cli/test_bench_limits.c \
	tests/unit/cli/test_bench_result.c \
	tests/unit/cli/test_context.c \
	tests/unit/cli/test_figures.c \
	tests/unit/cli/test_heat_map.c \
	tests/unit/cli/test_quote.c
tests_unit_cli_test_cli_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_cli_test_cli_LDADD = $(TEST_LIBS) $(sotto_LDADD)
