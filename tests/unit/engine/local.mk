check_PROGRAMS += tests/unit/engine/test_engine
TESTS += tests/unit/engine/test_engine
tests_unit_engine_test_engine_SOURCES = \
	tests/unit/engine/test_biases.c \
	tests/unit/engine/test_breakers.c \
	tests/unit/engine/test_cached_prompt.c \
	tests/unit/engine/test_continue.c \
	tests/unit/engine/test_generate.c \
	tests/unit/engine/test_params.c \
	tests/unit/engine/test_score.c \
	tests/unit/engine/test_session.c \
	tests/unit/engine/test_split.c \
	tests/unit/engine/test_worker.c
tests_unit_engine_test_engine_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_engine_test_engine_LDADD = tests/support/libsupport.a $(ENGINE_LIBS) src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)

check_PROGRAMS += tests/unit/engine/test_session_testdata
TESTS += tests/unit/engine/test_session_testdata
tests_unit_engine_test_session_testdata_SOURCES = tests/unit/engine/test_session_testdata.c
tests_unit_engine_test_session_testdata_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_engine_test_session_testdata_LDADD = tests/support/libsupport.a $(ENGINE_LIBS) $(TEST_KERNEL_LIBS) src/base/libbase.a $(EXTERNAL_LIBS)

check_PROGRAMS += tests/unit/engine/test_families_testdata
TESTS += tests/unit/engine/test_families_testdata
tests_unit_engine_test_families_testdata_SOURCES = tests/unit/engine/test_families_testdata.c
tests_unit_engine_test_families_testdata_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_engine_test_families_testdata_LDADD = tests/support/libsupport.a $(ENGINE_LIBS) $(TEST_KERNEL_LIBS) src/base/libbase.a $(EXTERNAL_LIBS)

check_PROGRAMS += tests/unit/engine/test_families
TESTS += tests/unit/engine/test_families
tests_unit_engine_test_families_SOURCES = tests/unit/engine/test_families.c \
	tests/unit/engine/test_rope_options.c
tests_unit_engine_test_families_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_engine_test_families_LDADD = tests/support/libsupport.a $(ENGINE_LIBS) $(TEST_KERNEL_LIBS) src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)

# Functions that faults are planted in.
check_PROGRAMS += tests/unit/engine/test_family_faults
TESTS += tests/unit/engine/test_family_faults
tests_unit_engine_test_family_faults_SOURCES = tests/unit/engine/test_family_faults.c
tests_unit_engine_test_family_faults_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_engine_test_family_faults_LDFLAGS = -Wl,--wrap=cache_rewind -Wl,--wrap=cache_checkpoint \
	-Wl,--wrap=cache_commit -Wl,--wrap=convolve -Wl,--wrap=scan_states -Wl,--wrap=activate \
	-Wl,--wrap=multiply
tests_unit_engine_test_family_faults_LDADD = tests/support/libsupport.a $(ENGINE_LIBS) $(TEST_KERNEL_LIBS) src/base/libbase.a $(EXTERNAL_LIBS)

check_PROGRAMS += tests/unit/engine/test_branch
TESTS += tests/unit/engine/test_branch
tests_unit_engine_test_branch_SOURCES = tests/unit/engine/test_branch.c
tests_unit_engine_test_branch_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_engine_test_branch_LDADD = tests/support/libsupport.a $(ENGINE_LIBS) $(TEST_KERNEL_LIBS) src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)

check_PROGRAMS += tests/unit/engine/test_what_if
TESTS += tests/unit/engine/test_what_if
tests_unit_engine_test_what_if_SOURCES = tests/unit/engine/test_what_if.c
tests_unit_engine_test_what_if_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_engine_test_what_if_LDADD = tests/support/libsupport.a src/kept/libkept.a $(ENGINE_LIBS) $(TEST_KERNEL_LIBS) src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)
check_PROGRAMS += tests/unit/engine/test_examine
TESTS += tests/unit/engine/test_examine
tests_unit_engine_test_examine_SOURCES = tests/unit/engine/test_examine.c
tests_unit_engine_test_examine_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_engine_test_examine_LDADD = tests/support/libsupport.a $(ENGINE_LIBS) $(TEST_KERNEL_LIBS) src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)
