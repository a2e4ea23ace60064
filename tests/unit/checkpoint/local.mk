EXTRA_DIST += tests/vectors/convert tools/convert-vectors.py tools/vocabulary-vectors.py
check_PROGRAMS += tests/unit/checkpoint/test_families
TESTS += tests/unit/checkpoint/test_families
tests_unit_checkpoint_test_families_SOURCES = \
	tests/unit/checkpoint/test_families.c \
	tests/unit/checkpoint/test_model_id.c \
	tests/unit/checkpoint/test_row_map.c
tests_unit_checkpoint_test_families_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_checkpoint_test_families_LDADD = tests/support/libsupport.a $(CHECKPOINT_LIBS) $(ENGINE_LIBS) \
	src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)

check_PROGRAMS += tests/unit/checkpoint/test_checkpoint
TESTS += tests/unit/checkpoint/test_checkpoint
tests_unit_checkpoint_test_checkpoint_SOURCES = \
	tests/unit/checkpoint/test_convert.c \
	tests/unit/checkpoint/test_floats.c \
	tests/unit/checkpoint/test_refused.c \
	tests/unit/checkpoint/test_safetensors.c \
	tests/unit/checkpoint/test_settings.c
tests_unit_checkpoint_test_checkpoint_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_checkpoint_test_checkpoint_LDADD = tests/support/libsupport.a $(CHECKPOINT_LIBS) $(ENGINE_LIBS) \
	src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)

check_PROGRAMS += tests/unit/checkpoint/test_vocabulary
TESTS += tests/unit/checkpoint/test_vocabulary
tests_unit_checkpoint_test_vocabulary_SOURCES = \
	tests/unit/checkpoint/test_vocabulary.c \
	tests/unit/checkpoint/test_vocabulary_files.c \
	tests/unit/checkpoint/test_vocabulary_pre.c
tests_unit_checkpoint_test_vocabulary_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_checkpoint_test_vocabulary_LDADD = tests/support/libsupport.a $(CHECKPOINT_LIBS) $(ENGINE_LIBS) \
	src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)
