noinst_LIBRARIES += src/prompt/libprompt.a
src_prompt_libprompt_a_SOURCES = \
	src/prompt/builtin_templates.c src/prompt/builtin_templates.h \
	src/prompt/chat_probe.c src/prompt/chat_probe.h \
	src/prompt/chat_render.c \
	src/prompt/chat_template.c src/prompt/chat_template.h \
	src/prompt/encode.c src/prompt/encode.h \
	src/prompt/encode_continued.c \
	src/prompt/encode_fit.c \
	src/prompt/fit.c src/prompt/fit.h \
	src/prompt/harmony.c src/prompt/harmony.h \
	src/prompt/held.c src/prompt/held.h \
	src/prompt/match.c src/prompt/match.h \
	src/prompt/reasoning.c src/prompt/reasoning.h \
	src/prompt/shape.c src/prompt/shape.h \
	src/prompt/splitter.c src/prompt/splitter.h \
	src/prompt/template_kwargs.c src/prompt/template_kwargs.h
