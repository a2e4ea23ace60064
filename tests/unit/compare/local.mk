check_PROGRAMS += tests/unit/compare/test_compare
TESTS += tests/unit/compare/test_compare
tests_unit_compare_test_compare_SOURCES = \
	tests/unit/compare/test_agreement.c \
	tests/unit/compare/test_comparison.c \
	tests/unit/compare/test_layers.c \
	tests/unit/compare/test_run.c \
	tests/unit/compare/test_sources.c \
	tests/unit/compare/test_text.c
tests_unit_compare_test_compare_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_compare_test_compare_LDADD = tests/support/libsupport.a src/compare/libcompare.a $(ENGINE_LIBS) src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)
