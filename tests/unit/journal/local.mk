check_PROGRAMS += tests/unit/journal/test_journal
TESTS += tests/unit/journal/test_journal
tests_unit_journal_test_journal_SOURCES = \
	tests/unit/chat/chat_support.c tests/unit/chat/chat_support.h \
	tests/unit/journal/test_draft_file.c \
	tests/unit/journal/test_importer.c \
	tests/unit/journal/test_journal.c \
	tests/unit/journal/test_journal_faults.c \
	tests/unit/journal/test_journal_list.c \
	tests/unit/journal/test_rescue.c \
	tests/unit/journal/test_trash.c \
	tests/unit/journal/test_journal_runs.c
tests_unit_journal_test_journal_CPPFLAGS = $(TEST_CPPFLAGS) -I$(srcdir)/tests/unit/chat
tests_unit_journal_test_journal_LDADD = tests/support/libsupport.a $(CHAT_LIBS) src/guide/libguide.a $(ENGINE_LIBS) \
	src/config/libconfig.a src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)
