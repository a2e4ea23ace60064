EXTRA_DIST += tests/vectors/markdown
check_PROGRAMS += tests/unit/ui/test_ui
TESTS += tests/unit/ui/test_ui
tests_unit_ui_test_ui_SOURCES = \
	tests/unit/ui/pad.c tests/unit/ui/pad.h \
	tests/unit/ui/test_cells.c \
	tests/unit/ui/test_chat_view.c \
	tests/unit/ui/test_commands.c \
	tests/unit/ui/test_complete.c \
	tests/unit/ui/test_input.c \
	tests/unit/ui/test_input_layout.c \
	tests/unit/ui/test_input_line.c \
	tests/unit/ui/test_keymap.c \
	tests/unit/ui/test_line_history.c \
	tests/unit/ui/test_osc52.c \
	tests/unit/ui/test_markdown.c \
	tests/unit/ui/test_markdown_replies.c \
	tests/unit/ui/test_panel.c \
	tests/unit/ui/test_panel_form.c \
	tests/unit/ui/test_status.c \
	tests/unit/ui/test_style.c \
	tests/unit/ui/test_wrap.c
tests_unit_ui_test_ui_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_ui_test_ui_LDADD = tests/support/libsupport.a src/ui/libui.a src/chat/libchat.a src/guide/libguide.a \
	$(ENGINE_LIBS) src/config/libconfig.a src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)
