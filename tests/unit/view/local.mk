check_PROGRAMS += tests/unit/view/test_view
TESTS += tests/unit/view/test_view
tests_unit_view_test_view_SOURCES = \
	tests/unit/terminal/pad.c tests/unit/terminal/pad.h \
	tests/unit/view/test_band_runs.c \
	tests/unit/view/test_chat_files.c \
	tests/unit/view/test_chat_view.c \
	tests/unit/view/test_line_flow.c \
	tests/unit/view/test_panel.c \
	tests/unit/view/test_panel_chats.c \
	tests/unit/view/test_panel_form.c \
	tests/unit/view/test_panel_rows.c \
	tests/unit/view/test_panel_takes.c \
	tests/unit/view/test_panel_tokens.c \
	tests/unit/view/test_sampling_marks.c \
	tests/unit/view/test_sparkline.c \
	tests/unit/view/test_status.c
tests_unit_view_test_view_CPPFLAGS = $(TEST_CPPFLAGS) -I$(srcdir)/tests/unit/terminal
tests_unit_view_test_view_LDADD = tests/support/libsupport.a $(UI_LIBS) src/guide/libguide.a $(PULL_LIBS) $(CHECKPOINT_LIBS) $(REMOTE_LIBS) $(ENGINE_LIBS) \
	src/config/libconfig.a src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)
