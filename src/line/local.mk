noinst_LIBRARIES += src/line/libline.a
src_line_libline_a_SOURCES = \
	src/line/complete_files.c \
	src/line/complete_list.c src/line/complete_list.h \
	src/line/input_layout.c src/line/input_layout.h \
	src/line/input_line.c src/line/input_line.h \
	src/line/line_history.c src/line/line_history.h \
	src/line/pastes.c src/line/pastes.h \
	src/line/readline_keys.c src/line/readline_keys.h
