noinst_LIBRARIES += src/prompts/libprompts.a
src_prompts_libprompts_a_SOURCES = \
	src/prompts/prompt_call.c \
	src/prompts/prompt_library.c \
	src/prompts/prompt_render.c \
	src/prompts/prompt_template.c src/prompts/prompt_template.h
