# With replies of its own in the place of kept.c's.
check_PROGRAMS += tests/unit/kept/test_measures
TESTS += tests/unit/kept/test_measures
tests_unit_kept_test_measures_SOURCES = tests/unit/kept/test_measures.c
tests_unit_kept_test_measures_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_kept_test_measures_LDADD = src/kept/libkept.a src/base/libbase.a $(TEST_LIBS)

check_PROGRAMS += tests/unit/kept/test_what_if
TESTS += tests/unit/kept/test_what_if
tests_unit_kept_test_what_if_SOURCES = tests/unit/kept/test_what_if.c
tests_unit_kept_test_what_if_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_kept_test_what_if_LDADD = src/kept/libkept.a src/sampler/libsampler.a src/base/libbase.a \
	$(TEST_LIBS) $(EXTERNAL_LIBS)

check_PROGRAMS += tests/unit/kept/test_kept_file
TESTS += tests/unit/kept/test_kept_file
tests_unit_kept_test_kept_file_SOURCES = tests/unit/kept/test_kept_file.c
tests_unit_kept_test_kept_file_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_kept_test_kept_file_LDADD = tests/support/libsupport.a src/kept/libkept.a src/sampler/libsampler.a \
	src/turn/libturn.a src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)
