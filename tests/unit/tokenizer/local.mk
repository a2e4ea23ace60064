check_PROGRAMS += tests/unit/tokenizer/test_tokenizer tests/unit/tokenizer/test_tokenizer_testdata
TESTS += tests/unit/tokenizer/test_tokenizer tests/unit/tokenizer/test_tokenizer_testdata
EXTRA_DIST += tests/vectors/pretokenize.txt
tests_unit_tokenizer_test_tokenizer_SOURCES = \
	tests/unit/tokenizer/test_bpe.c \
	tests/unit/tokenizer/test_detokenizer.c \
	tests/unit/tokenizer/test_long.c \
	tests/unit/tokenizer/test_outside.c \
	tests/unit/tokenizer/test_pretokenize.c \
	tests/unit/tokenizer/test_queue.c \
	tests/unit/tokenizer/test_special.c \
	tests/unit/tokenizer/test_spm.c \
	tests/unit/tokenizer/test_textmap.c \
	tests/unit/tokenizer/test_vocab.c \
	tests/unit/tokenizer/util.c tests/unit/tokenizer/util.h
tests_unit_tokenizer_test_tokenizer_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_tokenizer_test_tokenizer_LDADD = tests/support/libsupport.a \
	src/tokenizer/libtokenizer.a src/gguf/libgguf.a src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)
# What reads ../shared/testdata stands apart, so that a skip is seen.
tests_unit_tokenizer_test_tokenizer_testdata_SOURCES = \
	tests/support/testdata.c tests/support/testdata.h tests/unit/tokenizer/test_tokenizer_testdata.c \
	tests/unit/tokenizer/util.c tests/unit/tokenizer/util.h
tests_unit_tokenizer_test_tokenizer_testdata_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_tokenizer_test_tokenizer_testdata_LDADD = \
	$(tests_unit_tokenizer_test_tokenizer_LDADD)
