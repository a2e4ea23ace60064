check_PROGRAMS += tests/unit/gguf/test_gguf
TESTS += tests/unit/gguf/test_gguf
tests_unit_gguf_test_gguf_SOURCES = \
	tests/unit/gguf/test_fingerprint.c \
	tests/unit/gguf/test_reader.c \
	tests/unit/gguf/test_split.c \
	tests/unit/gguf/test_types.c \
	tests/unit/gguf/test_unchanged.c \
	tests/unit/gguf/test_writer.c
tests_unit_gguf_test_gguf_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_gguf_test_gguf_LDADD = tests/support/libsupport.a src/gguf/libgguf.a src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)
