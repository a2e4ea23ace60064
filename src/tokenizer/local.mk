noinst_LIBRARIES += src/tokenizer/libtokenizer.a
src_tokenizer_libtokenizer_a_SOURCES =
