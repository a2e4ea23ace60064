EXTRA_DIST += tests/vectors/markdown
check_PROGRAMS += tests/unit/markdown/test_markdown
TESTS += tests/unit/markdown/test_markdown
tests_unit_markdown_test_markdown_SOURCES = \
	tests/unit/markdown/test_markdown.c \
	tests/unit/markdown/test_markdown_replies.c
tests_unit_markdown_test_markdown_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_markdown_test_markdown_LDADD = tests/support/libsupport.a src/markdown/libmarkdown.a src/terminal/libterminal.a \
	src/config/libconfig.a src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)
