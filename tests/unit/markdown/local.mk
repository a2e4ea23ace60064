EXTRA_DIST += tests/vectors/markdown
check_PROGRAMS += tests/unit/markdown/test_markdown tests/unit/markdown/test_markdown_testdata
TESTS += tests/unit/markdown/test_markdown tests/unit/markdown/test_markdown_testdata
tests_unit_markdown_test_markdown_SOURCES = \
	tests/unit/markdown/lossless.c tests/unit/markdown/lossless.h \
	tests/unit/markdown/test_markdown.c \
	tests/unit/markdown/test_markdown_links.c \
	tests/unit/markdown/test_markdown_lossless.c \
	tests/unit/markdown/test_markdown_replies.c
tests_unit_markdown_test_markdown_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_markdown_test_markdown_LDADD = tests/support/libsupport.a src/chat/libchat.a src/markdown/libmarkdown.a src/terminal/libterminal.a \
	src/config/libconfig.a src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)
# What reads ../shared/testdata stands apart, so that a skip is seen.
tests_unit_markdown_test_markdown_testdata_SOURCES = \
	tests/unit/markdown/lossless.c tests/unit/markdown/lossless.h \
	tests/support/testdata.c tests/support/testdata.h tests/unit/markdown/test_markdown_testdata.c
tests_unit_markdown_test_markdown_testdata_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_markdown_test_markdown_testdata_LDADD = $(tests_unit_markdown_test_markdown_LDADD)
