check_PROGRAMS += tests/unit/prompt/test_prompt
TESTS += tests/unit/prompt/test_prompt
tests_unit_prompt_test_prompt_SOURCES = \
	tests/unit/prompt/chat_model.c tests/unit/prompt/chat_model.h \
	tests/unit/prompt/test_builtin_templates.c \
	tests/unit/prompt/test_chat_template.c \
	tests/unit/prompt/test_cuts.c \
	tests/unit/prompt/test_encode.c \
	tests/unit/prompt/test_encode_template.c \
	tests/unit/prompt/test_family_templates.c \
	tests/unit/prompt/test_fit.c \
	tests/unit/prompt/test_harmony.c \
	tests/unit/prompt/test_reasoning.c \
	tests/unit/prompt/test_shape.c \
	tests/unit/prompt/test_splitter.c \
	tests/unit/prompt/test_template_kwargs.c
tests_unit_prompt_test_prompt_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_prompt_test_prompt_LDADD = tests/support/libsupport.a $(ENGINE_LIBS) src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)

check_PROGRAMS += tests/unit/prompt/test_encode_testdata
TESTS += tests/unit/prompt/test_encode_testdata
tests_unit_prompt_test_encode_testdata_SOURCES = \
	tests/unit/prompt/test_encode_testdata.c
tests_unit_prompt_test_encode_testdata_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_prompt_test_encode_testdata_LDADD = $(ENGINE_LIBS) src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)
