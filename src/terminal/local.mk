noinst_LIBRARIES += src/terminal/libterminal.a
src_terminal_libterminal_a_SOURCES = \
	src/terminal/cells.c src/terminal/cells.h \
	src/terminal/child.c src/terminal/child.h \
	src/terminal/clipboard.c src/terminal/clipboard.h \
	src/terminal/colors.c src/terminal/colors.h \
	src/terminal/direct_color.c src/terminal/direct_color.h \
	src/terminal/editor.c src/terminal/editor.h \
	src/terminal/input.c src/terminal/input.h \
	src/terminal/key.c src/terminal/key.h \
	src/terminal/notify.c src/terminal/notify.h \
	src/terminal/opener.c src/terminal/opener.h \
	src/terminal/osc52.c src/terminal/osc52.h \
	src/terminal/sgr.c src/terminal/sgr.h \
	src/terminal/signals.c src/terminal/signals.h \
	src/terminal/style.c src/terminal/style.h \
	src/terminal/term.c src/terminal/term.h \
	src/terminal/wrap.c src/terminal/wrap.h
