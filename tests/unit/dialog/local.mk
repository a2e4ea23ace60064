check_PROGRAMS += tests/unit/dialog/test_dialog
TESTS += tests/unit/dialog/test_dialog
tests_unit_dialog_test_dialog_SOURCES = \
	tests/unit/chat/chat_support.c tests/unit/chat/chat_support.h \
	tests/unit/dialog/talk.c tests/unit/dialog/talk.h \
	tests/unit/dialog/test_branch_at.c \
	tests/unit/dialog/test_draft.c \
	tests/unit/dialog/test_edit.c \
	tests/unit/dialog/test_events.c \
	tests/unit/dialog/test_examine.c \
	tests/unit/dialog/test_files.c \
	tests/unit/dialog/test_kept.c \
	tests/unit/dialog/test_open.c \
	tests/unit/dialog/test_queue.c \
	tests/unit/dialog/test_send.c \
	tests/unit/dialog/test_store.c \
	tests/unit/dialog/test_template.c
tests_unit_dialog_test_dialog_CPPFLAGS = $(TEST_CPPFLAGS) -I$(srcdir)/tests/unit/chat
tests_unit_dialog_test_dialog_LDADD = tests/support/libsupport.a $(CHAT_LIBS) src/guide/libguide.a $(ENGINE_LIBS) \
	src/config/libconfig.a src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)
