noinst_LIBRARIES += src/compare/libcompare.a
src_compare_libcompare_a_SOURCES = \
	src/compare/agreement.c src/compare/agreement.h \
	src/compare/comparison.c src/compare/comparison.h \
	src/compare/distribution.c src/compare/distribution.h \
	src/compare/layers.c src/compare/layers.h \
	src/compare/moments.c src/compare/moments.h \
	src/compare/run.c src/compare/run.h \
	src/compare/source.h \
	src/compare/source_file.h \
	src/compare/source_llama.c \
	src/compare/source_rows.c \
	src/compare/source_session.c \
	src/compare/text.c src/compare/text.h
