check_PROGRAMS += tests/unit/jinja/test_jinja
TESTS += tests/unit/jinja/test_jinja
tests_unit_jinja_test_jinja_SOURCES = \
	tests/unit/jinja/rendering.c tests/unit/jinja/rendering.h \
	tests/unit/jinja/test_access.c \
	tests/unit/jinja/test_arena.c \
	tests/unit/jinja/test_operators.c \
	tests/unit/jinja/test_print.c \
	tests/unit/jinja/test_text.c \
	tests/unit/jinja/test_value.c
tests_unit_jinja_test_jinja_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_jinja_test_jinja_LDADD = src/jinja/libjinja.a src/base/libbase.a \
	$(TEST_LIBS) $(EXTERNAL_LIBS)
