check_PROGRAMS += tests/unit/jinja/test_jinja
TESTS += tests/unit/jinja/test_jinja
tests_unit_jinja_test_jinja_SOURCES = \
	tests/unit/jinja/dump.c tests/unit/jinja/dump.h \
	tests/unit/jinja/expressions.c tests/unit/jinja/expressions.h \
	tests/unit/jinja/rendering.c tests/unit/jinja/rendering.h \
	tests/unit/jinja/test_access.c \
	tests/unit/jinja/test_arena.c \
	tests/unit/jinja/test_builtin.c \
	tests/unit/jinja/test_casing.c \
	tests/unit/jinja/test_context.c \
	tests/unit/jinja/test_container_methods.c \
	tests/unit/jinja/test_eval.c \
	tests/unit/jinja/test_filters_items.c \
	tests/unit/jinja/test_filters_number.c \
	tests/unit/jinja/test_filters_sort.c \
	tests/unit/jinja/test_filters_sources.c \
	tests/unit/jinja/test_filters_text.c \
	tests/unit/jinja/test_format.c \
	tests/unit/jinja/test_globals.c \
	tests/unit/jinja/test_json.c \
	tests/unit/jinja/test_lexer.c \
	tests/unit/jinja/test_limits.c \
	tests/unit/jinja/test_loop.c \
	tests/unit/jinja/test_macro.c \
	tests/unit/jinja/test_not_supported.c \
	tests/unit/jinja/test_operators.c \
	tests/unit/jinja/test_parse_depth.c \
	tests/unit/jinja/test_parse_errors.c \
	tests/unit/jinja/test_parser.c \
	tests/unit/jinja/test_print.c \
	tests/unit/jinja/test_scope.c \
	tests/unit/jinja/test_sources.c \
	tests/unit/jinja/test_string_methods.c \
	tests/unit/jinja/test_tests.c \
	tests/unit/jinja/test_text.c \
	tests/unit/jinja/test_time.c \
	tests/unit/jinja/test_value.c
tests_unit_jinja_test_jinja_CPPFLAGS = $(TEST_CPPFLAGS) -I$(srcdir)/tests/unit/jinja
tests_unit_jinja_test_jinja_LDADD = src/jinja/libjinja.a src/base/libbase.a \
	$(TEST_LIBS) $(EXTERNAL_LIBS)

# With contexts as sotto render reads them.
JINJA_CONTEXT_LIBS = src/cli/libcli.a src/jinja/libjinja.a src/config/libconfig.a src/base/libbase.a
# What tools/jinja-cases recorded of Jinja2, rendered again.
check_PROGRAMS += tests/unit/jinja/test_replay
TESTS += tests/unit/jinja/test_replay
EXTRA_DIST += tests/vectors/jinja-cases.txt.gz tools/jinja-cases
check_DATA += tests/unit/jinja/cases.txt
CLEANFILES += tests/unit/jinja/cases.txt
tests/unit/jinja/cases.txt: tests/vectors/jinja-cases.txt.gz
	$(AM_V_GEN)$(MKDIR_P) tests/unit/jinja && gzip -dc $(srcdir)/tests/vectors/jinja-cases.txt.gz >$@
tests_unit_jinja_test_replay_SOURCES = tests/unit/jinja/test_replay.c
tests_unit_jinja_test_replay_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_jinja_test_replay_LDADD = $(JINJA_CONTEXT_LIBS) $(EXTERNAL_LIBS)
check_PROGRAMS += tests/unit/jinja/test_templates_testdata
TESTS += tests/unit/jinja/test_templates_testdata
tests_unit_jinja_test_templates_testdata_SOURCES = tests/unit/jinja/test_templates_testdata.c
tests_unit_jinja_test_templates_testdata_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_jinja_test_templates_testdata_LDADD = $(JINJA_CONTEXT_LIBS) $(EXTERNAL_LIBS)
