check_PROGRAMS += tests/unit/import/test_import
TESTS += tests/unit/import/test_import
tests_unit_import_test_import_SOURCES = \
	tests/unit/chat/chat_support.c tests/unit/chat/chat_support.h \
	tests/unit/import/test_date.c \
	tests/unit/import/test_formats.c \
	tests/unit/import/test_import.c
tests_unit_import_test_import_CPPFLAGS = $(TEST_CPPFLAGS) -I$(srcdir)/tests/unit/chat
tests_unit_import_test_import_LDADD = tests/support/libsupport.a $(CHAT_LIBS) src/sampler/libsampler.a \
	src/config/libconfig.a src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)
