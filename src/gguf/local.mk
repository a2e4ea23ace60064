noinst_LIBRARIES += src/gguf/libgguf.a
src_gguf_libgguf_a_SOURCES =
