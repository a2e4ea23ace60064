check_PROGRAMS += tests/unit/search/test_search
TESTS += tests/unit/search/test_search
tests_unit_search_test_search_SOURCES = \
	tests/unit/chat/chat_support.c tests/unit/chat/chat_support.h \
	tests/unit/search/test_finder.c \
	tests/unit/search/test_index.c \
	tests/unit/search/test_search.c
tests_unit_search_test_search_CPPFLAGS = $(TEST_CPPFLAGS) -I$(srcdir)/tests/unit/chat
tests_unit_search_test_search_LDADD = tests/support/libsupport.a $(CHAT_LIBS) src/sampler/libsampler.a \
	src/config/libconfig.a src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)
