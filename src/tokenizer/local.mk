noinst_LIBRARIES += src/tokenizer/libtokenizer.a
src_tokenizer_libtokenizer_a_SOURCES = \
	src/tokenizer/encode.c src/tokenizer/encode.h \
	src/tokenizer/merge.c src/tokenizer/merge.h \
	src/tokenizer/outside.c src/tokenizer/outside.h \
	src/tokenizer/outside_gather.c \
	src/tokenizer/outside_known.c src/tokenizer/outside_known.h \
	src/tokenizer/outside_open.c \
	src/tokenizer/outside_sort.c \
	src/tokenizer/pretokenize.c src/tokenizer/pretokenize.h \
	src/tokenizer/pretokenize_table.c \
	src/tokenizer/queue.c src/tokenizer/queue.h \
	src/tokenizer/special.c src/tokenizer/special.h \
	src/tokenizer/textmap.c src/tokenizer/textmap.h \
	src/tokenizer/tokenizer.c src/tokenizer/tokenizer.h \
	src/tokenizer/vocab.c src/tokenizer/vocab.h \
	src/tokenizer/vocab_merges.c src/tokenizer/vocab_special.c
