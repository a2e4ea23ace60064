check_PROGRAMS += tests/unit/ui/test_ui
TESTS += tests/unit/ui/test_ui
tests_unit_ui_test_ui_SOURCES = \
	tests/unit/ui/test_scrollback.c \
	tests/unit/ui/test_commands.c \
	tests/unit/ui/test_complete.c \
	tests/unit/ui/test_key_hints.c \
	tests/unit/ui/test_keymap.c \
	tests/unit/ui/test_keymap_file.c \
	tests/unit/ui/test_model_rows.c \
	tests/unit/ui/test_pull_rows.c
tests_unit_ui_test_ui_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_ui_test_ui_LDADD = tests/support/libsupport.a $(UI_LIBS) src/guide/libguide.a $(PULL_LIBS) $(CHECKPOINT_LIBS) $(REMOTE_LIBS) \
	$(ENGINE_LIBS) src/config/libconfig.a src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)
