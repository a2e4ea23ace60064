# Model files that are wrong: handcrafted, cut short, mutated. Plain programs,
# so that what kills one is seen for what it is.
hostile_libs = tests/support/libsupport.a $(ENGINE_LIBS) src/base/libbase.a \
	$(UNISTRING_LIBS) $(PCRE2_LIBS)

check_PROGRAMS += tests/hostile/test_cut
TESTS += tests/hostile/test_cut
tests_hostile_test_cut_SOURCES = \
	tests/hostile/raw.c tests/hostile/raw.h \
	tests/hostile/test_cut.c
tests_hostile_test_cut_CPPFLAGS = $(TEST_CPPFLAGS)
tests_hostile_test_cut_LDADD = $(hostile_libs)

check_PROGRAMS += tests/hostile/test_defects
TESTS += tests/hostile/test_defects
tests_hostile_test_defects_SOURCES = \
	tests/hostile/defects.h \
	tests/hostile/header.c \
	tests/hostile/metadata.c \
	tests/hostile/model.c \
	tests/hostile/patch.c tests/hostile/patch.h \
	tests/hostile/pipeline.c tests/hostile/pipeline.h \
	tests/hostile/raw.c tests/hostile/raw.h \
	tests/hostile/tensors.c \
	tests/hostile/test_defects.c \
	tests/hostile/vocab.c \
	tests/hostile/wrong_types.c
tests_hostile_test_defects_CPPFLAGS = $(TEST_CPPFLAGS)
tests_hostile_test_defects_LDADD = $(hostile_libs)

check_PROGRAMS += tests/hostile/test_mutated
TESTS += tests/hostile/test_mutated
tests_hostile_test_mutated_SOURCES = \
	tests/hostile/mutate.c tests/hostile/mutate.h \
	tests/hostile/pipeline.c tests/hostile/pipeline.h \
	tests/hostile/seeds.c tests/hostile/seeds.h \
	tests/hostile/test_mutated.c
tests_hostile_test_mutated_CPPFLAGS = $(TEST_CPPFLAGS)
tests_hostile_test_mutated_LDADD = $(hostile_libs)

check_PROGRAMS += tests/hostile/test_parts
TESTS += tests/hostile/test_parts
tests_hostile_test_parts_SOURCES = \
	tests/hostile/mutate.c tests/hostile/mutate.h \
	tests/hostile/test_parts.c
tests_hostile_test_parts_CPPFLAGS = $(TEST_CPPFLAGS)
tests_hostile_test_parts_LDADD = tests/support/libsupport.a src/gguf/libgguf.a src/base/libbase.a

check_PROGRAMS += tests/hostile/test_in_use
TESTS += tests/hostile/test_in_use
tests_hostile_test_in_use_SOURCES = tests/hostile/test_in_use.c
tests_hostile_test_in_use_CPPFLAGS = $(TEST_CPPFLAGS)
tests_hostile_test_in_use_LDADD = $(hostile_libs)

# Templates, too.
check_PROGRAMS += tests/hostile/test_bombs
TESTS += tests/hostile/test_bombs
tests_hostile_test_bombs_SOURCES = \
	tests/hostile/bombs.c tests/hostile/bombs.h \
	tests/hostile/test_bombs.c
tests_hostile_test_bombs_CPPFLAGS = $(TEST_CPPFLAGS)
tests_hostile_test_bombs_LDADD = src/jinja/libjinja.a src/base/libbase.a $(UNISTRING_LIBS)

# Streams of servers.
check_PROGRAMS += tests/hostile/test_streams
TESTS += tests/hostile/test_streams
tests_hostile_test_streams_SOURCES = \
	tests/hostile/streams.c tests/hostile/streams.h \
	tests/hostile/test_streams.c
tests_hostile_test_streams_CPPFLAGS = $(TEST_CPPFLAGS)
tests_hostile_test_streams_LDADD = tests/support/server/libserver.a tests/support/libsupport.a src/remote/libremote.a \
	src/base/libbase.a $(MICROHTTPD_LIBS) $(UNISTRING_LIBS)
