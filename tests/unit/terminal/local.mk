check_PROGRAMS += tests/unit/terminal/test_terminal
TESTS += tests/unit/terminal/test_terminal
tests_unit_terminal_test_terminal_SOURCES = \
	tests/unit/terminal/pad.c tests/unit/terminal/pad.h \
	tests/unit/terminal/test_cells.c \
	tests/unit/terminal/test_colors.c \
	tests/unit/terminal/test_direct_color.c \
	tests/unit/terminal/test_input.c \
	tests/unit/terminal/test_key.c \
	tests/unit/terminal/test_keyboard.c \
	tests/unit/terminal/test_opener.c \
	tests/unit/terminal/test_osc.c \
	tests/unit/terminal/test_signals.c \
	tests/unit/terminal/test_wrap.c
tests_unit_terminal_test_terminal_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_terminal_test_terminal_LDADD = tests/support/libsupport.a src/terminal/libterminal.a \
	src/config/libconfig.a src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)
