check_PROGRAMS += tests/unit/line/test_line
TESTS += tests/unit/line/test_line
tests_unit_line_test_line_SOURCES = \
	tests/unit/line/test_input_layout.c \
	tests/unit/line/test_input_line.c \
	tests/unit/line/test_line_history.c \
	tests/unit/line/test_pastes.c
tests_unit_line_test_line_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_line_test_line_LDADD = tests/support/libsupport.a $(UI_LIBS) src/guide/libguide.a $(PULL_LIBS) $(CHECKPOINT_LIBS) $(REMOTE_LIBS) $(ENGINE_LIBS) \
	src/config/libconfig.a src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)
