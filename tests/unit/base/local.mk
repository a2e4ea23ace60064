check_PROGRAMS += tests/unit/base/test_base
TESTS += tests/unit/base/test_base
tests_unit_base_test_base_SOURCES = \
	tests/unit/base/test_alloc.c \
	tests/unit/base/test_amount.c \
	tests/unit/base/test_buf.c \
	tests/unit/base/test_cgroup.c \
	tests/unit/base/test_error.c \
	tests/unit/base/test_file.c \
	tests/unit/base/test_file_pattern.c \
	tests/unit/base/test_home_path.c \
	tests/unit/base/test_job.c \
	tests/unit/base/test_json.c \
	tests/unit/base/test_json_reader.c \
	tests/unit/base/test_json_walk.c \
	tests/unit/base/test_log.c \
	tests/unit/base/test_number.c \
	tests/unit/base/test_sanitize.c \
	tests/unit/base/test_secret.c \
	tests/unit/base/test_sys.c \
	tests/unit/base/test_text_find.c \
	tests/unit/base/test_utf8.c \
	tests/unit/base/test_words.c
if HAVE_CRYPTO
tests_unit_base_test_base_SOURCES += tests/unit/base/test_digest.c
else
tests_unit_base_test_base_SOURCES += tests/unit/base/test_without_crypto.c
endif
tests_unit_base_test_base_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_base_test_base_LDADD = tests/support/libsupport.a src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)
