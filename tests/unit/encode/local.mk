check_PROGRAMS += tests/unit/encode/test_encode
TESTS += tests/unit/encode/test_encode
tests_unit_encode_test_encode_SOURCES = \
	tests/unit/encode/chat_model.c tests/unit/encode/chat_model.h \
	tests/unit/encode/test_builtin_templates.c \
	tests/unit/encode/test_chat_template.c \
	tests/unit/encode/test_cuts.c \
	tests/unit/encode/test_encode.c \
	tests/unit/encode/test_encode_outside.c \
	tests/unit/encode/test_encode_template.c \
	tests/unit/encode/test_family_templates.c \
	tests/unit/encode/test_fit.c \
	tests/unit/encode/test_harmony.c \
	tests/unit/encode/test_reasoning.c \
	tests/unit/encode/test_shape.c \
	tests/unit/encode/test_splitter.c \
	tests/unit/encode/test_template_kwargs.c
tests_unit_encode_test_encode_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_encode_test_encode_LDADD = tests/support/libsupport.a $(CHAT_LIBS) src/config/libconfig.a $(ENGINE_LIBS) src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)

check_PROGRAMS += tests/unit/encode/test_encode_testdata
TESTS += tests/unit/encode/test_encode_testdata
tests_unit_encode_test_encode_testdata_SOURCES = \
	tests/support/testdata.c tests/support/testdata.h tests/unit/encode/test_encode_testdata.c
tests_unit_encode_test_encode_testdata_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_encode_test_encode_testdata_LDADD = tests/support/libsupport.a $(ENGINE_LIBS) src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)
