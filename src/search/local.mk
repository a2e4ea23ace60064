noinst_LIBRARIES += src/search/libsearch.a
src_search_libsearch_a_SOURCES = \
	src/search/finder.c src/search/finder.h \
	src/search/index.c src/search/index.h \
	src/search/index_ask.c \
	src/search/index_update.c \
	src/search/index_internal.h \
	src/search/search.c src/search/search.h
