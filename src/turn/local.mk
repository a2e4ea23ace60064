noinst_LIBRARIES += src/turn/libturn.a
src_turn_libturn_a_SOURCES = \
	src/turn/bias_word.c src/turn/bias_word.h \
	src/turn/difference.c src/turn/difference.h \
	src/turn/engine_params.c src/turn/engine_params.h \
	src/turn/event.c src/turn/event.h \
	src/turn/inspection.h \
	src/turn/turn.c src/turn/turn.h
