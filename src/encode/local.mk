noinst_LIBRARIES += src/encode/libencode.a
src_encode_libencode_a_SOURCES = \
	src/encode/builtin_templates.c src/encode/builtin_templates.h \
	src/encode/chat_probe.c \
	src/encode/chat_render.c \
	src/encode/chat_template.c src/encode/chat_template.h \
	src/encode/encode.c src/encode/encode.h \
	src/encode/encode_inspect.c src/encode/encode_inspect.h \
	src/encode/encode_turn.c \
	src/encode/fit.c src/encode/fit.h \
	src/encode/harmony.c src/encode/harmony.h \
	src/encode/held.c src/encode/held.h \
	src/encode/match.c src/encode/match.h \
	src/encode/reasoning.c src/encode/reasoning.h \
	src/encode/shape.c src/encode/shape.h \
	src/encode/splitter.c src/encode/splitter.h \
	src/encode/template_kwargs.c src/encode/template_kwargs.h
