noinst_LIBRARIES += src/gguf/libgguf.a
src_gguf_libgguf_a_SOURCES = \
	src/gguf/cursor.c src/gguf/cursor.h \
	src/gguf/fingerprint.c \
	src/gguf/foreign.c src/gguf/foreign.h \
	src/gguf/guard.c src/gguf/guard.h \
	src/gguf/internal.h \
	src/gguf/override.c \
	src/gguf/parse.c \
	src/gguf/parse_tensors.c \
	src/gguf/reader.c src/gguf/reader.h \
	src/gguf/split.c \
	src/gguf/split_name.c src/gguf/split_name.h \
	src/gguf/string.c \
	src/gguf/types.c src/gguf/types.h \
	src/gguf/values.c \
	src/gguf/writer.c src/gguf/writer.h
