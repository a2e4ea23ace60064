# Published models, by name: asking for them, fetching them, the folders they are kept in.
noinst_LIBRARIES += src/pull/libpull.a
src_pull_libpull_a_SOURCES = \
	src/pull/again.c src/pull/again.h \
	src/pull/fetch.h \
	src/pull/name.c src/pull/name.h \
	src/pull/name_hub.c \
	src/pull/name_ollama.c \
	src/pull/name_parts.h \
	src/pull/offer.c src/pull/offer.h \
	src/pull/pending.c \
	src/pull/progress.c \
	src/pull/pull.c src/pull/pull.h \
	src/pull/puller.c src/pull/puller.h \
	src/pull/rate.c src/pull/rate.h \
	src/pull/source.c src/pull/source.h \
	src/pull/stored.h \
	src/pull/web.c src/pull/web.h
