check_PROGRAMS += tests/unit/chat/test_chat
TESTS += tests/unit/chat/test_chat
tests_unit_chat_test_chat_SOURCES = \
	tests/unit/chat/chat_support.c tests/unit/chat/chat_support.h \
	tests/unit/chat/test_attachment.c \
	tests/unit/chat/test_branch.c \
	tests/unit/chat/test_code_blocks.c \
	tests/unit/chat/test_code_blocks_end.c \
	tests/unit/chat/test_export.c \
	tests/unit/chat/test_ledger.c \
	tests/unit/chat/test_looks_wrong.c \
	tests/unit/chat/test_path.c \
	tests/unit/chat/test_run.c \
	tests/unit/chat/test_takes.c \
	tests/unit/chat/test_tree.c \
	tests/unit/chat/test_turn.c
tests_unit_chat_test_chat_CPPFLAGS = $(TEST_CPPFLAGS) -I$(srcdir)/tests/unit/chat
tests_unit_chat_test_chat_LDADD = tests/support/libsupport.a $(CHAT_LIBS) src/guide/libguide.a $(ENGINE_LIBS) \
	src/config/libconfig.a src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)
