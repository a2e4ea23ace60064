check_PROGRAMS += tests/unit/checkpoint/test_vocabulary
TESTS += tests/unit/checkpoint/test_vocabulary
tests_unit_checkpoint_test_vocabulary_SOURCES = \
	tests/unit/checkpoint/test_vocabulary_files.c
tests_unit_checkpoint_test_vocabulary_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_checkpoint_test_vocabulary_LDADD = src/checkpoint/libcheckpoint.a \
	src/tokenizer/libtokenizer.a src/gguf/libgguf.a src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)
