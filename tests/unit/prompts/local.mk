check_PROGRAMS += tests/unit/prompts/test_prompts
TESTS += tests/unit/prompts/test_prompts
tests_unit_prompts_test_prompts_SOURCES = tests/unit/prompts/test_prompt_template.c
tests_unit_prompts_test_prompts_CPPFLAGS = $(TEST_CPPFLAGS)
tests_unit_prompts_test_prompts_LDADD = tests/support/libsupport.a src/prompts/libprompts.a $(ENGINE_LIBS) \
	src/config/libconfig.a src/base/libbase.a $(TEST_LIBS) $(EXTERNAL_LIBS)
