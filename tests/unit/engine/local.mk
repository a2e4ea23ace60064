check_PROGRAMS += tests/unit/engine/test_engine
TESTS += tests/unit/engine/test_engine
tests_unit_engine_test_engine_SOURCES = \
	tests/unit/engine/chat_model.c tests/unit/engine/chat_model.h \
	tests/unit/engine/test_backend.c \
	tests/unit/engine/test_builtin_templates.c \
	tests/unit/engine/test_catalog.c \
	tests/unit/engine/test_chat_template.c \
	tests/unit/engine/test_describe.c \
	tests/unit/engine/test_family_templates.c \
	tests/unit/engine/test_encode.c \
	tests/unit/engine/test_encode_template.c \
	tests/unit/engine/test_generate.c \
	tests/unit/engine/test_harmony.c \
	tests/unit/engine/test_memory.c \
	tests/unit/engine/test_offers.c \
	tests/unit/engine/test_params.c \
	tests/unit/engine/test_reasoning.c \
	tests/unit/engine/test_recommended.c \
	tests/unit/engine/test_session.c \
	tests/unit/engine/test_prompt.c \
	tests/unit/engine/test_split.c \
	tests/unit/engine/test_stop.c \
	tests/unit/engine/test_turn.c \
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

check_PROGRAMS += tests/unit/engine/test_encode_testdata
TESTS += tests/unit/engine/test_encode_testdata
tests_unit_engine_test_encode_testdata_SOURCES = tests/unit/engine/test_encode_testdata.c
tests_unit_engine_test_encode_testdata_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_engine_test_encode_testdata_LDADD = $(ENGINE_LIBS) src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)

check_PROGRAMS += tests/unit/engine/test_families
TESTS += tests/unit/engine/test_families
tests_unit_engine_test_families_SOURCES = tests/unit/engine/test_families.c
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
